import { RefreshCw, RotateCw } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { describeError } from '#src/web/api/errors.ts';
import { ANY_TIME, boundsOfDays, type DayRange } from '#src/shared/createdRange.ts';
import { ErrorLine } from '#src/web/list/StaleBar.tsx';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import type { FilterState } from '#src/web/list/filters/useFilters.ts';
import { zoneName } from '#src/shared/time.ts';
import { capital, compareWords, type Noun, revealHidden, visibleCode } from '#src/shared/text.ts';
import { useAmountsHidden } from '#src/web/ui/Amount.tsx';
import { Button, IconButton } from '#src/web/ui/Button.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { Select } from '#src/web/ui/Select.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { assetsByRowCount, binsOf, measure, type Measure, spanOf } from './bins.ts';
import { BinPicker, Plot } from './Plot.tsx';
import { type Unit, unitFor, UNITS } from './calendar.ts';
import './chart.css';
import { leftOutWords, loadedWords, summaryWords, titleWords } from './countWords.ts';
import type { Counted } from './counted.ts';
import { DayTable } from './DayTable.tsx';
import { Figures } from './Figures.tsx';
import { RecipientChart } from './RecipientChart.tsx';
import { useWidth } from './axis.tsx';
import { type Counting, type CountSource, useCounts } from './useCounts.ts';

export interface DayChartProps {
  source: CountSource;
  state: FilterState<PageFilters>;
}

/** Least width of a bar with its gap, px. */
const PITCH_MIN = 6;
/** Width reserved for the numbers of the axis, px. */
const AXIS = 64;
const PER = { day: 'Day', week: 'Week', month: 'Month' };
const PER_RECIPIENT = { ...PER, recipient: 'By recipient' };

interface Choice {
  measure?: Measure['kind'];
  asset?: string;
  per?: Unit | 'recipient';
}

/** The part of the count that the chart shows: the days, the finest unit that fits, the measure. */
function useChart(counted: Counted, width: number) {
  const [chosen, setChosen] = useState<Choice>({});
  // Memoized: each adds up all days, and the chart renders whenever the pointer moves over it.
  const span = useMemo(() => spanOf(counted), [counted]);
  const finest = span && width > AXIS ? unitFor(span, Math.max(1, Math.floor((width - AXIS) / PITCH_MIN))) : 'day';
  const byRecipient = chosen.per === 'recipient';
  const wanted = chosen.per === undefined || chosen.per === 'recipient' ? 'day' : chosen.per;
  // With a finer unit than fits, the bars could not be told apart.
  const unit = UNITS.indexOf(wanted) < UNITS.indexOf(finest) ? finest : wanted;
  const assets = useMemo(() => (span ? assetsByRowCount(counted, span).map(([each]) => each) : []), [counted, span]);
  const asset = assets.find((each) => each === chosen.asset) ?? assets[0];
  const isCount = chosen.measure === 'count' || asset === undefined;
  const what = useMemo((): Measure => (isCount ? { kind: 'count' } : { kind: 'amount', asset }), [isCount, asset]);
  const bins = useMemo(() => (span ? binsOf(counted, span, unit) : []), [counted, span, unit]);
  const measured = useMemo(() => span && measure(counted, bins, span, what), [counted, bins, span, what]);
  const isHidden = useAmountsHidden() && what.kind === 'amount';
  const choose = (next: Choice) => setChosen({ ...chosen, ...next });
  return { span, unit, byRecipient, assets, what, bins, measured, isHidden, choose };
}

type Chart = ReturnType<typeof useChart>;

