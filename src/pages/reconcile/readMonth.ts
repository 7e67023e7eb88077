import { allBalances, type Balances } from '#src/api/balances.ts';
import { isNotOffered } from '#src/api/errors.ts';
import type { FoundRow } from '#src/api/findRow.ts';
import type { WithdrawalRow } from '#src/api/schemas.ts';
import type { ClosedTotal } from '#src/api/statementContract.ts';
import { createTotals, type Total } from '#src/export/totals.ts';
import { isAmount } from '#src/lib/amount.ts';
import { csvRow } from '#src/lib/csv.ts';
import { add } from '#src/lib/money.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import { amountOf, type AnyRow, lineOf, type ListName, stateOf } from './rows.ts';
import { type AssetSum, type Bounds, createSums, type Now } from './sums.ts';
import { type ReadList, walkRange } from './walkRange.ts';

/** What the service is asked. */
export type Reads = Record<ListName, ReadList<AnyRow>> & {
  balances: (signal: AbortSignal) => Promise<Balances>;
  withdrawal: (id: string, signal: AbortSignal) => Promise<FoundRow<WithdrawalRow>>;
};

export interface Progress {
  list: ListName;
  rows: number;
  /** created_at of the last row, Unix seconds. */
  reached: number | null;
}

/** The rows of one list in the period. */
export interface Part {
  /** By id, the state that each was read with. */
  states: Map<string, string>;
  /** The lines of its file, page by page. */
  lines: string[];
  totals: Total[];
  /** The newest of them. */
  last: string | null;
}

/** A period as the service has it now. */
export interface Month {
  bounds: Bounds;
  /** Unix seconds by the service's clock. */
  asOf: number;
  parts: { deposits: Part; withdrawals: Part | null; ledger: Part | null };
  /** null: the service offers no ledger. */
  sums: AssetSum[] | null;
  /** Lines of the file of what was there before the first period: list, id, state. */
  before: string[];
  /** Rows that no period can hold: without a usable time, or entries without an asset or amount. */
  unplaced: { list: ListName; row: AnyRow }[];
  /** Items without an id. */
  malformed: number;
  /** Withdrawals that left and whose fee is not stated. */
  feesUnknown: number;
}

/** Where reading the ledger begins: what is frozen up to there. Null time: the ledger's beginning. */
export interface Base {
  at: number | null;
  closing: ReadonlyMap<string, string>;
}

