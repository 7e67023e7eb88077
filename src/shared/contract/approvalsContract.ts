import * as v from 'valibot';
import { isStorable } from '#src/shared/text.ts';
import { BATCH_LINES_MAX, batchSummarySchema, batchViewSchema } from './batchContract.ts';
import { operationViewSchema } from './gatewayContract.ts';
import { proofSchema } from './proofContract.ts';

// Signatures over payments and approvals, where people sign in as themselves. Errors are those of peopleContract.ts.

export const APPROVALS_PATH = '/api/approvals';

/** Maximum ids of unusual findings in one decision. A batch has one for each of its lines. */
const SEEN_MAX = 2_000;

const text = (most: number) => v.pipe(v.string(), v.maxLength(most), v.check(isStorable));
const keys = v.pipe(v.array(v.pipe(text(255), v.nonEmpty())), v.minLength(1), v.maxLength(BATCH_LINES_MAX));
/** Ids of the unusual findings about these payments that the approver saw. */
const seen = v.pipe(v.array(text(300)), v.maxLength(SEEN_MAX));

/** The payment exactly as PUT /api/operations/:key or PUT /api/batches/:id will record it. */
const paymentToSignSchema = v.strictObject({
  key: v.pipe(text(255), v.nonEmpty()),
  body: text(100_000),
  second_send_of: v.pipe(v.array(text(255)), v.maxLength(600)),
  /** Only for a payment that is a line of a batch. */
  batch: v.optional(v.strictObject({ id: text(255), line: v.number() })),
});
export type PaymentToSign = v.InferOutput<typeof paymentToSignSchema>;

/**
 * POST /api/approvals/ticket: a set of payments for a passkey to sign. The answer is that of POST /session/ticket.
 * 'send': the maker signs payments that are not recorded yet; 'approve': an approver signs recorded ones.
 */
export const signTicketRequestSchema = v.variant('decision', [
  v.strictObject({
    decision: v.literal('send'),
    payments: v.pipe(v.array(paymentToSignSchema), v.minLength(1), v.maxLength(BATCH_LINES_MAX)),
  }),
  v.strictObject({ decision: v.literal('approve'), keys, seen }),
]);
export type SignTicketRequest = v.InferOutput<typeof signTicketRequestSchema>;

const reason = v.pipe(text(2_000), v.trim(), v.nonEmpty());

/**
 * POST /api/approvals. Sends the payments that have enough approvals afterwards. A rejection is final; so is a stop, after
 * which an unconfirmed payment is never resent.
 */
export const decisionRequestSchema = v.variant('decision', [
  v.strictObject({
    decision: v.literal('approve'),
    keys,
    seen,
    /** The database's clock, ms. A request that arrives later records the approval, but sends nothing. */
    not_after: v.number(),
    proof: proofSchema,
  }),
  v.strictObject({ decision: v.picklist(['reject', 'stop']), keys, reason }),
]);
export type DecisionRequest = v.InferOutput<typeof decisionRequestSchema>;

/** The answer to POST /api/approvals, in the order of the keys. */
export const decidedSchema = v.object({
  data: v.array(
    v.object({
      key: v.string(),
      recorded: v.boolean(),
      /** Why it wasn't recorded, or why the payment wasn't sent although it has its approvals; null otherwise. */
      problem: v.nullable(v.string()),
      /** Null if this account has no such payment. */
      view: v.nullable(operationViewSchema),
    }),
  ),
});
export type Decided = v.InferOutput<typeof decidedSchema>;

/**
 * An unusual finding that an approver should look at first. `seen` of a decision lists the ids.
 * - first-payment: no payment from here has reached the address.
 * - unresolved: another payment to it isn't resolved. This one isn't sent until it is.
 * - look-alike: there is another payment to it, or records may be missing. If the last approver hasn't seen it, this one isn't
 *   sent until an approver has.
 * - second-payment: the maker confirmed it although there was another one.
 * - rejected-before: an equal payment was rejected or withdrawn within 30 days.
 * - policy-changed: the approval rules changed since it was prepared.
 * - recipient-changed: the recipient was confirmed with another name or address before, and not paid since it was confirmed
 *   again.
 * - paid-outside: the recipient was paid outside this dashboard within a day before it was prepared, or later, and its maker
 *   didn't see that; `id` is the withdrawal's. The approver confirms that it isn't a duplicate, otherwise it isn't sent.
 */
export const unusualSchema = v.object({
  id: v.string(),
  kind: v.picklist([
    'first-payment',
    'unresolved',
    'look-alike',
    'second-payment',
    'rejected-before',
    'policy-changed',
    'recipient-changed',
    'paid-outside',
  ]),
  /** One sentence. */
  text: v.string(),
  /** The key of the operation that it is about; null if that isn't an operation of this account. */
  operation: v.nullable(v.string()),
  /** When that operation was made, Unix seconds by the service's clock; null without one. */
  at: v.nullable(v.number()),
});
export type Unusual = v.InferOutput<typeof unusualSchema>;

const personSchema = v.object({ person: v.string(), name: v.string() });

/** A payment that needs or needed approvals. */
export const approvalSchema = v.object({
  view: operationViewSchema,
  /** The person who prepared it. */
  maker: personSchema,
  /** Why it needs approvals, each without a full stop: "first payment to this address". */
  why: v.array(v.string()),
  /** Why it can't be sent to its recipient now, with or without approvals; null if it can. */
  barred: v.nullable(v.string()),
  unusual: v.array(unusualSchema),
  /** Whether the provider's list of withdrawals was read for it; it is for payments that wait. Partly: older ones are missing. */
  listed: v.picklist(['listed', 'partly', 'not-offered', 'unreadable', 'not-asked']),
  /** The deadline for approving it, ms by the database's clock. */
  expires_at: v.number(),
  /** People who could approve it now and haven't. */
  approvers: v.array(personSchema),
  /** Earlier payments from here to the same address that were accepted, newest first; three at most. Unix seconds. */
  earlier: v.array(v.object({ key: v.string(), amount: v.string(), asset: v.string(), at: v.number() })),
});
export type Approval = v.InferOutput<typeof approvalSchema>;

/**
 * GET /api/approvals/:key: the approval of one operation; 404 for one that needs none. `?opened=true`: compared with the
 * provider's list as it is now; otherwise the list may be a minute old, as in the list of approvals.
 */

/**
 * GET /api/approvals: payments that wait for approval, the first to expire first, and recent decisions, newest first.
 * `?after=`: the next page of those that wait.
 */
export const approvalListSchema = v.object({
  waiting: v.array(approvalSchema),
  /** How many more wait after these, and the value of `after` that lists them; null if none. */
  more: v.nullable(v.object({ count: v.number(), after: v.string() })),
  /** Batches whose payments wait for approval, or have it and wait to be started; newest first. */
  batches: v.array(v.object({ batch: batchSummarySchema, approval: v.nonNullable(batchViewSchema.entries.approval) })),
  decided: v.array(operationViewSchema),
  /** The database's clock, ms; a server of an earlier version doesn't send it. */
  now: v.optional(v.number()),
});
export type ApprovalList = v.InferOutput<typeof approvalListSchema>;
