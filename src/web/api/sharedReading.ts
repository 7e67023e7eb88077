// Documents that the dashboard's server makes from its reading of the account, which all tabs and people share.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { parseJson, type ResponseInfo } from '#src/shared/answers.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import { ApiError, errorOfAnswer, errorOfNoAnswer } from './errors.ts';
import { attempt } from './http.ts';
import { askParams, type ReadingAsk } from './overviewParams.ts';
import { notePauseUntil } from './paging/rateLimitPause.ts';
import { POLLED } from './polled.ts';
import { newCall } from './requestLog.ts';

/** The server reads the provider once a minute, so polling the server costs the provider nothing. */
const POLL_MS = 20_000;
/** While a reading is under way. */
export const READING_POLL_MS = 1_000;
const STALE_MS = 10_000;

interface ReadDocument {
  /** A reading is under way: ask again soon. */
  is_reading: boolean;
  retry_at?: number | null;
}

/** A document as received, and its ETag. Times are by this device's clock. */
export type Received<D> = D & { etag: string | null };

/** One of the server's documents. */
export interface SharedReading<D extends ReadDocument> {
  account: string;
  queryKey: string[];
  path: string;
  params: Readonly<Record<string, string>>;
  parse: (json: unknown) => D;
  /** Converts times to this device's clock, which is `ahead` seconds ahead of the server's. */
  inDeviceTime: (document: D, ahead: number) => D;
  onRead?: (document: D) => void;
}

/** One document for all pages that show it. */
export function readingQuery<D extends ReadDocument>(reading: SharedReading<D>) {
  return queryOptions({
    queryKey: reading.queryKey,
    queryFn: ({ client, signal }): Promise<Received<D>> => {
      const before = client.getQueryData<Received<D>>(reading.queryKey);
      // A person who opens a page wants to see what is new.
      return readDocument(reading, { before, ask: before === undefined ? 'refresh' : null, signal });
    },
    staleTime: STALE_MS,
    structuralSharing: false,
  });
}

/** The same document, polled while the page is visible. */
export function useReading<D extends ReadDocument>(reading: SharedReading<D>, enabled = true) {
  const client = useQueryClient();
  const query = useQuery({
    ...readingQuery(reading),
    enabled,
    ...POLLED,
    refetchInterval: ({ state }) => (state.data?.is_reading === true ? READING_POLL_MS : POLL_MS),
  });
  return {
    ...query,
    refresh: () => void askFor(client, reading, 'refresh'),
    loadMore: () => void askFor(client, reading, 'more'),
  };
}

/** Loads the document because a person asked for newer or older payments. An error becomes the query's error. */
async function askFor<D extends ReadDocument>(
  client: QueryClient,
  reading: SharedReading<D>,
  ask: ReadingAsk,
): Promise<void> {
  const options = readingQuery(reading);
  await client.cancelQueries({ queryKey: options.queryKey, exact: true });
  const before = client.getQueryData<Received<D>>(reading.queryKey);
  await client
    .fetchQuery({ ...options, queryFn: ({ signal }) => readDocument(reading, { before, ask, signal }), staleTime: 0 })
    .catch(() => undefined);
}

interface ReadNow<D> {
  before: Received<D> | undefined;
  ask: ReadingAsk;
  signal: AbortSignal;
}

/** One GET. Keeps the document that the page has if the server responds 304. */
async function readDocument<D extends ReadDocument>(
  { path, params, account, parse, inDeviceTime, onRead }: SharedReading<D>,
  { before, ask, signal }: ReadNow<D>,
): Promise<Received<D>> {
  const ifNoneMatch = before?.etag ?? undefined;
  const query = askParams(params, ask);
  const answer = await attempt({ method: 'GET', path, query, account, signal, ifNoneMatch, call: newCall() });
  signal.throwIfAborted();
  if (answer.kind === 'no-answer') throw errorOfNoAnswer(answer.reason, false);
  let document = before;
  if (answer.status !== 304 || document === undefined) {
    const json = answer.status === 200 && answer.complete ? parseJson(answer.text) : undefined;
    if (json === undefined) throw errorOfAnswer(answer);
    const ahead = answer.date === null ? 0 : Math.floor(Date.now() / 1_000) - answer.date;
    document = { ...inDeviceTime(parse(json), ahead), etag: answer.etag ?? null };
  }
  if (document.retry_at != null) notePauseUntil(document.retry_at * 1_000);
  onRead?.(document);
  return document;
}

export const infoInDeviceTime = <T extends { readAt: number } | null>(info: T, ahead: number): T =>
  info === null ? info : { ...info, readAt: info.readAt + ahead };

export const errorInDeviceTime = (error: OverviewError | null, ahead: number): OverviewError | null =>
  error && { ...error, at: error.at + ahead };

interface ListTimes {
  info: ResponseInfo | null;
  error: OverviewError | null;
}

export function listInDeviceTime<L extends ListTimes>(list: L, ahead: number): L {
  return { ...list, info: infoInDeviceTime(list.info, ahead), error: errorInDeviceTime(list.error, ahead) };
}

const errors = new WeakMap<OverviewError, ApiError>();

/** The error of a read that the server made, as if this page had made it. */
export function apiErrorOf(problem: OverviewError | null): ApiError | null {
  if (problem === null) return null;
  const { kind, status, type, code, message, request_id: requestId, at, retry_at: retryAt } = problem;
  const facts = { kind, status, type, code, requestId, at, isOfLaterPage: problem.of_later_page };
  const retryAfterSeconds = retryAt === null ? null : Math.max(0, retryAt - at);
  const error = errors.get(problem) ?? new ApiError(message, { ...facts, retryAfterSeconds });
  errors.set(problem, error);
  return error;
}

/** How far a list was read back. */
export interface ReadProgress {
  /** Info of the newest page; null before one was read. */
  meta: ResponseInfo | null;
  /** Read without a gap from now back to then, Unix seconds; null: to its end. */
  reached: number | null;
  /** Read back to the day that the page needs. */
  isWhole: boolean;
  canLoadMore: boolean;
  /** The server is still reading; no action is needed. */
  isLoading: boolean;
  error: Error | null;
  notOffered: boolean;
}

interface ListInDocument extends ListTimes {
  reached: number | null;
  is_whole: boolean;
  can_read_more: boolean;
  is_loading: boolean;
  not_offered: boolean;
}

export function readProgressOf(list: ListInDocument): ReadProgress {
  return {
    meta: list.info,
    reached: list.reached,
    isWhole: list.is_whole,
    canLoadMore: list.can_read_more,
    isLoading: list.is_loading,
    error: apiErrorOf(list.error),
    notOffered: list.not_offered,
  };
}

/** The progress of a list whose document isn't loaded. `error`: why loading the document failed. */
export function noReadProgress(error: Error | null): ReadProgress {
  const nothing = { meta: null, reached: null, isWhole: false, canLoadMore: false, notOffered: false };
  return { ...nothing, isLoading: error === null, error };
}
