import * as v from 'valibot';
import { policySchema } from '#src/shared/policy/policy.ts';
import { proofSchema } from './proofContract.ts';

// Approval policies, in people mode: /api/policy. Errors are those of peopleContract.ts. Times are Unix seconds by the
// database's clock.

export const POLICY_PATH = '/api/policy';

/** For this long, the admin who changed the rules can undo the change without confirmation. */
export const POLICY_UNDO_SECONDS = 10 * 60;

const number = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000_000));

/** PUT /api/policy, signed with a passkey. `number`: `newest` from the answer that the admin saw. */
export const policyProposalSchema = v.strictObject({ policy: policySchema, number, proof: proofSchema });

/** POST /api/policy/:number/confirm, signed with a passkey. POST /api/policy/:number/veto takes no body. */
export const policyConfirmSchema = v.strictObject({ proof: proofSchema });

const personSchema = v.object({ person: v.string(), name: v.string() });
/** Null for the sandbox's first policy. */
const proposerSchema = v.nullable(personSchema);

/**
 * replaced: was in force before a later one; ended: never came into force, because somebody stopped it or proposed another;
 * broken: the row's seal or text isn't valid.
 */
export const POLICY_STATES = ['in-force', 'replaced', 'pending', 'ended', 'broken'] as const;

export const policyVersionSchema = v.object({
  number,
  state: v.picklist(POLICY_STATES),
  proposed_by: proposerSchema,
  proposed_at: v.number(),
  /** The other admin who confirmed it; null if that wasn't needed or hasn't happened yet. */
  confirmed_by: proposerSchema,
  /** Since when it is or was in force. For a pending one: when it takes effect without confirmation; null if it needs one. */
  counts_from: v.nullable(v.number()),
  /** Null if it is broken. */
  policy: v.nullable(policySchema),
});
export type PolicyVersion = v.InferOutput<typeof policyVersionSchema>;

/** GET /api/policy, and the answer of every change. */
export const policyAnswerSchema = v.object({
  /** The number of the newest version, in force or not; 0 without any. */
  newest: number,
  /** Null if no policy is in force, or it is broken. */
  in_force: v.nullable(v.object({ ...policyVersionSchema.entries, policy: policySchema })),
  /** Whether the stored policy isn't as the server wrote it: nothing is sent until another one is in force. */
  is_broken: v.boolean(),
  pending: v.nullable(
    v.object({
      ...policyVersionSchema.entries,
      policy: policySchema,
      /** The differences from the policy in force, one sentence each. */
      changes: v.array(v.string()),
      /** Admins who can confirm it. */
      confirmers: v.array(personSchema),
    }),
  ),
  /** Newest first, the newest fifty. */
  versions: v.array(policyVersionSchema),
  /** People who can approve payments now. */
  approvers: v.array(personSchema),
  /** Those approvers who also prepare payments, and can't approve their own. */
  approvers_who_prepare: v.array(personSchema),
  /** Whether any change counts at once, because no policy was ever in force on any account. */
  is_first: v.boolean(),
  /** Admins who could confirm a change by the reader. If there are none, the change waits for `wait_hours`. */
  confirmers: v.array(personSchema),
  wait_hours: v.number(),
});
export type PolicyAnswer = v.InferOutput<typeof policyAnswerSchema>;
