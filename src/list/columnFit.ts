declare module 'react' {
  interface CSSProperties {
    /** A value for grid-template-columns, and the least width of a row (list.css). */
    '--columns'?: string;
    '--least'?: string;
  }
}

/** Share of the room that is left over. */
const SHARE = '1fr';
const CASH_SHARE = '2.5fr';
/** Very long amounts scroll sideways instead of costing the list its columns. */
const CASH_MAX = 28;
/** Below this a list has no columns at all, its rows are cards. */
export const CARDS_BELOW = 40;
/** Time, what the row is, and money: never given up. */
const FIRST = 2;
/** Of a column that names no width, rem. */
const LEAST = 9;

/** A column by its least width in rem; the cash column has none: its width comes from its amounts. */
export interface ColumnWidth {
  id: string;
  width?: number | undefined;
}

/** Which columns a list has. */
export interface Layout {
  /** In their order; a narrow list gives up the last ones before the money. */
  columns: readonly ColumnWidth[];
  /** What stands on a card. */
  cards: readonly ColumnWidth[];
}

export interface ColumnFit {
  shown: readonly string[];
  /** A value for grid-template-columns. */
  template: string;
  /** Least width of a row in rem; a narrower list scrolls sideways. */
  least: number;
}

/** Which columns a list of a width (rem) has room for: the last one before the money goes first. */
export function fitColumns(width: number, cash: number, columns: readonly ColumnWidth[]): ColumnFit {
  const shown: { id: string; width: number }[] = [];
  let room = width - Math.min(cash, CASH_MAX);
  for (const { id, width: least = LEAST } of columns) {
    if (id === 'cash') continue;
    room -= least;
    if (shown.length >= FIRST && room < 0) break;
    shown.push({ id, width: least });
  }
  shown.push({ id: 'cash', width: cash });
  const template = shown
    .map(({ id, width: least }) => `minmax(${least.toFixed(2)}rem, ${id === 'cash' ? CASH_SHARE : SHARE})`)
    .join(' ');
  return { shown: shown.map(({ id }) => id), template, least: shown.reduce((sum, { width: each }) => sum + each, 0) };
}
