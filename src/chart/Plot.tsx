import { numberWords } from '#src/lib/count.ts';
import { dayWords } from '#src/list/createdRange.ts';
import type { Bin } from './bins.ts';
import type { Unit } from './calendar.ts';

/** Heights of the picture in px; chart.css gives the same room. */
const TOP = 6;
const BASE = 42;
const HEIGHT = 56;
const STROKE = 9;
/** Room for one word under the axis. */
const LABEL = 64;
/** Where "not read yet" fits. */
const UNREAD_LABEL = 84;

interface PlotProps {
  bins: readonly Bin[];
  unit: Unit;
  grid: readonly number[];
  left: number;
  width: number;
  summary: string;
}

/** The strokes: counts from a zero base, a hatch where nothing was read, dashes for what is not over. */
export function Plot({ bins, unit, grid, left, width, summary }: PlotProps) {
  const pitch = (width - left) / bins.length;
  const top = grid.at(-1) ?? 1;
  const y = (count: number): number => BASE - ((BASE - TOP) * count) / top;
  const middle = (at: number): number => left + (at + 0.5) * pitch;
  const unread = bins.filter(({ state }) => state === 'unread').length * pitch;
  const every = Math.max(1, Math.ceil(LABEL / pitch));
  return (
    <svg className="chart-plot" role="img" aria-label={summary} width={width} height={HEIGHT}>
      <defs>
        <pattern id="chart-stripes" width="4" height="3" patternUnits="userSpaceOnUse">
          <rect className="k3-line" width="4" height="2" />
        </pattern>
        <pattern id="chart-unread" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line className="unread-line" x1="0" x2="0" y1="0" y2="6" />
        </pattern>
        <pattern id="chart-dashes" width="4" height="4" patternUnits="userSpaceOnUse">
          <rect width="4" height="2" fill="#fff" />
        </pattern>
        <mask id="chart-now" maskUnits="userSpaceOnUse" x="0" y="0" width={width} height={HEIGHT}>
          <rect width={width} height={HEIGHT} fill="url(#chart-dashes)" />
        </mask>
      </defs>
      {grid.map((count) => (
        <g key={count}>
          <line
            className={count === 0 ? 'axis' : 'grid'}
            x1={left}
            x2={width}
            y1={y(count) + 0.5}
            y2={y(count) + 0.5}
          />
          <text x={left - 6} y={y(count) + 4} textAnchor="end">
            {numberWords(count)}
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
          not read yet
        </text>
      )}
      {bins.map((bin, at) => (
        <g key={bin.from} mask={bin.now ? 'url(#chart-now)' : undefined}>
          <Strokes bin={bin} x={middle(at)} width={Math.max(1, Math.min(STROKE, pitch - 1.5))} y={y} />
        </g>
      ))}
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

interface StrokesProps {
  bin: Bin;
  x: number;
  width: number;
  y: (count: number) => number;
}

/** The series of one bin, one on top of the other. */
function Strokes({ bin, x, width, y }: StrokesProps) {
  let below = 0;
  return bin.counts.map((count, at) => {
    if (count === 0) return null;
    const [bottom, top] = [y(below), y(below + count)];
    below += count;
    // An outline lies within its place, and the least count can be seen.
    const inset = at % 2 === 1 ? 0.75 : 0;
    return (
      <rect
        // The place in the stack is what a series is here.
        key={`k${at + 1}`}
        className={`k${at + 1}`}
        x={x - width / 2 + inset}
        y={Math.min(top, bottom - 1) + inset}
        width={Math.max(0.5, width - 2 * inset)}
        height={Math.max(0.5, bottom - Math.min(top, bottom - 1) - 2 * inset)}
      />
    );
  });
}

/** "3 Jun", "Jun 2026", "2026". */
function axisWords(day: string, unit: Unit): string {
  const [date = '', month = '', year = ''] = dayWords(day).split(' ');
  if (unit === 'year') return year;
  return unit === 'month' ? `${month} ${year}` : `${date} ${month}`;
}
