import { numberWords } from '#src/lib/count.ts';
import type { DayRange } from '#src/list/createdRange.ts';
import type { DataColumn } from '#src/ui/DataTable.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import type { Counted } from './counted.ts';
import { seriesWords } from './countWords.ts';
import { DayRows, type DayTableParts } from './DayRows.tsx';
import { tallyOf } from './sums.ts';

/** Exact sums per day of the assets that are told apart; never across assets. */
export function SumColumns(parts: DayTableParts) {
  const { counted, series, span } = parts;
  const columns = series.flatMap((each): DataColumn<DayRange>[] => {
    const { asset } = each;
    if (asset === null) return [];
    // The whole is the longest of a column, unless amounts are negative.
    const whole = tallyOf(counted, asset, span);
    const sum = (days: DayRange) => <SumCell counted={counted} asset={asset} days={days} />;
    return [
      {
        name: asset,
        head: seriesWords(each),
        className: 'cash',
        style: { '--int': integerWidth([whole.sum]).css },
        cell: sum,
        foot: sum(span),
      },
    ];
  });
  return <DayRows {...parts} columns={columns} />;
}

function SumCell({ counted, asset, days }: { counted: Counted; asset: string; days: DayRange }) {
  const { rows, sum, unreadable } = tallyOf(counted, asset, days);
  if (rows === 0) {
    return (
      <span className="amt">
        <span className="n dim">none</span>
      </span>
    );
  }
  return (
    <>
      <Amount value={sum} />
      {unreadable > 0 && <span className="dim"> without {numberWords(unreadable)} that cannot be read</span>}
    </>
  );
}
