import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { formatAmount } from '#src/shared/amount.ts';
import { amountGrid, compare, share } from '#src/shared/money.ts';
import { dayWords } from '#src/shared/createdRange.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { GridLines, useWidth } from './axis.tsx';
import { heightsOf } from './balanceLine.tsx';

/** Height in px; overview.css has the same value. */
const HEIGHT = 188;
const TOP = 10;
const BASE = 164;
/** Widths in px: of one digit on the axis, and of a date under it. */
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
  /** Oldest first; the last of them is today, or the first day of this month. */
  days: readonly string[];
  /** Whether an entry of `days` is a day or a whole month; default: day. */
  unit?: 'day' | 'month';
  amounts: readonly string[];
  label: string;
  draw: (plotted: Plotted) => ReactNode;
}

/** Amounts by day or month. For the keyboard it is a slider, which announces and shows the amount of one day. */
export function AmountChart({ days, unit = 'day', amounts, label, draw }: AmountChartProps) {
  const hidden = useAmountsHidden();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [active, setActive] = useState<number | null>(null);
  const last = days.length - 1;
  const wordsOf = (at: number) => `${WORDS[unit](days[at] ?? '')}: ${formatAmount(amounts[at] ?? '0')}`;
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
    <div
      ref={box}
      className="amount-chart"
      {...(!hidden && {
        role: 'slider',
        tabIndex: 0,
        'aria-label': label,
        'aria-valuemin': 0,
        'aria-valuemax': last,
        'aria-valuenow': active ?? last,
        'aria-valuetext': wordsOf(active ?? last),
        onFocus: () => setActive(last),
        onBlur: () => setActive(null),
        onKeyDown: (event: KeyboardEvent) => {
          const to = dayByKey(event.key, active ?? last);
          if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          setActive(Math.max(0, Math.min(last, to)));
        },
      })}
    >
      {active !== null && <p className="amount-chart-day">{wordsOf(active)}</p>}
      {width > left && !hidden && (
        <svg width={width} height={HEIGHT} aria-hidden>
          <GridLines lines={lines} left={left} width={width} />
          {draw({ left, pitch, width, base: BASE, top: TOP, heights: heightsOf(amounts, { least: '0', most: top }) })}
          {days.map((day, at) => (
            <g key={day}>
              <rect
                className={at === active ? 'hit active' : 'hit'}
                x={left + at * pitch}
                width={pitch}
                y={TOP}
                height={BASE - TOP}
                data-tip={wordsOf(at)}
              />
              {(days.length - 1 - at) % every === 0 && (
                <text
                  x={Math.min(left + (at + 0.5) * pitch, width - (NOW[unit].length * FIGURE) / 2)}
                  y={HEIGHT - 6}
                  textAnchor="middle"
                >
                  {at === days.length - 1 ? NOW[unit] : AXIS_WORDS[unit](day)}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}

const WIDEST = 24;

/** One column per day or month; the last is dashed, as it isn't over. */
export function drawColumns({ left, pitch, base, top, heights }: Plotted) {
  const bar = Math.max(2, Math.min(WIDEST, pitch * 0.62));
  return heights.map((part, at) => (
    <rect
      // The index identifies the day.
      key={`day${at + 1}`}
      className={at === heights.length - 1 ? 'b-now' : 'b'}
      x={left + (at + 0.5) * pitch - bar / 2}
      width={bar}
      y={base - (base - top) * part}
      height={(base - top) * part}
    />
  ));
}

const monthWords = (day: string): string => dayWords(day).replace(/^\d+ /, '');
const WORDS = { day: dayWords, month: monthWords };
const AXIS_WORDS = { day: (day: string): string => dayWords(day).replace(/ \d+$/, ''), month: monthWords };
const NOW = { day: 'today', month: 'this month' };

const WEEK = 7;

/** The day that a key leads to; may lie beyond the ends. Undefined for other keys. */
function dayByKey(key: string, from: number): number | undefined {
  const targets: Partial<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - WEEK,
    PageUp: from + WEEK,
    Home: 0,
    End: Infinity,
  };
  return targets[key];
}
