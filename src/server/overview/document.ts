import { isPlausibleTime, sortableTime, type Zone } from '#src/shared/time.ts';
import type { KnownAddressList, Overview, OverviewPayments } from '#src/shared/contract/overviewContract.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { listedUses, type AddressUse } from '#src/shared/operations/knownAddresses.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { movedByDay } from '#src/shared/overview/balanceLine.ts';
import { flowsOf, loadedDaysOf, periodOf, sumsByDay } from '#src/shared/overview/flows.ts';
import { FAILED_DAYS, type OpenPayments } from '#src/shared/overview/openPayments.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { STUCK_AFTER_MIN } from '#src/shared/overview/paymentStanding.ts';
import type { AccountReading } from './accountReading.ts';
import type { AccountSnapshot } from './overviews.ts';
import { PAYMENT_KINDS } from './providerLists.ts';
import { isMeasuring, ledgerFacts, openOf, rowsOf } from './paymentFacts.ts';
import { reachOf } from './reach.ts';

// Limits of the document. What exceeds a limit is marked as partial.
const NEWEST = 10;
const RECENT = 300;
const OPEN_MAX = 150;
const FAILED_MAX = 150;
const ASSETS_MAX = 60;
const WORDS_MAX = 100;
const MALFORMED_MAX = 20;
const USUAL_MAX = 200;
const USES_MAX = 300;
const OLDER_MAX = 500;
/** Most assets whose movements Home draws or lists. */
const HELD_ASSETS = 12;
const PERIODS = [1, 7, 30];

export function overviewOf(snapshot: AccountSnapshot & { outside: Payment[] }, zone: Zone): Overview {
  const { reading, isReading, readAt, limited, outside } = snapshot;
  const balances = reading.balances();
  const held = (balances?.balances ?? []).slice(0, HELD_ASSETS).map(({ asset }) => asset);
  const opens = PAYMENT_KINDS.map((kind) => openOf(reading, kind).read);
  return {
    object: 'overview',
    is_reading: isReading,
    read_at: readAt,
    retry_at: limited?.retry_at ?? null,
    balances: balances && { ...balances, malformed: balances.malformed.slice(0, MALFORMED_MAX) },
    balances_error: reading.balancesError(),
    deposits: paymentsOf(snapshot, 'deposit', held, zone),
    withdrawals: paymentsOf(snapshot, 'withdrawal', held, zone),
    outside,
    ledger: {
      ...reachOf(reading.ledger, isReading),
      is_loading: isMeasuring(snapshot),
      moved: movedOf(reading, held, zone),
    },
    usual: usualOf(reading),
    last_moves: lastMovesOf(reading, opens),
    words: wordsOf(reading),
  };
}

function paymentsOf(
  { reading, isReading }: AccountSnapshot,
  kind: PaymentKind,
  held: readonly string[],
  zone: Zone,
): OverviewPayments {
  const list = reading.lists[kind];
  const rows = rowsOf(reading, kind);
  const { recorded } = list;
  const reach = {
    ...reachOf(list, isReading),
    ...(list.notOffered &&
      recorded && { info: { requestId: null, date: null, readAt: recorded.readAt }, is_whole: recorded.isWhole }),
  };
  const open = openOf(reading, kind);
  const now = reach.info?.date ?? reach.info?.readAt ?? 0;
  return {
    ...reach,
    malformed: list.back.malformed(),
    count: rows?.length ?? 0,
    newest: (rows ?? []).toSorted((a, b) => sortableTime(b.created_at) - sortableTime(a.created_at)).slice(0, NEWEST),
    recent_times: (rows ?? [])
      .map(({ created_at: at }) => at)
      .filter(isPlausibleTime)
      .slice(0, RECENT),
    flows: rows === null ? {} : flowsIn(rows, held, reach.reached, now, zone),
    open: open.read && openIn(open.read),
    open_error: open.error,
  };
}

function flowsIn(
  rows: readonly Payment[],
  held: readonly string[],
  reached: number | null,
  now: number,
  zone: Zone,
): OverviewPayments['flows'] {
  return Object.fromEntries(
    PERIODS.map((count) => {
      const { days, start, end, before } = periodOf(now, zone, count);
      const loadedDays = loadedDaysOf({ days, start, end, before }, reached, zone);
      const flows = flowsOf(rows, { days, start, end, before }, held)
        .slice(0, ASSETS_MAX)
        .map((flow) => ({ ...flow, by_day: sumsByDay(rows, flow.asset, loadedDays, zone) }));
      return [String(count), { days: [...days], start, end, before, loaded_days: [...loadedDays], flows }];
    }),
  );
}

