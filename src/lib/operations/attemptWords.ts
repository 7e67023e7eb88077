import type { AttemptNote, OperationRecord } from './record.ts';

const LOST: Record<string, string> = {
  timeout: 'no answer in 30 s',
  network: 'no answer, the connection failed',
  redirect: 'an answer that pointed elsewhere, not followed',
  offline: 'not made, this device was offline',
  aborted: 'stopped before an answer',
};

const GATEWAY: Record<string, string> = {
  session: 'not forwarded: the session had ended',
  account: 'not forwarded: another account was signed in',
  'read-only': 'not forwarded: the session is read-only',
  'not-allowed': 'not forwarded: the gateway does not allow it',
  upstream: 'the gateway could not reach the service',
};

export function isHtml(attempt: AttemptNote): boolean {
  return attempt.contentType?.toLowerCase().includes('html') ?? false;
}

/** Whether the attempt can still be answered: the newest one, while the record says that it runs. */
export function isRunning(record: OperationRecord, attempt: AttemptNote): boolean {
  return record.state === 'sending' && attempt.outcome === null && record.attempts.at(-1) === attempt;
}

/** What came back of one attempt, in a few words; never a body. */
export function answerWords(record: OperationRecord, attempt: AttemptNote): string {
  const late = attempt.late ? ', too late to count' : '';
  if (isRunning(record, attempt)) return 'waiting for the answer';
  if (attempt.lost !== null) return (LOST[attempt.lost] ?? `no answer, ${attempt.lost}`) + late;
  if (attempt.outcome === 'not-made') return 'not made, this device woke up too late for it';
  if (attempt.status === null) {
    return attempt.outcome === null ? 'the page closed before an answer' : (LOST['network'] ?? '') + late;
  }
  return `${attempt.status}${statusWords(attempt)}${late}`;
}

function statusWords(attempt: AttemptNote): string {
  if (attempt.gatewayError !== null) return `, ${GATEWAY[attempt.gatewayError] ?? attempt.gatewayError}`;
  if (isHtml(attempt)) return ', a web page, not from the service';
  if (attempt.outcome === 'mismatch') return ', for another payment';
  if (attempt.outcome === 'unclean-success') return ', not a readable answer';
  if (attempt.outcome === 'success') return ', accepted';
  return attempt.errorCode === null ? '' : ` ${attempt.errorCode}`;
}

/** Whether any attempt may have reached the service; one still without an outcome may. */
export function mayHaveLeft(record: OperationRecord): boolean {
  return record.attempts.some(({ outcome }) => outcome !== 'not-made' && outcome !== 'not-forwarded');
}

/** Why nothing of the newest attempt was forwarded; null when it was. */
export function notForwarded(record: OperationRecord): string | null {
  const last = record.attempts.at(-1);
  if (last?.outcome === 'not-made') {
    const why = last.lost === 'offline' ? 'this device was offline' : 'this device was asleep when it was due';
    return `The last attempt was not made: ${why}.`;
  }
  if (last?.outcome !== 'not-forwarded') return null;
  const why = GATEWAY[last.gatewayError ?? ''] ?? 'not forwarded';
  return `The last attempt did not reach the service: ${why.replace('not forwarded: ', '')}.`;
}
