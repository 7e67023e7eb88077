import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomPolicy } from '#src/shared/policy/testPolicies.ts';
import { policyWords } from '#src/shared/policy/policyWords.ts';
import {
  draftOf,
  firstDraft,
  newAsset,
  newStep,
  type PolicyDraft,
  policyOf,
  unlisted,
  usualLimit,
  whyNoMoreSteps,
} from './draft.ts';

test('a policy stays the same if it is edited without a change', () => {
  fc.assert(
    fc.property(randomPolicy, (policy) => {
      expect(policyOf(draftOf(policy))).toEqual(policy);
    }),
  );
});

describe('the first answers', () => {
  const limits = new Map([['USDT', '1000']]);
  const wordsOf = (draft: PolicyDraft) => {
    const policy = policyOf(draft);
    return policy instanceof Map ? [...policy] : 'assets' in policy ? policyWords(policy) : [];
  };
  test('I work alone', () => expect(wordsOf(firstDraft(0, new Map()))).toEqual(['No payment needs approval.']));
  test.each([1, 2])('%s approve above an amount', (people) => {
    const approvals = people === 1 ? '1 approval' : '2 approvals';
    expect(wordsOf(firstDraft(people, limits))).toEqual([
      `Up to 1,000 USDT a payment, 5,000 USDT and 20 payments in 24 hours: no approval. Above: ${approvals}.`,
      `Every payment of another asset needs ${approvals}.`,
      'A payment waits 72 hours for its approvals; after that it is not sent.',
    ]);
  });
});

test.each([
  ['530574.96', '5000'],
  ['100', '1'],
  ['99', '0.9'],
  ['12.3456', '0.1'],
  ['0.00012', '0.000001'],
  ['1000000', '10000'],
  ['0.00', null],
  ['-5', null],
])('of a balance of %s, approvals may begin at %s', (total, limit) => expect(usualLimit(total)).toBe(limit));

describe('faults are named by field', () => {
  const base = firstDraft(1, new Map([['USDT', '1000']]));
  const [asset] = base.assets;
  const [step] = asset?.steps ?? [];
  if (asset === undefined || step === undefined) throw new Error('unreachable');
  const withStep = (changes: object): PolicyDraft => ({
    ...base,
    assets: [{ ...asset, steps: [{ ...step, ...changes }] }],
  });
  test.each<[string, PolicyDraft, string]>([
    ['no limit', withStep({ each: '' }), `${step.id} each`],
    ['an unclear limit', withStep({ day: '1,250' }), `${step.id} day`],
    ['a limit longer than one can be', withStep({ each: `0.${'1'.repeat(59)}` }), `${step.id} each`],
    ['no count', withStep({ count: '0' }), `${step.id} count`],
    ['half a payment', withStep({ count: '1.5' }), `${step.id} count`],
    ['as many approvals above', withStep({ approvals: 1 }), `${asset.id} above`],
    [
      'too many assets',
      { ...base, assets: Array.from({ length: 101 }, (_, at) => ({ ...asset, asset: `A${at}` })) },
      'assets',
    ],
    ['an asset twice', { ...base, assets: [asset, { ...asset, id: 'second' }] }, 'policy'],
    ['an asset without a name', { ...base, assets: [{ ...asset, asset: '' }] }, 'policy'],
    ['fewer for other assets', { ...base, others: 0 }, 'others'],
    [
      'steps that don’t rise',
      { ...base, others: 2, assets: [{ ...asset, above: 2, steps: [step, { ...step, id: 'second' }] }] },
      'second approvals',
    ],
  ])('%s', (_, draft, name) => {
    const faults = policyOf(draft);
    expect(faults instanceof Map ? [...faults.keys()] : faults).toEqual([name]);
  });
});

test('no step can be added after four, or if the last one needs nearly as many approvals as possible', () => {
  const refusal = (...approvals: number[]) =>
    whyNoMoreSteps({ ...newAsset('USDT', 5), steps: approvals.map((one) => newStep(one)) });
  expect([refusal(), refusal(0), refusal(0, 3)]).toEqual([undefined, undefined, undefined]);
  expect(refusal(0, 1, 2, 3)).toBe('More than 4 steps aren’t possible.');
  expect(refusal(0, 4)).toBe('The last step needs 4 approvals already, and more than 5 aren’t possible.');
});

test('an asset is listed once, however it is spelled', () => {
  const draft = firstDraft(1, new Map([['USDT', '1']]));
  expect(unlisted(['usdt', 'BTC'], draft)).toEqual(['BTC']);
});
