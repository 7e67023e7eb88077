import type { ServicePort } from '#src/server/operations/ports.ts';
import {
  type AttemptResult,
  isHtmlType,
  isObject,
  parseJson,
  readEnvelope,
  secondsAsked,
  type ServiceAnswer,
} from '#src/shared/answers.ts';
import { isNotFound } from '#src/shared/contract/contract.ts';
import type { JobProblem, StopCode } from '#src/shared/contract/jobsContract.ts';
import { type PageEnd, pageEnd } from '#src/shared/paging/nextStep.ts';
import { withParams } from '#src/shared/searchParams.ts';

/** A provider that is silent for longer stops the job. */
const SILENT_MAX_MS = 3_600_000;
const BACKOFF_MS = 400;
const BACKOFF_MAX_MS = 60_000;
/** An unreadable response may come from a proxy, so the request is repeated a few times. */
const UNREADABLE_TRIES = 4;
const MESSAGE_MAX = 300;

export interface DatedListPage extends PageEnd {
  data: readonly unknown[];
  /** The provider's Date, Unix seconds; null if there is none. */
  date: number | null;
  /** The server's clock, Unix seconds. */
  readAt: number;
}

/** The job can't continue by itself. */
export class JobStopped extends Error {
  override name = 'JobStopped';
  readonly problem: JobProblem;
  /** Set if the provider refused a request. `isNotFound`: a 404 by the provider itself, not by a proxy. */
  readonly refusal: { status: number; isNotFound: boolean } | null;
  constructor(code: StopCode, message: string, requestId: string | null = null, refusal: JobStopped['refusal'] = null) {
    super(message);
    this.problem = { code, message, request_id: requestId };
    this.refusal = refusal;
  }
}

/** Time, which tests replace. */
export interface JobClock {
  wall: () => number;
  mono: () => number;
  /** Throws the signal's reason if it is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 to 1, for jitter. */
  random: () => number;
}

interface ReaderParts {
  service: Pick<ServicePort, 'read'>;
  apiKey: string;
  clock: JobClock;
  signal: AbortSignal;
  /** Called before a wait. `until`: by the server's clock, in ms. */
  onWait: (until: number) => Promise<void>;
}

export type Query = Readonly<Record<string, string | number | undefined>>;

/** Reads pages of a list, as createReader(). */
export function createPageReader({ path, ...parts }: ReaderParts & { path: string }) {
  const read = createReader(parts, pageIn, 'list');
  return (query: Query): Promise<DatedListPage> =>
    read(`${path}?${withParams(new URLSearchParams(), query).toString()}`);
}

/** Reads one object by its path, as createReader(). */
export function createObjectReader(parts: ReaderParts) {
  return createReader(parts, (json) => (isObject(json) ? json : null), 'object');
}

type Take<T> = (json: unknown, answer: ServiceAnswer, now: number) => T | null;

/**
 * Returns what `take` finds in a response; null from `take` means that the response is unreadable. Waits as long as the provider
 * asks or is away. Throws JobStopped if waiting is useless.
 */
function createReader<T>(
  { service, apiKey, clock, signal, onWait }: ReaderParts,
  take: Take<T>,
  noun: 'list' | 'object',
): (target: string) => Promise<T> {
  return async (target) => {
    const began = clock.mono();
    let unreadable = 0;
    for (let tries = 0; ; tries += 1) {
      signal.throwIfAborted();
      const result = await unlessAborted(service.read(apiKey, target), signal);
      const read = resultOf(result, clock.wall(), take);
      if (read.kind === 'taken') return read.value;
      if (read.kind === 'unreadable') unreadable += 1;
      if (unreadable === UNREADABLE_TRIES)
        throw new JobStopped(
          'not-contract',
          `The provider’s response is not ${noun === 'list' ? 'a list' : 'an object'}.`,
          requestIdOf(result),
        );
      const backoff = Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** tries) * (0.5 + clock.random());
      // Never retry at once, even if the provider says so.
      const ms = read.seconds === null ? backoff : Math.max(BACKOFF_MS, read.seconds * 1_000);
      if (clock.mono() - began + ms > SILENT_MAX_MS)
        throw new JobStopped(
          'provider-silent',
          'The provider sent no rows for an hour, or asked to wait for longer.',
          requestIdOf(result),
        );
      await onWait(clock.wall() + ms);
      await clock.sleep(ms, signal);
    }
  };
}

/** Throws the signal's reason on abort, so that a server that ends doesn't wait for the provider. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

type ReadResult<T> =
  | { kind: 'taken'; value: T }
  /** Worth a retry. `seconds`: the wait that the provider asks for, or null. */
  | { kind: 'failed' | 'unreadable'; seconds: number | null };

function resultOf<T>(result: AttemptResult, now: number, take: Take<T>): ReadResult<T> {
  if (result.kind === 'no-answer') {
    if (result.reason === 'redirect')
      throw new JobStopped('provider-refused', 'The provider responded with a redirect, which is never followed.');
    return { kind: 'failed', seconds: null };
  }
  const { status, complete, text } = result;
  if (status >= 300) return refusalOf(result, now);
  if (!complete) return { kind: 'failed', seconds: null };
  const value = take(parseJson(text), result, now);
  return value === null ? { kind: 'unreadable', seconds: null } : { kind: 'taken', value };
}

function pageIn(json: unknown, { date }: ServiceAnswer, now: number): DatedListPage | null {
  if (!isObject(json) || !Array.isArray(json['data'])) return null;
  const data: readonly unknown[] = json['data'];
  return { data, ...pageEnd(json), date, readAt: Math.floor(now / 1_000) };
}

function refusalOf(answer: ServiceAnswer, now: number): Extract<ReadResult<never>, { seconds: unknown }> {
  const { status, text, contentType, requestId } = answer;
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { kind: 'failed', seconds: secondsAsked(answer, now) };
  if (status === 401)
    throw new JobStopped('provider-refused', 'The provider no longer accepts the API key of this account.', requestId);
  const envelope = isHtmlType(contentType) ? null : readEnvelope(text);
  const why = envelope?.message?.slice(0, MESSAGE_MAX) ?? '';
  const isNotFoundThere = isNotFound({
    status,
    type: envelope?.type ?? null,
    code: envelope?.code ?? null,
    requestId: requestId ?? envelope?.request_id ?? null,
  });
  throw new JobStopped('provider-refused', `The provider refused this (${status})${why && `: ${why}`}`, requestId, {
    status,
    isNotFound: isNotFoundThere,
  });
}

function requestIdOf(result: AttemptResult): string | null {
  return result.kind === 'answer' ? result.requestId : null;
}
