import { saysNotFound } from '#src/web/api/errors.ts';
import { Link, useSearchParams } from 'react-router';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { AmountChart, drawColumns } from '#src/web/chart/AmountChart.tsx';
import { formatAmount, isZero } from '#src/shared/amount.ts';
import { type AmountChange, changeOf, changeWords, compare } from '#src/shared/money.ts';
import { isSettledStatus, knownStatus } from '#src/shared/paymentStatus.ts';
import { readChoice, withParams } from '#src/shared/searchParams.ts';
import { revealHidden, counted, numberWords, visibleCode } from '#src/shared/text.ts';
import { dayWords } from '#src/shared/createdRange.ts';
import { LoadedBack, Skeleton } from '#src/web/list/StillLoading.tsx';
import { dateOf, type Zone } from '#src/shared/time.ts';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { Select } from '#src/web/ui/Select.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { missingWords } from '#src/web/list/missingWords.ts';
import { comparedWords, flowOfAsset, searchFor } from './flowWords.ts';
import type { FlowPeriod } from '#src/shared/overview/flows.ts';
import type { HomeData } from './useHome.ts';

const PERIODS = { '1': 'Today', '7': '7 days', '30': '30 days' };
const KINDS = ['deposit', 'withdrawal'] as const;
const WORDS: Record<PaymentKind, string> = { deposit: 'Received', withdrawal: 'Sent' };

type FlowsProps = Pick<HomeData, 'lists'>;

type HomeFlow = (typeof NO_FLOWS)['flows'][number];
const NO_FLOWS: HomeData['lists'][number]['flows'][string] = {
  days: [],
  start: 0,
  end: 0,
  before: { start: 0, end: 0 },
  loaded_days: [],
  flows: [],
};

/** Reads the direction, days and asset from the URL. The server has added up their payments. */
function useFlows({ lists: [deposits, withdrawals] }: FlowsProps) {
  const zone = useZone();
  const [search, setSearch] = useSearchParams();
  const kind = readChoice(search, 'flow', KINDS) ?? 'deposit';
  const days = readChoice(search, 'days', ['1', '7', '30']) ?? '30';
  const list = kind === 'deposit' ? deposits : withdrawals;
  const period = list.flows[days] ?? NO_FLOWS;
  const { flows, loaded_days: loadedDays } = period;
  const isLoaded = list.newest !== null;
  const isWithin = isLoaded && (list.reached === null || list.reached < period.start);
  const flow = flowOfAsset(flows, search.get('asset'));
  return {
    kind,
    days,
    count: Number(days),
    zone,
    list,
    period,
    flows,
    /** The flow that the chart shows. */
    flow,
    /** Only loaded days, because earlier ones would look as if nothing had arrived. */
    loadedDays,
    sums: flow?.by_day ?? [],
    isWithin,
    isCompared: isLoaded && (list.reached === null || list.reached < period.before.start),
    waits: list.isLoading && !isWithin,
    choose: (changes: Record<string, string>) => setSearch(withParams(search, changes)),
  };
}

type FlowsState = ReturnType<typeof useFlows>;

