import type { ServicePort } from '#src/server/operations/ports.ts';
import {
  type AttemptResult,
  isWebPage,
  type NoAnswerReason,
  parseJson,
  readEnvelope,
  type ResponseInfo,
  secondsAsked,
  type ServiceAnswer,
} from '#src/shared/answers.ts';
import { CODE_INVALID_REQUEST, LIMIT_MAX, type ListFilters } from '#src/shared/contract/contract.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import type { ParsedList } from '#src/shared/contract/rows.ts';
import { withParams } from '#src/shared/searchParams.ts';

/** Time, which tests replace. */
export interface OverviewClock {
  /** Milliseconds. */
  wall: () => number;
  /** Monotonic milliseconds. */
  mono: () => number;
  sleep: (ms: number) => Promise<void>;
}

/** A read that failed. */
export class ReadFailed extends Error {
  override name = 'ReadFailed';
  readonly problem: OverviewError;
  constructor(problem: OverviewError) {
    super(problem.message);
    this.problem = problem;
  }
}

const RETRY_MS = 400;
const TRIES = 3;
/** After a 429 without Retry-After. */
const RATE_LIMIT_SECONDS = 2;
/** Longest wait, whatever Retry-After says: a wrong one must not end the readings. */
const WAIT_MAX_SECONDS = 15 * 60;

const NO_ANSWER: Record<NoAnswerReason, Pick<OverviewError, 'kind' | 'message'>> = {
  timeout: { kind: 'timeout', message: 'No response in time.' },
  redirect: { kind: 'redirect', message: 'The provider responded with a redirect, which is never followed.' },
  network: { kind: 'network', message: 'No connection.' },
  aborted: { kind: 'network', message: 'No connection.' },
  offline: { kind: 'network', message: 'No connection.' },
};

export type ListPage<T> = ParsedList<T> & ResponseInfo;

/** When reads may begin again, by the monotonic clock; shared by the reads of one account. */
export interface RateLimit {
  until: number;
  /** The provider's response. */
  problem: OverviewError | null;
}

interface ProviderReadsParts {
  service: Pick<ServicePort, 'read'>;
  apiKey: string;
  clock: OverviewClock;
  rateLimit: RateLimit;
}

/** The requests of one reading of an account. They throw ReadFailed. */
export interface ProviderReads {
  /** How many requests were answered so far. */
  answered: () => number;
  /** The same reads with their own counter. */
  apart: () => ProviderReads;
  /** Resolves with a complete JSON success, after up to two retries if they may help. */
  read: <T>(target: string, parse: (json: unknown) => T) => Promise<{ data: T; meta: ResponseInfo }>;
  list: <T>(
    path: string,
    parse: (json: unknown) => ParsedList<T>,
    filters: ListFilters,
    cursor: string | null,
  ) => Promise<ListPage<T>>;
}

export function createProviderReads({ service, apiKey, clock, rateLimit }: ProviderReadsParts): ProviderReads {
  let answered = 0;

  async function read<T>(target: string, parse: (json: unknown) => T): Promise<{ data: T; meta: ResponseInfo }> {
    for (let tried = 1; ; tried += 1) {
      if (rateLimit.problem !== null && clock.mono() < rateLimit.until) throw new ReadFailed(rateLimit.problem);
      const result = await service.read(apiKey, target);
      const now = Math.floor(clock.wall() / 1_000);
      try {
        const data = successOf(result, parse, now);
        answered += 1;
        return { data, meta: infoOf(result, now) };
      } catch (error) {
        if (!(error instanceof ReadFailed)) throw error;
        const seconds = waitAsked(result, clock.wall());
        if (seconds !== null) {
          rateLimit.until = clock.mono() + seconds * 1_000;
          rateLimit.problem = { ...error.problem, retry_at: now + Math.ceil(seconds) };
          throw new ReadFailed(rateLimit.problem);
        }
        if (tried >= TRIES || !isPassing(error.problem)) throw error;
        await clock.sleep(RETRY_MS * tried);
      }
    }
  }

  return {
    answered: () => answered,
    apart: () => createProviderReads({ service, apiKey, clock, rateLimit }),
    read,
    list: async <T>(
      path: string,
      parse: (json: unknown) => ParsedList<T>,
      filters: ListFilters,
      cursor: string | null,
    ): Promise<ListPage<T>> => {
      const query = withParams(new URLSearchParams(), {
        limit: LIMIT_MAX,
        ...filters,
        starting_after: cursor ?? undefined,
      });
      try {
        const { data, meta } = await read(`${path}?${query.toString()}`, parse);
        return Object.assign(data, meta);
      } catch (error) {
        if (cursor !== null && error instanceof ReadFailed)
          throw new ReadFailed({ ...error.problem, of_later_page: true });
        throw error;
      }
    },
  };
}

