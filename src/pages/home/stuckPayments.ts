// Which rows sit longer than their kind usually does. The contract states no set of statuses, so no word is known here:
// all that is seen is when a row was created and which status it has now, next to the other rows of its list.
import { isPlausibleTime } from '#src/lib/time.ts';
import type { HomeRow } from './recentRows.ts';
import { type Aged, type Held, LEAST_ROWS, type StatusReading, olderHalf, readStatuses } from './statusHeuristic.ts';

/** Nothing younger sits long, in seconds. */
export const LEAST_AGE = 3600;
/** So many rows from before those read, still in a status, are no sign that rows leave it. */
const MANY_OLDER = 10;
/** So many times the usual. */
const FACTOR = 2;

export interface StuckPayment {
  row: HomeRow;
  /** Seconds. */
  age: number;
  /** The age from which on four in five of its kind have moved on, in seconds. */
  usual: number;
  /** Its chain has too few rows, so all chains were compared. */
  allChains: boolean;
}

export interface Judgement {
  /** Oldest first. */
  sitting: StuckPayment[];
  /** Of every status among the rows, the most common first; empty where there are too few rows. */
  statuses: StatusReading[];
  /** Rows with a usable time. */
  rows: number;
  /** Size of the older half. */
  olderRows: number;
  /** Rows in a status that rows pass through, with nothing to compare them with. */
  unjudged: number;
}

/**
 * Judges rows as they were read at `now`; the same rows in any order are judged the same. `further` ones are older than
 * these: they are judged by them, and only say whether there are too many of them to be stuck.
 */
export function judge(
  rows: readonly HomeRow[],
  held: readonly Held[] | null,
  now: number,
  further: readonly HomeRow[] = [],
): Judgement {
  const aged = byAge(rows, now);
  if (aged.length < LEAST_ROWS)
    return { sitting: [], statuses: [], rows: aged.length, olderRows: 0, unjudged: aged.length };

  const known = new Set(rows.map(({ id }) => id));
  const others = further.filter(({ id }) => !known.has(id));
  const statuses = readStatuses(aged, held, others).map((each): StatusReading => {
    const stayed = others.filter(({ status }) => status === each.status).length;
    return each.reading === 'passing' && stayed >= MANY_OLDER ? { ...each, reading: 'any-age' } : each;
  });
  const passing = new Set(statuses.filter(({ reading }) => reading === 'passing').map(({ status }) => status));
  const usualOf = usualAges(aged, passing);
  const sitting: StuckPayment[] = [];
  let unjudged = 0;
  for (const { row, age } of byAge([...rows, ...others], now)) {
    if (!passing.has(row.status) || age <= LEAST_AGE) continue;
    const usual = usualOf(row.chain);
    if (usual === null) unjudged += 1;
    else if (age > FACTOR * usual.age) sitting.push({ row, age, usual: usual.age, allChains: usual.allChains });
  }
  return { sitting: sitting.toReversed(), statuses, rows: aged.length, olderRows: olderHalf(aged).length, unjudged };
}

function byAge(rows: readonly HomeRow[], now: number): Aged[] {
  return rows
    .flatMap((row) => (isPlausibleTime(row.created_at) ? [{ row, age: Math.max(0, now - row.created_at) }] : []))
    .sort((a, b) => a.age - b.age || (a.row.id < b.row.id ? -1 : 1));
}

interface Usual {
  age: number;
  allChains: boolean;
}

/** The usual age of a chain's rows when they have moved on; of all chains where the chain alone has too few. */
function usualAges(aged: readonly Aged[], passing: ReadonlySet<string | null>): (chain: string | null) => Usual | null {
  const known = new Map<string | null, Usual | null>();
  const all = usualAge(aged, passing);
  return (chain) => {
    const before = known.get(chain);
    if (before !== undefined) return before;
    const own = aged.filter(({ row }) => row.chain === chain);
    const age = own.length < LEAST_ROWS ? null : usualAge(own, passing);
    const usual = age !== null ? { age, allChains: false } : all === null ? null : { age: all, allChains: true };
    known.set(chain, usual);
    return usual;
  };
}

/** The age from which on four in five of the next rows have moved on: that of the first that has; null where it is never so. */
function usualAge(aged: readonly Aged[], passing: ReadonlySet<string | null>): number | null {
  const size = Math.min(20, Math.max(LEAST_ROWS, Math.ceil(aged.length / 10)));
  const hasMoved = ({ row }: Aged) => !passing.has(row.status);
  for (let at = 0; at + size <= aged.length; at += 1) {
    const next = aged.slice(at, at + size);
    if (next.filter(hasMoved).length >= size * 0.8) return next.find(hasMoved)?.age ?? null;
  }
  return null;
}
