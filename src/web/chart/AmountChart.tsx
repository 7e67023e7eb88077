import { type ReactNode, useRef } from 'react';
import { formatAmount } from '#src/shared/amount.ts';
import { amountGrid, compare, share } from '#src/shared/money.ts';
import { dayWords } from '#src/web/list/createdRange.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { GridLines, useWidth } from './axis.tsx';
import { heightsOf } from './balanceLine.tsx';

/** px; overview.css gives the same room. */
const HEIGHT = 188;
const TOP = 10;
const BASE = 164;
/** A figure of the axis, and a date under it. */
const FIGURE = 7.2;
const LABEL = 84;

export interface Plotted {
  left: number;
  pitch: number;
  width: number;
  base: number;
  top: number;
  /** Height of each day, 0 to 1. */
  heights: readonly number[];
}

interface AmountChartProps {
  /** Oldest first; the last of them is today. */
  days: readonly string[];
  amounts: readonly string[];
  label: string;
  draw: (plotted: Plotted) => ReactNode;
}

export function AmountChart({ days, amounts, label, draw }: AmountChartProps) {
  const hidden = useAmountsHidden();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const grid = amountGrid(amounts.toSorted(compare).at(-1) ?? '0');
  const top = grid.at(-1) ?? '1';
  const lines = grid.map((figure) => ({
    y: BASE - ((BASE - TOP) * share(figure, top).percent) / 100,
    words: formatAmount(figure),
  }));
  const left = 12 + Math.max(...lines.map(({ words }) => words.length)) * FIGURE;
  const pitch = Math.max(0.1, (width - left) / Math.max(1, days.length));
  const every = Math.max(1, Math.ceil(LABEL / pitch));
  return (
    <div ref={box} className="amount-chart">
      {width > left && !hidden && (
        <svg width={width} height={HEIGHT} role="img" aria-label={label}>
          <GridLines lines={lines} left={left} width={width} />
          {draw({ left, pitch, width, base: BASE, top: TOP, heights: heightsOf(amounts, { least: '0', most: top }) })}
          {days.map((day, at) => (
            <g key={day}>
              <rect
                className="hit"
                x={left + at * pitch}
                width={pitch}
                y={TOP}
                height={BASE - TOP}
                data-tip={`${dayWords(day)}: ${formatAmount(amounts[at] ?? '0')}`}
              />
              {(days.length - 1 - at) % every === 0 && (
                <text x={Math.min(left + (at + 0.5) * pitch, width - 16)} y={HEIGHT - 6} textAnchor="middle">
                  {at === days.length - 1 ? 'today' : dayWords(day).replace(/ \d+$/, '')}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}
