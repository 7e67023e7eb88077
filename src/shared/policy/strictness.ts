import { compare } from '#src/shared/money.ts';
import {
  APPROVALS_WITHOUT_POLICY,
  type AssetRule,
  foldedAsset,
  NO_RECIPIENT_RULES,
  type Policy,
  type PolicyStep,
  type RecipientRules,
} from './policy.ts';

type Rule = Omit<AssetRule, 'asset'>;

/** The rules that apply where no policy is in force. */
const WITHOUT_POLICY: Policy = {
  assets: [],
  other_assets: APPROVALS_WITHOUT_POLICY,
  recipients: { ...NO_RECIPIENT_RULES, wait_hours: 0 },
  expires_hours: Infinity,
};

/**
 * Whether no payment can need fewer approvals, or wait longer for them, under `next`. May also be false for a stricter policy,
 * if a comparison point by point can't show that it is stricter.
 */
export function isStricter(next: Policy, before: Policy | null): boolean {
  const former = before ?? WITHOUT_POLICY;
  return (
    policyAssets(next, former).every((asset) => isStricterRule(ruleOf(next, asset), ruleOf(former, asset))) &&
    isStricterRule(otherRule(next), otherRule(former)) &&
    isStricterAboutRecipients(next.recipients, former.recipients) &&
    next.expires_hours <= former.expires_hours
  );
}

function isStricterAboutRecipients(next: RecipientRules, before: RecipientRules): boolean {
  const rank = ({ unlisted }: RecipientRules) => (unlisted === 'refuse' ? Infinity : unlisted);
  return (
    rank(next) >= rank(before) &&
    next.first_payment >= before.first_payment &&
    next.changed >= before.changed &&
    next.wait_hours >= before.wait_hours
  );
}

/** The assets that any of the policies names, each once, as the first of them spells it. */
export function policyAssets(...policies: readonly Policy[]): string[] {
  const names = new Map<string, string>();
  for (const { assets } of policies)
    for (const { asset } of assets) if (!names.has(foldedAsset(asset))) names.set(foldedAsset(asset), asset);
  return [...names.values()];
}

export function ruleOf(policy: Policy, asset: string): Rule {
  return policy.assets.find((rule) => foldedAsset(rule.asset) === foldedAsset(asset)) ?? otherRule(policy);
}

export function otherRule({ other_assets: above }: Policy): Rule {
  return { steps: [], above };
}

/** Every payment that a step of `next` lets through must get through `before` with as many approvals or fewer. */
function isStricterRule(next: Rule, before: Rule): boolean {
  return (
    next.above >= before.above &&
    next.steps.every((step) => step.approvals >= before.above || before.steps.some((former) => isWithin(step, former)))
  );
}

/** `former` with fewer approvals counts fewer earlier payments, so its sums are smaller. */
function isWithin(step: PolicyStep, former: PolicyStep): boolean {
  return (
    former.approvals <= step.approvals &&
    compare(step.each, former.each) <= 0 &&
    compare(step.day, former.day) <= 0 &&
    step.count <= former.count
  );
}
