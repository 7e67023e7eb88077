import { LIMIT_MAX } from '#src/api/contract.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import { type Page, walkPages } from '#src/api/paging.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import type { PageFilters } from '#src/list/filters/listFilters.tsx';
import { dayFinder } from './calendar.ts';
import { type CountableRow, type Counted, withPage } from './counted.ts';

type ReadRows = (filters: PageFilters, cursor: string | null, options: PageOptions) => Promise<Page<CountableRow>>;

/** What is counted: how its pages are read, and where the amount of a row is. */
export interface Countable {
  readPage: ReadRows;
  /** Whether a row counts, where the service does not know all of the filters. */
  keeps(row: CountableRow): boolean;
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
      const data = page.data.filter((row) => source.keeps(row));
      tell(withPage(counted, { ...page, data }, dayOf, (row) => source.amountOf(row)));
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
