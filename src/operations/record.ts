import * as v from 'valibot';

export const SCHEMA_VERSION = 2;

/** Seconds after firstSentAt in which a person may still send: the service forgets keys at 24 h (contract 4.7). */
export const SEND_WINDOW_SECONDS = 23 * 60 * 60;

/** Absence from a complete list concludes nothing before so many seconds after firstSentAt. */
export const ABSENCE_PROVES_SECONDS = 26 * 60 * 60;

const textOrNull = v.nullable(v.string());
const reasonSchema = v.picklist(['no-answer', 'signed-out', 'stored-failure', 'key-conflict', 'mismatch']);

const attemptNoteSchema = v.object({
  /** Random, so that an answer finds its attempt again after the record moved on. */
  id: v.string(),
  /** Device clock, milliseconds: for people and for timers, never for the 23 h rule. */
  start: v.number(),
  end: v.nullable(v.number()),
  /** Unix seconds: the service's Date that allowed a person to send; null on an automatic attempt. */
  date: v.nullable(v.number()),
  by: v.picklist(['person', 'automatic']),
  /** Why an automatic attempt was made; null on a person's. */
  because: v.nullable(v.picklist(['asked-to-wait', 'unclean-success', 'unreplayed-refusal'])),
  /** Where the record returns to when the gateway proves that nothing was forwarded. */
  from: v.object({ state: v.picklist(['ready', 'unconfirmed']), reason: v.optional(reasonSchema) }),
  /** null while it runs, and for ever when the page died in between. */
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
      'not-forwarded',
      'not-made',
    ]),
  ),
  /** Only logged: it came when the record had moved on. */
  late: v.boolean(),
  status: v.nullable(v.number()),
  requestId: textOrNull,
  replayed: v.boolean(),
  /** What went wrong on the way, when no answer came: timeout, network, redirect, aborted, offline. */
  lost: textOrNull,
  /** The gateway's own word: session, account, read-only, not-allowed, upstream. */
  gatewayError: textOrNull,
  contentType: textOrNull,
  /** The error envelope's words (contract 7), as they came. */
  errorType: textOrNull,
  errorCode: textOrNull,
  errorMessage: textOrNull,
  /** The wd_ id of a 2xx under this key, equal to what was sent or not. */
  resultId: textOrNull,
});

