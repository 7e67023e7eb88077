import { CODE_IDEMPOTENCY_KEY_REUSED, WITHDRAWAL_ID_PREFIX } from '#src/shared/contract/contract.ts';
import {
  type ServiceAnswer,
  type AttemptResult,
  isObject,
  parseJson,
  readEnvelope,
  secondsAsked,
} from '#src/shared/answers.ts';
import { parseObject } from '#src/shared/json/jsonObject.ts';
import { compareWithSent } from '#src/shared/operations/compare.ts';
import { COMPARED, type ComparedField } from '#src/shared/operations/kind.ts';
import { isUnsent } from '#src/shared/operations/states.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import {
  type AttemptNote,
  type OperationRecord,
  type UnconfirmedReason,
  isContradicted,
  knownResultId,
} from '#src/shared/operations/record.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { isStorable } from '#src/shared/text.ts';
import type { OperationEvent } from './events.ts';

export type RetryCause = NonNullable<AttemptNote['because']>;

/** The meaning of a response, independent of the record; `reduceAnswer` applies the limits on retries. */
export type Verdict =
  | { kind: 'not-made' }
  /** id null: the response has no id, which only a withdrawal needs. */
  | { kind: 'success'; id: string | null; confirmed: ComparedField[] }
  | { kind: 'mismatch'; id: string }
  /** waitSeconds: the Retry-After, or null if there is no readable one. */
  | { kind: 'retry'; because: RetryCause; waitSeconds: number | null }
  /** pausesResend: Resend is disabled for a while, so that the attempt can finish. */
  | { kind: 'unconfirmed'; reason: UnconfirmedReason; pausesResend: boolean }
  | { kind: 'refused' };

const LOST: Verdict = { kind: 'unconfirmed', reason: 'no-answer', pausesResend: true };

type Answered = Omit<Extract<OperationEvent, { type: 'answer' }>, 'type' | 'jitter'>;

/** Interprets a response; the first matching rule counts. Only proof gives succeeded or refused. `now`: this server's clock, ms. */
export function classify(record: OperationRecord, { attemptId, attempt, taken }: Answered, now: number): Verdict {
  if (attempt.kind === 'no-answer') return LOST;
  const { status, replayed } = attempt;
  if (status >= 200 && status < 300) {
    return readSuccess(record, attempt, taken) ?? retry('unclean-success', attempt, now);
  }
  const code = refusalCode(attempt);
  const isRefusal = status >= 400 && status < 500 && code !== undefined;
  if (status === 409 && code === CODE_IDEMPOTENCY_KEY_REUSED) return unconfirmed('key-conflict');
  if (status >= 500 && status < 600 && replayed) return unconfirmed('stored-failure');
  if (isRefusal && replayed) return { kind: 'refused' };
  if (status === 401 || status === 403) return unconfirmed('signed-out');
  if (status === 409 || status === 425 || status === 429 || status === 503) return retry('asked-to-wait', attempt, now);
  if (status === 408 || !isRefusal) return LOST;
  if (record.attempts.every(({ id, from }) => id === attemptId && isUnsent(from.state))) return { kind: 'refused' };
  return wasResentForThis(record, attemptId) ? unconfirmed('no-answer') : retry('unreplayed-refusal', attempt, now);
}

function unconfirmed(reason: UnconfirmedReason): Verdict {
  return { kind: 'unconfirmed', reason, pausesResend: false };
}

function retry(because: RetryCause, answer: ServiceAnswer, now: number): Verdict {
  return { kind: 'retry', because, waitSeconds: secondsAsked(answer, now) };
}

function readSuccess(record: OperationRecord, answer: ServiceAnswer, taken: boolean): Verdict | null {
  return KIND[record.kind].isCompared ? readCompared(record, answer, taken) : readAsItCame(record, answer);
}

/** For kinds whose response the contract doesn't show: any complete JSON object except an error, or 204 for a replay. */
function readAsItCame({ kind }: OperationRecord, answer: ServiceAnswer): Verdict | null {
  if (!answer.complete) return null;
  if (answer.status === 204 && KIND[kind].mayBeEmpty) return { kind: 'success', id: null, confirmed: [] };
  const value = parseJson(answer.text);
  if (!isObject(value) || Object.hasOwn(value, 'error')) return null;
  const id = Object.hasOwn(value, 'id') ? value['id'] : null;
  return { kind: 'success', id: isId(id) ? id : null, confirmed: [] };
}

function readCompared(record: OperationRecord, answer: ServiceAnswer, taken: boolean): Verdict | null {
  // A duplicated field counts as missing.
  const parsed = answer.complete ? parseObject(answer.text) : null;
  const sent = readWithdrawalBody(record.body);
  if (!parsed?.ok || sent === null || Object.hasOwn(parsed.object, 'error')) return null;
  const id = withdrawalIdIn(answer);
  if (id === null) return null;
  const { differing, equal } = compareWithSent(sent, parsed.object);
  // Only the same payment with every field as sent resolves a contradiction.
  const known = knownResultId(record);
  const isTakenBack = !isContradicted(record) || (known === id && equal.length === COMPARED.length);
  // One key means one payment: a second id is another payment, and then the first id proves nothing either.
  const isAnother = (known !== null && known !== id) || record.attempts.some(({ resultId }) => (resultId ?? id) !== id);
  const differs = taken || differing.length > 0 || !isTakenBack || isAnother;
  return differs ? { kind: 'mismatch', id } : { kind: 'success', id, confirmed: equal };
}

export function withdrawalIdIn(attempt: AttemptResult): string | null {
  if (attempt.kind === 'no-answer' || !attempt.complete || attempt.status < 200 || attempt.status >= 300) return null;
  const object = parseJson(attempt.text);
  const id = isObject(object) && Object.hasOwn(object, 'id') ? object['id'] : null;
  return isId(id) && id.startsWith(WITHDRAWAL_ID_PREFIX) ? id : null;
}

/** The database indexes it, which limits its length. */
function isId(id: unknown): id is string {
  return typeof id === 'string' && id.length <= 255 && isStorable(id);
}

/** Only the complete error envelope of the contract (7) proves a refusal. */
function refusalCode(answer: ServiceAnswer): string | undefined {
  const envelope = answer.complete ? readEnvelope(answer.text) : null;
  const isWhole = envelope !== null && Object.values(envelope).every((part) => part !== null);
  return isWhole ? (envelope.code ?? undefined) : undefined;
}

/** A refusal that isn't a replay is resent once automatically: whether that was done since a person last sent. */
function wasResentForThis(record: OperationRecord, attemptId: string): boolean {
  const index = record.attempts.findIndex(({ id }) => id === attemptId);
  return attemptsSincePress(record, index).some(({ because }) => because === 'unreplayed-refusal');
}

/** The attempts from the last one that a person started up to `index`, by default the last. */
export function attemptsSincePress(record: OperationRecord, index = record.attempts.length - 1): AttemptNote[] {
  const upTo = record.attempts.slice(0, index + 1);
  const start = upTo.findLastIndex(({ by }) => by === 'person');
  return upTo.slice(Math.max(0, start));
}
