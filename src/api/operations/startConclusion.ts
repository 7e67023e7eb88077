import { errorOfNoAnswer } from '#src/api/answers.ts';
import { type LookAlikes, type NotSent, type OperationView, operationViewSchema } from '#src/api/gatewayContract.ts';
import * as v from 'valibot';
import { parseJson } from '#src/lib/answers.ts';
import type { Answer, Attempt } from '#src/api/http.ts';
import { isOperationError, refusalOf } from './operations.ts';

/** What the server said for good about a key that a request was started under. */
export type Conclusion =
  | { kind: 'recorded'; view: OperationView }
  /** Recorded earlier with other content: what was typed now was not. */
  | { kind: 'reused'; view: OperationView }
  /** A tombstone: nothing was sent, and nothing will be under this key. */
  | { kind: 'not-sent'; notSent: NotSent; message: string | null; lookAlikes: LookAlikes | null }
  /** Another account holds the key. */
  | { kind: 'taken' }
  /** Recorded, in a row that the server cannot read. */
  | { kind: 'unreadable' };

/**
 * What an attempt to record something concludes; null: nothing. Another copy may still be on its way, so only the
 * server's own word with its proof beside it counts, whatever the status.
 */
export function concluded(key: string, result: Attempt): Conclusion | null {
  if (result.kind === 'no-answer' || !result.complete) return null;
  if (result.status === 200 || result.status === 201) {
    const view = v.safeParse(operationViewSchema, parseJson(result.text));
    return view.success && view.output.operation.key === key ? { kind: 'recorded', view: view.output } : null;
  }
  return refused(key, result);
}

function refused(key: string, answer: Answer): Conclusion | null {
  const error = refusalOf(answer);
  const { status, message } = error;
  if (status === 409 && isOperationError(error, 'key_reused')) {
    const { view } = error.extras;
    return view?.operation.key === key ? { kind: 'reused', view } : null;
  }
  if (status === 409 && isOperationError(error, 'look_alike')) {
    const { look_alikes: lookAlikes, not_sent: notSent } = error.extras;
    if (lookAlikes === undefined) return null;
    // The code says that the key is spent, whether or not the tombstone stands beside it.
    return { kind: 'not-sent', notSent: notSent ?? { why: 'look-alike', at: 0 }, message, lookAlikes };
  }
  if (status === 409 && isOperationError(error, 'key_taken')) return { kind: 'taken' };
  if (status === 409 && isOperationError(error, 'unreadable')) return { kind: 'unreadable' };
  const isTombstone =
    (status === 410 && isOperationError(error, 'not_sent')) ||
    (status === 422 && isOperationError(error, 'invalid_request_error', 'too_late'));
  if (!isTombstone || error.extras.not_sent === undefined) return null;
  return { kind: 'not-sent', notSent: error.extras.not_sent, message, lookAlikes: null };
}

/** Why nothing is known, in words. */
export function failureOf(result: Attempt): string {
  return result.kind === 'no-answer' ? errorOfNoAnswer(result.reason).message : refusalOf(result).message;
}
