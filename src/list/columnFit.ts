import type { ColumnId } from './columns.ts';

declare module 'react' {
  interface CSSProperties {
    /** A value for grid-template-columns, and the least width of a row (list.css). */
    '--columns'?: string;
    '--least'?: string;
  }
}

/** Least widths in rem; the cash column's comes from its amounts. The year in a time counts. */
const WIDTHS = { created: 11.5, status: 9.75, type: 6.5, id: 9, chain: 6.75, source: 9, book: 6 } as const;
/** Share of the room that is left over. */
const SHARE = '1fr';
const CASH_SHARE = '2.5fr';
/** Very long amounts scroll sideways instead of costing the list its columns. */
const CASH_MAX = 28;
/** Below this a list has no columns at all, its rows are cards. */
export const CARDS_BELOW = 40;
/** Time, what the row is, and money: never given up. */
const FIRST = 2;

/** Which columns a list has. */
export interface Layout {
  /** In their order; a narrow list gives up the last ones before the money. */
  columns: readonly ColumnId[];
  /** What stands on a card. */
  cards: readonly ColumnId[];
}

const PAYMENT_COLUMNS: readonly ColumnId[] = ['created', 'status', 'id', 'chain', 'cash'];
/** Of deposits and withdrawals. */
export const PAYMENTS: Layout = { columns: PAYMENT_COLUMNS, cards: PAYMENT_COLUMNS };

export interface ColumnFit {
  shown: readonly ColumnId[];
  /** A value for grid-template-columns. */
  template: string;
  /** Least width of a row in rem; a narrower list scrolls sideways. */
  least: number;
}

/** Which columns a list of a width (rem) has room for: the last one before the money goes first. */
export function fitColumns(width: number, cash: number, columns: readonly ColumnId[] = PAYMENT_COLUMNS): ColumnFit {
  const widthOf = (id: ColumnId): number => (id === 'cash' ? cash : WIDTHS[id]);
  const shown: ColumnId[] = [];
  let room = width - Math.min(cash, CASH_MAX);
  for (const id of columns) {
    if (id === 'cash') continue;
    room -= widthOf(id);
    if (shown.length >= FIRST && room < 0) break;
    shown.push(id);
  }
  shown.push('cash');
  const template = shown
    .map((id) => `minmax(${widthOf(id).toFixed(2)}rem, ${id === 'cash' ? CASH_SHARE : SHARE})`)
    .join(' ');
  return { shown, template, least: shown.reduce((sum, id) => sum + widthOf(id), 0) };
}
