import * as v from 'valibot';
import { authorEntries } from '#src/shared/author.ts';
import { COMPARED, KINDS } from './kind.ts';
import { OPERATION_STATES } from './states.ts';

/** Seconds after the first send in which a person may still send: the service forgets keys at 24 h (contract 4.7). */
export const SEND_WINDOW_SECONDS = 23 * 60 * 60;

/** Seconds after a batch was recorded in which its lines may be sent for the first time. Approvals have a time of their own. */
export const BATCH_STARTABLE_SECONDS = 72 * 60 * 60;

/** Clocks of two servers may differ by this much without counting as wrong. */
export const CLOCK_SLACK_SECONDS = 60;

/** Seconds after the last send before absence from a complete list can prove anything. */
export const ABSENCE_PROVES_SECONDS = 26 * 60 * 60;

const nullableText = v.nullable(v.string());
const reasonSchema = v.picklist(['no-answer', 'signed-out', 'stored-failure', 'key-conflict', 'mismatch']);

/** One moment by three clocks, so that a wrong clock can only make a rule stricter. */
const clocksSchema = v.object({
  /** Unix seconds: the Date of a 2xx just received from the service. */
  service: v.number(),
  /** This server's clock, milliseconds. */
  server: v.number(),
  /** The database's clock, milliseconds. */
  database: v.number(),
});
export type Clocks = v.InferOutput<typeof clocksSchema>;

const attemptNoteSchema = v.object({
  /** Random, so that a late response can be matched to its attempt after the record changed. */
  id: v.string(),
  /** The server's clock, milliseconds. */
  start: v.number(),
  end: v.nullable(v.number()),
  /** Unix seconds: the service's Date that allowed a person to send; null on an automatic attempt. */
  date: v.nullable(v.number()),
  by: v.picklist(['person', 'automatic']),
  /** Of an automatic attempt both are null. */
  ...authorEntries,
  /** Why an automatic attempt was made; null on a person's. */
  because: v.nullable(v.picklist(['asked-to-wait', 'unclean-success', 'unreplayed-refusal'])),
  /** The state to return to if it is proved that nothing was sent. */
  from: v.object({ state: v.picklist(['ready', 'awaiting', 'unconfirmed']), reason: v.optional(reasonSchema) }),
  /** Null while it runs, and forever if the server died in between. */
  outcome: v.nullable(
    v.picklist([
      'success',
      'mismatch',
      'unclean-success',
      'refused',
      'unreplayed-refusal',
      'asked-to-wait',
      'signed-out',
      'stored-failure',
      'key-conflict',
      'no-answer',
      'not-made',
    ]),
  ),
  /** The response arrived after the record had changed: logged, no effect. */
  late: v.boolean(),
  status: v.nullable(v.number()),
  requestId: nullableText,
  replayed: v.boolean(),
  /** Why there was no response: timeout, network, redirect. */
  lost: nullableText,
  contentType: nullableText,
  /** The error envelope's words (contract 7), as they came. */
  errorType: nullableText,
  errorCode: nullableText,
  errorMessage: nullableText,
  /** The id in a 2xx under this key, whether or not the object equals what was sent. */
  resultId: nullableText,
});

const recordEntries = {
  /** The Idempotency-Key, created when the form mounted; also the operation's id and part of its URL. */
  key: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  kind: v.picklist(KINDS),
  path: v.pipe(v.string(), v.startsWith('/v1/')),
  /** The exact text that every attempt sends. */
  body: v.string(),
  /** The 23 hours count from here, by three clocks: when it was recorded, or for one that waited, when it was first sent. */
  firstSent: clocksSchema,
  /** Set on a line of a batch. */
  batch: v.optional(
    v.object({
      id: v.string(),
      line: v.number(),
      reference: nullableText,
      /** The recipient's name in the file. */
      recipient: nullableText,
    }),
  ),
  /** When it was recorded, for one that may wait before it is first sent: a line of a batch, or a payment of a person. */
  recorded: v.optional(clocksSchema),
  /** Set where people approve payments: how many must, by which policy (null: none was in force), and how long it waits. */
  approval: v.optional(v.object({ needs: v.number(), policy: v.nullable(v.number()), hours: v.number() })),
  /** When the latest attempt started. */
  lastSent: clocksSchema,
  /** Who recorded it. */
  ...authorEntries,
  /** Set in people mode: who prepared it, and the SHA-256 of everything that is sent, which signatures cover. */
  signed: v.optional(v.object({ maker: v.string(), contentHash: v.string() })),
  attempts: v.array(attemptNoteSchema),
  state: v.picklist(OPERATION_STATES),
  /** Set in `unconfirmed` only. */
  reason: v.optional(reasonSchema),
  /** The server's clock, milliseconds: an automatic retry is due then; Resend and Close are disabled until then. */
  retryAt: v.optional(v.number()),
  /** The server's clock, milliseconds: Resend is disabled until then, so that a lost attempt can finish. */
  asleepUntil: v.optional(v.number()),
  /** Earlier operations, withdrawals and tokens that the person saw before choosing to send again. */
  secondSendOf: v.array(v.string()),
  /** The service's object as text, exactly as it came. */
  result: v.optional(
    v.object({
      /** Null if the response has none, which kinds other than withdrawals allow (contract 4.6). */
      id: nullableText,
      text: v.string(),
      requestId: nullableText,
      by: v.picklist(['answer', 'check']),
      /** Fields in the response that equal what was sent; the others are shown as "not confirmed". */
      confirmed: v.array(v.picklist(COMPARED)),
    }),
  ),
  /** The service's object, as received, that differs from what was sent or that another operation has. */
  contradiction: v.optional(
    v.object({ id: v.string(), text: v.string(), requestId: nullableText, by: v.picklist(['answer', 'check']) }),
  ),
  ended: v.optional(clocksSchema),
  /**
   * How it ended here: discarded before it was sent, rejected by an approver, not approved in time, proven absent by a complete
   * list, or closed manually.
   */
  ending: v.optional(
    v.object({
      by: v.picklist(['discard', 'absence', 'hand', 'reject', 'lapse']),
      words: v.string(),
      ...authorEntries,
      /** The server's clock, milliseconds. */
      at: v.number(),
      /** The request id of the complete list from which it was absent. */
      requestId: nullableText,
    }),
  ),
  /** The database's clock, milliseconds: until then a server is sending it or about to. */
  leaseUntil: v.optional(v.number()),
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
};

