// What the rows of a list, and the funds that the service holds for them, say of each status. No word is known here.
import { isAmount } from '#src/lib/amount.ts';
import { equal, sum } from '#src/lib/money.ts';
import { compareWords } from '#src/lib/text.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import type { HomeRow } from './recentRows.ts';

/** What the service holds of an asset for rows in flight: pending for deposits, locked for withdrawals (2.1, 3). */
export interface Held {
  asset: string;
  amount: unknown;
  updated_at: unknown;
}

/** A row with its age in seconds. */
export interface Aged {
  row: HomeRow;
  age: number;
}

/**
 * stays: more than one in ten of the older rows carry it. any-age: as common among old rows as among new ones.
 * not-held: what the service holds in flight is nothing, or exactly the rows of other statuses. passing: none of these.
 */
export type Reading = 'stays' | 'any-age' | 'not-held' | 'passing';

export interface StatusReading {
  status: string | null;
  rows: number;
  reading: Reading;
  /** Of the older half of the rows, how many carry it. */
  older: number;
}

/** Fewer rows than these are compared with nothing. */
export const LEAST_ROWS = 10;
/** Of the older rows; a status that more of them carry is one that rows stay in. */
const FEW = 0.1;
/** Of the fifths of the older rows; a status that is found in so many of them belongs to no time. */
const SPREAD = 3;
/** More statuses than these are not tried in every combination. */
const MOST_TRIED = 8;

export function olderHalf<A>(aged: readonly A[]): readonly A[] {
  return aged.slice(Math.floor(aged.length / 2));
}

/** Every status among the rows, the most common first; `aged` is youngest first. Funds may be held for `older` ones as well. */
export function readStatuses(
  aged: readonly Aged[],
  held: readonly Held[] | null,
  older: readonly HomeRow[],
): StatusReading[] {
  const old = olderHalf(aged);
  const young = aged.slice(0, Math.min(50, Math.max(LEAST_ROWS, Math.ceil(aged.length / 20))));
  const words = [...new Set(aged.map(({ row }) => row.status))];
  const readings = words.map((status): StatusReading => {
    const count = countOf(old, status);
    const share = count / old.length;
    const common = countOf(young, status) / young.length >= 3 * share;
    const reading = share > FEW ? 'stays' : spreadOf(old, status) >= SPREAD && !common ? 'any-age' : 'passing';
    return { status, rows: countOf(aged, status), reading, older: count };
  });
  const open = readings.filter(({ reading }) => reading !== 'stays').map(({ status }) => status);
  const isHeld = heldFor([...aged.map(({ row }) => row), ...older], open, held ?? []);
  return readings
    .map((each): StatusReading =>
      each.reading === 'passing' && !isHeld(each.status) ? { ...each, reading: 'not-held' } : each,
    )
    .sort((a, b) => b.rows - a.rows || compareWords(a.status, b.status));
}

function countOf(aged: readonly Aged[], status: string | null): number {
  return aged.filter(({ row }) => row.status === status).length;
}

/** In how many fifths of the older rows it is found. */
function spreadOf(old: readonly Aged[], status: string | null): number {
  const fifths = new Set<number>();
  for (const [at, { row }] of old.entries()) if (row.status === status) fifths.add(Math.floor((at * 5) / old.length));
  return fifths.size;
}

/**
 * Whether funds may be held for the rows of a status. While a row is in flight its funds are in pending or locked (3), so
 * an asset of which nothing is held, or exactly what rows of other open statuses make and never with these, speaks
 * against it; where that is so for half of its rows, nothing is held for it.
 */
function heldFor(
  all: readonly HomeRow[],
  open: readonly (string | null)[],
  held: readonly Held[],
): (status: string | null) => boolean {
  const against = new Map<string | null, number>();
  if (open.length > MOST_TRIED) return () => true;
  const openRows = all.filter(({ status }) => open.includes(status));
  const assets = new Set(openRows.map(({ asset }) => asset));
  for (const { asset, amount, updated_at } of held) {
    if (!assets.has(asset)) continue;
    const rows = openRows.filter((row) => row.asset === asset);
    // A snapshot older than a row cannot speak of it.
    const isLater = (row: HomeRow) =>
      isPlausibleTime(updated_at) && isPlausibleTime(row.created_at) && updated_at >= row.created_at;
    if (!isAmount(amount) || !rows.every((row) => isLater(row) && isAmount(row.amount))) continue;
    const statuses = [...new Set(rows.map(({ status }) => status))];
    const sums = statuses.map((status) =>
      sum(
        rows
          .filter((row) => row.status === status)
          .map((row) => row.amount)
          .filter(isAmount),
      ),
    );
    const solutions = choicesThatMake(sums, amount);
    if (solutions.length === 0) continue;
    for (const [at, status] of statuses.entries()) {
      if (solutions.some((choice) => isIn(choice, at))) continue;
      against.set(status, (against.get(status) ?? 0) + rows.filter((row) => row.status === status).length);
    }
  }
  const countIn = (status: string | null) => openRows.filter((row) => row.status === status).length;
  return (status) => !against.has(status) || (against.get(status) ?? 0) * 2 < countIn(status);
}

/** Every choice of the sums, as bits, that makes exactly the amount; the empty one makes nothing. */
function choicesThatMake(sums: readonly string[], amount: string): number[] {
  const choices = Array.from({ length: 2 ** sums.length }, (_, choice) => choice);
  return choices.filter((choice) => equal(sum(sums.filter((_, at) => isIn(choice, at))), amount));
}

function isIn(choice: number, at: number): boolean {
  return (choice >> at) % 2 === 1;
}