function openIn({ open, failed, partly, requestId, date, readAt }: OpenPayments): OverviewPayments['open'] {
  const now = date ?? readAt;
  const late = open.filter(({ created_at: at }) => isPlausibleTime(at) && now - at > STUCK_AFTER_MIN);
  const cut = [...cutOff(late, OPEN_MAX), ...cutOff(failed, FAILED_MAX)].filter(
    (status) => !partly.some((each) => each.status === status),
  );
  return {
    requestId,
    date,
    readAt,
    count: open.length,
    open: late.slice(0, OPEN_MAX),
    failed: failed.slice(0, FAILED_MAX),
    partly: [...partly, ...cut.map((status) => ({ status, reason: null }))],
  };
}

/** Statuses of the payments beyond the document's limit. */
function cutOff(payments: readonly Payment[], most: number): string[] {
  return [...new Set(payments.slice(most).flatMap(({ status }) => status ?? []))];
}

function movedOf(reading: AccountReading, held: readonly string[], zone: Zone): Overview['ledger']['moved'] {
  const rows = reading.ledger.back.rows();
  if (rows === null) return null;
  const byAsset = groupBy(rows, ({ asset }) => asset);
  return held.flatMap((asset) => {
    const entries = byAsset.get(asset);
    if (entries === undefined) return [];
    const moved = movedByDay(entries, zone);
    return [{ asset, days: moved && [...moved] }];
  });
}

/** Usual durations for every pair of asset and chain in the payments. */
function usualOf(reading: AccountReading): Overview['usual'] {
  const { usualOf: usual } = ledgerFacts(reading);
  return PAYMENT_KINDS.flatMap((kind) => {
    const pairs = new Map<string, Payment>();
    for (const payment of rowsOf(reading, kind) ?? []) {
      pairs.set(stringifyExact([payment.asset, payment.chain]), payment);
      pairs.set(stringifyExact([payment.asset]), { ...payment, chain: null });
    }
    return [...pairs.values()].flatMap((payment) => {
      const seconds = usual(payment);
      return seconds === null ? [] : [{ kind, asset: payment.asset, chain: payment.chain, seconds }];
    });
  }).slice(0, USUAL_MAX);
}

function lastMovesOf(reading: AccountReading, opens: readonly (OpenPayments | null)[]): Overview['last_moves'] {
  const { lastMoveOf } = ledgerFacts(reading);
  return opens.flatMap((open) => {
    if (open === null) return [];
    const since = (open.date ?? open.readAt) - FAILED_DAYS * 86_400;
    return open.failed.slice(0, FAILED_MAX).flatMap(({ id }): Overview['last_moves'] => {
      const at = lastMoveOf(id, since);
      return typeof at === 'number' ? [[id, at]] : [];
    });
  });
}

function wordsOf(reading: AccountReading): Overview['words'] {
  const pairs = new Map<string, { asset: string | null; chain: string }>();
  for (const { asset, chain } of PAYMENT_KINDS.flatMap((kind) => rowsOf(reading, kind) ?? []))
    if (chain !== null) pairs.set(stringifyExact([asset, chain]), { asset, chain });
  const statusesOf = (kind: PaymentKind): string[] =>
    [...new Set(rowsOf(reading, kind)?.flatMap(({ status }) => status ?? []))].slice(0, WORDS_MAX);
  return {
    pairs: [...pairs.values()].slice(0, WORDS_MAX),
    statuses: { deposit: statusesOf('deposit'), withdrawal: statusesOf('withdrawal') },
  };
}

/** Addresses that withdrawals paid: of the latest withdrawals, and the latest older one to each other address. */
export function knownAddressesOf({ reading, isReading }: AccountSnapshot): KnownAddressList {
  const { back, error, notOffered } = reading.lists.withdrawal;
  const rows = back.rows() ?? [];
  const latest = listedUses(rows.slice(0, USES_MAX).map((row) => ({ ...row })));
  const paid = new Set(latest.map(addressKey));
  const older: AddressUse[] = [];
  for (const use of listedUses(rows.slice(USES_MAX).map((row) => ({ ...row })))) {
    if (!paid.has(addressKey(use))) older.push(use);
    paid.add(addressKey(use));
  }
  const isUnread = back.rows() === null || (rows.length < USES_MAX && back.hasFurther());
  return {
    object: 'known-addresses',
    is_reading: isReading && !notOffered && error === null && isUnread,
    not_offered: notOffered,
    error,
    info: back.info(),
    count: Math.min(rows.length, USES_MAX),
    is_complete: back.rows() !== null && back.reached() === null && rows.length <= USES_MAX,
    uses: latest,
    older: older.slice(0, OLDER_MAX),
  };
}
