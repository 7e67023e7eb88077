import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { asksToConfirmRecipients, mostApprovals, NO_RECIPIENT_RULES, policySchema } from './policy.ts';
import { randomPolicy } from './testPolicies.ts';

const STEP = { approvals: 0, each: '1000', day: '5000', count: 20 };
const RULE = { asset: 'USDT', steps: [STEP], above: 1 };
const POLICY = { assets: [RULE], other_assets: 1, recipients: NO_RECIPIENT_RULES, expires_hours: 72 };
const isTaken = (policy: unknown) => v.safeParse(policySchema, policy).success;
const withStep = (step: object) => ({ ...POLICY, assets: [{ ...RULE, steps: [step] }] });
const without = (name: string, of: object) => Object.fromEntries(Object.entries(of).filter(([one]) => one !== name));

test('a policy with every field is accepted', () => {
  expect(isTaken(POLICY)).toBe(true);
  fc.assert(fc.property(randomPolicy, isTaken));
});

test.each([
  ['refused', { unlisted: 'refuse', others: 5, above: 5 }, true],
  ['given more approvals than any payment needs', { unlisted: 2, others: 1, above: 1 }, true],
  ['given more than other assets need', { unlisted: 1, others: 0, above: 0 }, true],
  ['given as many as each payment needs', { unlisted: 1, others: 1, above: 1 }, false],
  ['given none', { unlisted: 0, others: 1, above: 1 }, false],
] as const)(
  'whether recipients are to be confirmed, where payments to others are %s',
  (_, { unlisted, others, above }, asks) => {
    const recipients = { ...NO_RECIPIENT_RULES, unlisted };
    const asset = { asset: 'USDT', steps: [], above };
    expect(asksToConfirmRecipients({ ...POLICY, assets: [asset], other_assets: others, recipients })).toBe(asks);
    const withSteps = { ...POLICY, other_assets: others, recipients };
    expect(asksToConfirmRecipients(withSteps)).toBe(unlisted !== 0);
  },
);

describe('refused', () => {
  test.each<[string, unknown]>([
    ['an unknown member', { ...POLICY, comment: '' }],
    ['an unknown member of a step', withStep({ ...STEP, week: '1' })],
    ['an unknown member about recipients', { ...POLICY, recipients: { ...NO_RECIPIENT_RULES, listed: 1 } }],
    ['no limit for a payment', withStep(without('each', STEP))],
    ['no limit for a day', withStep(without('day', STEP))],
    ['no number of payments', withStep(without('count', STEP))],
    ['no approvals above', { ...POLICY, assets: [without('above', RULE)] }],
    ['nothing about other assets', without('other_assets', POLICY)],
    ['nothing about recipients', without('recipients', POLICY)],
    ...Object.keys(NO_RECIPIENT_RULES).map((name): [string, unknown] => [
      `no ${name} of recipients`,
      { ...POLICY, recipients: without(name, NO_RECIPIENT_RULES) },
    ]),
    ['no time', without('expires_hours', POLICY)],
    ['a limit that is no decimal', withStep({ ...STEP, each: '1e3' })],
    ['a limit of zero', withStep({ ...STEP, each: '0.00' })],
    ['a limit below zero', withStep({ ...STEP, day: '-1' })],
    ['a limit as a number', withStep({ ...STEP, each: 1000 })],
    ['no payment', withStep({ ...STEP, count: 0 })],
    ['half an approval', withStep({ ...STEP, approvals: 0.5 })],
    ['steps that descend', { ...POLICY, assets: [{ ...RULE, steps: [{ ...STEP, approvals: 1 }, STEP], above: 2 }] }],
    ['two steps with as many approvals', { ...POLICY, assets: [{ ...RULE, steps: [STEP, STEP] }] }],
    ['no more approvals above than in the steps', { ...POLICY, assets: [{ ...RULE, above: 0 }] }],
    ['an asset twice', { ...POLICY, assets: [RULE, { ...RULE, asset: 'usdt' }] }],
    ['fewer approvals for other assets than for one', { ...POLICY, other_assets: 0 }],
    ['more approvals than there can be', { ...POLICY, other_assets: 6 }],
    ['an hour too little', { ...POLICY, expires_hours: 3 }],
    ['an hour too much', { ...POLICY, expires_hours: 169 }],
    ['no policy', null],
  ])('%s', (_, policy) => expect(isTaken(policy)).toBe(false));
});

test('the most approvals that a payment can need', () => {
  expect(mostApprovals({ ...POLICY, other_assets: 2 })).toBe(2);
  expect(mostApprovals({ ...POLICY, recipients: { ...NO_RECIPIENT_RULES, first_payment: 3 } })).toBe(3);
});
