import { isAmount } from '#src/lib/amount.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { add, subtract } from '#src/lib/money.ts';
import { compareWords, counted, numberWords, textOf } from '#src/lib/text.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/ui/DataTable.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import type { ListRow } from './fields.tsx';
import type { RowIndex, RowsOf } from './rows/rowIndex.ts';

/** Rows of one asset and status; null where the service stated none. */
export interface RowSum {
  asset: string | null;
  status: string | null;
  rows: number;
  /** Exact, of the rows whose amount can be read. */
  sum: string;
  /** Rows whose amount is no decimal string; they are not in the sum. */
  unreadable: number;
}

type Sums = Map<string, RowSum>;

/** Sums of a list's rows, by asset and status; a page is added once, and again when its rows were renewed. */
export function rowSummer<T extends ListRow>(amountOf: (row: T) => unknown): (index: RowIndex<T>) => RowSum[] {
  let counted: { of: object; kept: readonly RowsOf<T>[]; sums: Sums } | null = null;
  return ({ positions, kept }) => {
    const before = counted?.of === positions ? counted : { kept: [], sums: new Map<string, RowSum>() };
    const { sums } = before;
    for (const [at, rows] of kept.entries()) {
      const old = before.kept[at];
      if (old === rows) continue;
      if (old) for (const [key, sum] of sumRows(old, amountOf)) merge(sums, key, sum, -1);
      for (const [key, sum] of sumRows(rows, amountOf)) merge(sums, key, sum, 1);
    }
    counted = { of: positions, kept, sums };
    return [...sums.values()].filter(({ rows }) => rows > 0);
  };
}

function sumRows<T extends ListRow>({ data }: RowsOf<T>, amountOf: (row: T) => unknown): Sums {
  const totals = createTotals();
  for (const row of data) totals.add(row.asset, row['status'], amountOf(row));
  return totals.byKind;
}

/** Exact sums per asset and status; never across assets. */
export function createTotals() {
  const byKind: Sums = new Map();
  return {
    byKind,
    add(asset: unknown, status: unknown, amount: unknown): void {
      const kind = { asset: textOf(asset), status: textOf(status) };
      const key = stringifyExact([kind.asset, kind.status]);
      const total = byKind.get(key) ?? { ...kind, rows: 0, sum: '0', unreadable: 0 };
      byKind.set(key, total);
      total.rows += 1;
      if (isAmount(amount)) total.sum = add(total.sum, amount);
      else total.unreadable += 1;
    },
    /** By asset, then status. */
    list: (): RowSum[] =>
      [...byKind.values()].sort((a, b) => compareWords(a.asset, b.asset) || compareWords(a.status, b.status)),
  };
}

function merge(sums: Sums, key: string, one: RowSum, sign: 1 | -1): void {
  const all = sums.get(key) ?? { ...one, rows: 0, sum: '0', unreadable: 0 };
  sums.set(key, {
    ...all,
    rows: all.rows + sign * one.rows,
    sum: sign === 1 ? add(all.sum, one.sum) : subtract(all.sum, one.sum),
    unreadable: all.unreadable + sign * one.unreadable,
  });
}

const COLUMNS: DataColumn<RowSum>[] = [
  { name: 'Asset', cell: ({ asset }) => (asset === null ? 'no asset' : <UntrustedText value={asset} max={24} />) },
  { name: 'Status', cell: ({ status }) => (status === null ? 'no status' : <UntrustedText value={status} max={24} />) },
  { name: 'Rows', className: 'num', cell: ({ rows }) => numberWords(rows) },
  {
    name: 'Sum',
    className: 'cash',
    cell: ({ sum, unreadable }) => (
      <>
        <Amount value={sum} />
        {unreadable > 0 && (
          <span className="dim"> without {counted(unreadable, 'row', 'rows')} whose amount can’t be read</span>
        )}
      </>
    ),
  },
];

/** Ledger entries have no status. */
export function haveStatus(sums: readonly RowSum[]): boolean {
  return sums.some(({ status }) => status !== null);
}

/** Exact sums per asset and status, as they lie in a dialog. */
export function RowSumsTable({ sums }: { sums: readonly RowSum[] }) {
  const isOfStatuses = haveStatus(sums);
  return (
    <DataTable
      className="grid-table labelled fitted"
      label={`Exact sums per asset${isOfStatuses ? ' and status' : ''}`}
      rows={sums}
      columns={isOfStatuses ? COLUMNS : COLUMNS.filter(({ name }) => name !== 'Status')}
      keyOf={({ asset, status }) => stringifyExact([asset, status])}
    />
  );
}
