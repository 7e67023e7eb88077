import { numberWords } from '#src/lib/count.ts';
import type { DayRange } from '#src/list/createdRange.ts';
import { Amount } from '#src/ui/Amount.tsx';
import { integerWidth } from '#src/ui/integerWidth.ts';
import type { Counted } from './counted.ts';
import { seriesWords } from './countWords.ts';
import { DayRows, type DayTableParts } from './DayRows.tsx';
import { tallyOf } from './sums.ts';

/** Exact sums per day of the assets that are told apart; never across assets. */
export function SumColumns(parts: DayTableParts) {
  const { counted, series, span } = parts;
  const columns = series.flatMap((each) => {
    if (each.asset === null) return [];
    // The whole is the longest of a column, unless amounts are negative.
    const whole = tallyOf(counted, each.asset, span);
    return [{ ...each, asset: each.asset, width: { '--int': integerWidth([whole.sum]).css } }];
  });
  const cellsOf = (days: DayRange) =>
    columns.map(({ asset, width }) => (
      <td className="cash" style={width} key={asset}>
        <SumCell counted={counted} asset={asset} days={days} />
      </td>
    ));
  return (
    <DayRows
      {...parts}
      columns={columns.length}
      heads={columns.map((each) => (
        <th scope="col" className="cash" style={each.width} key={each.asset}>
          <span>{seriesWords(each)}</span>
        </th>
      ))}
      cellsOf={cellsOf}
      foot={cellsOf(span)}
    />
  );
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
