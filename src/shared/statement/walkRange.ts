import type { ListFilters } from '#src/shared/contract/contract.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { ListBroken, ListRefused, type MonthPage, type ReadMonthPage } from './monthReads.ts';
import type { AnyRow } from './periodRows.ts';

export interface Range {
  /** Unix seconds, `from` included and `to` excluded; null for no bound. */
  from: number | null;
  to: number | null;
  /** Id of a row before the range, to begin after (contract 4.5 rule 5). */
  checkpoint?: string | null;
}

/**
 * Reads the rows created in a range, oldest first, and passes each to `onPage` once, including those without a valid time.
 * If a cursor's row is gone (400, 404, 422), reading continues from the last second reached.
 */
export async function walkRange(
  read: ReadMonthPage,
  { from, to, checkpoint = null }: Range,
  onPage: (rows: AnyRow[], page: MonthPage) => void,
  signal: AbortSignal,
): Promise<void> {
  /**
   * Ids of the current second and of rows without a time: in an ordered list no others can come again. After a checkpoint all
   * ids are kept, as an unordered list is then read once more.
   */
  const timed = new Set<string>();
  const untimed = new Set<string>();
  let start = checkpoint;
  let since = from;
  let reached = from;
  const order = createOrderCheck();
  let rowCount = 0;
  let hasPage = false;

  const take = (page: MonthPage): 'enough' | undefined => {
    const fresh: AnyRow[] = [];
    let isPast = to !== null && page.data.length > 0;
    for (const row of page.data) {
      const { created_at: at } = row;
      const isTimed = isPlausibleTime(at);
      isPast &&= isTimed && to !== null && at >= to;
      if (isTimed) order.add(at);
      // The request's bounds are one second outside the range, as services differ in whether a bound counts.
      if (isTimed && ((since !== null && at < since) || (to !== null && at >= to))) continue;
      if (isTimed) {
        if (start === null && order.isKept() && at !== reached) timed.clear();
        reached = at;
      }
      const seenIds = isTimed ? timed : untimed;
      if (seenIds.has(row.id)) continue;
      seenIds.add(row.id);
      fresh.push(row);
    }
    rowCount += fresh.length;
    hasPage = true;
    onPage(fresh, page);
    // The service may ignore the bound, and the order as well.
    return isPast && order.isProven() ? 'enough' : undefined;
  };

  for (;;) {
    const countBefore = rowCount;
    order.restart();
    const filters: ListFilters = { order: 'asc' };
    // The checkpoint's row is before the range, so no bound is needed.
    if (since !== null && start === null) filters.created_after = since - 1;
    if (to !== null) filters.created_before = to;
    try {
      const end = await followPages((cursor) => read(filters, cursor), take, {
        signal,
        startAfter: start,
        ahead: true,
      });
      if (end.kind === 'broken') throw new ListBroken(end.reason);
      // In an unordered list, rows of the range may come before the checkpoint.
      if (start === null || order.isProven()) return;
      start = null;
    } catch (error) {
      if (!(error instanceof ListRefused)) throw error;
      error.isOfLaterPage ||= hasPage || start !== null;
      const isCursorRefused = [400, 404, 422].includes(error.status);
      if (!isCursorRefused || !order.isKept() || (start === null && rowCount === countBefore)) throw error;
      start = null;
      since = reached;
    }
  }
}

/** Checks by the times of the rows whether they come oldest first. */
function createOrderCheck() {
  let before: number | null = null;
  let isKept = true;
  let isRising = false;
  return {
    add(at: number): void {
      isKept &&= before === null || at >= before;
      isRising ||= before !== null && at > before;
      before = at;
    },
    /** The next row begins the list again. */
    restart: (): void => void (before = null),
    isKept: () => isKept,
    /** Ordered, and at least two rows have different times. */
    isProven: () => isKept && isRising,
  };
}
