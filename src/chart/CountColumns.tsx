import { numberWords } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import type { DataColumn } from '#src/ui/DataTable.tsx';
import type { Bin, Series } from './bins.ts';
import { seriesWords } from './countWords.ts';
import { DayRows, type DayTableParts } from './DayRows.tsx';

/** Rows per day: all, and by asset where there are several. */
export function CountColumns(parts: DayTableParts) {
  return <DayRows {...parts} columns={columnsOf(parts.series)} />;
}

function columnsOf(series: readonly Series[]): DataColumn<Bin>[] {
  const columns = series.map((each, at): DataColumn<Bin> => ({
    name: stringifyExact(each.asset),
    head: <bdi>{seriesWords(each)}</bdi>,
    className: 'num',
    cell: ({ counts }) => <Count rows={counts[at] ?? 0} />,
    foot: <Count rows={each.rows} />,
  }));
  if (columns.length === 1) return columns;
  const sum = series.reduce((all, { rows }) => all + rows, 0);
  return [
    { name: 'All', className: 'num', cell: ({ rows }) => <Count rows={rows} />, foot: <Count rows={sum} /> },
    ...columns,
  ];
}

function Count({ rows }: { rows: number }) {
  return rows === 0 ? <span className="dim">0</span> : numberWords(rows);
}
