import { LockKeyhole } from 'lucide-react';
import type { LedgerMonth } from '#src/shared/contract/overviewContract.ts';
import { visibleCode } from '#src/shared/text.ts';
import { Link } from 'react-router';
import { AmountChart, type Plotted } from '#src/web/chart/AmountChart.tsx';
import { formatAmount, isZero } from '#src/shared/amount.ts';
import { compare } from '#src/shared/money.ts';
import { paths } from '#src/shared/paths.ts';
import { withParams } from '#src/shared/searchParams.ts';
import { dateOf, type Zone, zoneNamed } from '#src/shared/time.ts';
import { boundsOfDays, dayWords } from '#src/shared/createdRange.ts';
import type { useAssetOverview } from '#src/web/api/assetOverview.ts';
import { readProgressOf, noReadProgress } from '#src/web/api/sharedReading.ts';
import { LoadedBack } from '#src/web/list/StillLoading.tsx';
import { ErrorLine } from '#src/web/list/StaleBar.tsx';
import { type StatementLine, STATEMENT_LINES } from '#src/shared/statement/ledgerMoves.ts';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { StepLine } from '#src/web/chart/balanceLine.tsx';

/** Days that the chart shows once the ledger is read that far. */
const CHART_DAYS = 90;

interface AssetHistoryProps {
  asset: string;
  overview: ReturnType<typeof useAssetOverview>;
  now: number;
}

export function AssetHistory({ asset, overview, now }: AssetHistoryProps) {
  const zone = useZone();
  const { data, isFetching, refresh, loadMore } = overview;
  const ledger = data ? readProgressOf(data.ledger) : noReadProgress(overview.error);
  const { meta, isLoading, notOffered, error } = ledger;
  const { days = [], closings = null, months = null } = data ?? {};
  // Months are in the time zone of the statements, not in the one that the person chose.
  const monthZone = zoneNamed(data?.month_zone ?? '') ?? 'utc';
  if (notOffered)
    return <p className="more px-gutter">This provider has no ledger, so the balance over time can’t be shown.</p>;
  if (meta === null && error)
    return (
      <p className="more px-gutter">
        The ledger didn’t load: <ErrorLine error={error} />{' '}
        <Button size="small" onClick={refresh}>
          Retry
        </Button>
      </p>
    );
  const isWhole = days.length === CHART_DAYS;
  return (
    <>
      <section className="reg" aria-label="Balance over time">
        <div className="reg-h">
          <h2>
            Balance, {isWhole || isLoading ? `${CHART_DAYS} days` : `since ${dayWords(days[0] ?? dateOf(now, zone))}`}
          </h2>
          <span>closing balance of each day, {zone === 'utc' ? 'UTC' : 'local time'}</span>
        </div>
        <div className="h-53 px-gutter pt-3">
          {closings && !isLoading && (
            <AmountChart days={days} amounts={closings} label={lineWords(days, closings, asset)} draw={drawLine} />
          )}
        </div>
      </section>
      <section className="reg" aria-label="Months">
        {months && months.length > 0 && (
          <DataTable
            label="Months"
            className="grid-table labelled fitted months"
            rows={months}
            columns={columnsOf(months, asset, monthZone)}
            keyOf={({ month }) => month}
          />
        )}
        {meta !== null && data?.total !== null && months === null && (
          <p className="more">An entry of the ledger has no readable amount or time, so months can’t be added up.</p>
        )}
        <LoadedBack list={{ ...ledger, isFetching, loadMore }} what="Ledger loaded" />
        {months?.some(({ fees_unknown }) => fees_unknown) && (
          <p className="more dim">Unknown fees are included in Withdrawals.</p>
        )}
      </section>
    </>
  );
}

function drawLine({ left, width, base, top, heights }: Plotted) {
  return <StepLine heights={heights} width={width} height={base} left={left} top={top} area />;
}

function lineWords(days: readonly string[], closings: readonly string[], asset: string): string {
  const [first = '0', last = '0'] = [closings[0], closings.at(-1)].map((amount) => formatAmount(amount ?? '0'));
  const sorted = closings.toSorted(compare);
  const [least = '0', most = '0'] = [sorted[0], sorted.at(-1)].map((amount) => formatAmount(amount ?? '0'));
  return `${visibleCode(asset)} balance over ${days.length} days, from ${first} to ${last}, between ${least} and ${most}`;
}

const MOVED: Record<StatementLine, { head: string; to: (search: URLSearchParams) => string }> = {
  deposits: { head: 'Deposits', to: paths.deposits },
  withdrawals: { head: 'Withdrawals', to: paths.withdrawals },
  swaps: { head: 'Swaps', to: paths.ledger },
  fees: { head: 'Fees', to: paths.withdrawals },
  other: { head: 'Other', to: paths.ledger },
};

/** The table's columns, without those that are empty in every month. */
function columnsOf(months: readonly LedgerMonth[], asset: string, zone: Zone): DataColumn<LedgerMonth>[] {
  const moves = STATEMENT_LINES.filter(
    (move) => (move !== 'swaps' && move !== 'other') || months.some((month) => !isZero(month[move])),
  );
  const width = (field: StatementLine | 'opening' | 'adjustments' | 'closing') => ({
    '--int': integerWidth(months.map((month) => month[field])).css,
  });
  const search = (month: Pick<LedgerMonth, 'from' | 'to'>) =>
    withParams(new URLSearchParams({ asset }), { ...boundsOfDays({ from: month.from, to: month.to }, zone) });
  return [
    {
      name: 'Month',
      head: <h2>Months</h2>,
      isHead: true,
      cell: ({ month, to, is_closed, ...days }) => (
        <>
          {is_closed ? (
            <Link className="ql whitespace-nowrap" to={`${paths.monthClose}?${search({ to, ...days })}`}>
              {monthWords(month)} <LockKeyhole className="icon-s" role="img" aria-label="closed" />
            </Link>
          ) : (
            monthWords(month)
          )}
          {months[0]?.month === month && to === months[0].to && <span className="dim font-normal"> so far</span>}
        </>
      ),
    },
    {
      name: 'Opening',
      style: width('opening'),
      cell: ({ opening }) => <Amount value={opening} />,
    },
    ...moves.map((move): DataColumn<LedgerMonth> => ({
      name: MOVED[move].head,
      style: width(move),
      cell: (month) =>
        isZero(month[move]) ? (
          <Amount value={month[move]} />
        ) : (
          <Link className="ql" to={MOVED[move].to(search(month))}>
            <Amount value={month[move]} signed />
          </Link>
        ),
    })),
    ...(months.some(({ adjustments }) => !isZero(adjustments))
      ? [
          {
            name: 'Adjustments',
            style: width('adjustments'),
            cell: ({ adjustments }: LedgerMonth) => <Amount value={adjustments} signed />,
          },
        ]
      : []),
    {
      name: 'Closing',
      className: 'cash',
      style: width('closing'),
      cell: (month) => (
        <Link className="ql" to={paths.ledger(search(month))}>
          <Amount value={month.closing} />
        </Link>
      ),
    },
  ];
}

/** "Nov", or "Dec 2025" if not in this year. */
function monthWords(month: string): string {
  const [, name = '', year = ''] = dayWords(`${month}-01`).split(' ');
  return `${name} ${year}`;
}
