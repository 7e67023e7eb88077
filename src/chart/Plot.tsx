import { formatAmount } from '#src/lib/amount.ts';
import { share } from '#src/lib/money.ts';
import { dayWords } from '#src/list/createdRange.ts';
import type { Bin, Measured, Stroke } from './bins.ts';
import type { Unit } from './calendar.ts';

/** Heights of the picture in px; chart.css gives the same room. */
const TOP = 10;
const BASE = 112;
const HEIGHT = 130;
const STROKE = 14;
const CAP = 4;
/** Room for one word under the axis. */
const LABEL = 64;
/** Where "not loaded" fits. */
const UNREAD_LABEL = 72;

interface PlotProps {
  bins: readonly Bin[];
  measured: Measured;
  unit: Unit;
  left: number;
  width: number;
  summary: string;
}

/** The strokes from a zero base with a red cap where something failed, the mean in dots, a hatch where nothing was loaded. */
export function Plot({ bins, measured: { strokes, grid, mean }, unit, left, width, summary }: PlotProps) {
  const pitch = (width - left) / bins.length;
  const top = grid.at(-1) ?? '1';
  const y = (value: string): number => BASE - ((BASE - TOP) * share(value, top).percent) / 100;
  const middle = (at: number): number => left + (at + 0.5) * pitch;
  const unread = bins.filter(({ state }) => state === 'unread').length * pitch;
  const every = Math.max(1, Math.ceil(LABEL / pitch));
  return (
    <svg className="chart-plot" role="img" aria-label={summary} width={width} height={HEIGHT}>
      <defs>
        <pattern id="chart-unread" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line className="unread-line" x1="0" x2="0" y1="0" y2="6" />
        </pattern>
      </defs>
      {grid.map((value, at) => (
        <g key={value}>
          <line
            className={at === 0 ? 'axis' : 'grid'}
            x1={left}
            x2={width}
            y1={Math.round(y(value)) + 0.5}
            y2={Math.round(y(value)) + 0.5}
          />
          <text x={left - 8} y={y(value) + 4} textAnchor="end">
            {formatAmount(value)}
          </text>
        </g>
      ))}
      {bins.map((bin, at) =>
        bin.state === 'read' ? null : (
          <rect key={bin.from} className="unread" x={left + at * pitch} y={TOP} width={pitch} height={BASE - TOP} />
        ),
      )}
      {unread >= UNREAD_LABEL && (
        <text className="unread-word" x={left + unread / 2} y={(TOP + BASE) / 2 + 4} textAnchor="middle">
          not loaded
        </text>
      )}
      {bins.map((bin, at) => {
        const stroke = strokes[at];
        return (
          stroke && (
            <StrokeOf
              key={bin.from}
              stroke={stroke}
              x={middle(at)}
              y={y(stroke.done)}
              width={Math.max(1, Math.min(STROKE, pitch - 1.5))}
            />
          )
        );
      })}
      {mean !== null && <line className="mean" x1={left} x2={width} y1={y(mean)} y2={y(mean)} />}
      {bins.map((bin, at) =>
        (bins.length - 1 - at) % every === 0 ? (
          <text
            key={bin.from}
            x={Math.max(left + 14, Math.min(middle(at), width - 14))}
            y={HEIGHT - 3}
            textAnchor="middle"
          >
            {bin.now ? 'now' : axisWords(bin.from, unit)}
          </text>
        ) : null,
      )}
    </svg>
  );
}

const isNothing = (value: string): boolean => !/[1-9]/.test(value);

/** The least that there is can be seen. */
function StrokeOf({ stroke: { done, failed }, x, y, width }: { stroke: Stroke; x: number; y: number; width: number }) {
  const top = isNothing(done) ? BASE : Math.min(y, BASE - 1);
  return (
    <>
      {top < BASE && <rect className="k1" x={x - width / 2} y={top} width={width} height={BASE - top} />}
      {!isNothing(failed) && (
        <rect className="k-failed" x={x - width / 2} y={top - CAP - 1} width={width} height={CAP} />
      )}
    </>
  );
}

/** "3 Jun", "Jun 2026", "2026". */
function axisWords(day: string, unit: Unit): string {
  const [date = '', month = '', year = ''] = dayWords(day).split(' ');
  if (unit === 'year') return year;
  return unit === 'month' ? `${month} ${year}` : `${date} ${month}`;
}
