import { formatAmount } from '#src/shared/amount.ts';
import { compare } from '#src/shared/money.ts';
import { counted, listInWords } from '#src/shared/text.ts';
import {
  APPROVALS_WITHOUT_POLICY,
  type AssetRule,
  mostApprovals,
  type Policy,
  type PolicyStep,
  type RecipientRules,
} from './policy.ts';
import { policyAssets, otherRule, ruleOf } from './strictness.ts';

type Rule = Omit<AssetRule, 'asset'>;

/** "no approval", "1 approval", "2 approvals" */
export function approvalsText(approvals: number): string {
  return approvals === 0 ? 'no approval' : counted(approvals, 'approval', 'approvals');
}

/** A whole policy in sentences. `policy`: null if none is in force. */
export function policyWords(policy: Policy | null): string[] {
  if (policy === null) return [everyNeeds('payment', APPROVALS_WITHOUT_POLICY)];
  const { assets, other_assets: others, recipients, expires_hours: hours } = policy;
  const everyOther = assets.length === 0 ? 'payment' : 'payment of another asset';
  return [
    ...assets.map(({ asset, ...rule }) => ruleWords(asset, rule)),
    everyNeeds(everyOther, others),
    ...recipientWords(recipients),
    ...(mostApprovals(policy) > 0
      ? [`A payment waits ${hours} hours for its approvals; after that it is not sent.`]
      : []),
  ];
}

function everyNeeds(payment: string, approvals: number): string {
  return approvals === 0 ? `No ${payment} needs approval.` : `Every ${payment} needs ${approvalsText(approvals)}.`;
}

/** "Up to 1,000 USDT a payment, 5,000 USDT and 20 payments in 24 hours: no approval. Above: 1 approval." */
function ruleWords(asset: string, { steps, above }: Rule): string {
  if (steps.length === 0) return everyNeeds(`payment of ${asset}`, above);
  const levels = steps.map((step) => `Up to ${stepWords(asset, step)}: ${approvalsText(step.approvals)}.`);
  return [...levels, `Above: ${approvalsText(above)}.`].join(' ');
}

function stepWords(asset: string, { each, day, count }: PolicyStep): string {
  const payments = counted(count, 'payment', 'payments');
  return `${amount(each, asset)} a payment, ${amount(day, asset)} and ${payments} in 24 hours`;
}

/** The changes from `before` to `next`, one sentence each; empty if there are none. `before`: null if none was in force. */
export function policyDifferences(next: Policy, before: Policy | null): string[] {
  if (before === null) return policyWords(next);
  return [
    ...policyAssets(next, before).flatMap((asset) => assetDifferences(asset, next, before)),
    ...otherDifferences(next, before),
    ...recipientDifferences(next.recipients, before.recipients),
    ...(next.expires_hours === before.expires_hours
      ? []
      : [`Payments wait ${next.expires_hours} hours for approvals, instead of ${before.expires_hours}.`]),
  ];
}

function assetDifferences(asset: string, next: Policy, before: Policy): string[] {
  const [now, former] = [ruleOf(next, asset), ruleOf(before, asset)];
  if (isSameRule(now, former)) return [];
  const levels = new Set([...now.steps, ...former.steps].map(({ approvals }) => approvals));
  const changed = [...levels]
    .toSorted((a, b) => a - b)
    .flatMap((approvals) => {
      const step = now.steps.find((one) => one.approvals === approvals);
      const formerStep = former.steps.find((one) => one.approvals === approvals);
      return stepDifferences(asset, approvals, step, formerStep);
    });
  const { above } = now;
  const hadLimits = former.steps.length > 0;
  // Payments within the limits needed another number before.
  if (now.steps.length === 0 && hadLimits) return [...changed, everyNeeds(`payment of ${asset}`, above)];
  const beyond = now.steps.length === 0 ? `Every payment of ${asset}` : `${asset} above the limits`;
  if (above !== former.above)
    return [...changed, `${beyond}: ${approvalsText(above)}, instead of ${approvalsText(former.above)}.`];
  return now.steps.length > 0 && !hadLimits ? [...changed, `${beyond}: ${approvalsText(above)}, as before.`] : changed;
}

