import * as v from 'valibot';
import { KINDS } from '#src/shared/operations/kind.ts';
import { operationSchema } from '#src/shared/operations/record.ts';
import { ACTIONS, UNRESOLVED } from '#src/shared/operations/states.ts';
import { APPROVALS_MAX } from '#src/shared/policy/policy.ts';
import { isStorable } from '#src/shared/text.ts';
import { proofSchema } from './proofContract.ts';

// The server's own interface, as both sides read it. Errors are the contract's envelope (section 7) with the members
// named below beside `error`.

/** POST /session: the key is new here and seems to belong to a known account. Post again with `join`: its id, or false. */
export const CODE_SAME_ACCOUNT = 'same_account';
/** POST /session: the key is new, and whether it belongs to a known account couldn't be checked. */
export const CODE_SAME_ACCOUNT_UNKNOWN = 'same_account_unknown';
export const sameAccountSchema = v.object({
  same_account: v.object({
    account: v.string(),
    /** Unix seconds. */
    since: v.number(),
  }),
});
export type SameAccountQuestion = v.InferOutput<typeof sameAccountSchema>;

/** An earlier operation with the same duplicate key. */
export const earlierSendSchema = v.object({
  /** others: sent from other accounts or hosts, a count only; set-back: records that the journal may have lost. */
  source: v.picklist(['journal', 'service', 'others', 'set-back']),
  /** The value for second_send_of when a person confirms it: an operation's key, a withdrawal id (wd_…), or an opaque token. */
  id: v.string(),
  /** Only for `others`. */
  count: v.nullable(v.number()),
  amount: v.nullable(v.string()),
  /** Unix seconds. */
  createdAt: v.nullable(v.number()),
  /** The withdrawal's status as received, otherwise the state of its operation. */
  status: v.nullable(v.string()),
});
export type EarlierSend = v.InferOutput<typeof earlierSendSchema>;

export const earlierSendsSchema = v.object({
  /** The key of an unresolved operation with the same duplicate key; the page opens it. */
  existing: v.nullable(v.string()),
  /** Earlier sends that a person must confirm before this one is sent. */
  of: v.array(earlierSendSchema),
});
export type EarlierSends = v.InferOutput<typeof earlierSendsSchema>;

/** PUT /api/operations/:key. */
export const startSchema = v.object({
  kind: v.picklist(KINDS),
  path: v.string(),
  /** The exact bytes to be sent, as a JSON string. */
  body: v.string(),
  /** The EarlierSend.id values that the person saw and confirmed. */
  second_send_of: v.pipe(v.array(v.pipe(v.string(), v.maxLength(255))), v.maxLength(200)),
  /** The database's clock, milliseconds: a PUT that arrives later sends nothing. */
  not_after: v.number(),
  /**
   * Only in people mode, for a payment that needs no approvals: the maker's passkey signature, with a ticket from
   * POST /api/approvals/ticket.
   */
  proof: v.optional(proofSchema),
  /** The number of approvals that the review showed to the person; the payment is recorded as needing at least as many. */
  needs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(APPROVALS_MAX))),
});
export type StartRequest = v.InferOutput<typeof startSchema>;

/** POST /api/operations/review. */
export const reviewSchema = v.omit(startSchema, ['second_send_of', 'not_after', 'proof', 'needs']);
export type ReviewRequest = v.InferOutput<typeof reviewSchema>;

/** The answer to a review. */
export const reviewedSchema = v.object({
  ...earlierSendsSchema.entries,
  /** When the review was made, by the database's clock in ms. */
  now: v.number(),
  /** Whether the provider's list of withdrawals was loaded too. */
  listed: v.picklist(['listed', 'not-offered', 'unreadable', 'not-asked']),
  /**
   * How many people must approve it, and why (phrases without a full stop); null in key mode and for operations that move no
   * money.
   */
  approval: v.nullable(v.object({ needs: v.number(), why: v.array(v.string()) })),
});
export type Reviewed = v.InferOutput<typeof reviewedSchema>;

