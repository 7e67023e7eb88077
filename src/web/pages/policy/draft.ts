import { isZero } from '#src/shared/amount.ts';
import { multiply } from '#src/shared/money.ts';
import {
  APPROVALS_MAX,
  ASSETS_MAX,
  COUNT_MAX,
  foldedAsset,
  LIMIT_LENGTH_MAX,
  NO_RECIPIENT_RULES,
  type Policy,
  policySchema,
  type PolicyStep,
  type RecipientRules,
  STEPS_MAX,
} from '#src/shared/policy/policy.ts';
import { typedAmount } from '#src/shared/typedAmount.ts';
import * as v from 'valibot';

// A policy that is being edited, with its limits as typed.

export interface DraftStep {
  id: string;
  approvals: number;
  each: string;
  day: string;
  count: string;
}

export interface DraftAsset {
  id: string;
  asset: string;
  steps: readonly DraftStep[];
  above: number;
}

export interface PolicyDraft {
  assets: readonly DraftAsset[];
  others: number;
  recipients: RecipientRules;
  hours: number;
}

/** Keyed by the id of a step or asset and the name of the field, such as "step-1 each"; 'policy': of no single field. */
export type DraftFaults = ReadonlyMap<string, string>;

const DAYS_OF_EACH = '5';
const USUAL_COUNT = '20';
const USUAL_HOURS = 72;

let ids = 0;
const newId = (of: string) => `${of}-${(ids += 1)}`;

export function draftOf({ assets, other_assets: others, recipients, expires_hours: hours }: Policy): PolicyDraft {
  return {
    assets: assets.map(({ asset, steps, above }) => ({
      id: newId('asset'),
      asset,
      steps: steps.map(({ count, ...step }) => ({ id: newId('step'), ...step, count: String(count) })),
      above,
    })),
    others,
    recipients,
    hours,
  };
}

/** The draft for one of the suggestions. `above`: approvals needed above an asset's limit, and for every asset without one. */
export function firstDraft(above: number, limits: ReadonlyMap<string, string>): PolicyDraft {
  return {
    assets: [...limits].map(([asset, limit]) => newAsset(asset, above, limit)),
    others: above,
    recipients: NO_RECIPIENT_RULES,
    hours: USUAL_HOURS,
  };
}

/** Rules for an asset: no approvals up to the limit, `above` approvals beyond it. */
export function newAsset(asset: string, above: number, limit = ''): DraftAsset {
  const step = { ...newStep(0), each: limit, day: dayOf(limit) };
  return { id: newId('asset'), asset, steps: above === 0 ? [] : [step], above };
}

export function newStep(approvals: number): DraftStep {
  return { id: newId('step'), approvals, each: '', day: '', count: USUAL_COUNT };
}

/** A suggested limit per day for a limit per payment; '' if that isn't an amount. */
export function dayOf(each: string): string {
  const typed = typedAmount(each);
  return typed.ok ? multiply(typed.amount, DAYS_OF_EACH) : '';
}

/** A suggested limit: a hundredth of a balance, rounded down to one digit. Null if the balance is zero or negative. */
export function usualLimit(total: string): string | null {
  if (isZero(total) || total.startsWith('-')) return null;
  const hundredth = multiply(total, '0.01');
  const first = hundredth.search(/[1-9]/);
  return hundredth
    .replace(/\d/g, (digit, at: number) => (at === first ? digit : '0'))
    .replace(/\.?0*$/, (zeros) => (hundredth.includes('.') ? '' : zeros));
}

/** The policy, or the fields' errors. */
export function policyOf({ assets, others, recipients, hours }: PolicyDraft): Policy | DraftFaults {
  const faults = new Map<string, string>();
  const policy = {
    assets: assets.map(({ id, asset, steps, above }) => {
      for (const [at, step] of steps.entries())
        if (at > 0 && step.approvals <= (steps[at - 1]?.approvals ?? 0))
          faults.set(`${step.id} approvals`, 'Each step needs more approvals than the one before.');
      const last = steps.at(-1);
      if (last !== undefined && above <= last.approvals)
        faults.set(`${id} above`, 'Above the limits it needs more approvals than below.');
      if (above > others) faults.set('others', `Other assets need at least as many approvals as ${asset}: ${above}.`);
      return { asset, steps: steps.map((step) => stepOf(step, faults)), above };
    }),
    other_assets: others,
    recipients,
    expires_hours: hours,
  };
  if (assets.length > ASSETS_MAX) faults.set('assets', `At most ${ASSETS_MAX} assets can have limits.`);
  if (faults.size > 0) return faults;
  const parsed = v.safeParse(policySchema, policy);
  return parsed.success ? parsed.output : new Map([['policy', 'These rules can’t be saved as they are.']]);
}

function stepOf({ id, approvals, each, day, count }: DraftStep, faults: Map<string, string>): PolicyStep {
  const limit = (name: 'each' | 'day', text: string): string => {
    const typed = typedAmount(text);
    if (typed.ok && typed.amount.length <= LIMIT_LENGTH_MAX) return typed.amount;
    faults.set(`${id} ${name}`, typed.ok ? `A limit has at most ${LIMIT_LENGTH_MAX} characters.` : typed.reason);
    return '1';
  };
  const number = /^\d{1,6}$/.test(count.trim()) ? Number(count) : 0;
  if (number < 1 || number > COUNT_MAX) faults.set(`${id} count`, `Enter a whole number from 1 to ${COUNT_MAX}.`);
  return { approvals, each: limit('each', each), day: limit('day', day), count: number };
}

/** The numbers of approvals that can be chosen; more than `after`, which is the number of the step before. */
export function approvalChoices(after = -1): { value: number; label: string }[] {
  const all = Array.from({ length: APPROVALS_MAX + 1 }, (_, approvals) => approvals);
  return all
    .filter((approvals) => approvals > after)
    .map((approvals) => ({
      value: approvals,
      label: approvals === 0 ? 'No approval' : `${approvals} approval${approvals === 1 ? '' : 's'}`,
    }));
}

/** Why no step can be added; undefined if one can. Above it, more approvals are needed than with it. */
export function whyNoMoreSteps({ steps }: Pick<DraftAsset, 'steps'>): string | undefined {
  if (steps.length >= STEPS_MAX) return `More than ${STEPS_MAX} steps aren’t possible.`;
  const last = steps.at(-1)?.approvals ?? 0;
  if (last + 1 < APPROVALS_MAX) return undefined;
  return `The last step needs ${last} approvals already, and more than ${APPROVALS_MAX} aren’t possible.`;
}

/** The asset names that the draft doesn't have yet. */
export function unlisted(names: readonly string[], { assets }: PolicyDraft): string[] {
  const listed = new Set(assets.map(({ asset }) => foldedAsset(asset)));
  return names.filter((name) => !listed.has(foldedAsset(name)));
}