export function Flows(props: FlowsProps) {
  const state = useFlows(props);
  const { kind, count, period, zone, list, flows, flow, loadedDays, sums, isWithin, isCompared, waits } = state;
  const { noun } = PAYMENTS[kind];
  const change = (of: HomeFlow): AmountChange | null => {
    if (!isCompared || of.before === null || (of.count === 0 && of.before === '0')) return null;
    return changeOf(of.sum, of.before);
  };
  const columns = columnsOf({ kind, count, period, zone, waits, isWithin, change, flows });
  return (
    <section className="reg" aria-label="Received and sent">
      <FlowsHead {...state} />
      {list.notOffered && list.newest === null ? (
        <p className="more">
          {saysNotFound(list.error) ? 'This provider doesn’t list' : 'Couldn’t load'} {noun.many}.{' '}
          <Link to={PAYMENTS[kind].list()}>What was sent from here</Link>
        </p>
      ) : list.newest === null && list.error !== null ? (
        <p className="more">Couldn’t load {noun.many}.</p>
      ) : (
        <>
          <ChartHead {...state} change={change} />
          <div className="h-54 px-gutter pt-2 pb-5">
            {!waits && (
              <AmountChart
                days={loadedDays}
                amounts={sums}
                label={chartWords(flow, kind, loadedDays)}
                draw={drawColumns}
              />
            )}
          </div>
          <DataTable
            label={WORDS[kind]}
            className="grid-table labelled fitted lines"
            rows={flows}
            columns={columns}
            keyOf={({ asset }) => asset ?? ''}
          />
          {!isCompared && <LoadedBack list={list} />}
        </>
      )}
    </section>
  );
}

function FlowsHead({ kind, days, choose }: FlowsState) {
  return (
    <div className="flex flex-wrap items-end gap-x-3 border-y border-rule border-b-rule-strong bg-inset px-gutter pt-1 [&_.seg]:mb-1">
      <fieldset className="mr-auto -mb-px -ml-3 flex" aria-label="Direction">
        {KINDS.map((each) => (
          <button
            key={each}
            type="button"
            className="h-9 border border-b-0 border-transparent px-3 text-ink-2 hover:text-ink aria-pressed:border-rule-strong aria-pressed:bg-sheet aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:shadow-[inset_0_3px_0_var(--color-accent)]"
            aria-pressed={each === kind}
            onClick={() => choose({ flow: each })}
          >
            {WORDS[each]}
          </button>
        ))}
      </fieldset>
      <Segmented label="Period" value={days} options={PERIODS} onChange={(next) => choose({ days: next })} />
    </div>
  );
}

/** The sum that the chart shows by day, and the choice of its asset. */
function ChartHead({
  kind,
  count,
  zone,
  list: { reached },
  period,
  flows,
  flow,
  isWithin,
  waits,
  choose,
  change,
}: FlowsState & { change: (flow: HomeFlow) => AmountChange | null }) {
  const first = isWithin || reached === null ? period.days[0] : dateOf(reached, zone);
  const since = count === 1 ? 'today' : `since ${dayWords(first ?? '')}`;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 px-gutter pt-4 pb-2">
      <div>
        <p className="sub small">
          {flow?.asset == null ? '' : `${visibleCode(flow.asset)} `}
          {WORDS[kind].toLowerCase()} {since}
          {!isWithin && !waits && ', as far as loaded'}
        </p>
        <p className="min-h-9 wrap-anywhere">
          {waits || flow === undefined ? (
            <Skeleton width="12rem" />
          ) : (
            <Amount value={flow.sum} asset={flow.asset ?? undefined} figure />
          )}
        </p>
        <p className="sub small">{flow && !waits ? heroWords(flow, change(flow), kind, count) : '\u00a0'}</p>
      </div>
      <span className="flex items-center gap-2 text-small text-ink-3">
        Chart
        <Select
          label="Asset of the chart"
          className="inline-flex h-(--control) max-w-48 rounded-sm border border-rule-strong bg-sheet px-2 text-body font-semibold text-ink hover:bg-hover"
          value={flow?.asset ?? ''}
          options={flows.map(({ asset }) => ({ value: asset ?? '', label: visibleCode(asset ?? 'no asset') }))}
          onChange={(asset) => choose({ asset })}
          isExact
        />
      </span>
    </div>
  );
}

