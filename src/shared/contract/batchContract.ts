import * as v from 'valibot';
import { authorEntries } from '#src/shared/author.ts';
import { BATCH_STARTABLE_SECONDS } from '#src/shared/operations/record.ts';
import { isStorable } from '#src/shared/text.ts';
import {
  earlierSendsSchema,
  operationListSchema,
  operationViewSchema,
  reviewedSchema,
  startSchema,
} from './gatewayContract.ts';
import { proofSchema } from './proofContract.ts';

// Payments that a person sends together: /api/batches. Errors are the contract's envelope (section 7) with the members
// named below beside `error`.

export const BATCHES_PATH = '/api/batches';
export const BATCH_LINES_MAX = 500;
/** Characters of the file. */
export const BATCH_FILE_MAX = 200_000;

/** Maximum earlier payments that one line, and all lines together, can list as seen: more would make the request too large. */
export const EARLIER_OF_LINE_MAX = 600;
export const EARLIER_MAX = 10_000;

const shortText = v.pipe(v.string(), v.maxLength(200), v.check(isStorable));

/** One payment of the file. */
const lineSchema = v.strictObject({
  /** Line number in the file, as editors and spreadsheets count: from 1, including the header line. */
  line: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)),
  /** The exact bytes to be sent, as a JSON string: withdrawalBody(). */
  body: v.string(),
  /** The recipient's name; null if the file and the saved recipients have none. */
  recipient: v.nullable(shortText),
  /** Unique among the account's payments that didn't fail; null if the file has none. */
  reference: v.nullable(shortText),
});
export type BatchLine = v.InferOutput<typeof lineSchema>;

const lines = v.pipe(v.array(lineSchema), v.minLength(1), v.maxLength(BATCH_LINES_MAX));

/** POST /api/batches/review. Writes nothing. GET /api/batches/:id/review: the same for a recorded batch, for its approvers. */
export const batchReviewSchema = v.strictObject({ lines });
export type BatchReviewRequest = v.InferOutput<typeof batchReviewSchema>;

const earlierBatchSchema = v.object({
  id: v.string(),
  /** The database's clock, milliseconds. */
  at: v.number(),
  ...authorEntries,
});
export type EarlierBatch = v.InferOutput<typeof earlierBatchSchema>;

/** Findings about one line. Lines without any are left out. */
const reviewedLineSchema = v.object({
  line: v.number(),
  ...earlierSendsSchema.entries,
  /** Batches of the last 35 days with a payment of the same amount to the same destination that didn't fail. */
  batches: v.array(earlierBatchSchema),
  /** The key of a payment that has this reference; null if none has it. */
  reference: v.nullable(v.string()),
  /** Equal payments that were rejected or withdrawn within 30 days, oldest first; three at most. */
  refused_before: v.array(
    v.object({
      key: v.string(),
      by: v.picklist(['reject', 'discard']),
      /** The reason given. */
      words: v.string(),
      ...authorEntries,
      /** The server's clock, ms. */
      at: v.number(),
    }),
  ),
  /** As `recipient-changed` of an approval (approvalsContract.ts). False in key mode. */
  recipient_changed: v.optional(v.boolean(), false),
});
export type ReviewedLine = v.InferOutput<typeof reviewedLineSchema>;

export const batchReviewedSchema = v.object({
  /** A batch with exactly these payments in any order; null if none exists. */
  same: v.nullable(earlierBatchSchema),
  lines: v.array(reviewedLineSchema),
  /** When the review was made, by the database's clock in ms. */
  now: v.number(),
  /** The status of the provider's list of withdrawals; 'partly': some of them couldn't be compared. */
  listed: v.picklist(['listed', 'partly', 'not-offered', 'unreadable']),
  approval: reviewedSchema.entries.approval,
  /** Whether the policy has changed since the batch was recorded. */
  policy_changed: v.boolean(),
  /** For a recorded batch: its waiting lines whose recipients can't be paid now, and why. */
  barred: v.array(v.object({ line: v.number(), message: v.string() })),
});
export type BatchReviewed = v.InferOutput<typeof batchReviewedSchema>;