export const recordSchema = v.object({
  schema: v.literal(SCHEMA_VERSION),
  id: v.pipe(v.string(), v.minLength(1)),
  kind: v.picklist(['withdrawal', 'deposit-address', 'charge', 'webhook-replay']),
  service: v.pipe(v.string(), v.minLength(1)),
  account: v.pipe(v.string(), v.minLength(1)),
  key: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  path: v.pipe(v.string(), v.startsWith('/v1/')),
  /** The exact text that every attempt sends. */
  body: v.string(),
  /** Unix seconds by the service's own clock, read just before the insert: a lower bound. */
  firstSentAt: v.pipe(v.number(), v.integer()),
  attempts: v.array(attemptNoteSchema),
  state: v.picklist(['ready', 'sending', 'unconfirmed', 'succeeded', 'refused', 'not-sent', 'closed']),
  /** Set in `unconfirmed` only. */
  reason: v.optional(reasonSchema),
  /** Device clock, milliseconds: an automatic retry is due then; Resend sleeps until then. */
  retryAt: v.optional(v.number()),
  /** Device clock, milliseconds: Resend sleeps until then, so that a lost attempt can finish. */
  asleepUntil: v.optional(v.number()),
  /** Operations and withdrawals that the person saw and chose to pay again. */
  secondSendOf: v.array(v.string()),
  /** The service's object as text, exactly as it came. */
  result: v.optional(
    v.object({
      /** null: the answer named none, as other kinds than withdrawals may (contract 4.6). */
      id: textOrNull,
      text: v.string(),
      requestId: textOrNull,
      by: v.picklist(['answer', 'check']),
      /** Fields that the service stated, equal to what was sent; the others are shown "not confirmed". */
      confirmed: v.array(v.picklist(['asset', 'chain', 'amount', 'address'])),
    }),
  ),
  /** The service's object that differs from what was sent, as it came; kept for the evidence. */
  contradiction: v.optional(
    v.object({ id: v.string(), text: v.string(), requestId: textOrNull, by: v.picklist(['answer', 'check']) }),
  ),
  /** Unix seconds: the service's Date of the answer that ended it, or the last one known before. */
  endedAt: v.optional(v.number()),
  /** How a person ended it: discarded while ready, absent from a complete list, or closed by hand. */
  ending: v.optional(
    v.object({
      by: v.picklist(['discard', 'absence', 'hand']),
      /** What the person typed. */
      words: v.string(),
      /** Device clock, milliseconds. */
      at: v.number(),
      /** Of the complete list in which it was absent. */
      requestId: textOrNull,
    }),
  ),
  /** Unix seconds by the service's clock, when a person saw it finished: it is dropped 7 days later. */
  seenAt: v.optional(v.number()),
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

/** One durable record of one money move: one key, one exact body. Never the API key. */
export type OperationRecord = v.InferOutput<typeof recordSchema>;
export type OperationKind = OperationRecord['kind'];
export type OperationState = OperationRecord['state'];
export type UnconfirmedReason = NonNullable<OperationRecord['reason']>;
export type AttemptNote = v.InferOutput<typeof attemptNoteSchema>;
export type AttemptOutcome = NonNullable<AttemptNote['outcome']>;

/** What is left of a record that storage gave back damaged, or that a newer version of the app wrote. */
export interface DamagedRecord {
  id: string;
  why: 'checksum' | 'schema' | 'newer-version';
  /** null where it cannot be read. */
  service: string | null;
  account: string | null;
  /** Unix seconds; null where it cannot be read. */
  firstSentAt: number | null;
  /** Normal forms of the destinations it may have paid; null: unreadable, so it blocks every new withdrawal. */
  blocks: string[] | null;
  /** A person closed it by hand: it blocks no more. */
  closed?: { words: string; at: number; date: number };
}

/** Whether the key may no longer be sent, by the service's clock (unix seconds). */
export function isExpired(record: OperationRecord, nowByService: number): boolean {
  return nowByService - record.firstSentAt >= SEND_WINDOW_SECONDS;
}

export function isFinal(state: OperationState): boolean {
  return state === 'succeeded' || state === 'refused' || state === 'not-sent' || state === 'closed';
}

export function isUnresolved(state: OperationState): boolean {
  return state === 'ready' || state === 'sending' || state === 'unconfirmed';
}

/** Whether money may have moved under it; false only where that is proved. */
export function mayHavePaid({ state }: OperationRecord): boolean {
  return state !== 'ready' && state !== 'refused' && state !== 'not-sent';
}

/**
 * Whether absence from a complete list could prove, in time, that it was never carried out: not after any 2xx of the
 * service's under its key, whole (which names an id) or cut short.
 */
export function mayBeAbsent(record: OperationRecord): boolean {
  const wasAccepted = record.attempts.some(
    ({ outcome, contentType }) => outcome === 'unclean-success' && contentType?.includes('json') === true,
  );
  return record.kind === 'withdrawal' && knownResultId(record) === null && !wasAccepted;
}

/** Whether the service stated another payment under its key; version 1 kept no object of that. */
export function isContradicted({ reason, contradiction }: OperationRecord): boolean {
  return reason === 'mismatch' || contradiction !== undefined;
}

/** The id of a 2xx under this key (a withdrawal's is wd_…), from the result or from any attempt; null when none came. */
export function knownResultId(record: OperationRecord): string | null {
  const { result, contradiction, attempts } = record;
  return result?.id ?? contradiction?.id ?? attempts.findLast(({ resultId }) => resultId !== null)?.resultId ?? null;
}
