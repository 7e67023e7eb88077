import { add, compare, sum } from '#src/shared/money.ts';
import { APPROVALS_WITHOUT_POLICY, type AssetRule, foldedAsset, type Policy, type PolicyStep } from './policy.ts';

/** Payments of one asset that began to leave within 24 hours and didn't fail, by the approvals that they needed. */
export interface Spent {
  needs: number;
  /** An exact decimal. */
  sum: string;
  /** A batch counts once. */
  count: number;
}

export interface PaymentToJudge {
  asset: string;
  /** An exact decimal; of a batch, the total of its payments in this asset. */
  amount: string;
  /** No payment from here has reached this address yet. */
  isFirst: boolean;
  /** It isn't a confirmed recipient, or not for long enough. */
  isUnlisted: boolean;
  /** The recipient was confirmed with another name or address before, and not paid since it was confirmed again. */
  isChanged: boolean;
}

/** Why a payment needs as many approvals as it does. `limit`: as the policy states it. */
export type NeedReason =
  | { kind: 'no-policy' }
  | { kind: 'each' | 'day'; limit: string; asset: string }
  | { kind: 'count'; limit: number; asset: string }
  | { kind: 'asset'; asset: string }
  | { kind: 'unlisted' | 'first-payment' | 'changed-recipient' };

export interface ApprovalNeed {
  needs: number;
  /** Empty where none are needed. */
  why: NeedReason[];
}

/** How many people must approve this payment. `policy`: null if none is in force; `spent`: of its asset, without the payment itself. */
export function approvalNeed(policy: Policy | null, payment: PaymentToJudge, spent: readonly Spent[]): ApprovalNeed {
  if (policy === null) return { needs: APPROVALS_WITHOUT_POLICY, why: [{ kind: 'no-policy' }] };
  const { asset } = payment;
  const rule = policy.assets.find((each) => foldedAsset(each.asset) === foldedAsset(asset));
  const byAmount = rule
    ? needByAmount(rule, payment, spent)
    : { needs: policy.other_assets, why: reasons(policy.other_assets, { kind: 'asset', asset }) };
  const byRecipient = needsByRecipient(policy, payment);
  const needs = Math.max(byAmount.needs, ...byRecipient.map((one) => one.needs));
  const why = [...byRecipient, byAmount].filter((one) => one.needs === needs).flatMap((one) => one.why);
  return { needs, why };
}

/** Whether the policy refuses the payment, however many people approve it. */
export function isRefused(policy: Policy | null, { isUnlisted }: Pick<PaymentToJudge, 'isUnlisted'>): boolean {
  return isUnlisted && policy?.recipients.unlisted === 'refuse';
}

function needsByRecipient(
  { recipients: { unlisted, first_payment: first, changed } }: Policy,
  { isUnlisted, isFirst, isChanged }: PaymentToJudge,
): ApprovalNeed[] {
  return [
    needIf(isUnlisted, unlisted === 'refuse' ? 0 : unlisted, 'unlisted'),
    needIf(isFirst, first, 'first-payment'),
    needIf(isChanged, changed, 'changed-recipient'),
  ].filter(({ needs }) => needs > 0);
}

function needIf(
  applies: boolean,
  needs: number,
  kind: 'unlisted' | 'first-payment' | 'changed-recipient',
): ApprovalNeed {
  return { needs: applies ? needs : 0, why: [{ kind }] };
}

function needByAmount({ steps, above }: AssetRule, payment: PaymentToJudge, spent: readonly Spent[]): ApprovalNeed {
  let why: NeedReason[] = [];
  for (const step of steps) {
    const exceeded = exceededIn(step, payment, spent);
    if (exceeded.length === 0) return { needs: step.approvals, why };
    why = exceeded;
  }
  return { needs: above, why: steps.length === 0 ? reasons(above, { kind: 'asset', asset: payment.asset }) : why };
}

/** The limits of a step that the payment would exceed. */
function exceededIn(
  { approvals, each, day, count }: PolicyStep,
  { asset, amount }: PaymentToJudge,
  spent: readonly Spent[],
): NeedReason[] {
  const counted = spent.filter(({ needs }) => needs <= approvals);
  const total = add(sum(counted.map((one) => one.sum)), amount);
  const payments = counted.reduce((all, one) => all + one.count, 1);
  return [
    ...(compare(amount, each) > 0 ? [{ kind: 'each' as const, limit: each, asset }] : []),
    ...(compare(total, day) > 0 ? [{ kind: 'day' as const, limit: day, asset }] : []),
    ...(payments > count ? [{ kind: 'count' as const, limit: count, asset }] : []),
  ];
}

function reasons(needs: number, why: NeedReason): NeedReason[] {
  return needs === 0 ? [] : [why];
}
