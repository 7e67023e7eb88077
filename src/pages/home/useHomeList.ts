import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Balances } from '#src/api/balances.ts';
import { isNotOffered } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { usePolledQuery } from '#src/api/usePolling.ts';
import type { ListKind } from './lists.ts';
import { pauseAfter } from './pace.ts';
import { type HomeRow, type Recent, joined } from './recentRows.ts';
import { type Judgement, judge } from './sitting.ts';

/** One of the two lists: what was read of it, and what sits long in it. */
export interface HomeList {
  kind: ListKind;
  /** null before anything was read. */
  recent: Recent | null;
  judgement: Judgement<HomeRow> | null;
  /** Of the last read; what was read before stays. */
  error: Error | null;
  notOffered: boolean;
  reading: boolean;
  readAgain: () => void;
  /** Goes on where the bound stopped it. */
  readOn: () => void;
  readingOn: boolean;
}

export function useHomeList(kind: ListKind, balances: Balances | undefined): HomeList {
  const session = useSession();
  const query = useInfiniteQuery({ ...kind.recent(session?.account ?? ''), enabled: session !== null });
  const { data, error, isFetching, isFetchingNextPage, refetch, fetchNextPage } = query;
  const recent = useMemo(() => joined(data?.pages ?? []), [data]);
  const notOffered = recent === null && isNotOffered(error);
  usePolledQuery(query, (failed) => pauseAfter(recent?.pages ?? 1, failed), session !== null && !notOffered);
  const judgement = useMemo(() => {
    if (recent === null) return null;
    const held = balances?.balances.map((balance) => ({
      asset: balance.asset,
      amount: balance[kind.heldIn],
      updated_at: balance.updated_at,
    }));
    return judge(recent.rows, held ?? null, recent.date ?? recent.readAt);
  }, [recent, balances, kind]);
  return {
    kind,
    recent,
    judgement,
    error,
    notOffered,
    reading: isFetching,
    readAgain: () => void refetch(),
    readOn: () => void fetchNextPage(),
    readingOn: isFetchingNextPage,
  };
}