/** How long after the review Send may be pressed, in ms. */
export const PRESS_HOLDS_MS = 120_000;

const revision = v.pipe(v.number(), v.integer(), v.minValue(0));
export const sendSchema = v.object({ revision, not_after: v.number() });
export const endSchema = v.object({ revision, reason: v.pipe(v.string(), v.maxLength(2_000), v.check(isStorable)) });

const lookAlikeSchema = v.object({
  id: v.string(),
  amount: v.string(),
  status: v.string(),
  /** Unix seconds. */
  createdAt: v.nullable(v.number()),
});
/** A listed withdrawal that looks like the operation's; it may be a colleague's and proves nothing. */
export type LookAlike = v.InferOutput<typeof lookAlikeSchema>;

const checkSchema = v.object({
  /** The server's clock, milliseconds. */
  at: v.number(),
  /** unreadable: the service did not respond; nothing: the response proves nothing. */
  found: v.picklist(['succeeded', 'mismatch', 'nothing', 'unreadable']),
  /** Null if the service doesn't list withdrawals, or the list could not be read. */
  lookAlikes: v.nullable(v.array(lookAlikeSchema)),
  requestId: v.nullable(v.string()),
  /** Whether the list was read back to before the first send. If false, absence proves nothing. */
  complete: v.boolean(),
  /** Unix seconds by the service's clock; null if the response had none. */
  date: v.nullable(v.number()),
});
export type CheckNote = v.InferOutput<typeof checkSchema>;

export const operationViewSchema = v.object({
  operation: operationSchema,
  /** Recorded under another API key of this account: it can be checked and closed, but not sent. */
  checkOnly: v.boolean(),
  /** A server is sending it or about to: no action is possible now. */
  underWay: v.boolean(),
  /** Actions to offer. One that is also in `disabled` is shown with that reason. */
  allowed: v.array(v.picklist(ACTIONS)),
  disabled: v.record(v.string(), v.string()),
  /** The server's clock, milliseconds: Resend is disabled until then. */
  asleepUntil: v.nullable(v.number()),
  /** An automatic retry is due at asleepUntil. */
  waiting: v.boolean(),
  /** More than 23 h have passed since the first send, by at least one of the three clocks. */
  expired: v.boolean(),
  /** Unix seconds by the service's clock; from then on, absence from a complete list proves that it was not sent. */
  absenceProvesFrom: v.number(),
  /** The server's clock at the response, in ms. */
  now: v.number(),
  /** The database's clock at the response, in ms. not_after is based on it. */
  databaseNow: v.number(),
  /** The service's clock at the response, Unix seconds; null if not read yet. */
  serviceNow: v.nullable(v.number()),
  /** Recent checks by this server, oldest first. */
  checks: v.array(checkSchema),
  /** The people who approved it, oldest first. Unix seconds by the database's clock. */
  approved: v.array(v.object({ person: v.string(), name: v.string(), at: v.number() })),
  /** The approver who ended its resends, if any. Unix seconds by the database's clock. */
  stopped: v.optional(v.object({ name: v.string(), at: v.number(), reason: v.string() })),
});
export type OperationView = v.InferOutput<typeof operationViewSchema>;

/** A row that this version can't read: never sent, and it blocks its duplicate key until a person closes it. */
export const unreadableSchema = v.object({
  key: v.string(),
  why: v.picklist(['checksum', 'schema']),
  /** Unix seconds; null if it can't be read. */
  firstSentAt: v.nullable(v.number()),
  /** The reason given when a person closed it; null while it is open. */
  closed: v.nullable(v.object({ words: v.string(), at: v.number() })),
});
export type UnreadableOperation = v.InferOutput<typeof unreadableSchema>;

