import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { parseJson, type ResponseInfo } from '#src/shared/answers.ts';
import {
  type KnownAddressList,
  knownAddressesSchema,
  type Overview,
  type OverviewError,
  overviewSchema,
} from '#src/shared/contract/overviewContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { LastMove, UsualTime } from '#src/shared/overview/usualTimes.ts';
import { KNOWN_ADDRESSES_PATH, OVERVIEW_PATH } from '#src/shared/serverPaths.ts';
import { zoneName } from '#src/shared/time.ts';
import { getPreferences } from '#src/web/storage/preferences.ts';
import { useZone } from '#src/web/ui/Time.tsx';
import { ApiError, errorOfAnswer, errorOfNoAnswer } from './errors.ts';
import { attempt } from './http.ts';
import { notePauseUntil } from './paging/rateLimitPause.ts';
import { type OverviewAsk, overviewKey, overviewParams } from './overviewParams.ts';
import { POLLED } from './polled.ts';
import { newCall } from './requestLog.ts';
import { noteServerRead, useSession } from './session.ts';

/** The server reads the provider once a minute; asking it costs nobody anything. */
const POLL_MS = 20_000;
/** While a reading is under way. */
const READING_POLL_MS = 1_000;
const STALE_MS = 10_000;

/** What the server last read of the account, and its ETag. Times are by this device's clock. */
export type ReceivedOverview = Overview & { etag: string | null };
export type ReceivedAddresses = KnownAddressList & { etag: string | null };

/** One document for all pages, whoever reads it and however many tabs are open. */
export function overviewQuery(account: string, zone = zoneName(getPreferences().zone)) {
  const queryKey = overviewKey(account, zone);
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }): Promise<ReceivedOverview> => {
      const before = client.getQueryData<ReceivedOverview>(queryKey);
      // Whoever opens a page wants to see what is new.
      return readOverview({ account, zone, before, ask: before === undefined ? 'refresh' : null, signal });
    },
    staleTime: STALE_MS,
    structuralSharing: false,
  });
}

interface ReadOverview {
  account: string;
  zone: string;
  before: ReceivedOverview | undefined;
  ask: OverviewAsk;
  signal?: AbortSignal;
}

async function readOverview({ account, zone, before, ask, signal }: ReadOverview): Promise<ReceivedOverview> {
  const query = overviewParams(zone, ask);
  const read = await readTagged({ path: OVERVIEW_PATH, query, account, before, signal }, parseOverview, inDeviceTime);
  const { retry_at: retryAt, balances_error: problem } = read;
  if (retryAt !== null) notePauseUntil(retryAt * 1_000);
  if (problem !== null || read.balances !== null) noteServerRead(problem);
  return read;
}

const parseOverview = parseWith(overviewSchema);
const parseAddresses = parseWith(knownAddressesSchema);

interface TaggedRead<T> {
  path: string;
  query: URLSearchParams | undefined;
  account: string;
  before: T | undefined;
  signal: AbortSignal | undefined;
}

/** One GET; what the page has stays if the server says that it is still so. */
async function readTagged<D extends object>(
  { path, query, account, before, signal }: TaggedRead<D & { etag: string | null }>,
  parse: (json: unknown) => D,
  inDeviceTime: (document: D, ahead: number) => D,
): Promise<D & { etag: string | null }> {
  const ifNoneMatch = before?.etag ?? undefined;
  const answer = await attempt({ method: 'GET', path, query, account, signal, ifNoneMatch, call: newCall() });
  signal?.throwIfAborted();
  if (answer.kind === 'no-answer') throw errorOfNoAnswer(answer.reason, false);
  if (answer.status === 304 && before !== undefined) return before;
  const json = answer.status === 200 && answer.complete ? parseJson(answer.text) : undefined;
  if (json === undefined) throw errorOfAnswer(answer);
  const ahead = answer.date === null ? 0 : Math.floor(Date.now() / 1_000) - answer.date;
  return { ...inDeviceTime(parse(json), ahead), etag: answer.etag ?? null };
}

/** The server's clock and this device's may differ. */
function inDeviceTime(document: Overview, ahead: number): Overview {
  const moved = <T extends { readAt: number } | null>(info: T): T =>
    info === null ? info : { ...info, readAt: info.readAt + ahead };
  const problem = (error: OverviewError | null) => error && { ...error, at: error.at + ahead };
  const payments = (list: Overview['deposits']): Overview['deposits'] => ({
    ...list,
    info: moved(list.info),
    error: problem(list.error),
    open: moved(list.open),
    open_error: problem(list.open_error),
  });
  const { read_at: readAt, retry_at: retryAt, ledger } = document;
  return {
    ...document,
    read_at: readAt && readAt + ahead,
    retry_at: retryAt && retryAt + ahead,
    balances: moved(document.balances),
    balances_error: problem(document.balances_error),
    deposits: payments(document.deposits),
    withdrawals: payments(document.withdrawals),
    ledger: { ...ledger, info: moved(ledger.info), error: problem(ledger.error) },
  };
}

