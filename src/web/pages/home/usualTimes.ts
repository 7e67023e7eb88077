// What the ledger tells of time: the entries of one source say when its money came, when it moved on, and how long that took.
import type { Payment, PaymentKind } from '#src/web/api/payments.ts';
import type { RowsBack } from '#src/web/api/paging/rowsBack.ts';
import type { LedgerEntryRow } from '#src/web/api/schemas.ts';
import { isAmount, isNegative, isPositive } from '#src/shared/amount.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { sourceOf } from '#src/web/resources/ledgerSource.ts';

/** Nothing is stuck that waits for less, in seconds. */
const LEAST_WAIT = 3600;
const FACTOR = 2;
/** Fewer payments than these have no usual time. */
const LEAST_SEEN = 3;

export interface Duration {
  kind: PaymentKind;
  source: string;
  asset: string | null;
  seconds: number;
}

/** The usual time of payments like this one, in seconds; null: too few are known. */
export type UsualTime = (payment: Payment) => number | null;

/** Of every payment whose entries say both when its money was set aside and when it was released for good. */
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
  // What became available again was not paid.
  if (locked === null || paid === null || paid < locked || available !== null) return null;
  return { kind: 'withdrawal', source, asset, seconds: paid - locked };
}

function timeOf(moves: readonly LedgerEntryRow[], book: string, is: (amount: unknown) => boolean): number | null {
  const times = moves.flatMap((move) =>
    move['book'] === book && is(move.amount) && isPlausibleTime(move.created_at) ? move.created_at : [],
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** The median of an asset on a chain; of the asset on all chains where the ledger's sources are of no known chain. */
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
  if (durations.length < LEAST_SEEN) return null;
  const seconds = durations.map((each) => each.seconds).sort((a, b) => a - b);
  return seconds[Math.floor(seconds.length / 2)] ?? null;
}

/** Whether a payment takes far longer than its like; `threshold`, in seconds, where nobody knows how long that is. */
export function isStuck(waiting: number, usual: number | null, threshold: number): boolean {
  return usual === null ? waiting > threshold : waiting > LEAST_WAIT && waiting > FACTOR * usual;
}

/** When the money of a payment last moved, Unix seconds; null: not since then; undefined: the ledger doesn't tell. */
export type LastMove = (id: string, since: number) => number | null | undefined;

export function lastMoves({ rows, reached }: Pick<RowsBack<LedgerEntryRow>, 'rows' | 'reached'>): LastMove {
  const last = new Map<string, number>();
  for (const entry of rows ?? []) {
    const [source, at] = [sourceOf(entry), entry.created_at];
    if (source !== null && isPlausibleTime(at)) last.set(source, Math.max(at, last.get(source) ?? at));
  }
  return (id, since) => last.get(id) ?? (rows === null || (reached !== null && reached >= since) ? undefined : null);
}
