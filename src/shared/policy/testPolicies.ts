// Test support: random policies and payments.
import fc from 'fast-check';
import type { PaymentToJudge, Spent } from './approvalNeed.ts';
import {
  APPROVALS_MAX,
  type AssetRule,
  foldedAsset,
  type Policy,
  type PolicyStep,
  type RecipientRules,
} from './policy.ts';

/** Few values, so that limits are often equal, just below and just above. */
const amount = fc.constantFrom('0.5', '1', '1.0', '2', '3', '10');
const count = fc.integer({ min: 1, max: 4 });
const approvals = fc.integer({ min: 0, max: APPROVALS_MAX });
const asset = fc.constantFrom('USDT', 'usdt', 'BTC');

/** One more than a rule has steps: those of the steps, then `above`. */
const levels = fc.uniqueArray(approvals, { minLength: 1, maxLength: 4 }).map((all) => all.toSorted((a, b) => a - b));

const rule: fc.Arbitrary<Omit<AssetRule, 'asset'>> = levels.chain((all) =>
  fc
    .array(fc.record({ each: amount, day: amount, count }), { minLength: all.length - 1, maxLength: all.length - 1 })
    .map((limits) => ({
      steps: limits.map((one, at): PolicyStep => ({ approvals: all[at] ?? 0, ...one })),
      above: all.at(-1) ?? 0,
    })),
);

/** As policySchema takes them. */
export const randomPolicy: fc.Arbitrary<Policy> = fc
  .record({
    assets: fc.uniqueArray(fc.tuple(asset, rule), { maxLength: 2, selector: ([name]) => foldedAsset(name) }),
    other_assets: approvals,
    recipients: fc.record<RecipientRules>({
      unlisted: fc.oneof(approvals, fc.constant('refuse' as const)),
      first_payment: approvals,
      changed: approvals,
      wait_hours: fc.constantFrom(0, 24),
    }),
    expires_hours: fc.constantFrom(4, 24, 72),
  })
  .map(({ assets, other_assets: others, recipients, expires_hours: hours }) => ({
    assets: assets.map(([name, one]) => ({ asset: name, ...one })),
    other_assets: Math.max(others, ...assets.map(([, { above }]) => above)),
    recipients,
    expires_hours: hours,
  }));

export const randomPayment: fc.Arbitrary<PaymentToJudge> = fc.record({
  asset: fc.constantFrom('USDT', 'usdt', 'BTC', 'EUR'),
  amount,
  isFirst: fc.boolean(),
  isUnlisted: fc.boolean(),
  isChanged: fc.boolean(),
});

export const randomSpent: fc.Arbitrary<Spent[]> = fc.uniqueArray(fc.record({ needs: approvals, sum: amount, count }), {
  maxLength: 4,
  selector: ({ needs }) => needs,
});
