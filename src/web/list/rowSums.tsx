import { NO_NEWER_ROWS } from '#src/web/api/paging/newerRows.ts';
import { createTotals, haveStatus, type RowSum } from '#src/shared/export/rowTotals.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { counted, numberWords } from '#src/shared/text.ts';
import { Amount } from '#src/web/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { ListRow } from './fields.tsx';
import { positionOf, type RowIndex, rowAt } from './rows/rowIndex.ts';

/** Sums of a list's rows by asset and status. Each call only adds the rows that are new or were read again. */
export function rowSummer<T extends ListRow>(amountOf: (row: T) => unknown): (index: RowIndex<T>) => RowSum[] {
  let list: object | null = null;
  let summed: T[] = [];
  let newer: RowIndex<T>['newer'] = NO_NEWER_ROWS;
  let totals = createTotals();
  return (index) => {
    if (list !== index.positions) [list, summed, newer, totals] = [index.positions, [], NO_NEWER_ROWS, createTotals()];
    const sum = (at: number): void => {
      const [before, row] = [summed[at], rowAt(index, at)];
      if (before === row || row === undefined) return;
      if (before) totals.remove(before.asset, before['status'], amountOf(before));
      totals.add(row.asset, row['status'], amountOf(row));
      summed[at] = row;
    };
    for (let at = summed.length; at < index.count; at += 1) sum(at);
    if (newer !== index.newer) for (const id of index.newer.keys()) sum(positionOf(index, id));
    newer = index.newer;
    return totals.list();
  };
}

const COLUMNS: DataColumn<RowSum>[] = [
  { name: 'Asset', cell: ({ asset }) => (asset === null ? 'no asset' : <UntrustedText code value={asset} max={24} />) },
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

/** Exact sums per asset and status, for a dialog. */
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
