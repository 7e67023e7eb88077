import type { Balances } from '#src/api/balances.ts';
import { LIMIT_MAX } from '#src/api/contract.ts';
import type { listLedgerEntries } from '#src/api/ledgerEntries.ts';
import { assertFollowed, walkPages } from '#src/api/paging.ts';
import type { LedgerEntryRow } from '#src/api/schemas.ts';
import { isAmount } from '#src/lib/amount.ts';
import { add, equal, subtract, sum } from '#src/lib/money.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import type { LedgerMark, StatedRow } from '#src/api/statementContract.ts';

/** One asset: its balance at the checkpoint, what the ledger says moved since, and its balance now. */
export interface AssetSide {
  asset: string;
  opening: string;
  /** Unix seconds by the service; null: the asset was not there at the checkpoint. */
  openingAt: number | null;
  /** Of the entries since; exact, signed. */
  movements: string;
  /** When the ledger was read, Unix seconds by the service; null where it states no time. */
  movementsAt: number | null;
  entries: number;
  closing: string;
  snapshot: string;
  /** Unix seconds by the service; null where the snapshot states none. */
  snapshotAt: number | null;
  difference: string;
  /** explained: entries younger than the snapshot, or deposits that came late, make up the whole difference. */
  verdict: 'agrees' | 'explained' | 'unexplained';
  /** The entries that a difference is about: those younger than the snapshot, else the last ones. */
  concerned: LedgerEntryRow[];
}

const CONCERNED_MAX = 20;

/** The balances to begin the next comparison with; assets without a readable total or time are left out. */
export function markOf({ balances, date }: Pick<Balances, 'balances' | 'date'>): LedgerMark {
  const readable = balances.flatMap(({ asset, total, updated_at: at }) =>
    isAmount(total) && isPlausibleTime(at) ? [{ asset, total, updated_at: at }] : [],
  );
  return { balances: readable, asOf: date };
}

/** Reads the ledger since the mark, asset by asset; throws what a read throws. */
export async function compareLedger(
  mark: LedgerMark,
  now: readonly Pick<Balances['balances'][number], 'asset' | 'total' | 'updated_at'>[],
  late: readonly StatedRow[],
  read: typeof listLedgerEntries,
  signal: AbortSignal,
): Promise<AssetSide[]> {
  const sides: AssetSide[] = [];
  for (const { asset, total, updated_at: at } of now) {
    const before = mark.balances.find((each) => each.asset === asset);
    if (!isAmount(total)) continue;
    const since = before?.updated_at ?? null;
    const { entries, asOf } = await entriesSince(asset, since, read, signal);
    const came = late
      .filter((row) => row.asset === asset)
      .map(({ received_amount: amount }) => amount)
      .filter(isAmount);
    const snapshot = { total, at: isPlausibleTime(at) ? at : null, late: sum(came) };
    const side = sideOf(asset, before?.total ?? '0', entries, snapshot);
    sides.push({ ...side, openingAt: since, movementsAt: asOf });
  }
  return sides;
}

async function entriesSince(
  asset: string,
  since: number | null,
  read: typeof listLedgerEntries,
  signal: AbortSignal,
): Promise<{ entries: LedgerEntryRow[]; asOf: number | null }> {
  // A second earlier, and what is not younger dropped: whether a bound includes itself is not stated.
  const filters = { asset, order: 'asc' as const, ...(since !== null && { created_after: since - 1 }) };
  const entries: LedgerEntryRow[] = [];
  let asOf: number | null = null;
  const end = await walkPages(
    (cursor) => read(filters, cursor, { limit: LIMIT_MAX, signal }),
    ({ data, date }) => {
      entries.push(...data);
      asOf = date;
    },
    { signal },
  );
  assertFollowed(end);
  const isYounger = ({ created_at: at }: LedgerEntryRow): boolean =>
    since === null || (isPlausibleTime(at) && at > since);
  return { entries: entries.filter((entry) => entry.asset === asset && isYounger(entry)), asOf };
}

/** Closing by the ledger against the snapshot, which may lag; `late`: what came in before the checkpoint and was not seen then. */
export function sideOf(
  asset: string,
  opening: string,
  entries: readonly LedgerEntryRow[],
  { total: snapshot, at: snapshotAt, late }: { total: string; at: number | null; late: string },
): Omit<AssetSide, 'openingAt' | 'movementsAt'> {
  const movements = sumOf(entries);
  const closing = add(opening, movements);
  const difference = subtract(snapshot, closing);
  const ahead = entries.filter(({ created_at: at }) => snapshotAt !== null && isPlausibleTime(at) && at > snapshotAt);
  const agrees = equal(difference, '0');
  const isAhead = ahead.length > 0 && equal(add(difference, sumOf(ahead)), '0');
  // A deposit that came late moved the ledger before the checkpoint, where nobody looks again.
  const isLate = !equal(late, '0') && equal(difference, late);
  const verdict = agrees ? 'agrees' : isAhead || isLate ? 'explained' : 'unexplained';
  const about = ahead.length > 0 ? ahead : entries;
  const concerned = agrees || isLate ? [] : about.slice(-CONCERNED_MAX);
  return {
    asset,
    opening,
    movements,
    entries: entries.length,
    closing,
    snapshot,
    snapshotAt,
    difference,
    verdict,
    concerned,
  };
}

function sumOf(entries: readonly LedgerEntryRow[]): string {
  return sum(entries.map(({ amount }) => amount).filter(isAmount));
}