export const operationSchema = v.object(recordEntries);

export const recordSchema = v.object({
  ...recordEntries,
  /** The service's base address, or "sandbox". */
  service: v.pipe(v.string(), v.minLength(1)),
  /** The account's id. It outlives the API key. */
  account: v.pipe(v.string(), v.minLength(1)),
  /** Derived from the API key that recorded it, never the key itself: nothing is sent under another one. */
  credential: v.pipe(v.string(), v.minLength(1)),
});

/** One operation as pages see it: one key, one exact body. */
export type Operation = v.InferOutput<typeof operationSchema>;
/** The operation as stored; never includes the API key. */
export type OperationRecord = v.InferOutput<typeof recordSchema>;
export type UnconfirmedReason = NonNullable<Operation['reason']>;
export type AttemptNote = v.InferOutput<typeof attemptNoteSchema>;
export type AttemptOutcome = NonNullable<AttemptNote['outcome']>;

/** When it was recorded: before its first send, if it waited. */
export function recordedAt({ recorded, firstSent }: Pick<Operation, 'recorded' | 'firstSent'>): Clocks {
  return recorded ?? firstSent;
}

/** Whether its reason allows a resend; otherwise it can only be checked. */
export function mayResend({ state, reason }: Pick<Operation, 'state' | 'reason'>): boolean {
  return state === 'unconfirmed' && (reason === 'no-answer' || reason === 'signed-out');
}

/** Now by the three clocks; null if the service's was not read. */
interface ClocksRead extends Omit<Clocks, 'service'> {
  service: number | null;
}

/** Why it can't be sent any more, without a full stop. Names the clocks that say so, unless all do. */
export function whyTooLate({ firstSent }: Pick<Operation, 'firstSent'>, now: ClocksRead): string {
  const elapsed = [
    ...(now.service === null ? [] : [{ name: 'provider', seconds: now.service - firstSent.service }]),
    { name: 'server', seconds: (now.server - firstSent.server) / 1_000 },
    { name: 'database', seconds: (now.database - firstSent.database) / 1_000 },
  ];
  const late = elapsed.filter(({ seconds }) => seconds >= SEND_WINDOW_SECONDS);
  if (late.length === elapsed.length) return 'More than 23 hours have passed since it was recorded';
  const early = elapsed.filter(({ seconds }) => seconds < -CLOCK_SLACK_SECONDS);
  const [wrong, says] =
    late.length > 0
      ? [late, 'more than 23 hours have passed since it was recorded']
      : [early, 'it was recorded in the future'];
  if (wrong.length === 0) return 'The clocks disagree about when it was recorded';
  return `The clocks disagree: by ${wrong.map(({ name }) => `the ${name}’s clock`).join(' and ')}, ${says}`;
}

/**
 * Whether absence from a complete list can eventually prove that it was never executed: not after any 2xx under its key,
 * whether complete (with an id) or truncated.
 */
export function mayBeAbsent(record: Operation): boolean {
  return record.kind === 'withdrawal' && knownResultId(record) === null && !hadUnreadableSuccess(record);
}

/** Whether the service returned an unreadable 2xx under its key that wasn't a web page. */
export function hadUnreadableSuccess({ attempts }: Pick<Operation, 'attempts'>): boolean {
  return attempts.some(({ outcome, contentType }) => outcome === 'unclean-success' && !/html/i.test(contentType ?? ''));
}

/** Whether the service returned a different payment under its key. */
export function isContradicted({ reason, contradiction }: Pick<Operation, 'reason' | 'contradiction'>): boolean {
  return reason === 'mismatch' || contradiction !== undefined;
}

/** The id in a 2xx under this key (wd_… for a withdrawal), from the result or any attempt; null if there is none. */
export function knownResultId(record: Pick<Operation, 'result' | 'contradiction' | 'attempts'>): string | null {
  const { result, contradiction, attempts } = record;
  return result?.id ?? contradiction?.id ?? attempts.findLast(({ resultId }) => resultId !== null)?.resultId ?? null;
}

/** As knownResultId(), but null for any kind other than a withdrawal. */
export function withdrawalIdOf(record: Operation): string | null {
  return record.kind === 'withdrawal' ? knownResultId(record) : null;
}
