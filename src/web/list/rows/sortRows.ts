import { useEffect, useMemo, useState } from 'react';
import { compareAmounts, isAmount } from '#src/shared/amount.ts';
import { type RowIndex, rowAt } from './rowIndex.ts';

/** Order by amount; undefined for the order of the list. */
export type AmountSort = 'largest' | 'smallest' | undefined;

/** The rows of a list sorted by amount: unreadable amounts last, equal amounts in the order of the list. */
export function sortByAmount<T extends { id: string }>(
  index: RowIndex<T>,
  amountOf: (row: T) => unknown,
  sort: Exclude<AmountSort, undefined>,
): RowIndex<T> {
  const sign = sort === 'largest' ? -1 : 1;
  const readable: { row: T; amount: string }[] = [];
  const others: T[] = [];
  for (let at = 0; at < index.count; at += 1) {
    const row = rowAt(index, at);
    if (row === undefined) continue;
    const amount = amountOf(row);
    if (isAmount(amount)) readable.push({ row, amount });
    else others.push(row);
  }
  readable.sort((a, b) => sign * compareAmounts(a.amount, b.amount));
  const rows = [...readable.map(({ row }) => row), ...others];
  return { ...index, rows, count: rows.length, positions: new Map(rows.map(({ id }, at) => [id, at])), starts: [0] };
}

/** Pages that arrive faster than this are sorted together, because sorting 100,000 rows takes a second. */
const PAUSE_MS = 250;

/** The index in the order to show: sorted again once loading pauses, or `index` itself without a sort. */
export function useSortedRows<T extends { id: string }>(
  index: RowIndex<T>,
  { sort, amountOf, isLoading }: { sort: AmountSort; amountOf: (row: T) => unknown; isLoading: boolean },
): RowIndex<T> {
  const [basis, setBasis] = useState(index);
  // Another list, or a list that started over, is sorted at once.
  const isSameList = basis.positions === index.positions;
  if (!isSameList) setBasis(index);
  const isBehind = sort !== undefined && isSameList && basis.count !== index.count;
  useEffect(() => {
    if (!isBehind || isLoading) return undefined;
    const timer = setTimeout(() => setBasis(index), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isBehind, isLoading, index]);
  const sorted = useMemo(() => sort && sortByAmount(basis, amountOf, sort), [basis, amountOf, sort]);
  return useMemo(() => (sorted ? { ...sorted, newer: index.newer } : index), [sorted, index]);
}
