import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_RECIPIENT_RULES, type Policy } from './policy.ts';
import { NO_APPROVALS } from './testPolicy.ts';
import { policyDifferences, policyWords } from './policyWords.ts';
import { isStricter } from './strictness.ts';
import { randomPolicy } from './testPolicies.ts';

const ALONE = { approvals: 0, each: '1000', day: '5000', count: 20 };
const POLICY: Policy = {
  assets: [{ asset: 'USDT', steps: [ALONE], above: 1 }],
  other_assets: 2,
  recipients: { ...NO_RECIPIENT_RULES, first_payment: 1 },
  expires_hours: 72,
};
describe('a policy in words', () => {
  test('that has limits', () =>
    expect(policyWords(POLICY)).toEqual([
      'Up to 1,000 USDT a payment, 5,000 USDT and 20 payments in 24 hours: no approval. Above: 1 approval.',
      'Every payment of another asset needs 2 approvals.',
      'The first payment to an address needs at least 1 approval.',
      'A payment waits 72 hours for its approvals; after that it is not sent.',
    ]));
  test('that asks for no approvals', () => expect(policyWords(NO_APPROVALS)).toEqual(['No payment needs approval.']));
  test('if none is in force', () => expect(policyWords(null)).toEqual(['Every payment needs 1 approval.']));
});

describe('the differences between two policies', () => {
  test.each<[string, Partial<Policy>, string[]]>([
    [
      'limits',
      { assets: [{ asset: 'usdt', steps: [{ ...ALONE, each: '500', count: 1 }], above: 1 }] },
      [
        'With no approval: up to 500 usdt a payment instead of 1,000 usdt and 1 payment of usdt in 24 hours instead of 20.',
      ],
    ],
    [
      'a new step',
      { assets: [{ asset: 'USDT', steps: [ALONE, { ...ALONE, approvals: 1, each: '9000' }], above: 2 }] },
      [
        'New: up to 9,000 USDT a payment, 5,000 USDT and 20 payments in 24 hours: 1 approval.',
        'USDT above the limits: 2 approvals, instead of 1 approval.',
      ],
    ],
    [
      'an asset less',
      { assets: [] },
      ['USDT: the limits for payments with no approval are removed.', 'Every payment of USDT needs 2 approvals.'],
    ],
    [
      'an asset without its limits',
      { assets: [{ asset: 'USDT', steps: [], above: 1 }] },
      ['USDT: the limits for payments with no approval are removed.', 'Every payment of USDT needs 1 approval.'],
    ],
    [
      'the first limits of an asset',
      { assets: [...POLICY.assets, { asset: 'BTC', steps: [{ ...ALONE, each: '1' }], above: 2 }] },
      [
        'New: up to 1 BTC a payment, 5,000 BTC and 20 payments in 24 hours: no approval.',
        'BTC above the limits: 2 approvals, as before.',
      ],
    ],
    ['other assets', { other_assets: 1 }, ['Assets that aren’t listed: 1 approval, instead of 2 approvals.']],
    [
      'first payments',
      { recipients: { ...NO_RECIPIENT_RULES, first_payment: 2 } },
      ['The first payment to an address: at least 2 approvals, instead of 1.'],
    ],
    [
      'recipients',
      { recipients: { unlisted: 'refuse', first_payment: 1, changed: 1, wait_hours: 0 } },
      [
        'An address that isn’t a confirmed recipient: payments refused, instead of no extra approval.',
        'A recipient counts as confirmed as soon as somebody else confirms it.',
        'The first payment after a recipient has changed: at least 1 approval, instead of no extra approval.',
      ],
    ],
    ['the wait', { expires_hours: 24 }, ['Payments wait 24 hours for approvals, instead of 72.']],
    ['nothing', { assets: [{ asset: 'USDT', steps: [{ ...ALONE, each: '1000.0' }], above: 1 }] }, []],
  ])('%s', (_, changes, words) => expect(policyDifferences({ ...POLICY, ...changes }, POLICY)).toEqual(words));
});

test('only equivalent policies have no differences', () => {
  fc.assert(
    fc.property(randomPolicy, randomPolicy, (next, before) => {
      const isDifferent = policyDifferences(next, before).length > 0;
      expect(isDifferent || (isStricter(next, before) && isStricter(before, next))).toBe(true);
      expect(policyDifferences(next, next)).toEqual([]);
    }),
  );
});
