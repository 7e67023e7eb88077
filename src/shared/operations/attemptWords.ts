import { isHtmlType } from '#src/shared/answers.ts';
import type { AttemptNote, Operation } from './record.ts';

const LOST: Record<string, string> = {
  timeout: 'no response in 30 s',
  network: 'no response, the connection failed',
  redirect: 'a response that pointed elsewhere, not followed',
};

export function isHtml(attempt: AttemptNote): boolean {
  return isHtmlType(attempt.contentType);
}

export function isRunning(record: Operation, attempt: AttemptNote): boolean {
  return record.state === 'sending' && attempt.outcome === null && record.attempts.at(-1) === attempt;
}

/** The outcome of one attempt in a few words; never includes a body. */
export function answerWords(record: Operation, attempt: AttemptNote): string {
  const late = attempt.late ? ', too late to count' : '';
  if (isRunning(record, attempt)) return 'waiting for the response';
  if (attempt.outcome === 'not-made') return 'not made, nothing of it left the server';
  if (attempt.lost !== null) return (LOST[attempt.lost] ?? `no response, ${attempt.lost}`) + late;
  if (attempt.status === null) {
    return attempt.outcome === null ? 'the server stopped before a response' : (LOST['network'] ?? '') + late;
  }
  return `${attempt.status}${statusWords(attempt)}${late}`;
}

function statusWords(attempt: AttemptNote): string {
  if (isHtml(attempt)) return ', a web page, not from the provider';
  if (attempt.outcome === 'mismatch') return ', differs from what was sent';
  if (attempt.outcome === 'unclean-success') return ', not a readable response';
  if (attempt.outcome === 'success') return ', accepted';
  return attempt.errorCode === null ? '' : ` ${attempt.errorCode}`;
}

/** Whether any attempt may have reached the service, including one without an outcome. */
export function mayHaveLeft(record: Operation): boolean {
  return record.attempts.some(({ outcome }) => outcome !== 'not-made');
}

/** Says that the newest attempt sent nothing; null if it may have sent something. */
export function notMade(record: Operation): string | null {
  return record.attempts.at(-1)?.outcome === 'not-made'
    ? 'The last attempt was not made: no connection to the provider could be used for it.'
    : null;
}
