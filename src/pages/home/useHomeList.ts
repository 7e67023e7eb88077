import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Balances } from '#src/api/balances.ts';
import { isNotOffered } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { usePolledQuery } from '#src/api/polling.ts';
import type { ListKind } from './lists.ts';
import { pauseAfter } from './pace.ts';
import { type Oldest, askable } from './oldestRows.ts';
import { type HomeRow, type Recent, joined } from './recentRows.ts';
import { type Judgement, judge } from './sitting.ts';
import type { Held } from './statusReadings.ts';

/** One of the two lists: what was read of it, and what sits long in it. */
export interface HomeList {
  kind: ListKind;
  /** null before anything was read. */
  recent: Recent | null;
  judgement: Judgement | null;
  /** Of the last read; what was read before stays. */
  error: Error | null;
  notOffered: boolean;
  reading: boolean;
  readAgain: () => void;
  /** Goes on where the bound stopped it. */
  readOn: () => void;
  readingOn: boolean;
  /** Rows older than those read, of the statuses that rows pass through; null where none are to be read, or not yet. */
  oldest: Oldest | null;
  /** They are being read for the first time. */
  readingOldest: boolean;
  /** Why they could not be read. */
  oldestError: Error | null;
}

export function useHomeList(kind: ListKind, balances: Balances | undefined): HomeList {
  const { account } = useSession();
  const newest = kind.recent(account);
  const query = useInfiniteQuery(newest);
  const { data, error, isFetching, isFetchingNextPage, refetch, fetchNextPage } = query;
  const recent = useMemo(() => joined(data?.pages ?? []), [data]);
  const notOffered = recent === null && isNotOffered(error);
  usePolledQuery(newest.queryKey, (failed) => pauseAfter(recent?.pages ?? 1, failed), {
    enabled: !notOffered,
  });
  const held = useMemo(() => heldOf(balances, kind), [balances, kind]);
  const first = useMemo(() => judged(recent, held, []), [recent, held]);
  const statuses = useMemo(() => askable(passingIn(first)), [first]);
  // Which statuses those are is not known before the balances are; and a list read to its end has no older rows.
  const wanted = balances !== undefined && recent !== null && recent.since !== null && statuses.length > 0;
  const further = kind.oldest(account, statuses);
  const deeper = useQuery({
    ...further,
    enabled: wanted,
    placeholderData: (before) => before,
  });
  usePolledQuery(further.queryKey, (failed) => pauseAfter(statuses.length, failed), { enabled: wanted });
  const oldest = wanted ? (deeper.data ?? null) : null;
  const judgement = useMemo(() => (oldest ? judged(recent, held, oldest.rows) : first), [recent, held, oldest, first]);
  return {
    kind,
    recent,
    judgement,
    error,
    notOffered,
    reading: isFetching || deeper.isFetching,
    readAgain: () => {
      void refetch();
      if (wanted) void deeper.refetch();
    },
    readOn: () => void fetchNextPage(),
    readingOn: isFetchingNextPage,
    oldest,
    readingOldest: wanted && (deeper.isPending || deeper.isPlaceholderData),
    oldestError: wanted ? deeper.error : null,
  };
}

function heldOf(balances: Balances | undefined, kind: ListKind): Held[] | null {
  if (balances === undefined) return null;
  return balances.balances.map((balance) => ({
    asset: balance.asset,
    amount: balance[kind.heldIn],
    updated_at: balance.updated_at,
  }));
}

function judged(recent: Recent | null, held: Held[] | null, further: readonly HomeRow[]): Judgement | null {
  return recent === null ? null : judge(recent.rows, held, recent.date ?? recent.readAt, further);
}

function passingIn(judgement: Judgement | null): (string | null)[] {
  return (judgement?.statuses ?? []).filter(({ reading }) => reading === 'passing').map(({ status }) => status);
}
