import { numberWords } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import type { Bin } from './bins.ts';
import { seriesWords } from './countWords.ts';
import { DayRows, type DayTableParts } from './DayRows.tsx';

/** Rows per day: all, and by asset where there are several. */
export function CountColumns(parts: DayTableParts) {
  const { series } = parts;
  const several = series.length > 1;
  const cell = (rows: number, key: string) => (
    <td className={rows === 0 ? 'num dim' : 'num'} key={key}>
      {numberWords(rows)}
    </td>
  );
  const keys = series.map(({ asset }) => stringifyExact(asset));
  const cellsOf = ({ rows, counts }: Pick<Bin, 'rows' | 'counts'>) => [
    ...(several ? [cell(rows, 'all')] : []),
    ...counts.map((count, at) => cell(count, keys[at] ?? '')),
  ];
  return (
    <DayRows
      {...parts}
      columns={several ? series.length + 1 : 1}
      heads={
        <>
          {several && (
            <th scope="col" className="num">
              All
            </th>
          )}
          {series.map((each, at) => (
            <th scope="col" className="num" key={keys[at]}>
              <bdi>{seriesWords(each)}</bdi>
            </th>
          ))}
        </>
      }
      cellsOf={cellsOf}
      foot={cellsOf({
        rows: series.reduce((sum, each) => sum + each.rows, 0),
        counts: series.map(({ rows }) => rows),
      })}
    />
  );
}