interface Asked {
  bounds: Bounds;
  base: Base;
  /** Id of a deposit before the period, to begin after. */
  checkpoint: string | null;
  /** Its rows are frozen already: only what moved since is read. */
  closed: boolean;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** Reads a period and what moved since; throws what a read throws. */
export async function readMonth(
  reads: Reads,
  { bounds, base, checkpoint, closed, signal, onProgress }: Asked,
): Promise<Month> {
  const balances = await reads.balances(signal);
  const now = balancesNow(balances);
  const month: Month = {
    bounds,
    asOf: balances.date ?? balances.readAt,
    parts: { deposits: emptyPart(), withdrawals: null, ledger: null },
    sums: null,
    before: [],
    unplaced: [],
    malformed: balances.malformed.length,
    feesUnknown: 0,
  };
  const withdrawn = new Map<string, AnyRow>();

  async function readPart(list: 'deposits' | 'withdrawals'): Promise<Part> {
    const part = emptyPart();
    const totals = createTotals();
    const takeAll = (rows: AnyRow[], { malformed }: { malformed: unknown[] }): void => {
      month.malformed += malformed.length;
      const here = rows.filter((row) => isPlausibleTime(row.created_at));
      for (const row of rows) {
        if (list === 'withdrawals') withdrawn.set(row.id, row);
        if (!isPlausibleTime(row.created_at)) month.unplaced.push({ list, row });
      }
      for (const row of here) totals.add(row.asset, row['status'], amountOf(list, row));
      keep(part, list, here);
      onProgress({ list, rows: part.states.size, reached: lastTime(here) });
    };
    await walkRange(reads[list], { ...bounds, checkpoint: list === 'deposits' ? checkpoint : null }, takeAll, signal);
    return { ...part, totals: totals.list() };
  }

  async function readLedger(): Promise<void> {
    const sums = createSums(bounds, base.closing, now);
    const part = emptyPart();
    let rows = 0;
    await walkRange(
      reads.ledger,
      { from: base.at, to: null },
      (entries, { malformed }) => {
        month.malformed += malformed.length;
        rows += entries.length;
        for (const entry of entries) sums.add(entry);
        const inside = entries.filter(
          ({ created_at: at }) => isPlausibleTime(at) && at >= bounds.from && at < bounds.to,
        );
        keep(part, 'ledger', inside);
        const earlier = entries.filter(({ created_at: at }) => isPlausibleTime(at) && at < bounds.from);
        month.before.push(...earlier.map(({ id }) => beforeLine('ledger', id, '')));
        onProgress({ list: 'ledger', rows, reached: lastTime(entries) });
      },
      signal,
    );
    month.unplaced.push(...sums.unplaced.map((row) => ({ list: 'ledger' as const, row })));
    month.parts.ledger = part;
    await readWithdrawals();
    for (const id of sums.withdrawals()) if (!withdrawn.has(id)) await findWithdrawal(id);
    month.sums = sums.list((id, asset) => {
      const row = withdrawn.get(id);
      const fee = row?.['fee'];
      if (isAmount(fee)) return row?.asset === asset ? fee : null;
      month.feesUnknown += 1;
      return null;
    });
  }

  async function readWithdrawals(): Promise<void> {
    if (closed) return;
    month.parts.withdrawals = await unlessNotOffered(() => readPart('withdrawals'));
  }

  /** One that was created before the period and left in it. */
  async function findWithdrawal(id: string): Promise<void> {
    const found = await unlessNotOffered(() => reads.withdrawal(id, signal));
    if (found) withdrawn.set(id, found.row);
  }

  await unlessNotOffered(readLedger);
  if (month.sums === null) await readWithdrawals();
  if (!closed) month.parts.deposits = await readPart('deposits');
  return month;
}

async function unlessNotOffered<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isNotOffered(error)) return null;
    throw error;
  }
}

/** Of the period's lists, by asset and status. */
export function totalsOf({ deposits, withdrawals }: Month['parts']): ClosedTotal[] {
  const of = (list: ListName, part: Part | null) => part?.totals.map((total) => ({ list, ...total })) ?? [];
  return [...of('deposits', deposits), ...of('withdrawals', withdrawals)];
}

export function beforeLine(list: ListName, id: string, state: string): string {
  return csvRow([list, id, state]);
}

export function emptyPart(): Part {
  return { states: new Map(), lines: [], totals: [], last: null };
}

function keep(part: Part, list: ListName, rows: readonly AnyRow[]): void {
  part.lines.push(rows.map((row) => lineOf(list, row)).join(''));
  for (const row of rows) part.states.set(row.id, stateOf(list, row));
  part.last = rows.at(-1)?.id ?? part.last;
}

function lastTime(rows: readonly AnyRow[]): number | null {
  const at = rows.at(-1)?.created_at;
  return isPlausibleTime(at) ? at : null;
}

/** A service may list several balances of one asset: together they are what it holds. */
function balancesNow(balances: Balances): Map<string, Now> {
  const now = new Map<string, Now>();
  const unreadable = new Set<string>();
  for (const { asset, total, updated_at: updated } of allBalances(balances)) {
    const before = now.get(asset);
    if (!isAmount(total)) unreadable.add(asset);
    else {
      const at = isPlausibleTime(updated) ? updated : null;
      const oldest =
        before && (before.at === null || at === null) ? null : Math.min(before?.at ?? Infinity, at ?? Infinity);
      now.set(asset, { total: add(before?.total ?? '0', total), at: before ? oldest : at });
    }
  }
  for (const asset of unreadable) now.delete(asset);
  return now;
}
