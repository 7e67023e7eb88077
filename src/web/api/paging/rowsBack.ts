import { infiniteQueryOptions, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { oldestTime } from '#src/shared/time.ts';
import { LIMIT_MAX, type ListFilters } from '#src/shared/contract/contract.ts';
import { saysNotFound } from '#src/web/api/errors.ts';
import { listLedgerEntries } from '#src/web/api/listQueries.ts';
import { listEnd, pageAfterPage, type Page, type PageOptions } from './paging.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { POLLED } from '#src/web/api/polled.ts';
import type { ResponseInfo } from '#src/shared/answers.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';

/** Pages of 100 before a person is asked whether to load more. */
const PAGES_AT_ONCE = 15;
/** Milliseconds from one background read to the next: the more requests it takes, the later. */
const PAUSE = 60_000;
const PER_FURTHER_PAGE = 30_000;
const AFTER_ERROR = 4;
const DAY = 86_400;

export function pollInterval(requests: number, failed: boolean): number {
  return (PAUSE + Math.max(0, requests - 1) * PER_FURTHER_PAGE) * (failed ? AFTER_ERROR : 1);
}

type ReadPage<T> = (cursor: string | null, options: PageOptions) => Promise<Page<T>>;

/** A list, newest first, to be read back to some day. */
function rowsBack<T>(queryKey: QueryKey, page: ReadPage<T>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => page(pageParam, { limit: LIMIT_MAX, signal }),
    ...pageAfterPage,
    // What costs many requests is not loaded again each time that somebody comes by.
    staleTime: ({ state }) => pollInterval(state.data?.pages.length ?? 1, false),
    // A thousand rows would be compared for nothing.
    structuralSharing: false,
  });
}

export function paymentsBack(account: string, kind: PaymentKind, asset?: string) {
  return rowsBack<Payment>([account, `${kind}s`, 'back', asset], (cursor, options) =>
    PAYMENTS[kind].page(ofAsset(asset), cursor, { ...options, account }),
  );
}

export function ledgerBack(account: string, asset?: string) {
  return rowsBack<LedgerEntryRow>([account, 'ledger-entries', 'back', asset], (cursor, options) =>
    listLedgerEntries(ofAsset(asset), cursor, { ...options, account }),
  );
}

function ofAsset(asset: string | undefined): ListFilters {
  return asset === undefined ? {} : { asset };
}

/** The rows of a list from now back to a day, as far as they are loaded. */
export interface RowsBack<T> {
  /** Each id once, newest first; null before anything was loaded. */
  rows: readonly T[] | null;
  /** Clocks of the newest page. */
  meta: ResponseInfo | null;
  /** Items without an id. */
  malformed: number;
  /** Loaded without a gap from now back to then, Unix seconds; null: to the end of the list. */
  reached: number | null;
  /** Back to the day that was asked for. */
  isWhole: boolean;
  /** It goes on by itself. */
  isLoading: boolean;
  /** Of the last read; what was loaded before stays. */
  error: Error | null;
  notOffered: boolean;
  isFetching: boolean;
  refetch: () => void;
  /** Goes on where the bound or an error stopped it. */
  loadMore: () => void;
}

/** Loads a list so many days back by the service's clock, some pages at least, at most fifteen at once, and again now and then. */
export function useRowsBack<T extends { id: string; created_at?: unknown }>(
  options: ReturnType<typeof rowsBack<T>>,
  days: number,
  { enabled = true, least = 1, most = PAGES_AT_ONCE }: { enabled?: boolean; least?: number; most?: number } = {},
): RowsBack<T> {
  const { data, error, isFetching, isFetchNextPageError, isPending, refetch, fetchNextPage } = useInfiniteQuery({
    ...options,
    enabled,
    ...POLLED,
    refetchInterval: ({ state: { data: read, error: failure } }) =>
      read === undefined && saysNotFound(failure) ? false : pollInterval(read?.pages.length ?? 0, failure !== null),
  });
  const [further, setFurther] = useState(0);
  const pages = data?.pages.length ?? 0;
  const rows = useMemo(() => (data ? uniqueRows(data.pages) : null), [data]);
  const end = listEnd(data);
  const reached = rows === null || end?.kind === 'end' ? null : oldestTime(rows);
  const now = data?.pages[0]?.date ?? data?.pages[0]?.readAt ?? 0;
  const isWhole = end?.kind === 'end' || (pages >= least && reached !== null && reached < now - days * DAY);
  const goesOn = enabled && end?.kind === 'more' && !isWhole && pages < most + further && !isFetchNextPageError;
  const mayFetch = goesOn && !isFetching;
  useEffect(() => {
    if (mayFetch) void fetchNextPage();
  }, [mayFetch, fetchNextPage]);
  const notOffered = data === undefined && saysNotFound(error);
  return {
    rows,
    meta: data?.pages[0] ?? null,
    malformed: data?.pages.reduce((count, { malformed }) => count + malformed.length, 0) ?? 0,
    reached,
    isWhole,
    isLoading: enabled && (isPending ? error === null : goesOn),
    error,
    notOffered,
    isFetching,
    refetch: () => void refetch(),
    loadMore: () => {
      setFurther(Math.max(0, pages + PAGES_AT_ONCE - most));
      if (isFetchNextPageError) void fetchNextPage();
    },
  };
}

function uniqueRows<T extends { id: string }>(pages: readonly { data: readonly T[] }[]): T[] {
  const byId = new Map<string, T>();
  for (const { data } of pages) for (const row of data) if (!byId.has(row.id)) byId.set(row.id, row);
  return [...byId.values()];
}
