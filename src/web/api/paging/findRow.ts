import { LIMIT_MAX, type ListFilters } from '#src/shared/contract/contract.ts';
import { ApiError } from '#src/web/api/errors.ts';
import { type Page, walkPages } from './paging.ts';
import type { ResponseInfo } from '#src/shared/answers.ts';
import { noResponseInfo } from '#src/web/api/query.ts';

interface Identified {
  readonly id: string;
}

type ReadPage<T> = (filters: ListFilters, cursor: string | null, limit: number) => Promise<Page<T>>;

/** Result of looking for a row by id. Not found is proof only if `complete` and not `malformed`; else `scanned` rows were looked at. */
export type RowLookup<T> = FoundRow<T> | NoRow;
export type FoundRow<T> = ResponseInfo & { found: true; row: T };

/** Rows looked at without finding the id; `malformed`: those without a readable one. */
export type NoRow = ResponseInfo & { found: false; scanned: number; malformed: number; complete: boolean };

const NEIGHBOURS = 5;
const SCAN_PAGES = 10;

/**
 * Finds a row in a list without a look-up by id: ids are cursors (4.5 rule 5), so the row after it in
 * ascending order leads back to it; else the newest 1,000 rows are read.
 */
export async function findRow<T extends Identified>(id: string, readPage: ReadPage<T>): Promise<RowLookup<T>> {
  const near = await findByCursor(id, readPage);
  if (near) return near;

  let lookup: RowLookup<T> = { found: false, scanned: 0, malformed: 0, complete: false, ...noResponseInfo() };
  let scanned = 0;
  let malformed = 0;
  const look = (page: Page<T>): 'enough' | undefined => {
    const found = rowIn(page, id);
    scanned += page.data.length + page.malformed.length;
    malformed += page.malformed.length;
    lookup = found ?? { found: false, scanned, malformed, complete: page.has_more === false, ...metaOf(page) };
    return found ? 'enough' : undefined;
  };
  await walkPages((cursor) => readPage({}, cursor, LIMIT_MAX), look, { maxPages: SCAN_PAGES });
  return lookup;
}

async function findByCursor<T extends Identified>(id: string, readPage: ReadPage<T>): Promise<RowLookup<T> | null> {
  try {
    const newer = await readPage({ order: 'asc' }, id, 1);
    return rowIn(await readPage({}, newer.data[0]?.id ?? null, NEIGHBOURS), id);
  } catch (error) {
    // The service may refuse an unknown id as a cursor; then scan.
    if (error instanceof ApiError && (error.status === 400 || error.status === 404 || error.status === 422))
      return null;
    throw error;
  }
}

function rowIn<T extends Identified>(page: Page<T>, id: string): FoundRow<T> | null {
  const row = page.data.find((each) => each.id === id);
  return row ? { found: true, row, ...metaOf(page) } : null;
}

function metaOf({ requestId, date, readAt }: ResponseInfo): ResponseInfo {
  return { requestId, date, readAt };
}
