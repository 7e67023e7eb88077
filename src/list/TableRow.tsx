import { memo, type ReactNode } from 'react';

interface TableRowProps {
  /** What the row shows; other data is another row. */
  original: object;
  /** The columns it is drawn with; others are another row. */
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
  drawCells: () => ReactNode;
}

/** A row of a list. The table makes new row objects whenever it scrolls, so what counts is the data behind them. */
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
    one.newDay === other.newDay,
);
TableRow.displayName = 'TableRow';
