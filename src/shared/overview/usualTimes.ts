// How long payments usually take, from the times of their ledger entries.
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import type { Payment } from './payment.ts';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { isAmount, isNegative, isPositive } from '#src/shared/amount.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { sourceOf } from '#src/shared/ledgerSource.ts';

/** Payments needed for a usual time. */
const SAMPLE_MIN = 3;

export interface Duration {
  kind: PaymentKind;
  source: string;
  asset: string | null;
  seconds: number;
}

/** The usual time of payments like this one, in seconds; null if there are too few. */
export type UsualTime = (payment: Payment) => number | null;

/** The durations of payments whose entries show when the money was set aside and when it was finally released. */
export function durationsOf(entries: readonly LedgerEntryRow[]): Duration[] {
  const bySource = groupBy(entries, sourceOf);
  return [...bySource].flatMap(([source, moves]) => (source === null ? [] : (durationOf(source, moves) ?? [])));
}

function durationOf(source: string, moves: readonly LedgerEntryRow[]): Duration | null {
  const asset = moves[0]?.asset ?? null;
  const detected = timeOf(moves, 'pending', isPositive);
  const available = timeOf(moves, 'available', isPositive);
  if (detected !== null && available !== null && available >= detected)
    return { kind: 'deposit', source, asset, seconds: available - detected };
  const locked = timeOf(moves, 'locked', isPositive);
  const paid = timeOf(moves, 'locked', (amount) => isAmount(amount) && isNegative(amount));
  // Money that became available again was not paid.
  if (locked === null || paid === null || paid < locked || available !== null) return null;
  return { kind: 'withdrawal', source, asset, seconds: paid - locked };
}

function timeOf(moves: readonly LedgerEntryRow[], book: string, is: (amount: unknown) => boolean): number | null {
  const times = moves.flatMap((move) =>
    move['book'] === book && is(move.amount) && isPlausibleTime(move.created_at) ? move.created_at : [],
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** The median for an asset on a chain, or for the asset on all chains if too few payments have a known chain. */
export function usualTimes(durations: readonly Duration[], chainOf: (source: string) => string | null): UsualTime {
  const byAsset = groupBy(durations, ({ kind, asset }) => keyOf(kind, asset));
  const byChain = groupBy(durations, ({ kind, asset, source }) => keyOf(kind, asset, chainOf(source)));
  return ({ kind, asset, chain }) => {
    const ofChain = chain === null ? undefined : byChain.get(keyOf(kind, asset, chain));
    return medianOf(ofChain) ?? medianOf(byAsset.get(keyOf(kind, asset)));
  };
}

function keyOf(...parts: readonly (string | null)[]): string {
  return stringifyExact(parts);
}

function medianOf(durations: readonly Duration[] = []): number | null {
  if (durations.length < SAMPLE_MIN) return null;
  const seconds = durations.map((each) => each.seconds).sort((a, b) => a - b);
  return seconds[Math.floor(seconds.length / 2)] ?? null;
}

/** When a payment's money last moved, Unix seconds; null if not since then, undefined if the ledger wasn't loaded that far back. */
export type LastMove = (id: string, since: number) => number | null | undefined;

/** Entries from now back to `reached`, Unix seconds; null: to the end of the ledger. */
interface LedgerRead {
  rows: readonly LedgerEntryRow[] | null;
  reached: number | null;
}

export function lastMoves({ rows, reached }: LedgerRead): LastMove {
  const last = new Map<string, number>();
  for (const entry of rows ?? []) {
    const [source, at] = [sourceOf(entry), entry.created_at];
    if (source !== null && isPlausibleTime(at)) last.set(source, Math.max(at, last.get(source) ?? at));
  }
  return (id, since) => last.get(id) ?? (rows === null || (reached !== null && reached >= since) ? undefined : null);
}
