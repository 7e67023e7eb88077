import { type Counts, FAULTS, isFault, noCounts } from './counts.ts';
import { type Verdicts, noVerdicts } from './judge.ts';
import type { Outcome } from './simulate.ts';

/** What is printed at the end: the sums of all seeds. */
export interface Tally extends Verdicts {
  seeds: number;
  intents: number;
  /** Of them, seeds in which browsers lost all that they kept: nothing of that matters any more. */
  lostStorage: { seeds: number; doubles: number };
  faults: Counts;
  /** The first seeds that broke a promise. */
  failing: number[];
}

const MOST_FAILING = 20;
const PROMISES = [
  'doubles',
  'falseSent',
  'falseNotSent',
  'unresolved',
  'unrecorded',
  'late',
  'unasked',
  'overlaps',
  'astray',
  'crashes',
] as const;

export function noTally(): Tally {
  return {
    seeds: 0,
    intents: 0,
    ...noVerdicts(),
    lostStorage: { seeds: 0, doubles: 0 },
    faults: noCounts(),
    failing: [],
  };
}

export function isBroken(tally: Verdicts): boolean {
  return PROMISES.some((promise) => tally[promise] > 0);
}

export function addOutcome(tally: Tally, seed: number, { intents, verdicts, counts, lostStorage }: Outcome): void {
  tally.seeds += 1;
  for (const fault in counts) if (isFault(fault)) tally.faults[fault] += counts[fault] ?? 0;
  if (lostStorage) {
    tally.lostStorage.seeds += 1;
    tally.lostStorage.doubles += verdicts.doubles;
  }
  tally.intents += intents;
  for (const promise of PROMISES) tally[promise] += verdicts[promise];
  if (isBroken(verdicts) && tally.failing.length < MOST_FAILING) tally.failing.push(seed);
}

export function addTally(tally: Tally, other: Tally): void {
  tally.seeds += other.seeds;
  tally.intents += other.intents;
  tally.lostStorage.seeds += other.lostStorage.seeds;
  tally.lostStorage.doubles += other.lostStorage.doubles;
  for (const fault of FAULTS) tally.faults[fault] += other.faults[fault];
  for (const promise of PROMISES) tally[promise] += other[promise];
  tally.failing = [...tally.failing, ...other.failing].sort((a, b) => a - b).slice(0, MOST_FAILING);
}

/** The one line of JSON. */
export function lineOf({ faults, failing, ...sums }: Tally): string {
  return JSON.stringify({ ...sums, ...(failing.length > 0 ? { failing } : {}), ...faults });
}

/** The same without the faults, for the summary of the deep run. */
export function figuresOf(tally: Tally, service: string): string {
  const { seeds, intents, lostStorage, faults } = tally;
  const promises = Object.fromEntries(PROMISES.map((promise) => [promise, tally[promise]]));
  const { posts, executions } = faults;
  return JSON.stringify({
    of: `simulator on the ${service}`,
    seeds,
    intents,
    ...promises,
    wiped: lostStorage.seeds,
    posts,
    executions,
  });
}