/** "USDT received per day, 28 Oct 2026 to 26 Nov 2026, most on 25 Nov 2026: 24,999" */
function chartWords(flow: HomeFlow | undefined, kind: PaymentKind, days: readonly string[]): string {
  const { asset = null, by_day: sums = [], untimed = 0 } = flow ?? {};
  const what = `${asset === null ? '' : `${visibleCode(asset)} `}${WORDS[kind].toLowerCase()} per day`;
  const [most = '0'] = sums.toSorted((a, b) => compare(b, a));
  const span = `${dayWords(days[0] ?? '')} to ${dayWords(days.at(-1) ?? '')}`;
  if (isZero(most)) return `${what}, ${span}, none${untimed > 0 ? ' with a readable time' : ''}`;
  return `${what}, ${span}, most on ${dayWords(days[sums.indexOf(most)] ?? '')}: ${formatAmount(most)}`;
}

interface ColumnsOf {
  kind: PaymentKind;
  count: number;
  period: FlowPeriod;
  zone: Zone;
  waits: boolean;
  isWithin: boolean;
  change: (flow: HomeFlow) => AmountChange | null;
  flows: readonly HomeFlow[];
}

function columnsOf({ kind, count, period, zone, waits, isWithin, change, flows }: ColumnsOf): DataColumn<HomeFlow>[] {
  const { noun } = PAYMENTS[kind];
  /** "3 pending, 1 failed", each a link to its rows. */
  const linksOf = (asset: string | null, counts: HomeFlow['others'], words?: (count: number) => string) =>
    counts.map(({ status, count: rows }, at) => (
      <span key={status}>
        {at > 0 && ', '}
        <To kind={kind} search={searchFor({ status, asset }, period, zone)}>
          {words?.(rows) ??
            `${numberWords(rows)} ${knownStatus(status)?.word.toLowerCase() ?? revealHidden(status ?? 'no status')}`}
        </To>
      </span>
    ));
  return [
    {
      name: 'Asset',
      isHead: true,
      className: 'asset',
      cell: ({ asset }) => (asset === null ? 'no asset' : <UntrustedText code value={asset} max={24} brief />),
    },
    {
      name: 'Completed',
      className: 'cnt',
      cell: ({ asset, done, untimed }) => {
        if (waits) return <Skeleton width="4rem" />;
        if (done.length === 0) {
          const none = untimed > 0 ? 'none with a readable time' : 'none';
          return <span className="dim">{isWithin ? none : 'none loaded'}</span>;
        }
        const isPlain = done.length === 1 && isSettledStatus(done[0]?.status);
        return (
          <>
            {!isWithin && <span className="dim">at least </span>}
            {linksOf(asset, done, isPlain ? (count) => counted(count, noun.one, noun.many) : undefined)}
          </>
        );
      },
    },
    {
      // Yesterday counts only up to this time of day, because today isn't over.
      name: count === 1 ? 'vs yesterday' : `vs previous ${count} days`,
      className: 'chg',
      cell: (flow) => {
        const found = change(flow);
        return found && changeWords(found);
      },
    },
    {
      name: 'Not completed',
      className: 'iss',
      cell: ({ asset, others }) => linksOf(asset, others),
    },
    {
      name: WORDS[kind],
      className: 'cash',
      style: { '--int': integerWidth(flows.map(({ sum }) => sum)).css },
      cell: ({ asset, sum, ...flow }) =>
        waits ? (
          <Skeleton width="7rem" />
        ) : (
          <>
            {!isWithin && <span className="dim">at least </span>}
            <Amount value={sum} asset={asset ?? undefined} />
            {missingWords(flow) !== '' && <span className="font-semibold text-alarm"> {missingWords(flow)}</span>}
          </>
        ),
    },
  ];
}

function heroWords(flow: HomeFlow, change: AmountChange | null, kind: PaymentKind, days: number): string {
  const { one, many } = PAYMENTS[kind].noun;
  const missing = missingWords(flow);
  return `${counted(flow.count, one, many)}${missing && `, ${missing}`}${change === null ? '' : `, ${comparedWords(change, days)}`}`;
}

function To({ search, kind, children }: { search: string | null; kind: PaymentKind; children: React.ReactNode }) {
  return search === null ? children : <Link to={PAYMENTS[kind].list(search)}>{children}</Link>;
}