/** Whether the service doesn't know this filter value. */
export function isRefusedFilter(error: unknown): boolean {
  return (
    error instanceof ReadFailed &&
    !error.problem.of_later_page &&
    error.problem.status === 400 &&
    error.problem.code === CODE_INVALID_REQUEST
  );
}

/** Whether a list outside the contract seems to be missing: 404 or 405, even from a proxy. */
export function isNotOfferedProblem(problem: OverviewError | null): boolean {
  return problem !== null && !problem.of_later_page && (problem.status === 404 || problem.status === 405);
}

function infoOf(result: AttemptResult, readAt: number): ResponseInfo {
  if (result.kind === 'no-answer') return { requestId: null, date: null, readAt };
  return { requestId: result.requestId, date: result.date, readAt };
}

function successOf<T>(result: AttemptResult, parse: (json: unknown) => T, at: number): T {
  if (result.kind === 'no-answer') throw new ReadFailed({ ...NOTHING_SAID, ...NO_ANSWER[result.reason], at });
  const json = result.status < 300 && result.complete ? parseJson(result.text) : undefined;
  if (json === undefined) throw new ReadFailed(refusalOf(result, at));
  try {
    return parse(json);
  } catch (error) {
    const { status, requestId } = result;
    const message = `The response is not what the API states: ${error instanceof Error ? error.message : String(error)}`;
    throw new ReadFailed({ ...NOTHING_SAID, kind: 'not-contract', status, request_id: requestId, message, at });
  }
}

const NOTHING_SAID = {
  status: null,
  type: null,
  code: null,
  request_id: null,
  of_later_page: false,
  retry_at: null,
} as const;

function refusalOf(answer: ServiceAnswer, at: number): OverviewError {
  const { status, requestId, text, complete } = answer;
  const envelope = readEnvelope(text);
  const facts = {
    ...NOTHING_SAID,
    status,
    type: envelope?.type ?? null,
    code: envelope?.code ?? null,
    request_id: requestId ?? envelope?.request_id ?? null,
    at,
  };
  if (!envelope && isWebPage(answer))
    return { ...facts, kind: 'web-page', message: 'A web page came instead of a response of the provider.' };
  if (status >= 400 && (envelope || complete))
    return { ...facts, kind: 'http', message: envelope?.message ?? `The provider responded with ${status}.` };
  if (!complete) return { ...facts, kind: 'cut', message: 'The response was cut short on the way, or is too long.' };
  return { ...facts, kind: 'not-json', message: 'The response is not JSON.' };
}

/** Seconds to wait because the provider asks for it; null if it doesn't. */
function waitAsked(result: AttemptResult, now: number): number | null {
  if (result.kind === 'no-answer') return null;
  const asked = secondsAsked(result, now);
  const seconds = asked === null ? null : Math.min(asked, WAIT_MAX_SECONDS);
  if (result.status === 429) return Math.max(seconds ?? RATE_LIMIT_SECONDS, 1);
  return result.status === 503 && seconds !== null ? Math.max(seconds, 1) : null;
}

function isPassing({ kind, status }: OverviewError): boolean {
  if (kind === 'network' || kind === 'cut') return true;
  return kind === 'http' && status !== null && (status === 408 || status === 425 || status >= 500);
}
