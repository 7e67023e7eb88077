import { useRef } from 'react';
import { heightsOf } from '#src/chart/balanceLine.ts';
import { useWidth } from '#src/chart/useWidth.ts';
import { formatAmount } from '#src/lib/amount.ts';
import { compare, roundScale } from '#src/lib/money.ts';
import { dayWords } from '#src/list/createdRange.ts';
import { useAmountsHidden } from '#src/ui/Amount.tsx';

const HEIGHT = 184;
const TOP = 10;
const BASE = 160;
/** Room for the figures of the axis, and for a date under it. */
const LEFT = 64;
const LABEL = 72;
const WIDEST = 24;

interface FlowChartProps {
  /** The last of them is today. */
  days: readonly string[];
  sums: readonly string[];
  label: string;
}

/** One column a day, from a zero base; today's is dashed, since it is not over. */
export function FlowChart({ days, sums, label }: FlowChartProps) {
  const hidden = useAmountsHidden();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const most = sums.toSorted(compare).at(-1) ?? '0';
  const { top, half } = roundScale(most);
  const heights = heightsOf(sums, { least: '0', most: top });
  const pitch = Math.max(1, (width - LEFT) / Math.max(1, days.length));
  const bar = Math.max(2, Math.min(WIDEST, pitch * 0.62));
  const every = Math.max(1, Math.ceil(LABEL / pitch));
  const y = (part: number): number => BASE - (BASE - TOP) * part;
  return (
    <div ref={box} className="colchart">
      {width > LEFT && !hidden && (
        <svg width={width} height={HEIGHT} role="img" aria-label={`${label}, largest ${formatAmount(most)}`}>
          {[
            { at: 0, figure: '0' },
            { at: 0.5, figure: half },
            { at: 1, figure: top },
          ].map(({ at, figure }) => (
            <g key={at}>
              <line className={at === 0 ? 'ax' : 'gr'} x1={LEFT} x2={width} y1={y(at) + 0.5} y2={y(at) + 0.5} />
              <text x={LEFT - 8} y={y(at) + 4} textAnchor="end">
                {formatAmount(figure)}
              </text>
            </g>
          ))}
          {days.map((day, at) => {
            const middle = LEFT + (at + 0.5) * pitch;
            const isToday = at === days.length - 1;
            const sum = sums[at] ?? '0';
            return (
              <g key={day}>
                <rect
                  className={isToday ? 'b-now' : 'b'}
                  x={middle - bar / 2}
                  width={bar}
                  y={y(heights[at] ?? 0)}
                  height={(BASE - TOP) * (heights[at] ?? 0)}
                />
                <rect
                  className="hit"
                  x={middle - pitch / 2}
                  width={pitch}
                  y={TOP}
                  height={BASE - TOP}
                  data-tip={`${dayWords(day)}: ${formatAmount(sum)}`}
                />
                {(days.length - 1 - at) % every === 0 && (
                  <text x={Math.min(middle, width - 16)} y={HEIGHT - 4} textAnchor="middle">
                    {isToday ? 'today' : dayWords(day).replace(/ \d+$/, '')}
                  </text>
                )}
              </g>
            );
          })}
        </svg>
      )}
    </div>
  );
}
