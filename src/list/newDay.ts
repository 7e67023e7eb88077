import { dateOf, isPlausibleTime, type Zone } from '#src/lib/time.ts';
import { type RowIndex, rowAt } from './rowIndex.ts';

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
