import { LIMIT_MAX, type ListFilters } from '#src/api/contract.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import { type Page, walkPages } from '#src/api/paging.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { dayFinder } from './calendar.ts';
import { type CountableRow, type Counted, withPage } from './counted.ts';

type ReadRows = (filters: ListFilters, cursor: string | null, options: PageOptions) => Promise<Page<CountableRow>>;

/** What is counted: how its pages are read, and where the amount of a row is. */
export interface Countable {
  readPage: ReadRows;
  amountOf(row: CountableRow): unknown;
}

/** Counts so many pages further; throws what a read throws, and the signal's reason. What was counted until then has been told. */
export async function countOn(
  from: Counted,
  pages: number,
  source: Countable,
  signal: AbortSignal,
  onProgress: (counted: Counted) => void,
): Promise<void> {
  const dayOf = dayFinder(from.zone);
  const { readPage } = source;
  let counted = from;
  const tell = (next: Counted): void => {
    counted = next;
    onProgress(next);
  };
  const end = await walkPages(
    (cursor) => readPage(from.filters, cursor, { limit: LIMIT_MAX, signal }),
    async (page): Promise<undefined> => {
      tell(withPage(counted, page, dayOf, (row) => source.amountOf(row)));
      // How far there is to go, so that days not read yet have their place from the start.
      if (counted.end === 'more' && counted.far === undefined)
        tell({ ...counted, far: await farDay(from, readPage, dayOf, signal) });
    },
    { signal, startAfter: from.cursor, maxPages: pages },
  );
  if (end.kind === 'broken') tell({ ...counted, end: 'broken', reason: end.reason, ids: new Set() });
}

async function farDay(
  { filters }: Counted,
  readPage: ReadRows,
  dayOf: (unix: number) => string,
  signal: AbortSignal,
): Promise<string | null> {
  const { data } = await readPage({ ...filters, order: 'asc' }, null, { limit: 1, signal });
  signal.throwIfAborted();
  const at = data[0]?.created_at;
  return isPlausibleTime(at) ? dayOf(at) : null;
}