/** PUT /api/batches/:id records the batch and its payments; none is sent. The id is made when the page mounts. */
export const batchSchema = v.strictObject({
  lines: v.pipe(
    v.array(
      v.strictObject({
        ...lineSchema.entries,
        /** The EarlierSend.id values that the person saw and confirmed. */
        second_send_of: v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(EARLIER_OF_LINE_MAX)),
        /** How many earlier lines of the file the person saw that pay the same destination. */
        earlier_lines: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
      }),
    ),
    v.minLength(1),
    v.maxLength(BATCH_LINES_MAX),
  ),
  /** The unchanged file, stored with the batch. `name`: null if the rows were pasted. */
  file: v.strictObject({
    name: v.nullable(shortText),
    text: v.pipe(v.string(), v.maxLength(BATCH_FILE_MAX), v.check(isStorable)),
  }),
  /** Why the same payments are made once more; null if they are new. */
  again: v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(2_000), v.check(isStorable))),
  /** The database's clock, milliseconds: a PUT that arrives later records nothing. */
  not_after: v.number(),
  /** As for a single payment in people mode: one signature over all lines, if they need no approvals. */
  proof: v.optional(proofSchema),
  needs: startSchema.entries.needs,
});
export type BatchRequest = v.InferOutput<typeof batchSchema>;

/** The key of a line's operation. */
export function lineKey(batch: string, line: number): string {
  return `${batch}.${line}`;
}

/** POST …/start: starts or continues the batch. POST …/stop, …/withdraw: nothing more is sent. */
export const batchStartSchema = v.strictObject({
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
  not_after: v.number(),
});
/** POST …/exclude: this payment is not sent. */
export const batchExcludeSchema = v.strictObject({ line: v.number() });

