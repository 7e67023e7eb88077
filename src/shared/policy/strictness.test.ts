import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { approvalNeed, isRefused, type PaymentToJudge, type Spent } from './approvalNeed.ts';
import { NO_RECIPIENT_RULES, type Policy } from './policy.ts';
import { isStricter } from './strictness.ts';
import { randomPayment, randomPolicy, randomSpent } from './testPolicies.ts';

const POLICY: Policy = {
  assets: [
    {
      asset: 'USDT',
      steps: [
        { approvals: 0, each: '1000', day: '5000', count: 20 },
        { approvals: 1, each: '25000', day: '100000', count: 100 },
      ],
      above: 2,
    },
  ],
  other_assets: 2,
  recipients: { ...NO_RECIPIENT_RULES, first_payment: 1 },
  expires_hours: 72,
};
const [USDT] = POLICY.assets;
if (USDT === undefined) throw new Error('unreachable');
const [alone, one] = USDT.steps;
if (alone === undefined || one === undefined) throw new Error('unreachable');
const withUsdt = (rule: object): Policy => ({ ...POLICY, assets: [{ ...USDT, ...rule }] });

/** Infinity: it can't be sent. */
function approvalsFor(policy: Policy, payment: PaymentToJudge, spent: readonly Spent[]): number {
  return isRefused(policy, payment) ? Infinity : approvalNeed(policy, payment, spent).needs;
}

/** A policy that changes little, so that many are stricter. */
const close = fc
  .tuple(randomPolicy, randomPolicy, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }))
  .map(([before, other, [assets, others, first, hours]]): [Policy, Policy] => {
    const changed = {
      assets: assets ? other.assets : before.assets,
      other_assets: others ? other.other_assets : before.other_assets,
      recipients: first ? other.recipients : before.recipients,
      expires_hours: hours ? other.expires_hours : before.expires_hours,
    };
    const highest = Math.max(changed.other_assets, ...changed.assets.map(({ above }) => above));
    return [{ ...changed, other_assets: highest }, before];
  });

test('no payment needs fewer approvals under a stricter policy', () => {
  let stricter = 0;
  fc.assert(
    fc.property(
      close,
      fc.array(fc.tuple(randomPayment, randomSpent), { minLength: 10 }),
      ([next, before], payments) => {
        if (!isStricter(next, before)) return;
        stricter += 1;
        for (const [payment, spent] of payments)
          expect(approvalsFor(next, payment, spent)).toBeGreaterThanOrEqual(approvalsFor(before, payment, spent));
      },
    ),
    { numRuns: 3_000 },
  );
  expect(stricter).toBeGreaterThan(100);
});

test('every payment needs an approval under a policy that is stricter than none', () => {
  fc.assert(
    fc.property(randomPolicy, randomPayment, randomSpent, (next, payment, spent) => {
      expect(!isStricter(next, null) || approvalNeed(next, payment, spent).needs >= 1).toBe(true);
    }),
  );
  expect(isStricter({ ...POLICY, assets: [] }, null)).toBe(true);
  expect(isStricter(POLICY, null)).toBe(false);
});

test('a policy is as strict as itself', () => {
  fc.assert(fc.property(randomPolicy, (policy) => isStricter(policy, policy)));
});

describe('stricter', () => {
  test.each<[string, Policy]>([
    ['a lower limit for one payment', withUsdt({ steps: [{ ...alone, each: '999.999999' }, one] })],
    ['a lower limit for a day', withUsdt({ steps: [{ ...alone, day: '4000' }, one] })],
    ['fewer payments a day', withUsdt({ steps: [{ ...alone, count: 19 }, one] })],
    ['a step less', withUsdt({ steps: [one] })],
    ['a step with more approvals', withUsdt({ steps: [{ ...alone, approvals: 1 }], above: 2 })],
    ['more approvals above the steps', { ...withUsdt({ above: 3 }), other_assets: 3 }],
    ['an asset that is no longer listed', { ...POLICY, assets: [] }],
    ['the asset written in lower case', withUsdt({ asset: 'usdt' })],
    ['more approvals for other assets', { ...POLICY, other_assets: 3 }],
    ['more approvals for first payments', { ...POLICY, recipients: { ...NO_RECIPIENT_RULES, first_payment: 2 } }],
    ['only confirmed recipients', { ...POLICY, recipients: { ...POLICY.recipients, unlisted: 'refuse' } }],
    ['more approvals for others', { ...POLICY, recipients: { ...POLICY.recipients, unlisted: 1 } }],
    ['approvals after a change', { ...POLICY, recipients: { ...POLICY.recipients, changed: 1 } }],
    ['a longer wait for recipients', { ...POLICY, recipients: { ...POLICY.recipients, wait_hours: 25 } }],
    ['a shorter wait', { ...POLICY, expires_hours: 24 }],
  ])('%s', (_, next) => expect(isStricter(next, POLICY)).toBe(true));
});

describe('not stricter', () => {
  test.each<[string, Policy]>([
    ['a higher limit for one payment', withUsdt({ steps: [{ ...alone, each: '1000.000001' }, one] })],
    ['a higher limit for a day', withUsdt({ steps: [{ ...alone, day: '5001', each: '1' }, one] })],
    ['more payments a day', withUsdt({ steps: [{ ...alone, count: 21 }, one] })],
    ['a step more', { ...POLICY, assets: [{ asset: 'BTC', steps: [{ ...alone }], above: 2 }, USDT] }],
    ['fewer approvals above the steps', withUsdt({ steps: [alone], above: 1 })],
    ['fewer approvals for other assets', { ...POLICY, assets: [], other_assets: 1 }],
    ['fewer approvals for first payments', { ...POLICY, recipients: NO_RECIPIENT_RULES }],
    ['a shorter wait for recipients', { ...POLICY, recipients: { ...POLICY.recipients, wait_hours: 23 } }],
    ['a longer wait', { ...POLICY, expires_hours: 73 }],
  ])('%s', (_, next) => expect(isStricter(next, POLICY)).toBe(false));
});

test('asking for approvals is less strict than refusing recipients that aren’t confirmed', () => {
  const recipients = { ...POLICY.recipients, unlisted: 'refuse' } as const;
  const next: Policy = { ...POLICY, recipients: { ...POLICY.recipients, unlisted: 5 } };
  expect(isStricter(next, { ...POLICY, recipients })).toBe(false);
});
