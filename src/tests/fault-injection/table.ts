import { type AttemptResult, type ServiceAnswer, isObject } from '#src/shared/answers.ts';
import type { AttemptNote, OperationRecord } from '#src/shared/operations/record.ts';

// The reading of answers (classify.ts) and the automatic retry, implemented a second time without the engine's code, so that a
// changed rule in the engine is detected.

type Ending = Pick<OperationRecord, 'state' | 'reason'>;

interface Reading extends Ending {
  /** Retried automatically if the budget allows. */
  retries?: boolean;
  /** Resend sleeps for 15 s. */
  pausesResend?: boolean;
}

const FIELDS = ['asset', 'chain', 'amount', 'address'] as const;
const LOST: Reading = { state: 'unconfirmed', reason: 'no-answer', pausesResend: true };
const RETRY: Reading = { state: 'unconfirmed', reason: 'no-answer', retries: true };

/** The journal's content when the response came. */
export interface AnswerCircumstances {
  record: OperationRecord;
  /** Index of the attempt that the response is for. */
  index: number;
  /** Whether another operation has this id. */
  isTaken: (id: string) => boolean;
}

export function expectedReading(attempt: AttemptResult, at: AnswerCircumstances): Reading {
  if (attempt.kind === 'no-answer') return LOST;
  const { status, replayed } = attempt;
  if (status >= 200 && status < 300) return readingOfSuccess(attempt, at);
  const code = codeIn(attempt);
  if (status === 409 && code === 'idempotency_key_reused') return { state: 'unconfirmed', reason: 'key-conflict' };
  if (status >= 500 && replayed) return { state: 'unconfirmed', reason: 'stored-failure' };
  if (status < 500 && code !== null && replayed) return { state: 'refused' };
  if (status === 401 || status === 403) return { state: 'unconfirmed', reason: 'signed-out' };
  if ([409, 425, 429, 503].includes(status)) return RETRY;
  if (status === 408 || status >= 500 || code === null) return LOST;
  const { record, index } = at;
  const isOnly = record.attempts.length === 1 && record.attempts[0]?.from.state !== 'unconfirmed';
  if (isOnly) return { state: 'refused' };
  const isResent = runTo(record, index).some(({ because }) => because === 'unreplayed-refusal');
  return isResent ? { state: 'unconfirmed', reason: 'no-answer' } : RETRY;
}

function readingOfSuccess(answer: ServiceAnswer, { record, index, isTaken }: AnswerCircumstances): Reading {
  if (!answer.complete) return RETRY;
  if (record.kind === 'webhook-replay' && answer.status === 204) return { state: 'succeeded' };
  const object = objectIn(answer.text);
  if (object === null || 'error' in object) return RETRY;
  if (record.kind !== 'withdrawal') return { state: 'succeeded' };
  const { id } = object;
  if (typeof id !== 'string' || !id.startsWith('wd_')) return RETRY;
  const others = record.attempts.flatMap(({ resultId }, at) => (at === index || resultId === null ? [] : [resultId]));
  const isSecond = [...others, record.result?.id, record.contradiction?.id].some((one) => one != null && one !== id);
  const isTakenBack = record.contradiction === undefined && record.reason !== 'mismatch';
  const isProved = isTakenBack || statedEqual(record.body, answer.text).length === FIELDS.length;
  const isMismatch = isTaken(id) || isSecond || !isProved || statedOtherwise(record.body, answer.text).length > 0;
  return isMismatch ? { state: 'unconfirmed', reason: 'mismatch' } : { state: 'succeeded' };
}

/** Fields of an object that equal what was sent. */
export function statedEqual(sent: string, came: string): string[] {
  return compared(sent, came, true);
}

/** Fields of an object that differ from what was sent. */
export function statedOtherwise(sent: string, came: string): string[] {
  return compared(sent, came, false);
}

function compared(sent: string, came: string, isEqual: boolean): string[] {
  const [request, response] = [objectIn(sent), objectIn(came)];
  if (request === null || response === null) return [];
  return FIELDS.filter((field) => {
    const value = response[field];
    return value !== undefined && value !== null && isSame(field, request[field], value) === isEqual;
  });
}

function isSame(field: (typeof FIELDS)[number], a: unknown, b: unknown): boolean {
  if (field === 'amount') return Number(a) === Number(b);
  // Case doesn't matter in anything that the simulated people type.
  return String(a).toLowerCase() === String(b).toLowerCase();
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The error code of a complete envelope; null if there is none. */
function codeIn({ complete, text }: ServiceAnswer): string | null {
  const error = complete ? objectIn(text)?.['error'] : null;
  if (!isObject(error)) return null;
  const { type, code, message, request_id: requestId } = error;
  const isWhole = [type, code, message, requestId].every((part) => typeof part === 'string' && part !== '');
  return isWhole ? String(code) : null;
}

/** The attempts since a person last started one. */
export function runTo({ attempts }: OperationRecord, index: number): AttemptNote[] {
  const upTo = attempts.slice(0, index + 1);
  return upTo.slice(
    Math.max(
      0,
      upTo.findLastIndex(({ by }) => by === 'person'),
    ),
  );
}

export const MOST_RETRIES = 3;
/** Maximum ms from the first attempt of a run to its last retry. */
export const RUN_MS = 120_000;
const LONGEST_WAIT_SECONDS = 60;

/** Whether an automatic retry follows; null if either is right. `end`: by the server's clock. */
export function retriesAfter(
  record: OperationRecord,
  index: number,
  end: number,
  answer: ServiceAnswer,
): boolean | null {
  const run = runTo(record, index);
  const asked = expectedSecondsAsked(answer, end);
  if (run.length > MOST_RETRIES || (asked !== null && asked > LONGEST_WAIT_SECONDS)) return false;
  const backoff = 1_000 * 2 ** (run.length - 1);
  const [least, most] = asked === null ? [backoff, backoff * 1.25] : [asked * 1_000, Math.max(asked * 1_000, 250)];
  const first = run[0]?.start ?? 0;
  const fits = [least, most].map((wait) => end + wait >= first && end + wait - first <= RUN_MS);
  return fits[0] === fits[1] ? (fits[0] ?? null) : null;
}

/** Seconds of Retry-After by RFC 9110; null if absent or invalid. `now`: this server's clock, in ms. */
export function expectedSecondsAsked({ retryAfter, date }: ServiceAnswer, now: number): number | null {
  const text = retryAfter?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  if (!text.endsWith(' GMT')) return null;
  return Math.max(0, Math.ceil((Date.parse(text) - (date === null ? now : date * 1_000)) / 1_000));
}
