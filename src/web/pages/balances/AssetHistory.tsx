import { LockKeyhole } from 'lucide-react';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { visibleCode } from '#src/shared/text.ts';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { AmountChart, type Plotted } from '#src/web/chart/AmountChart.tsx';
import { formatAmount, isZero } from '#src/shared/amount.ts';
import { compare } from '#src/shared/money.ts';
import { paths } from '#src/shared/paths.ts';
import { withParams } from '#src/shared/searchParams.ts';
import { dateOf, type Zone } from '#src/shared/time.ts';
import { boundsOfDays, dayWords } from '#src/shared/createdRange.ts';
import { useTeam } from '#src/web/api/team.ts';
import { seriesZone } from '#src/shared/statement/seriesZone.ts';
import { LoadedBack } from '#src/web/list/StillLoading.tsx';
import { ErrorLine } from '#src/web/list/StaleBar.tsx';
import { type Move, MOVES } from '#src/shared/statement/ledgerMoves.ts';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { type LedgerMonth, monthsOf, type BalanceSnapshot, upToDate, withStatements } from './months.ts';
import { type AssetData, CHART_DAYS } from './useAsset.ts';
import { closingBalances, daysBack, movedByDay } from '#src/shared/overview/balanceLine.ts';
import { StepLine } from '#src/web/chart/balanceLine.tsx';

interface AssetHistoryProps extends Pick<AssetData, 'ledger' | 'legs' | 'withdrawals'> {
  asset: string;
  snapshot: BalanceSnapshot;
  now: number;
}

export function AssetHistory({ asset, snapshot, now, ledger, legs, withdrawals }: AssetHistoryProps) {
  const zone = useZone();
  const { rows, reached, isLoading, notOffered, error } = ledger;
  const paid = withdrawals.back.rows;
  const of = useSnapshotOf(ledger, snapshot);
  const total = useMemo(() => upToDate(of, { entries: rows ?? [], reached }), [of, rows, reached]);
  const today = dateOf(now, zone);
  const days = useMemo(() => daysBack(today, CHART_DAYS, reached, zone), [today, reached, zone]);
  const closings = useMemo(() => {
    const moved = rows && movedByDay(rows, zone);
    return moved && closingBalances(moved, total, days);
  }, [rows, total, days, zone]);
  const { closed, isLoading: closedLoading, error: closedError } = useClosedPeriods();
  // The months of the statements, whatever the times on screen.
  const monthZone = closed.length > 0 ? seriesZone(closed) : zone;
  const months = useMemo(() => {
    const fees = new Map((paid ?? []).map(({ id, fee }) => [id, typeof fee === 'string' ? fee : null]));
    const feeOf = (id: string) => fees.get(id) ?? null;
    const live = rows && monthsOf({ entries: rows, legs, total, now, zone: monthZone, reached, feeOf });
    return live && withStatements(live, { closed, asset, zone: monthZone });
  }, [rows, legs, paid, total, now, monthZone, reached, closed, asset]);
  if (notOffered)
    return <p className="more px-gutter">This provider has no ledger, so the balance over time can’t be shown.</p>;
  if (rows === null && error)
    return (
      <p className="more px-gutter">
        The ledger didn’t load: <ErrorLine error={error} />{' '}
        <Button size="small" onClick={ledger.refetch}>
          Retry
        </Button>
      </p>
    );
  const isWhole = days.length === CHART_DAYS;
  return (
    <>
      <section className="reg" aria-label="Balance over time">
        <div className="reg-h">
          <h2>Balance, {isWhole || isLoading ? `${CHART_DAYS} days` : `since ${dayWords(days[0] ?? today)}`}</h2>
          <span>closing balance of each day, {zone === 'utc' ? 'UTC' : 'local time'}</span>
        </div>
        <div className="h-53 px-gutter pt-3">
          {closings && !isLoading && (
            <AmountChart days={days} amounts={closings} label={lineWords(days, closings, asset)} draw={drawLine} />
          )}
        </div>
      </section>
      <section className="reg" aria-label="Months">
        {!closedLoading && months && months.length > 0 && (
          <DataTable
            label="Months"
            className="grid-table labelled fitted months"
            rows={months}
            columns={columnsOf(months, asset, monthZone)}
            keyOf={({ month }) => month}
          />
        )}
        {rows !== null && months === null && (
          <p className="more">An entry of the ledger has no readable amount or time, so months can’t be added up.</p>
        )}
        {closedError !== null && (
          <p className="more">
            Closed periods didn’t load, so a closed month may differ from its statement:{' '}
            <ErrorLine error={closedError} />
          </p>
        )}
        <LoadedBack list={ledger} what="Ledger loaded" />
        {months?.some(({ feesUnknown }) => feesUnknown) && (
          <p className="more dim">Unknown fees are included in Withdrawals.</p>
        )}
      </section>
    </>
  );
}

const NONE_CLOSED: readonly ClosedPeriod[] = [];

function useClosedPeriods() {
  const { data, error, isPending } = useTeam('closed-periods');
  const closed = useMemo(() => data?.items.map(({ value }) => value) ?? NONE_CLOSED, [data]);
  return { closed, isLoading: isPending, error: data ? null : error };
}

/** The snapshot from when the ledger was loaded: with a newer one every closing would be off by what moved in between. */
function useSnapshotOf({ meta, refetch }: AssetData['ledger'], snapshot: BalanceSnapshot): BalanceSnapshot {
  const [kept, setKept] = useState({ meta, snapshot });
  if (kept.meta !== meta) setKept({ meta, snapshot });
  const isOlder = meta !== null && kept.snapshot.total !== snapshot.total;
  const { total } = snapshot;
  const follow = useEffectEvent((_total: string) => refetch());
  useEffect(() => {
    if (isOlder) follow(total);
  }, [isOlder, total]);
  return kept.snapshot;
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

const MOVED: Record<Move, { head: string; to: (search: URLSearchParams) => string }> = {
  deposits: { head: 'Deposits', to: paths.deposits },
  withdrawals: { head: 'Withdrawals', to: paths.withdrawals },
  swaps: { head: 'Swaps', to: paths.ledger },
  fees: { head: 'Fees', to: paths.withdrawals },
  other: { head: 'Other', to: paths.ledger },
};

/** The table's columns, without those that are empty in every month. */
function columnsOf(months: readonly LedgerMonth[], asset: string, zone: Zone): DataColumn<LedgerMonth>[] {
  const moves = MOVES.filter(
    (move) => (move !== 'swaps' && move !== 'other') || months.some((month) => !isZero(month[move])),
  );
  const width = (field: Move | 'opening' | 'adjustments' | 'closing') => ({
    '--int': integerWidth(months.map((month) => month[field])).css,
  });
  const search = (month: Pick<LedgerMonth, 'from' | 'to'>) =>
    withParams(new URLSearchParams({ asset }), { ...boundsOfDays({ from: month.from, to: month.to }, zone) });
  return [
    {
      name: 'Month',
      head: <h2>Months</h2>,
      isHead: true,
      cell: ({ month, to, isClosed, ...days }) => (
        <>
          {isClosed ? (
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
