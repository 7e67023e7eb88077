import { parseJson, type ResponseInfo } from '#src/shared/answers.ts';
import { ApiError, errorOfAnswer, errorOfNoAnswer } from './errors.ts';
import type { GatewayAnswer } from './gatewayAnswer.ts';
import { attempt, type Call } from './http.ts';
import { MAX_WAIT_SECONDS, pauseLeft, wait } from './paging/rateLimitPause.ts';
import { newCall } from './requestLog.ts';

/** For a list of which no page was read. */
export function noResponseInfo(): ResponseInfo {
  return { requestId: null, date: null, readAt: Math.floor(Date.now() / 1000) };
}

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** X-Account; the session's when absent. */
  account?: string | undefined;
}

const TRIES = 3;
const BACKOFF_MS = 400;

/** GET with at most two automatic retries (lost, cut, 408, 425, 429, 5xx; Retry-After up to 60 s). Throws ApiError, or the signal's reason when aborted. */
export async function read<T>(
  path: string,
  query: URLSearchParams | undefined,
  parse: (json: unknown) => T,
  { signal, account }: ReadOptions = {},
): Promise<{ data: T; meta: ResponseInfo }> {
  const call = newCall();
  const parseRead = (json: unknown, { requestId, date }: GatewayAnswer) => ({
    data: parse(json),
    meta: { requestId, date, readAt: Math.floor(Date.now() / 1000) },
  });
  for (let tried = 1; ; tried += 1) {
    // Without a pause there must be no await before the request, so that it is sent before the caller's other work.
    for (let pause = pauseLeft(); pause > 0; pause = pauseLeft()) await wait(pause, signal);
    try {
      return await request({ method: 'GET', path, query, signal, account, call }, parseRead);
    } catch (error) {
      const seconds = error instanceof ApiError ? retryIn(error, tried) : null;
      if (tried >= TRIES || seconds === null) throw error;
      await wait(seconds * 1000, signal);
    }
  }
}

/** Whether the same read may succeed later: it was lost or cut, or the server says that it can't answer now. */
export function isPassing({ kind, status }: ApiError): boolean {
  if (kind === 'network' || kind === 'timeout' || kind === 'cut') return true;
  return status !== null && (status === 408 || status === 425 || status === 429 || status >= 500);
}

/** Seconds until the next try; null if there is none. */
function retryIn(error: ApiError, tried: number): number | null {
  const { retryAfterSeconds } = error;
  if (!isPassing(error) || (retryAfterSeconds ?? 0) > MAX_WAIT_SECONDS) return null;
  const backoff = (BACKOFF_MS / 1000) * 2 ** (tried - 1) * (0.5 + Math.random());
  return retryAfterSeconds ?? backoff;
}

/** One request; throws ApiError unless a complete JSON success that parses came back, or the signal's reason. */
export async function request<T>(
  call: Call,
  parse: (json: unknown, answer: GatewayAnswer) => T,
  refusalOf?: (answer: GatewayAnswer) => ApiError,
): Promise<T> {
  const result = await attempt(call);
  call.signal?.throwIfAborted();
  const toService = call.path.startsWith('/v1/');
  if (result.kind === 'no-answer') throw errorOfNoAnswer(result.reason, toService);
  return successOf(result, parse, refusalOf ?? ((answer) => errorOfAnswer(answer, toService)));
}

/** Parses a complete JSON success; throws for anything else. `refusalOf` creates the error for a refusal. */
export function successOf<T>(
  answer: GatewayAnswer,
  parse: (json: unknown, answer: GatewayAnswer) => T,
  refusalOf: (answer: GatewayAnswer) => ApiError = errorOfAnswer,
): T {
  const { status, requestId } = answer;
  const json = status < 300 && answer.complete ? parseJson(answer.text) : undefined;
  if (json === undefined) throw refusalOf(answer);
  try {
    return parse(json, answer);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiError(`The response is not what the API states: ${why}`, { kind: 'not-contract', status, requestId });
  }
}