/** stopped: ended for good, because a person withdrew what was left. The Stop button only pauses a batch. */
export const BATCH_STATES = ['waiting', 'running', 'paused', 'stopped', 'done'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/**
 * Why a batch paused or stopped, or how the remaining lines of a done batch ended.
 * - unconfirmed, mismatch, insufficient-funds, key-refused: the result of the line `why_line`.
 * - refusals: three lines in a row were refused. skipped: the remaining lines wait for other payments to the same
 *   destination; `why_line` names one of the lines.
 * - service-away: the provider gave no time or no connection. journal-away: the database was away.
 * - session-ended: the session of the person who started it ended, or they may no longer send. time-over: it ran for four
 *   hours. server-stopped: the server ended, or lost the database or its lease. set-back: the database was restored.
 *   line-refused: the server's own rules refused a line.
 * - person: a person stopped or withdrew it.
 * - paid-meanwhile: another payment to the recipient of `why_line` was made that its maker hasn't confirmed.
 * - unapproved: `why_line` needs approvals again, because of stricter rules or since one doesn't count any more.
 * - unsigned: the person who recorded it may no longer send, or their signature doesn't count any more.
 * - rejected, lapsed: the batch is done; its remaining lines were rejected, or weren't approved and sent in time.
 * - unreadable: this version of the server can't read `why_line`.
 */
export const BATCH_REASONS = [
  'unconfirmed',
  'mismatch',
  'insufficient-funds',
  'key-refused',
  'refusals',
  'skipped',
  'service-away',
  'journal-away',
  'session-ended',
  'time-over',
  'server-stopped',
  'set-back',
  'line-refused',
  'person',
  'paid-meanwhile',
  'unapproved',
  'unsigned',
  'unreadable',
  'rejected',
  'lapsed',
  'maker-not-permitted',
] as const;
export type BatchReason = (typeof BATCH_REASONS)[number];

export const batchSummarySchema = v.object({
  id: v.string(),
  /** One of BATCH_STATES. A later version may add states, also for the lines. */
  state: v.string(),
  /** One of BATCH_REASONS; null if none applies. A later version may add reasons. */
  why: v.nullable(v.string()),
  why_line: v.nullable(v.number()),
  /** When it was recorded, by the database's clock in ms. */
  at: v.number(),
  /** Hours after its recording in which its payments can be started: those of the approval policy, 72 without one. */
  startable_hours: v.optional(v.number(), BATCH_STARTABLE_SECONDS / 3_600),
  /** Whether it counts as paused because the server that was sending it is gone. */
  lapsed: v.optional(v.boolean(), false),
  /** Who recorded it. */
  ...authorEntries,
  file_name: v.nullable(v.string()),
  again: v.nullable(v.string()),
  lines: v.number(),
  /** How many of its operations are in each state. */
  counts: v.record(v.string(), v.number()),
  /**
   * Exact sums by asset and chain: `amount` of all lines, `accepted` of those that the provider accepted; null in a list.
   * Empty if a line can't be read.
   */
  totals: v.array(
    v.object({ asset: v.string(), chain: v.string(), amount: v.string(), accepted: v.nullable(v.string()) }),
  ),
  revision: v.number(),
});
export type BatchSummary = v.InferOutput<typeof batchSummarySchema>;

/** An operation of the batch, abridged. GET /api/operations/:key returns all of it. */
export const batchLineViewSchema = v.object({
  line: v.number(),
  key: v.string(),
  kind: v.string(),
  body: v.string(),
  recipient: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  /** One of OPERATION_STATES. */
  state: v.string(),
  /** Why it is unconfirmed. */
  reason: v.nullable(v.string()),
  /** The withdrawal's id; null if the provider stated none. */
  withdrawal: v.nullable(v.string()),
  /** The provider's last status known here. */
  status: v.nullable(v.string()),
  error_code: v.nullable(v.string()),
  /** Names of the people who approved this payment, whether or not their approvals still count; empty in key mode. */
  approved_by: v.optional(v.array(v.string()), []),
});
export type BatchLineView = v.InferOutput<typeof batchLineViewSchema>;

/** GET /api/batches/:id, and the answer to PUT, start, stop, exclude and withdraw. (…/file downloads the original file.) */
export const batchViewSchema = v.object({
  batch: batchSummarySchema,
  /** In the order of the file. */
  lines: v.array(batchLineViewSchema),
  /** Approvals for all lines together, if the batch needs or needed any; null in key mode. `approved`: oldest first. */
  approval: v.nullable(
    v.object({
      needs: v.number(),
      /** The person's id. */
      maker: v.string(),
      approved: operationViewSchema.entries.approved,
      /** The deadline for sending its payments, ms by the database's clock. */
      expires_at: v.number(),
    }),
  ),
  /** The database's clock at the response, in ms. */
  now: v.number(),
});
export type BatchView = v.InferOutput<typeof batchViewSchema>;

/**
 * GET /api/batches?cursor=…: the list envelope (contract 2.4), newest first. `?state=paused`: batches that wait for a person,
 * at most 100, without totals.
 */
export const batchListSchema = v.object({
  object: v.literal('list'),
  data: v.array(batchSummarySchema),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
});
export type BatchList = v.InferOutput<typeof batchListSchema>;

/** GET /api/operations?batched=true: lists each batch once instead of its payments. Takes no filter. */
export const batchedOperationsSchema = v.object({
  ...operationListSchema.entries,
  data: v.array(v.union([v.object({ batch: batchSummarySchema }), operationViewSchema])),
});
export type BatchedOperations = v.InferOutput<typeof batchedOperationsSchema>;

/**
 * Codes of this interface's own errors, beside those of /api/operations.
 * - batch_faults (422): with `faults`, the errors by line; nothing was recorded.
 * - batch_again (409): with `same`, the batch that has the same payments.
 * - look_alike (409): with `lines`, as in a review: those with earlier payments that the person hasn't confirmed.
 * - not_done (409): not possible now; with `view`.
 */
export const batchFaultsSchema = v.object({ faults: v.array(v.object({ line: v.number(), message: v.string() })) });
