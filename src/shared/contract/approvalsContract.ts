import * as v from 'valibot';
import { isStorable } from '#src/shared/text.ts';
import { BATCH_LINES_MAX, batchSummarySchema, batchViewSchema } from './batchContract.ts';
import { operationViewSchema } from './gatewayContract.ts';
import { proofSchema } from './proofContract.ts';

// Signatures over payments and approvals, where people sign in as themselves. Errors are those of peopleContract.ts.

export const APPROVALS_PATH = '/api/approvals';

/** Ids of what was unusual, of one decision. */
export const SEEN_MAX = 2_000;

const text = (most: number) => v.pipe(v.string(), v.maxLength(most), v.check(isStorable));
const keys = v.pipe(v.array(v.pipe(text(255), v.nonEmpty())), v.minLength(1), v.maxLength(BATCH_LINES_MAX));
/** Ids of what was unusual about the payments, as the approver saw it. */
const seen = v.pipe(v.array(text(300)), v.maxLength(SEEN_MAX));

/** As PUT /api/operations/:key or PUT /api/batches/:id then records it. */
const paymentToSignSchema = v.strictObject({
  key: v.pipe(text(255), v.nonEmpty()),
  body: text(100_000),
  second_send_of: v.pipe(v.array(text(255)), v.maxLength(600)),
  /** Of a line of a batch. */
  batch: v.optional(v.strictObject({ id: text(255), line: v.number() })),
});
export type PaymentToSign = v.InferOutput<typeof paymentToSignSchema>;

/**
 * POST /api/approvals/ticket: what a passkey signs, one set of payments. The answer is that of POST /session/ticket.
 * 'send': the maker's, of payments that are not recorded yet; 'approve': of recorded ones.
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
 * POST /api/approvals. Payments that have enough approvals then are sent. A rejection is final; so is a stop, after which
 * an unconfirmed payment is never sent again.
 */
export const decisionRequestSchema = v.variant('decision', [
  v.strictObject({
    decision: v.literal('approve'),
    keys,
    seen,
    /** The database's clock, milliseconds: nothing is sent later. The approval counts all the same. */
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
      /** Whether the decision was recorded. */
      recorded: v.boolean(),
      /** Why it wasn't recorded, or why the payment wasn't sent although it has its approvals; null otherwise. */
      problem: v.nullable(v.string()),
      /** Null: there is no such payment on this account. */
      view: v.nullable(operationViewSchema),
    }),
  ),
});
export type Decided = v.InferOutput<typeof decidedSchema>;

/**
 * Something an approver should look at first. `seen` of a decision lists the ids.
 * first-payment: nothing from here has reached the address; look-alike: another payment to it, or records that may be missing;
 * second-payment: its maker sent it although there was another; rejected-before: the same was rejected or withdrawn within
 * 30 days; policy-changed: since it was prepared; recipient-changed: its name or address, since it was last paid.
 */
export const unusualSchema = v.object({
  id: v.string(),
  kind: v.picklist([
    'first-payment',
    'look-alike',
    'second-payment',
    'rejected-before',
    'policy-changed',
    'recipient-changed',
  ]),
  /** One sentence. */
  text: v.string(),
  /** The key of the operation that it is about; null: none of this account. */
  operation: v.nullable(v.string()),
  /** When that was, Unix seconds. */
  at: v.nullable(v.number()),
});
export type Unusual = v.InferOutput<typeof unusualSchema>;

const personSchema = v.object({ person: v.string(), name: v.string() });

/** A payment that needs or needed approvals. */
export const approvalSchema = v.object({
  view: operationViewSchema,
  /** Who prepared it. */
  maker: personSchema,
  /** Why it needs approvals, each without a full stop: "first payment to this address". */
  why: v.array(v.string()),
  unusual: v.array(unusualSchema),
  /** Until when it can be approved, the database's clock in milliseconds. */
  expires_at: v.number(),
  /** Who could approve it now, and hasn't. */
  approvers: v.array(personSchema),
  /** Earlier payments from here to the same address that were accepted, newest first; three at most. Unix seconds. */
  earlier: v.array(v.object({ key: v.string(), amount: v.string(), asset: v.string(), at: v.number() })),
});
export type Approval = v.InferOutput<typeof approvalSchema>;

/** GET /api/approvals/:key: the approval of one operation; 404 for one that takes none. */

/** GET /api/approvals: what waits for approval, the first to expire first, and what was decided lately, newest first. */
export const approvalListSchema = v.object({
  waiting: v.array(approvalSchema),
  /** Batches whose payments wait for approval, newest first. */
  batches: v.array(v.object({ batch: batchSummarySchema, approval: v.nonNullable(batchViewSchema.entries.approval) })),
  decided: v.array(operationViewSchema),
});
export type ApprovalList = v.InferOutput<typeof approvalListSchema>;