/** GET /api/operations: the list envelope (contract 2.4), newest first. */
export const operationListSchema = v.object({
  object: v.literal('list'),
  data: v.array(operationViewSchema),
  /** Only on the first page. */
  unreadable: v.array(unreadableSchema),
  /** The database was restored from an older copy: newer records are missing. */
  set_back: v.boolean(),
  /** When that was noticed, by the database's clock in ms; null if set_back is false. */
  set_back_at: v.nullish(v.number(), null),
  has_more: v.boolean(),
  next_cursor: v.nullable(v.string()),
});
export type OperationList = v.InferOutput<typeof operationListSchema>;

/** GET /api/operations/close-set-back: withdrawals that waited to be sent when the database was restored. */
export const setBackPaymentsSchema = v.object({
  /** How many this person can close together. */
  payments: v.number(),
  /** Their exact sums, by asset and chain. */
  totals: v.array(v.object({ asset: v.string(), chain: v.string(), amount: v.string() })),
  /** How many more needed approval and were prepared by this person, so that somebody else closes them. */
  own: v.number(),
});
export type SetBackPayments = v.InferOutput<typeof setBackPaymentsSchema>;

/** POST /api/operations/close-set-back closes them all, except those that the provider's complete list has a look-alike of. */
export const closeSetBackSchema = v.pick(endSchema, ['reason']);

export const closedSetBackSchema = v.object({
  closed: v.number(),
  /** look-alike: of a listed withdrawal; changed: since the list was loaded, for example by another person. */
  left: v.array(
    v.object({
      key: v.string(),
      why: v.picklist(['look-alike', 'changed']),
      asset: v.string(),
      chain: v.string(),
      amount: v.string(),
      address: v.string(),
    }),
  ),
  /** As above. */
  own: v.number(),
});
export type ClosedSetBack = v.InferOutput<typeof closedSetBackSchema>;

/** `?state=`: one state, or `open` for all unresolved ones. */
export const OPEN_STATES = UNRESOLVED;

/** A tombstone: why a key can't send anything any more. */
export const notSentSchema = v.object({
  why: v.picklist(['discarded', 'too-late', 'invalid', 'look-alike']),
  /** The database's clock, milliseconds. */
  at: v.number(),
});
export type NotSent = v.InferOutput<typeof notSentSchema>;

/**
 * Codes of this interface's own errors.
 * - not_sent (410): a tombstone; with `not_sent`.
 * - invalid_request_error, too_late (422): nothing was sent, and the key is spent; with `not_sent`.
 * - look_alike (409): likewise; with `look_alikes`.
 * - key_reused (409): recorded with different content; with `view`.
 * - key_taken (409): the key belongs to another account.
 * - moved_on (409): the record changed since the person saw it; with `view`.
 * - not_done (409): not possible now; the message says why; with `view`.
 * - not_recorded (404): no record and no tombstone; the request may still arrive.
 * - nobody_knows (404): likewise, but the database was restored from an older copy, so the record may have been lost.
 * - unreadable (409): a row that this version can't read; with `unreadable`.
 * - too_many (429); read_only, key_refused, set_back, not_permitted (403).
 * - not_ready (503): the outcome is unknown here. Ask again.
 */
export const ERROR_CODES = [
  'not_sent',
  'invalid_request_error',
  'too_late',
  'look_alike',
  'key_reused',
  'key_taken',
  'moved_on',
  'not_done',
  'not_recorded',
  'nobody_knows',
  'unreadable',
  'too_many',
  'read_only',
  'set_back',
  'key_refused',
  'not_permitted',
  'not_ready',
] as const;
export type OperationErrorCode = (typeof ERROR_CODES)[number];

export const errorExtrasSchema = v.object({
  view: v.optional(operationViewSchema),
  look_alikes: v.optional(earlierSendsSchema),
  not_sent: v.optional(notSentSchema),
  unreadable: v.optional(unreadableSchema),
});
export type ErrorExtras = v.InferOutput<typeof errorExtrasSchema>;
