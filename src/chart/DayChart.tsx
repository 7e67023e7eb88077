import { RefreshCw, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import { ANY_TIME, boundsOfDays, type DayRange } from '#src/list/createdRange.ts';
import type { PageFilters } from '#src/list/filters/listFilters.tsx';
import type { FilterState } from '#src/list/filters/useFilters.ts';
import { Button, IconButton } from '#src/ui/Button.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { seriesOf, spanOf } from './bins.ts';
import './chart.css';
import { CountFailed } from './CountFailed.tsx';
import { leftOutWords, progressWords, titleWords } from './countWords.ts';
import { DayTable } from './DayTable.tsx';
import { Legend } from './Legend.tsx';
import { Picture } from './Picture.tsx';
import { unitFor } from './calendar.ts';
import { useWidth } from './useWidth.ts';
import { type Counting, type CountSource, useCounts } from './useCounts.ts';

interface DayChartProps {
  source: CountSource;
  state: FilterState<PageFilters>;
}

/** The least room for a stroke with its gap, px. */
const PITCH_MIN = 6;
/** A figure of the axis, px. */
const FIGURE = 7;

/** Rows per day and asset of the filters, as far as they were read; a day that is picked becomes the filter. */
export function DayChart({ source, state: { filters, change } }: DayChartProps) {
  const zone = useZone();
  const { noun } = source;
  const counting = useCounts(source, filters);
  const { counted, former, running, error } = counting;
  const [said, setSaid] = useState('');
  const [table, setTable] = useState(false);
  const title = useRef<HTMLHeadingElement>(null);
  const series = seriesOf(counted);
  const span = spanOf(counted);
  const picture = useRef<HTMLDivElement>(null);
  const width = useWidth(picture);
  const axis = 10 + FIGURE * String(counted.rows).length;
  const unit = span && width > 0 ? unitFor(span, Math.max(1, Math.floor((width - axis) / PITCH_MIN))) : 'day';
  const dated = filters.created_after !== undefined || filters.created_before !== undefined;
  const pick = (days: DayRange) => change({ ...ANY_TIME, ...boundsOfDays(days, zone) });
  const leftOut = former ? '' : leftOutWords(counted, noun);
  return (
    <section className="day-chart" aria-label={titleWords(noun, unit)} aria-busy={running}>
      <div className="chart-words">
        <div className="chart-title">
          <h2 ref={title} tabIndex={-1}>
            {titleWords(noun, unit)}
          </h2>
          <Actions counting={counting} />
        </div>
        <output className="chart-scope" aria-live="off">
          {said || (former || (running && counted.pages === 0) ? 'Reading the first of them' : progressWords(counted))}
        </output>
      </div>
      <div className="chart-picture" ref={picture}>
        {span && width > axis && (
          <Picture
            counted={counted}
            series={series}
            span={span}
            unit={unit}
            noun={noun}
            width={width}
            axis={axis}
            former={former}
            onSay={setSaid}
            onPick={pick}
          />
        )}
      </div>
      <div className="chart-side">
        {span && <Legend series={series} />}
        <div className="chart-ways">
          {span && (
            <Button size="small" variant="quiet" onClick={() => setTable(true)}>
              As a table
            </Button>
          )}
          {dated && (
            <Button
              size="small"
              variant="quiet"
              onClick={() => {
                change(ANY_TIME);
                title.current?.focus();
              }}
            >
              Clear dates
            </Button>
          )}
          <IconButton label="Count again" onClick={counting.again} aria-busy={running}>
            <RefreshCw className="icon-s" aria-hidden />
          </IconButton>
        </div>
      </div>
      {leftOut !== '' && <p className="chart-note">{leftOut}</p>}
      {counted.reason !== null && !former && <p className="chart-note">{counted.reason}</p>}
      {error !== null && <CountFailed error={error} />}
      {table && span && (
        <DayTable counted={counted} series={series} span={span} noun={noun} onClose={() => setTable(false)} />
      )}
    </section>
  );
}

/** Stop while it reads, then what reads on: the same place in the page, so that a hand on it finds the next one. */
function Actions({ counting: { counted, former, running, error, readOn, retry, stop } }: { counting: Counting }) {
  if (running) {
    return (
      <Button size="small" onClick={stop}>
        Stop
      </Button>
    );
  }
  if (error !== null) {
    return (
      <Button size="small" icon={<RotateCw className="icon-s" aria-hidden />} onClick={retry}>
        Retry
      </Button>
    );
  }
  if (former || counted.end !== 'more') return null;
  return (
    <Button size="small" onClick={readOn}>
      Read on
    </Button>
  );
}
