import { isAmount } from '#src/lib/amount.ts';
import { add } from '#src/lib/money.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { beforeLine, type Month, type Progress, type Reads } from './readMonth.ts';
import { amountOf, type AnyRow, type ListName, stateOf } from './rows.ts';
import { type Bounds, compared } from './sums.ts';
import { type Range, walkRange } from './walkRange.ts';

/** What stands in a statement already: by id, the state that was last stated. */
export type Known = Record<ListName, Map<string, string>>;

export function noneKnown(): Known {
  return { deposits: new Map(), withdrawals: new Map(), ledger: new Map() };
}

/** A row of a closed period that is in no statement, or changed since it was stated. */
export interface Adjustment {
  list: ListName;
  what: 'late' | 'changed';
  id: string;
  /** The state as last stated; null for a late one. */
  was: string | null;
  row: AnyRow;
}

/** Every row once, whenever it comes: what is not known is late, what has another state changed. It is known from then on. */
export function judge(known: Known, list: ListName, row: AnyRow): Adjustment | null {
  const was = known[list].get(row.id);
  const state = stateOf(list, row);
  if (was === state) return null;
  known[list].set(row.id, state);
  return was === undefined
    ? { list, what: 'late', id: row.id, was: null, row }
    : { list, what: 'changed', id: row.id, was, row };
}

/** What looking through the lists found. */
export interface Checked {
  adjustments: Adjustment[];
  /** The file of what was there before the first period: list, id, state. */
  before: string[];
  /** How many rows of each list were looked at. */
  rows: Partial<Record<ListName, number>>;
}

interface CheckAsked {
  known: Known;
  range: Range;
  /** Nothing is closed yet: what is older is no adjustment, but what the first period begins with. */
  isFirst: boolean;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** Looks through everything created in a range, however late it came; the ledger only where the sums leave a difference. */
export async function check(reads: Reads, month: Month, asked: CheckAsked): Promise<Checked> {
  const { known, range, isFirst, signal, onProgress } = asked;
  const checked: Checked = { adjustments: [], before: isFirst ? [...month.before] : [], rows: {} };

  async function look(list: ListName): Promise<void> {
    let rows = 0;
    const take = (row: AnyRow): void => {
      const adjustment = judge(known, list, row);
      if (!adjustment) return;
      const isOlder = !isPlausibleTime(row.created_at) || row.created_at < month.bounds.from;
      if (isFirst && isOlder) checked.before.push(beforeLine(list, row.id, stateOf(list, row)));
      else checked.adjustments.push(adjustment);
    };
    await walkRange(
      reads[list],
      range,
      (page) => {
        rows += page.length;
        for (const row of page) take(row);
        const at = page.at(-1)?.created_at;
        onProgress({ list, rows, reached: isPlausibleTime(at) ? at : null });
      },
      signal,
    );
    checked.rows[list] = rows;
    for (const unplaced of month.unplaced) if (unplaced.list === list) take(unplaced.row);
  }

  await look('deposits');
  if (month.parts.withdrawals !== null) await look('withdrawals');
  if (!isFirst && month.sums?.some(({ verdict }) => verdict === 'unexplained')) await look('ledger');
  return checked;
}

/** The period with what was found, in its sums: late entries are in no closing so far. */
export function withAdjustments(month: Month, { adjustments }: Pick<Checked, 'adjustments'>): Month {
  const late = new Map<string, string>();
  for (const { list, row } of adjustments) {
    const amount = amountOf(list, row);
    if (list !== 'ledger' || row.asset === null || !isAmount(amount) || !isBefore(row, month.bounds)) continue;
    late.set(row.asset, add(late.get(row.asset) ?? '0', amount));
  }
  const sums = month.sums?.map((each) => {
    const amount = late.get(each.asset);
    if (amount === undefined) return each;
    return compared({ ...each, adjustments: add(each.adjustments, amount), closing: add(each.closing, amount) });
  });
  return { ...month, sums: sums ?? null };
}

export function isBefore({ created_at: at }: AnyRow, { from }: Bounds): boolean {
  return isPlausibleTime(at) && at < from;
}
