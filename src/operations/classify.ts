import { isObject, parseJson, secondsAsked } from '#src/lib/answers.ts';
import { CODE_IDEMPOTENCY_KEY_REUSED, WITHDRAWAL_ID_PREFIX } from '#src/api/contract.ts';
import type { Answer, Attempt } from '#src/api/http.ts';
import { readWithdrawalBody } from './body.ts';
import {
  type AttemptNote,
  type OperationRecord,
  type UnconfirmedReason,
  isContradicted,
  knownResultId,
} from './record.ts';
import { COMPARED, type ComparedField, compareWithSent } from './sameSend.ts';

export type RetryCause = NonNullable<AttemptNote['because']>;

/** What an answer means for the record as it is now, before the budget of automatic retries is looked at. */
export type Verdict =
  | { kind: 'not-forwarded' }
  | { kind: 'not-made' }
  /** id null: the answer named none, as other kinds than withdrawals may. */
  | { kind: 'success'; id: string | null; confirmed: ComparedField[] }
  | { kind: 'mismatch'; id: string }
  /** waitSeconds: what the service asked for; null: nothing readable. */
  | { kind: 'retry'; because: RetryCause; waitSeconds: number | null }
  /** rests: Resend sleeps a while, so that the attempt can finish. */
  | { kind: 'unconfirmed'; reason: UnconfirmedReason; rests: boolean }
  | { kind: 'refused' };

/** Refusals that the gateway makes before anything is forwarded; a word it does not know proves nothing. */
const NOT_FORWARDED = new Set(['session', 'account', 'read-only', 'not-allowed']);
const LOST: Verdict = { kind: 'unconfirmed', reason: 'no-answer', rests: true };

/** Reads an answer in the order of the table; only proof makes succeeded or refused. `now`: device clock, ms. */
export function classify(record: OperationRecord, attemptId: string, attempt: Attempt, now: number): Verdict {
  // api/http.ts answers "offline" for a POST only where it did not call fetch at all.
  if (attempt.kind === 'no-answer') return attempt.reason === 'offline' ? { kind: 'not-made' } : LOST;
  const { status } = attempt;
  if (attempt.gatewayError !== null && NOT_FORWARDED.has(attempt.gatewayError)) return { kind: 'not-forwarded' };
  if (status >= 200 && status < 300) return readSuccess(record, attempt) ?? retry('unclean-success', attempt, now);
  const replayed = attempt.replayed && attempt.gatewayError === null;
  const code = envelopeOf(attempt)?.code;
  const isRefusal = status >= 400 && status < 500 && code !== undefined;
  if (status === 409 && code === CODE_IDEMPOTENCY_KEY_REUSED) return unconfirmed('key-conflict');
  if (status >= 500 && status < 600 && replayed) return unconfirmed('stored-failure');
  if (isRefusal && replayed) return { kind: 'refused' };
  if (status === 401 || status === 403) return unconfirmed('signed-out');
  if (status === 409 || status === 425 || status === 429 || status === 503) return retry('asked-to-wait', attempt, now);
  if (status === 408 || !isRefusal) return LOST;
  if (record.attempts.every(({ id }) => id === attemptId)) return { kind: 'refused' };
  return wasResentForThis(record, attemptId) ? unconfirmed('no-answer') : retry('unreplayed-refusal', attempt, now);
}

function unconfirmed(reason: UnconfirmedReason): Verdict {
  return { kind: 'unconfirmed', reason, rests: false };
}

function retry(because: RetryCause, answer: Answer, now: number): Verdict {
  return { kind: 'retry', because, waitSeconds: secondsAsked(answer, now) };
}

function readSuccess(record: OperationRecord, answer: Answer): Verdict | null {
  return record.kind === 'withdrawal' ? readWithdrawal(record, answer) : readAsItCame(answer);
}

/** Kinds whose answer the contract does not show: 204, or any complete JSON. */
function readAsItCame(answer: Answer): Verdict | null {
  if (!answer.complete || answer.gatewayError !== null) return null;
  if (answer.status === 204) return { kind: 'success', id: null, confirmed: [] };
  const value = parseJson(answer.text);
  if (value === undefined) return null;
  const id = isObject(value) && Object.hasOwn(value, 'id') ? value['id'] : null;
  return { kind: 'success', id: typeof id === 'string' ? id : null, confirmed: [] };
}

function readWithdrawal(record: OperationRecord, answer: Answer): Verdict | null {
  const object = answer.complete && answer.gatewayError === null ? parseJson(answer.text) : undefined;
  const sent = readWithdrawalBody(record.body);
  if (!isObject(object) || sent === null || !Object.hasOwn(object, 'id')) return null;
  const id = object['id'];
  if (typeof id !== 'string' || !id.startsWith(WITHDRAWAL_ID_PREFIX)) return null;
  const { differing, equal } = compareWithSent(sent, object);
  // What the service stated otherwise under this key is only taken back by that very payment, every field as it was sent.
  const isTakenBack = !isContradicted(record) || (knownResultId(record) === id && equal.length === COMPARED.length);
  return differing.length > 0 || !isTakenBack ? { kind: 'mismatch', id } : { kind: 'success', id, confirmed: equal };
}

/** The contract's error envelope (7), all of it, in a complete body; null for anything less, which proves no refusal. */
function envelopeOf(answer: Answer): { code: string } | null {
  // The gateway's own envelope is not the service's word.
  const body = answer.complete && answer.gatewayError === null ? parseJson(answer.text) : undefined;
  const error = isObject(body) && Object.hasOwn(body, 'error') ? body['error'] : undefined;
  if (!isObject(error)) return null;
  const { type, code, message, request_id } = error;
  if (typeof type !== 'string' || typeof code !== 'string') return null;
  if (typeof message !== 'string' || typeof request_id !== 'string') return null;
  return { code };
}

/** Whether the one automatic resend after a refusal without replay was made since a person last sent. */
function wasResentForThis(record: OperationRecord, attemptId: string): boolean {
  const index = record.attempts.findIndex(({ id }) => id === attemptId);
  return runOf(record, index).some(({ because }) => because === 'unreplayed-refusal');
}

/** The attempts up to `index` (the last one by default), from the one that a person started. */
export function runOf(record: OperationRecord, index = record.attempts.length - 1): AttemptNote[] {
  const upTo = record.attempts.slice(0, index + 1);
  const start = upTo.findLastIndex(({ by }) => by === 'person');
  return upTo.slice(Math.max(0, start));
}
