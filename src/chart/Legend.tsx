import { numberWords } from '#src/lib/count.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';
import type { Series } from './bins.ts';
import { seriesWords } from './countWords.ts';

/** What the strokes stand for, with how many rows. */
export function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="chart-legend">
      {series.map((each, at) => (
        <li
          key={stringifyExact(each.asset)}
          data-tip={each.asset !== null && each.asset.length > 8 ? each.asset : undefined}
        >
          <svg viewBox="0 0 12 10" aria-hidden>
            <rect className={`k${at + 1}`} x="1" y="1" width="10" height="8" />
          </svg>
          <bdi>{seriesWords(each)}</bdi> <span className="dim">{numberWords(each.rows)}</span>
        </li>
      ))}
    </ul>
  );
}
