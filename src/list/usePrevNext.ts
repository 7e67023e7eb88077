import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { NextStep, Page } from '#src/api/paging/paging.ts';
import { shorten, visible } from '#src/lib/text.ts';
import { announce } from '#src/ui/announce.tsx';
import type { ListRow } from './fields.tsx';
import { positionOf, type RowIndex, rowAt } from './rows/rowIndex.ts';
import { type Step, STEPPED, type PrevNext } from './prevNext.ts';

interface PrevNextOf<T extends ListRow> {
  noun: string;
  index: RowIndex<T>;
  /** Makes the index of more pages. */
  indexRows: (pages: readonly Page<T>[]) => RowIndex<T>;
  /** How the pages read so far end. */
  end: NextStep | null;
  query: Pick<UseInfiniteQueryResult<InfiniteData<Page<T>>>, 'fetchNextPage'>;
  openId: string | undefined;
  hrefOf: (id: string) => string;
}

const NOT_HERE = { why: 'It is not among the rows read so far.' };

/** Previous and next of the detail that is open beside a list; past the last row read, the next page is asked for. */
export function usePrevNext<T extends ListRow>(list: PrevNextOf<T>): PrevNext {
  const { noun, index, indexRows, end, query, openId, hrefOf } = list;
  const navigate = useNavigate();
  const [reading, setReading] = useState(false);
  const [said, setSaid] = useState<{ of: string; note: string } | null>(null);
  const latest = useRef(openId);
  useEffect(() => {
    latest.current = openId;
  });

  const open = (row: T): void => {
    // Back leads to where the reading of details began, as with j and k.
    void navigate(hrefOf(row.id), { replace: true, state: STEPPED });
    announce(`Opened ${noun} ${visible(shorten(row.id))}`);
  };
  const readOn = async (id: string): Promise<void> => {
    if (reading) return;
    setReading(true);
    setSaid(null);
    const { data, isFetchNextPageError } = await query.fetchNextPage({ cancelRefetch: false });
    setReading(false);
    // Meanwhile somebody may have opened another one, or closed it.
    if (latest.current !== id) return;
    const grown = indexRows(data?.pages ?? []);
    const row = rowAt(grown, positionOf(grown, id) + 1);
    if (row) open(row);
    else if (isFetchNextPageError) setSaid({ of: id, note: 'Couldn’t load the next rows. Next tries again.' });
    else setSaid({ of: id, note: 'The next page brought no new row.' });
  };

  const at = openId === undefined ? -1 : positionOf(index, openId);
  const before = rowAt(index, at - 1);
  const after = rowAt(index, at + 1);
  const next = (id: string): Step => {
    if (after) return { go: () => open(after) };
    if (end?.kind === 'more') return { go: () => void readOn(id) };
    return { why: end?.kind === 'broken' ? end.reason : 'It is the last one: the list ends here.' };
  };
  return {
    noun,
    previous: at === -1 ? NOT_HERE : before ? { go: () => open(before) } : { why: 'It is the first one of the list.' },
    next: at === -1 || openId === undefined ? NOT_HERE : next(openId),
    reading,
    note: said !== null && said.of === openId ? said.note : null,
  };
}