export function DayChart({ source, state: { filters, change } }: DayChartProps) {
  const zone = useZone();
  const { noun } = source;
  const counting = useCounts(source, filters);
  const { counted, former, running, error } = counting;
  const [said, setSaid] = useState('');
  const [table, setTable] = useState(false);
  const picture = useRef<HTMLDivElement>(null);
  const width = useWidth(picture);
  const chart = useChart(counted, width);
  const { span, unit, byRecipient, what, measured } = chart;
  const pick = (days: DayRange) => !former && change({ ...ANY_TIME, ...boundsOfDays(days, zone) });
  const leftOut = former ? '' : leftOutWords(counted, noun);
  const title = byRecipient ? `${capital(noun.many)} by recipient` : titleWords(noun, unit);
  return (
    <section className="day-chart" aria-label={title} aria-busy={running}>
      <div className="grid content-start [&_.figure]:wrap-anywhere">
        {span && measured ? (
          <Figures {...{ counted, measured, what, span, unit, noun }} at={source.at} />
        ) : (
          <p className="text-label text-ink-3">{running ? 'Loading…' : `No ${noun.many} in this period.`}</p>
        )}
        <p className="-ml-2 flex flex-wrap items-center print:hidden">
          {span && !byRecipient && (
            <Button size="small" variant="quiet" onClick={() => setTable(true)}>
              As a table
            </Button>
          )}
          <Actions counting={counting} />
          <IconButton label="Refresh chart" onClick={counting.again} aria-busy={running}>
            <RefreshCw className="icon-s" aria-hidden />
          </IconButton>
        </p>
      </div>
      <div className="narrow:hidden">
        <Controls {...chart} source={source} said={said} />
        <div className={`relative h-33 min-w-0 ${former ? '*:opacity-50' : ''}`} ref={picture}>
          <Picture {...chart} {...{ counted, noun, width, title }} onSay={setSaid} onPick={pick} />
        </div>
      </div>
      <p className="col-span-full text-label wrap-anywhere text-ink-2">
        {former || (running && counted.pages === 0) ? 'Loading…' : loadedWords(counted)}
        {leftOut !== '' && `. ${leftOut}`}
        {counted.reason !== null && !former && `. ${counted.reason}`}
      </p>
      {error !== null && <CountFailed error={error} />}
      {table && span && <DayTable {...{ counted, what, span, noun }} onClose={() => setTable(false)} />}
    </section>
  );
}

/** The chart's description, and the choices of measure and unit. */
function Controls({
  source,
  said,
  unit,
  byRecipient,
  assets,
  what,
  isHidden,
  choose,
}: Chart & { source: CountSource; said: string }) {
  const zone = useZone();
  const whatWords = what.kind === 'amount' ? visibleCode(what.asset).slice(0, 20) : source.noun.many;
  const perWords = byRecipient ? 'by recipient' : `a ${unit}, ${zoneName(zone)}`;
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-2 gap-y-1 text-label text-ink-3 [&_output]:mr-auto">
      <output aria-live="off">{said || `${whatWords} ${perWords}${isHidden ? ': hidden, as amounts are' : ''}`}</output>
      {assets.length > 1 && what.kind === 'amount' && (
        <Select
          label="Asset of the chart"
          className="inline-flex h-6 max-w-32 rounded-sm border border-rule-strong bg-sheet px-1.5 text-ink hover:bg-hover pointer-coarse:h-8"
          value={what.asset}
          options={assets.toSorted(compareWords).map((each) => ({
            value: each,
            label: each === '' ? 'no asset' : revealHidden(each).slice(0, 20),
          }))}
          onChange={(asset) => choose({ asset })}
          isExact
        />
      )}
      <Segmented
        label="Measure"
        value={what.kind}
        options={{ amount: 'Amount', count: 'Count' }}
        onChange={(measure) => choose({ measure })}
      />
      <Segmented
        label="Per"
        value={byRecipient ? 'recipient' : unit === 'year' ? 'month' : unit}
        options={source.recipientOf ? PER_RECIPIENT : PER}
        onChange={(per) => choose({ per })}
      />
    </div>
  );
}

interface PictureProps extends Chart {
  counted: Counted;
  noun: Noun;
  width: number;
  title: string;
  onSay: (words: string) => void;
  onPick: (days: DayRange) => void;
}

function Picture(props: PictureProps) {
  const { counted, noun, width, title, byRecipient, bins, measured, unit, assets, what, isHidden, onSay, onPick } =
    props;
  if (!measured) return null;
  if (byRecipient) return !isHidden && <RecipientChart counted={counted} what={what} label={title} />;
  if (width <= AXIS) return null;
  return (
    <>
      <BinPicker {...{ bins, unit, noun, onSay, onPick }} isMixed={assets.length > 1} left={AXIS} />
      {!isHidden && <Plot {...{ bins, measured, unit, width }} left={AXIS} summary={summaryWords(bins, unit, noun)} />}
    </>
  );
}

/** "Stop" while loading, then "Retry" or "Load all": in the same place, so that the pointer is already on the next button. */
function Actions({ counting: { counted, former, running, error, readOn, retry, stop } }: { counting: Counting }) {
  if (running) {
    return (
      <Button size="small" variant="quiet" onClick={stop}>
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
    <Button size="small" variant="quiet" onClick={readOn}>
      Load all
    </Button>
  );
}

function CountFailed({ error }: { error: unknown }) {
  const { waitUntil } = describeError(error);
  return (
    <p className="col-span-full text-label wrap-anywhere text-alarm" role="alert">
      Stopped early; totals are partial. <ErrorLine error={error} />
      {waitUntil !== null && (
        <>
          {' '}
          The provider asks to wait until <Time unix={waitUntil} />.
        </>
      )}
    </p>
  );
}
