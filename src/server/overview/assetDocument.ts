import type { AssetOverview, InProgress, SwapLeg } from '#src/shared/contract/overviewContract.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { isAmount } from '#src/shared/amount.ts';
import { sourceOf } from '#src/shared/ledgerSource.ts';
import { sum } from '#src/shared/money.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { closingBalances, daysBack, movedByDay } from '#src/shared/overview/balanceLine.ts';
import { equalsLedger, monthsOf, upToDate, withStatements } from '#src/shared/overview/months.ts';
import { eachPaymentOnce, type StatusRead } from '#src/shared/overview/openPayments.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { statementLineOf } from '#src/shared/statement/ledgerMoves.ts';
import { seriesZone } from '#src/shared/statement/seriesZone.ts';
import { createPairs } from '#src/shared/statement/swapPairs.ts';
import { dateOf, isPlausibleTime, sortableTime, type Zone, zoneName } from '#src/shared/time.ts';
import type { AssetReading } from './assetReading.ts';
import type { AssetSnapshot } from './overviews.ts';
import { PAYMENT_KINDS } from './providerLists.ts';
import { reachOf } from './reach.ts';

/** Days in the chart. */
const CHART_DAYS = 90;
const NEWEST = 10;
const CHAINS_MAX = 20;

interface AssetDocument {
  asset: string;
  closed: readonly ClosedPeriod[];
  /** Time zone of days and months. */
  zone: Zone;
}

export function assetOverviewOf(snapshot: AssetSnapshot, { asset, closed, zone }: AssetDocument): AssetOverview {
  const { reading, isReading, limited } = snapshot;
  const { ledger } = reading;
  // Months are those of the statements, even if times are shown in another zone.
  const monthZone = closed.length > 0 ? seriesZone(closed) : zone;
  const rows = PAYMENT_KINDS.flatMap((kind) => reading.lists[kind].back.rows() ?? []);
  return {
    object: 'asset-overview',
    is_reading: isReading,
    retry_at: limited?.retry_at ?? null,
    chains: [...new Set(rows.flatMap(({ chain }) => chain ?? []))].slice(0, CHAINS_MAX),
    deposits: paymentsOf(snapshot, 'deposit'),
    withdrawals: paymentsOf(snapshot, 'withdrawal'),
    ...historyOf(reading, { asset, closed, zone, monthZone }),
    ledger: {
      ...reachOf(ledger, isReading),
      matches: matchesLedger(snapshot),
      newest_swaps: newest(swapsIn(ledger.back.rows() ?? [], reading.legs())),
    },
    month_zone: zoneName(monthZone),
  };
}

function paymentsOf({ reading, isReading }: AssetSnapshot, kind: PaymentKind): AssetOverview['deposits'] {
  const list = reading.lists[kind];
  return {
    ...reachOf(list, isReading),
    newest: newest(list.back.rows() ?? []),
    in_progress: list.open && inProgressOf(list.open),
  };
}

function newest<T extends { created_at?: unknown }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => sortableTime(b.created_at) - sortableTime(a.created_at)).slice(0, NEWEST);
}

function inProgressOf(reads: readonly StatusRead[]): InProgress | null {
  // All statuses refused: the error isn't about one status.
  if (reads.every(({ refusal }) => refusal !== null)) return null;
  const open = eachPaymentOnce(reads).filter(({ status }) => toneOf(status) === 'motion');
  const amounts = open.map(({ amount }) => amount).filter(isAmount);
  const times = open.map(({ created_at: at }) => at).filter(isPlausibleTime);
  return {
    count: open.length,
    sum: sum(amounts),
    is_all: reads.every(({ partly, readTo }) => partly === null && readTo === null),
    are_readable: amounts.length === open.length,
    statuses: [...new Set(open.map(({ status }) => status))],
    latest_at: times.length === open.length && times.length > 0 ? Math.max(...times) : null,
    only: open.length === 1 ? (open[0] ?? null) : null,
  };
}

interface Zones extends AssetDocument {
  monthZone: Zone;
}

type History = Pick<AssetOverview, 'total' | 'days' | 'closings' | 'months'>;

/** Balances of past days and months, counted back with the ledger from the balance that was read before it. */
function historyOf(reading: AssetReading, { asset, closed, zone, monthZone }: Zones): History {
  const { back } = reading.ledger;
  const [read, entries, reached] = [reading.balance(), back.rows(), back.reached()];
  const total = read?.balance.total;
  if (read === null || !isAmount(total)) return { total: null, days: [], closings: null, months: null };
  const now = read.date ?? read.readAt;
  const days = daysBack(dateOf(now, zone), CHART_DAYS, reached, zone);
  if (entries === null) return { total, days, closings: null, months: null };
  const latest = upToDate({ total, changedAt: read.balance.updated_at }, { entries, reached });
  const moved = movedByDay(entries, zone);
  const fees = new Map(
    reading.lists.withdrawal.back.rows()?.map(({ id, fee }) => [id, typeof fee === 'string' ? fee : null]),
  );
  const months = monthsOf({
    entries,
    legs: reading.legs(),
    total: latest,
    now,
    zone: monthZone,
    reached,
    feeOf: (id) => fees.get(id) ?? null,
  });
  return {
    total,
    days,
    closings: moved && closingBalances(moved, latest, days),
    months: months && withStatements(months, { closed, asset, zone: monthZone }),
  };
}

function matchesLedger({ reading, isReading }: AssetSnapshot): boolean | null {
  const total = reading.balance()?.balance.total;
  const { back } = reading.ledger;
  const entries = back.rows();
  if (entries === null || (isReading && back.hasFurther()) || !isAmount(total)) return null;
  return equalsLedger({ entries, total, reached: back.reached() });
}

/** Legs of swaps, with the other asset if known. */
function swapsIn(entries: readonly LedgerEntryRow[], legs: readonly LedgerEntryRow[]): SwapLeg[] {
  const pairs = createPairs();
  for (const entry of [...entries, ...legs]) pairs.add(entry);
  return entries.flatMap((entry) => {
    const line = statementLineOf(entry);
    const pair = pairs.of(sourceOf(entry));
    if (line !== 'swaps' && (line !== null || pair === null)) return [];
    const { id, asset, amount, created_at } = entry;
    const other = pair?.out.id === id ? pair.in.asset : pair?.out.asset;
    return { kind: 'swap' as const, id, asset, amount, created_at, other: other ?? null };
  });
}
