import { type UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { NextStep } from '#src/api/paging/paging.ts';
import { counted, type Noun, numberWords, totalWords } from '#src/lib/count.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import type { ListRow } from './fields.tsx';
import type { RowIndex } from './rows/rowIndex.ts';
import { Sums } from './Sums.tsx';

export interface ListTotalsProps<T extends ListRow> {
  noun: Noun;
  index: RowIndex<T>;
  /** Rows that were loaded for it. */
  loaded: number;
  /** A filter is set that the service does not know. */
  local: boolean;
  /** A period was chosen: it is loaded to its end, up to a bound. */
  bounded: boolean;
  end: NextStep | null;
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'>;
  amountOf: (row: T) => unknown;
}

/** Loaded by themselves, so that the sum of a month needs no click; more is the person's choice. */
const PAGES_AT_ONCE = 20;

/** Under the rows: how many there are and what they sum to, as far as they are loaded. */
export function ListTotals<T extends ListRow>(props: ListTotalsProps<T>) {
  const { noun, index, loaded, local, end, amountOf } = props;
  const { running, loadAll, stop } = useLoadAll(props);
  const isWhole = end?.kind === 'end';
  return (
    <div className="list-total" role="group" aria-label="Totals">
      <b>{totalWords(index.count, noun, isWhole || local)}</b>
      {local && !isWhole && (
        <span className="sub">
          in the {numberWords(loaded)} {loaded === 1 ? 'row' : 'rows'} loaded
        </span>
      )}
      {end?.kind === 'more' && (
        <Button size="small" variant="quiet" onClick={running ? stop : loadAll}>
          {running ? 'Stop' : 'Load all'}
        </Button>
      )}
      <Sums noun={noun} index={index} isWhole={isWhole} amountOf={amountOf} />
    </div>
  );
}

/** Loads page after page: a period by itself, anything when asked; an error ends it. */
function useLoadAll<T extends ListRow>({ noun, index, bounded, end, query }: ListTotalsProps<T>) {
  const [wish, setWish] = useState<'none' | 'all' | 'stop'>('none');
  const { hasNextPage, isFetching, isFetchNextPageError: failed, fetchNextPage } = query;
  const wanted = wish === 'all' || (wish === 'none' && bounded && index.pages.length < PAGES_AT_ONCE);
  const running = wanted && hasNextPage && !failed;
  useEffect(() => {
    if (running && !isFetching) void fetchNextPage({ cancelRefetch: false });
  });
  const isWhole = end?.kind === 'end';
  useEffect(() => {
    if (wish === 'all' && isWhole) announce(`All loaded: ${counted(index.count, noun.one, noun.many)}`);
  }, [wish, isWhole, index.count, noun]);
  return {
    running,
    loadAll: () => {
      setWish('all');
      void fetchNextPage({ cancelRefetch: false });
    },
    stop: () => setWish('stop'),
  };
}