function stepDifferences(
  asset: string,
  approvals: number,
  step: PolicyStep | undefined,
  before: PolicyStep | undefined,
): string[] {
  const needed = approvalsText(approvals);
  if (step === undefined)
    return before === undefined ? [] : [`${asset}: the limits for payments with ${needed} are removed.`];
  if (before === undefined) return [`New: up to ${stepWords(asset, step)}: ${needed}.`];
  const changes = [
    ...(compare(step.each, before.each) === 0
      ? []
      : [`${amount(step.each, asset)} a payment instead of ${amount(before.each, asset)}`]),
    ...(compare(step.day, before.day) === 0
      ? []
      : [`${amount(step.day, asset)} in 24 hours instead of ${amount(before.day, asset)}`]),
    ...(step.count === before.count
      ? []
      : [
          `${counted(step.count, `payment of ${asset}`, `payments of ${asset}`)} in 24 hours instead of ${before.count}`,
        ]),
  ];
  return changes.length === 0 ? [] : [`With ${needed}: up to ${listInWords(changes)}.`];
}

function otherDifferences(next: Policy, before: Policy): string[] {
  const [now, former] = [otherRule(next).above, otherRule(before).above];
  return now === former
    ? []
    : [`Assets that aren’t listed: ${approvalsText(now)}, instead of ${approvalsText(former)}.`];
}

const FIRST_PAYMENT = 'The first payment to an address';
const CHANGED = 'The first payment after a recipient has changed';

function recipientWords({ unlisted, first_payment: first, changed, wait_hours: hours }: RecipientRules): string[] {
  const needs = (payment: string, approvals: number): string[] =>
    approvals === 0 ? [] : [`${payment} needs at least ${approvalsText(approvals)}.`];
  return [
    ...(unlisted === 'refuse'
      ? ['Payments go only to confirmed recipients.']
      : needs('A payment to an address that isn’t a confirmed recipient', unlisted)),
    ...(unlisted === 0 ? [] : [waitWords(hours)]),
    ...needs(FIRST_PAYMENT, first),
    ...needs(CHANGED, changed),
  ];
}

function waitWords(hours: number): string {
  const after = hours === 0 ? 'as soon as' : `${counted(hours, 'hour', 'hours')} after`;
  return `A recipient counts as confirmed ${after} somebody else confirms it.`;
}

function recipientDifferences(next: RecipientRules, before: RecipientRules): string[] {
  const differences = (payment: string, now: number, former: number): string[] =>
    now === former ? [] : [`${payment}: ${atLeastText(now)}, instead of ${former === 0 ? NO_EXTRA : former}.`];
  const unlisted = 'An address that isn’t a confirmed recipient';
  return [
    ...(next.unlisted === before.unlisted
      ? []
      : [`${unlisted}: ${unlistedText(next)}, instead of ${unlistedText(before)}.`]),
    ...(next.wait_hours === before.wait_hours ? [] : [waitWords(next.wait_hours)]),
    ...differences(FIRST_PAYMENT, next.first_payment, before.first_payment),
    ...differences(CHANGED, next.changed, before.changed),
  ];
}

function unlistedText({ unlisted }: RecipientRules): string {
  return unlisted === 'refuse' ? 'payments refused' : atLeastText(unlisted);
}

const NO_EXTRA = 'no extra approval';

function atLeastText(approvals: number): string {
  return approvals === 0 ? NO_EXTRA : `at least ${approvalsText(approvals)}`;
}

function isSameRule(a: Rule, b: Rule): boolean {
  return (
    a.above === b.above &&
    a.steps.length === b.steps.length &&
    a.steps.every((step, at) => isSameStep(step, b.steps[at]))
  );
}

function isSameStep(a: PolicyStep, b: PolicyStep | undefined): boolean {
  return (
    b !== undefined &&
    a.approvals === b.approvals &&
    compare(a.each, b.each) === 0 &&
    compare(a.day, b.day) === 0 &&
    a.count === b.count
  );
}

function amount(value: string, asset: string): string {
  return `${formatAmount(value, 'en')} ${asset}`;
}
