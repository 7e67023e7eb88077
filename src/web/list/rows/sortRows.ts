import { useEffect, useMemo, useState } from 'react';
import { compareAmounts, isAmount } from '#src/shared/amount.ts';
import { type RowIndex, rowAt } from './rowIndex.ts';

/** By amount; undefined: in the order of the list. */
export type AmountSort = 'largest' | 'smallest' | undefined;

/** The rows of a list by amount, those without a readable one last; equal ones in the order of the list. */
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

/** Pages that follow each other faster are sorted together: 100,000 rows take a second. */
const PAUSE_MS = 250;

/** The index as it is shown: sorted again once loading pauses, and the same index without a sort. */
export function useSortedRows<T extends { id: string }>(
  index: RowIndex<T>,
  { sort, amountOf, isLoading }: { sort: AmountSort; amountOf: (row: T) => unknown; isLoading: boolean },
): RowIndex<T> {
  const [basis, setBasis] = useState(index);
  // Another list, or the list started over: its rows are sorted at once.
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
