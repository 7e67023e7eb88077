import * as v from 'valibot';
import { parseJson } from '#src/shared/answers.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { type NotSent, operationViewSchema, type StartRequest } from '#src/shared/contract/gatewayContract.ts';
import { errorOfNoAnswer } from '#src/web/api/errors.ts';
import type { GatewayAnswer, GatewayAttempt } from '#src/web/api/gatewayAnswer.ts';
import { attempt } from '#src/web/api/http.ts';
import { discardKey, isOperationError, OperationError, operationPath, operationErrorOf } from './operations.ts';
import type { StartAnswer, StartConclusion } from './pendingStarts.ts';

/** Asks the server once to record an operation and send it. */
export async function recordAndSend(account: string, key: string, request: StartRequest): Promise<StartAnswer> {
  const path = operationPath(key);
  const result = await attempt({ method: 'PUT', path, body: stringifyExact(request), account });
  return conclusionOf(key, result) ?? { kind: 'unknown', failure: failureMessage(result) };
}

/** Asks the server once to guarantee that nothing is sent under a key. */
export async function discardOperation(account: string, key: string): Promise<StartAnswer> {
  try {
    const answer = await discardKey(account, key);
    return 'view' in answer ? { kind: 'recorded', view: answer.view } : tombstone(answer.notSent);
  } catch (error) {
    // Sent before it could be discarded. Any other refusal proves nothing.
    const view = error instanceof OperationError ? error.extras.view : undefined;
    if (view) return { kind: 'recorded', view };
    return { kind: 'unknown', failure: error instanceof Error ? error.message : String(error) };
  }
}

export function tombstone(notSent: NotSent): StartConclusion {
  return { kind: 'not-sent', notSent, message: null, lookAlikes: null };
}

/**
 * What a response proves about the key; null if nothing. Another copy of the request may still be on its way, so only a
 * statement of the dashboard's server that includes its proof counts, whatever the status.
 */
export function conclusionOf(key: string, result: GatewayAttempt): StartConclusion | null {
  if (result.kind === 'no-answer' || !result.complete) return null;
  if (result.status === 200 || result.status === 201) {
    const view = v.safeParse(operationViewSchema, parseJson(result.text));
    return view.success && view.output.operation.key === key ? { kind: 'recorded', view: view.output } : null;
  }
  return refusalConclusion(key, result);
}

function refusalConclusion(key: string, answer: GatewayAnswer): StartConclusion | null {
  const error = operationErrorOf(answer);
  const { status, message } = error;
  if (status === 409 && isOperationError(error, 'key_reused')) {
    const { view } = error.extras;
    return view?.operation.key === key ? { kind: 'reused', view } : null;
  }
  if (status === 409 && isOperationError(error, 'look_alike')) {
    const { look_alikes: lookAlikes, not_sent: notSent } = error.extras;
    if (lookAlikes === undefined) return null;
    // The code itself means that the key is spent, even without a tombstone.
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

export function failureMessage(result: GatewayAttempt): string {
  return result.kind === 'no-answer' ? errorOfNoAnswer(result.reason).message : operationErrorOf(result).message;
}