/** The account's overview, asked for again now and then while the page is visible. */
export function useOverview(enabled = true) {
  const { account } = useSession();
  const client = useQueryClient();
  const zone = zoneName(useZone());
  const query = useQuery({
    ...overviewQuery(account, zone),
    enabled,
    ...POLLED,
    refetchInterval: ({ state }) => (state.data?.is_reading === true ? READING_POLL_MS : POLL_MS),
  });
  return {
    ...query,
    refresh: () => void askFor(client, account, zone, 'refresh'),
    loadMore: () => void askFor(client, account, zone, 'more'),
  };
}

/** For a person, who waits for it. The error is the query's. */
async function askFor(client: QueryClient, account: string, zone: string, ask: OverviewAsk): Promise<void> {
  const options = overviewQuery(account, zone);
  await client.cancelQueries({ queryKey: options.queryKey, exact: true });
  const before = client.getQueryData(options.queryKey);
  await client
    .fetchQuery({
      ...options,
      queryFn: ({ signal }) => readOverview({ account, zone, before, ask, signal }),
      staleTime: 0,
    })
    .catch(() => undefined);
}

/** Whom the account's latest withdrawals paid; the list isn't in the contract, so there may be none. */
export function knownAddressesQuery(account: string) {
  const queryKey = [account, 'overview', 'addresses'];
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<ReceivedAddresses> => {
      const before = client.getQueryData<ReceivedAddresses>(queryKey);
      const query = before === undefined ? new URLSearchParams({ refresh: 'true' }) : undefined;
      return readTagged(
        { path: KNOWN_ADDRESSES_PATH, query, account, before, signal },
        parseAddresses,
        (read, ahead) => ({ ...read, info: read.info && { ...read.info, readAt: read.info.readAt + ahead } }),
      );
    },
    staleTime: STALE_MS,
    refetchInterval: ({ state }) => (state.data?.is_reading === true ? READING_POLL_MS : false),
    structuralSharing: false,
  });
}

const errors = new WeakMap<OverviewError, ApiError>();

/** The error of a read that the server made, as if this page had made it. */
export function errorOf(problem: OverviewError | null): ApiError | null {
  if (problem === null) return null;
  const { kind, status, type, code, message, request_id: requestId, at, retry_at: retryAt } = problem;
  const facts = { kind, status, type, code, requestId, at, isOfLaterPage: problem.of_later_page };
  const retryAfterSeconds = retryAt === null ? null : Math.max(0, retryAt - at);
  const error = errors.get(problem) ?? new ApiError(message, { ...facts, retryAfterSeconds });
  errors.set(problem, error);
  return error;
}

/** How far a list was read back. */
export interface Reach {
  /** Of the newest page. */
  meta: ResponseInfo | null;
  /** Read without a gap from now back to then, Unix seconds; null: to its end. */
  reached: number | null;
  /** Back to the day that Home needs. */
  isWhole: boolean;
  /** It goes on by itself. */
  isLoading: boolean;
  error: Error | null;
  notOffered: boolean;
}

export function reachOf(list: Overview['ledger'] | Overview['deposits']): Reach {
  return {
    meta: list.info,
    reached: list.reached,
    isWhole: list.is_whole,
    isLoading: list.is_loading,
    error: errorOf(list.error),
    notOffered: list.not_offered,
  };
}

export const listIn = (overview: Overview, kind: PaymentKind): Overview['deposits'] =>
  kind === 'deposit' ? overview.deposits : overview.withdrawals;

const usualKey = (...parts: readonly (string | null)[]): string => stringifyExact(parts);

/** The usual duration of payments like one. */
export function useUsualTime(overview: Overview | undefined): UsualTime {
  return useMemo(() => {
    const seconds = new Map(
      overview?.usual.map(({ kind, asset, chain, seconds: usual }) => [usualKey(kind, asset, chain), usual]),
    );
    return ({ kind, asset, chain }) =>
      seconds.get(usualKey(kind, asset, chain)) ?? seconds.get(usualKey(kind, asset, null)) ?? null;
  }, [overview]);
}

/** When a failed payment's money last moved. */
export function useLastMove(overview: Overview | undefined): LastMove {
  return useMemo(() => {
    const last = new Map(overview?.last_moves);
    const { moved = null, reached = null } = overview?.ledger ?? {};
    return (id, since) => last.get(id) ?? (moved === null || (reached !== null && reached >= since) ? undefined : null);
  }, [overview]);
}
