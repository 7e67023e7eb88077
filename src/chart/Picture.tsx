import type { Noun } from '#src/lib/count.ts';
import type { DayRange } from '#src/list/createdRange.ts';
import { binsOf, gridOf, type Series } from './bins.ts';
import { BinPicker } from './BinPicker.tsx';
import type { Unit } from './calendar.ts';
import type { Counted } from './counted.ts';
import { summaryWords } from './countWords.ts';
import { Plot } from './Plot.tsx';

interface PictureProps {
  counted: Counted;
  series: readonly Series[];
  span: DayRange;
  unit: Unit;
  noun: Noun;
  width: number;
  /** Room for the figures of the axis. */
  axis: number;
  /** Of the filters before: to be looked at, not to be picked from. */
  former: boolean;
  /** Says which days are under the hand; empty for none. */
  onSay: (words: string) => void;
  onPick: (days: DayRange) => void;
}

/** The chart itself: strokes, and under them what makes them days to pick. */
export function Picture({ counted, series, span, unit, noun, width, axis, former, onSay, onPick }: PictureProps) {
  const bins = binsOf(counted, series, span, unit);
  const grid = gridOf(Math.max(0, ...bins.map(({ rows }) => rows)));
  return (
    <div className={former ? 'contents former' : 'contents'}>
      <BinPicker
        bins={bins}
        series={series}
        unit={unit}
        noun={noun}
        left={axis}
        onSay={onSay}
        onPick={(days) => former || onPick(days)}
      />
      <Plot bins={bins} unit={unit} grid={grid} left={axis} width={width} summary={summaryWords(bins, unit, noun)} />
    </div>
  );
}
