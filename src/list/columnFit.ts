import type { ColumnId } from './columns.ts';

/** Least widths in rem; the cash column's comes from its amounts. The year in a time counts. */
const WIDTHS = { created: 11.5, status: 9.75, id: 9, chain: 6.75 } as const;
/** Share of the room that is left over. */
const SHARES = { created: '1fr', status: '1fr', id: '1fr', chain: '1fr', cash: '2.5fr' } as const;
/** Very long amounts scroll sideways instead of costing the list its columns. */
const CASH_MAX = 28;
/** Below this a list has no columns at all, its rows are cards. */
export const CARDS_BELOW = 40;

export interface ColumnFit {
  shown: readonly ColumnId[];
  /** A value for grid-template-columns. */
  template: string;
  /** Least width of a row in rem; a narrower list scrolls sideways. */
  least: number;
}

/** Which columns a list of a width (rem) has room for: Chain goes first, then Id. */
export function fitColumns(width: number, cash: number): ColumnFit {
  const room = width - WIDTHS.created - WIDTHS.status - Math.min(cash, CASH_MAX);
  const shown: ColumnId[] = ['created', 'status'];
  if (room >= WIDTHS.id) shown.push('id');
  if (room >= WIDTHS.id + WIDTHS.chain) shown.push('chain');
  shown.push('cash');
  const widthOf = (id: ColumnId): number => (id === 'cash' ? cash : WIDTHS[id]);
  const template = shown.map((id) => `minmax(${widthOf(id).toFixed(2)}rem, ${SHARES[id]})`).join(' ');
  return { shown, template, least: shown.reduce((sum, id) => sum + widthOf(id), 0) };
}
