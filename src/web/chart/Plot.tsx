import { formatAmount, isZero } from '#src/shared/amount.ts';
import { share } from '#src/shared/money.ts';
import { dayWords, type DayRange } from '#src/shared/createdRange.ts';
import { GridLines } from './axis.tsx';
import type { Bin, ChartMetric } from './bins.ts';
import type { Unit } from './calendar.ts';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { type Noun, counted } from '#src/shared/text.ts';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { binWords, spanWords } from './countWords.ts';

/** Heights of the picture in px; chart.css has the same values. */
const TOP = 10;
const BASE = 112;
const HEIGHT = 130;
const STROKE = 14;
const CAP = 4;
/** Width of one label under the axis, px. */
const LABEL = 64;
/** Width from which "not loaded" fits, px. */
const UNREAD_LABEL = 72;

interface PlotProps {
  bins: readonly Bin[];
  measured: ChartMetric;
  unit: Unit;
  left: number;
  width: number;
  summary: string;
}

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
      <GridLines lines={grid.map((value) => ({ y: y(value), words: formatAmount(value) }))} left={left} width={width} />
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
            <Stroke
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

interface StrokeProps extends Record<'x' | 'y' | 'width', number> {
  stroke: ChartMetric['strokes'][number];
}

/** A bar; even the smallest value is at least 1 px high. */
function Stroke({ stroke: { done, failed }, x, y, width }: StrokeProps) {
  const top = isZero(done) ? BASE : Math.min(y, BASE - 1);
  return (
    <>
      {top < BASE && <rect className="k1" x={x - width / 2} y={top} width={width} height={BASE - top} />}
      {!isZero(failed) && <rect className="k-failed" x={x - width / 2} y={top - CAP - 1} width={width} height={CAP} />}
    </>
  );
}

/** "3 Jun", "Jun 2026", "2026". */
function axisWords(day: string, unit: Unit): string {
  const [date = '', month = '', year = ''] = dayWords(day).split(' ');
  if (unit === 'year') return year;
  return unit === 'month' ? `${month} ${year}` : `${date} ${month}`;
}

interface BinPickerProps {
  bins: readonly Bin[];
  /** Whether several assets are counted. */
  isMixed: boolean;
  unit: Unit;
  noun: Noun;
  /** Where the first bin begins, px. */
  left: number;
  onSay: (words: string) => void;
  onPick: (days: DayRange) => void;
}

/** A selection in progress, in days rather than bins: the bins may change while the count continues. */
interface Choice {
  anchor: string;
  active: string;
  pressed: boolean;
}

const FAR = 7;

/** A horizontal list box over the bars: a click or Enter picks one, dragging or Shift picks several. */
export function BinPicker({ bins, isMixed, unit, noun, left, onSay, onPick }: BinPickerProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  useReturnFocus(list);
  const [choice, setChoice] = useState<Choice | null>(null);
  const indexOf = (day: string): number => bins.findIndex(({ from, to }) => from <= day && day <= to);
  const last = bins.length - 1;
  const active = choice ? indexOf(choice.active) : -1;
  const chosenBy = ({ anchor, active }: Choice): Bin[] => {
    const [first, end] = anchor < active ? [anchor, active] : [active, anchor];
    return bins.filter(({ from, to }) => to >= first && from <= end);
  };
  const chosen = choice ? chosenBy(choice) : [];

  const set = (next: Choice | null): void => {
    setChoice(next);
    onSay(next ? wordsOf(chosenBy(next)) : '');
  };
  const wordsOf = (chosen: readonly Bin[]): string => {
    const [first, end] = [chosen[0], chosen.at(-1)];
    if (!first || !end) return '';
    if (first === end) return binWords(first, noun, isMixed);
    const rows = chosen.reduce((sum, each) => sum + each.rows, 0);
    const least = chosen.every(({ state }) => state === 'read') ? '' : 'at least ';
    return `${spanWords({ from: first.from, to: end.to })}: ${least}${counted(rows, noun.one, noun.many)}`;
  };
  const pick = (): void => {
    const [first, end] = [chosen[0], chosen.at(-1)];
    set(null);
    if (first && end) onPick({ from: first.from, to: end.to });
  };
  const moveTo = (at: number, extend: boolean): void => {
    const to = bins[Math.max(0, Math.min(last, at))];
    if (to) set({ anchor: extend && choice ? choice.anchor : to.from, active: to.from, pressed: false });
  };

  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = active === -1 ? last + 1 : active;
    const target: Partial<Record<string, number>> = {
      ArrowLeft: from - 1,
      ArrowRight: from + 1,
      PageUp: from - FAR,
      PageDown: from + FAR,
      Home: 0,
      End: last,
    };
    const to = target[event.key];
    if (to !== undefined) moveTo(to, event.shiftKey);
    else if ((event.key === 'Enter' || event.key === ' ') && active !== -1) pick();
    else if (event.key === 'Escape' && choice) set(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const at = (event: PointerEvent<HTMLElement>): number => {
    const { left: from, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(last, Math.floor(((event.clientX - from) / width) * bins.length)));
  };
  const down = (event: PointerEvent<HTMLElement>): void => {
    const bin = bins[at(event)];
    if (event.button !== 0 || !bin) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    set({ anchor: event.shiftKey && choice ? choice.anchor : bin.from, active: bin.from, pressed: true });
  };
  const move = (event: PointerEvent<HTMLElement>): void => {
    const bin = bins[at(event)];
    if (choice?.pressed && bin && bin.from !== choice.active) set({ ...choice, active: bin.from });
  };
  const up = (): void => {
    if (choice?.pressed) pick();
  };

  return (
    <>
      <div
        ref={list}
        className="chart-bins"
        style={{ left }}
        role="listbox"
        aria-label={`Pick a ${unit} or several`}
        aria-describedby={`${id}-how`}
        aria-multiselectable
        aria-orientation="horizontal"
        aria-activedescendant={active === -1 ? undefined : `${id}-${active}`}
        tabIndex={0}
        onFocus={() => choice || moveTo(last, false)}
        onBlur={() => set(null)}
        onKeyDown={press}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => set(null)}
      >
        {bins.map((bin, index) => (
          <div
            key={bin.from}
            id={`${id}-${index}`}
            role="option"
            aria-selected={chosen.includes(bin)}
            aria-label={binWords(bin, noun, isMixed)}
            data-tip={binWords(bin, noun, isMixed)}
            className={index === active ? 'active' : undefined}
          />
        ))}
      </div>
      <p className="vh" id={`${id}-how`}>
        Left and right arrows to move, Shift to select, Enter to filter, Escape to clear
      </p>
    </>
  );
}
