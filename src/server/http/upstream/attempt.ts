import type { IncomingMessage } from 'node:http';
import { IDEMPOTENCY_REPLAYED_HEADER, REQUEST_ID_HEADER } from '#src/shared/contract/contract.ts';
import { readServiceDate, type AttemptResult } from '#src/shared/answers.ts';
import type { Clock } from '#src/server/operations/ports.ts';
import { redactKey } from './redactKey.ts';
import { noAnswerReason, ServiceError } from './service.ts';

export const READ_MS = 10_000;
export const CONNECT_MS = 10_000;
export const POST_MS = 30_000;

/** The maximum size of a body, and whether a longer one counts as cut off or as no response. */
export interface BodyLimit {
  bytes: number;
  beyond: 'cut' | 'none';
}

export const READ_BODY_LIMIT: BodyLimit = { bytes: 4 * 1024 * 1024, beyond: 'none' };
export const POST_BODY_LIMIT: BodyLimit = { bytes: 64 * 1024, beyond: 'cut' };

export interface RawResponse {
  status: number;
  header: (name: string) => string | null;
  body: Uint8Array;
  complete: boolean;
}

/** One request with a time limit that includes the body. `work` begins at once. Never throws: the result says what happened. */
export async function attemptUpstream(
  clock: Clock,
  apiKey: string,
  timeoutMs: number,
  work: (stop: AbortSignal) => Promise<RawResponse>,
): Promise<AttemptResult> {
  const started = clock.mono();
  const elapsed = () => Math.round(clock.mono() - started);
  const stop = new AbortController();
  let cancel: () => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    cancel = clock.later(() => {
      reject(new ServiceError('timeout'));
      stop.abort();
    }, timeoutMs);
  });
  try {
    const { status, header, body, complete } = await Promise.race([work(stop.signal), late]);
    const redacted = (name: string) => {
      const value = header(name);
      return value === null ? null : redactKey(value, apiKey);
    };
    return {
      kind: 'answer',
      status,
      requestId: redacted(REQUEST_ID_HEADER),
      replayed: header(IDEMPOTENCY_REPLAYED_HEADER)?.toLowerCase() === 'true',
      retryAfter: redacted('Retry-After'),
      date: readServiceDate(header('Date'), header('Age')),
      contentType: redacted('Content-Type'),
      // If a text was cut within a character, it ends before that character.
      text: redactKey(new TextDecoder().decode(body, { stream: !complete }), apiKey, complete),
      complete,
      ms: elapsed(),
    };
  } catch (error) {
    return { kind: 'no-answer', reason: noAnswerReason(error), ms: elapsed() };
  } finally {
    cancel();
  }
}

/** Throws for a status outside the contract: a redirect, which is never followed, or an invalid status. */
export function checkStatus(status: number): void {
  // The gateway sends no conditions that 304 could answer; any other 3xx means a wrong PAYMENTS_BASE_URL.
  if (status >= 300 && status < 400) throw new ServiceError('redirect');
  // Node can read a status 042, but not write it.
  if (status < 200) throw new ServiceError('network');
}

export function limitBody(response: RawResponse, limit: BodyLimit): RawResponse {
  if (response.body.length <= limit.bytes) return response;
  if (limit.beyond === 'none') throw new ServiceError('network');
  return { ...response, body: response.body.subarray(0, limit.bytes), complete: false };
}

export async function receive(answer: IncomingMessage, keep: BodyLimit): Promise<RawResponse> {
  const parts: Buffer[] = [];
  let size = 0;
  let ended = false;
  try {
    checkStatus(answer.statusCode ?? 0);
    await new Promise<void>((resolve) => {
      answer.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size > keep.bytes) resolve();
      });
      answer.on('end', () => (ended = true));
      answer.on('error', () => resolve());
      answer.on('close', () => resolve());
      // The response may have failed in the bytes that arrived with the head, and then it emits no further event.
      if (answer.destroyed) resolve();
    });
  } finally {
    answer.destroy();
  }
  const complete = ended && answer.complete;
  const header = (name: string): string | null => {
    const value = answer.headers[name.toLowerCase()];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  return limitBody({ status: answer.statusCode ?? 0, header, body: Buffer.concat(parts), complete }, keep);
}
