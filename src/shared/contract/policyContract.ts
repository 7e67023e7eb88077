import * as v from 'valibot';
import { policySchema } from '#src/shared/policy/policy.ts';
import { proofSchema } from './proofContract.ts';

// Who has to approve payments, where people sign in as themselves: /api/policy. Errors are those of peopleContract.ts. Times
// are Unix seconds by the database's clock.

export const POLICY_PATH = '/api/policy';

const number = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000));

/** PUT /api/policy, signed with a passkey. `number`: `newest` of the answer that the admin saw. */
export const policyProposalSchema = v.strictObject({ policy: policySchema, number, proof: proofSchema });

/** POST /api/policy/:number/confirm, signed with a passkey. POST /api/policy/:number/veto takes no body. */
export const policyConfirmSchema = v.strictObject({ proof: proofSchema });

const personSchema = v.object({ person: v.string(), name: v.string() });
/** Null: the sandbox. */
const proposerSchema = v.nullable(personSchema);

/**
 * in-force; replaced: by a later one; pending; ended: it never came into force, because somebody stopped it or proposed
 * another one; broken: this server didn't write it as it is.
 */
export const POLICY_STATES = ['in-force', 'replaced', 'pending', 'ended', 'broken'] as const;

export const policyVersionSchema = v.object({
  number,
  state: v.picklist(POLICY_STATES),
  proposed_by: proposerSchema,
  proposed_at: v.number(),
  /** The other admin; null: nobody had to, or nobody has yet. */
  confirmed_by: proposerSchema,
  /** Since when it is or was in force; of a pending one, when it takes effect by waiting; null: never. */
  counts_from: v.nullable(v.number()),
  /** Null: broken. */
  policy: v.nullable(policySchema),
});
export type PolicyVersion = v.InferOutput<typeof policyVersionSchema>;

/** GET /api/policy, and the answer of every change. */
export const policyAnswerSchema = v.object({
  /** The number of the newest version, in force or not; 0: there is none. */
  newest: number,
  /** Null: none is, or it is broken. */
  in_force: v.nullable(v.object({ ...policyVersionSchema.entries, policy: policySchema })),
  /** The policy in the database isn't as this server wrote it: nothing is sent until another one is in force. */
  is_broken: v.boolean(),
  pending: v.nullable(
    v.object({
      ...policyVersionSchema.entries,
      policy: policySchema,
      /** What it changes, one sentence each. */
      changes: v.array(v.string()),
      /** Who can confirm it. */
      confirmers: v.array(personSchema),
    }),
  ),
  /** Newest first, the newest fifty. */
  versions: v.array(policyVersionSchema),
  /** People who can approve payments now. */
  approvers: v.array(personSchema),
  /** Those of them who prepare payments, too, and can't approve their own. */
  approvers_who_prepare: v.array(personSchema),
  /** Whether the reader's next change counts at once, whatever it is: no policy was ever in force here. */
  is_first: v.boolean(),
  /** Who could confirm a change by the reader; where there is nobody, it waits for `wait_hours`. */
  confirmers: v.array(personSchema),
  wait_hours: v.number(),
});
export type PolicyAnswer = v.InferOutput<typeof policyAnswerSchema>;
