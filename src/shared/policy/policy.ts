import * as v from 'valibot';
import { isPositive } from '#src/shared/amount.ts';

// The approval rules: who has to approve payments. One document per account, as an admin chose it (src/server/people/README.md).

/** The most approvals that a payment can need. */
export const APPROVALS_MAX = 5;
export const STEPS_MAX = 4;
export const ASSETS_MAX = 100;
/** The most payments in 24 hours that a step can allow. */
export const COUNT_MAX = 100_000;
/** Characters of a limit. */
export const LIMIT_LENGTH_MAX = 60;
/** An account without a policy needs this many approvals for every payment. */
export const APPROVALS_WITHOUT_POLICY = 1;
/** How long a payment waits for approvals where there is no policy. */
export const HOURS_WITHOUT_POLICY = 72;

const approvals = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(APPROVALS_MAX));
const limit = v.pipe(
  v.string(),
  v.maxLength(LIMIT_LENGTH_MAX),
  v.check((amount: string) => isPositive(amount)),
);

/**
 * `approvals` are enough while all three limits hold. `day` and `count` are for 24 hours and include every payment that took as
 * many approvals or fewer.
 */
const stepSchema = v.strictObject({
  approvals,
  /** The largest amount of one payment. */
  each: limit,
  day: limit,
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(COUNT_MAX)),
});
export type PolicyStep = v.InferOutput<typeof stepSchema>;

const assetRuleSchema = v.pipe(
  v.strictObject({
    /** Compared without upper and lower case. */
    asset: v.pipe(v.string(), v.nonEmpty(), v.maxLength(40)),
    steps: v.pipe(v.array(stepSchema), v.maxLength(STEPS_MAX)),
    /** Approvals needed beyond the limits of every step. */
    above: approvals,
  }),
  v.check(({ steps, above }) => areAscending([...steps.map((step) => step.approvals), above])),
);
export type AssetRule = v.InferOutput<typeof assetRuleSchema>;

const recipientRulesSchema = v.strictObject({
  /** Minimum approvals for a payment to an address that isn't a confirmed recipient; 'refuse': it can't be sent. */
  unlisted: v.union([approvals, v.literal('refuse')]),
  /** Minimum approvals for the first payment to an address. */
  first_payment: approvals,
  /** The same for the first payment after a confirmed recipient got another name or address. */
  changed: approvals,
  /** How long a confirmed recipient still counts as unlisted. */
  wait_hours: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(168)),
});
export type RecipientRules = v.InferOutput<typeof recipientRulesSchema>;

/** Rules under which the recipient makes no difference. */
export const NO_RECIPIENT_RULES: RecipientRules = { unlisted: 0, first_payment: 0, changed: 0, wait_hours: 24 };

export const policySchema = v.pipe(
  v.strictObject({
    assets: v.pipe(v.array(assetRuleSchema), v.maxLength(ASSETS_MAX)),
    /** Approvals for assets that aren't listed. */
    other_assets: approvals,
    recipients: recipientRulesSchema,
    /** How long a payment waits for its approvals. */
    expires_hours: v.pipe(v.number(), v.integer(), v.minValue(4), v.maxValue(168)),
  }),
  v.check(({ assets }) => new Set(assets.map(({ asset }) => foldedAsset(asset))).size === assets.length),
  v.check(({ assets, other_assets: others }) => assets.every(({ above }) => above <= others)),
);
export type Policy = v.InferOutput<typeof policySchema>;

function areAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
}

export function foldedAsset(asset: string): string {
  return asset.toLowerCase();
}

/** Whether some payment needs more approvals, or can't be sent, because its recipient isn't confirmed. */
export function asksToConfirmRecipients({ assets, other_assets: others, recipients: { unlisted } }: Policy): boolean {
  const fewest = Math.min(others, ...assets.map(({ steps: [first], above }) => first?.approvals ?? above));
  return unlisted === 'refuse' || unlisted > fewest;
}

/** The most approvals that any payment can need. */
export function mostApprovals({ other_assets: others, recipients }: Policy): number {
  const { unlisted, first_payment: first, changed } = recipients;
  return Math.max(others, first, changed, unlisted === 'refuse' ? 0 : unlisted);
}
