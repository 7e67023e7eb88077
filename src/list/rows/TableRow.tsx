import { memo, type ReactNode } from 'react';
import { FlexRender, type HeaderGroup } from '@tanstack/react-table';
import type { ListRow, listFeatures } from '#src/list/fields.tsx';
import { dateOf, isPlausibleTime, type Zone } from '#src/lib/time.ts';
import { type RowIndex, rowAt } from './rowIndex.ts';

interface TableRowProps {
  /** Compared by identity: other data re-renders the row. */
  original: object;
  /** Compared by identity: a new array re-renders the row. */
  columns: readonly object[];
  /** Number of the row in the list, from 0. */
  at: number;
  /** Px from the top of the list. */
  top: number;
  height: number;
  /** Its detail is open beside the list. */
  open: boolean;
  /** The row above is of another day. */
  newDay: boolean;
  /** It flies past: once drawn in full, it stays so. */
  plain?: boolean;
  drawCells: () => ReactNode;
}

/** Memoised on the data behind it: the table makes new row objects whenever it scrolls. */
export const TableRow = memo(
  ({ at, top, height, open, newDay, drawCells }: TableRowProps) => (
    <div
      role="row"
      // The head is row 1.
      aria-rowindex={at + 2}
      aria-current={open || undefined}
      className={newDay ? 'list-row new-day' : 'list-row'}
      style={{ transform: `translateY(${top}px)`, height }}
      data-at={at}
    >
      {drawCells()}
    </div>
  ),
  (one, other) =>
    one.original === other.original &&
    one.columns === other.columns &&
    one.at === other.at &&
    one.top === other.top &&
    one.height === other.height &&
    one.open === other.open &&
    one.newDay === other.newDay &&
    (!one.plain || other.plain === true),
);
TableRow.displayName = 'TableRow';

interface TableHeadProps<T extends ListRow> {
  groups: HeaderGroup<typeof listFeatures, T>[];
  /** By time, where that can be turned round. */
  sorted?: 'ascending' | 'descending' | undefined;
}

/** The head stays in sight; of cards it is there for screen readers alone. */
export function TableHead<T extends ListRow>({ groups, sorted }: TableHeadProps<T>) {
  return (
    <div role="rowgroup" className="list-head">
      {groups.map((group) => (
        <div role="row" aria-rowindex={1} className="list-head-row" key={group.id}>
          {group.headers.map((header) => (
            <div
              role="columnheader"
              key={header.id}
              aria-sort={header.column.id === 'created' ? sorted : undefined}
              className={`cell c-${header.column.id}`}
            >
              <FlexRender header={header} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

interface Timed {
  created_at?: unknown;
}

/** Days by row: working one out costs more than drawing the row's rule. */
const days = new WeakMap<object, { zone: Zone; day: string }>();

function dayOf(row: Timed | undefined, zone: Zone): string | null {
  if (!row || !isPlausibleTime(row.created_at)) return null;
  const known = days.get(row);
  if (known?.zone === zone) return known.day;
  const day = dateOf(row.created_at, zone);
  days.set(row, { zone, day });
  return day;
}

/** Whether a row is of another day than the one above it; false where either has no usable time. */
export function startsNewDay<T extends Timed>(index: RowIndex<T>, at: number, zone: Zone): boolean {
  const day = dayOf(rowAt(index, at), zone);
  const above = dayOf(rowAt(index, at - 1), zone);
  return day !== null && above !== null && day !== above;
}
