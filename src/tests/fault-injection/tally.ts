import type { SplitCopies, Verdicts } from './scene.ts';
import { type Counts, FAULTS, PEOPLE_FAULTS, type SimulatedFault, isFault, noCounts } from './counts.ts';
import { noSplitCopies, noVerdicts } from './judge.ts';
import type { RunOutcome } from './simulate.ts';

/** Seeds from the first to the last, both included. */
type Range = [from: number, to: number];

/** The sums over all seeds, printed at the end. */
export interface RunTally extends Verdicts {
  /** The included seeds, in order, so that no piece is added twice. */
  ranges: Range[];
  seeds: number;
  intents: number;
  /** The seeds in which browsers lost their storage, which should make no difference. */
  lostStorage: { seeds: number; doubles: number };
  /** Results of an edge that refuses one copy of a request and passes another; not covered by the promises (see the README). */
  splitCopies: SplitCopies & { seeds: number };
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
  'falseSetBacks',
  'withoutSession',
  'withoutRight',
  'unsigned',
  'selfApproved',
  'afterNo',
  'overLimit',
  'barredRecipient',
  'recipientTooEarly',
  'withoutLine',
  'tooEarly',
  'lockedOut',
  'leaks',
  'unnoticed',
  'misread',
  'crashes',
] as const satisfies readonly (keyof Verdicts)[];

export function noTally(): RunTally {
  return {
    ranges: [],
    seeds: 0,
    intents: 0,
    ...noVerdicts(),
    lostStorage: { seeds: 0, doubles: 0 },
    splitCopies: { seeds: 0, ...noSplitCopies() },
    faults: noCounts(),
    failing: [],
  };
}

export function isBroken(tally: Verdicts): boolean {
  return PROMISES.some((promise) => tally[promise] > 0);
}

export function addOutcome(
  tally: RunTally,
  seed: number,
  { intents, verdicts, counts, lostStorage, splitCopies }: RunOutcome,
): void {
  tally.ranges = joined([...tally.ranges, [seed, seed]]);
  tally.seeds += 1;
  for (const fault in counts) if (isFault(fault)) tally.faults[fault] += counts[fault] ?? 0;
  if (lostStorage) {
    tally.lostStorage.seeds += 1;
    tally.lostStorage.doubles += verdicts.doubles;
  }
  if (splitCopies.doubles + splitCopies.falseNotSent > 0) tally.splitCopies.seeds += 1;
  addSplitCopies(tally.splitCopies, splitCopies);
  tally.intents += intents;
  for (const promise of PROMISES) tally[promise] += verdicts[promise];
  if (isBroken(verdicts) && tally.failing.length < MOST_FAILING) tally.failing.push(seed);
}

/** Adds `other` to `tally`; throws if a seed is in both. */
export function addTally(tally: RunTally, other: RunTally): void {
  tally.ranges = joined([...tally.ranges, ...other.ranges]);
  tally.seeds += other.seeds;
  tally.intents += other.intents;
  tally.lostStorage.seeds += other.lostStorage.seeds;
  tally.lostStorage.doubles += other.lostStorage.doubles;
  tally.splitCopies.seeds += other.splitCopies.seeds;
  addSplitCopies(tally.splitCopies, other.splitCopies);
  for (const fault of FAULTS) tally.faults[fault] += other.faults[fault];
  for (const promise of PROMISES) tally[promise] += other[promise];
  tally.failing = [...tally.failing, ...other.failing].sort((a, b) => a - b).slice(0, MOST_FAILING);
}

function addSplitCopies(sum: SplitCopies, part: SplitCopies): void {
  sum.doubles += part.doubles;
  sum.falseNotSent += part.falseNotSent;
}

function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last !== undefined && from <= last[1]) throw new Error(`Seed ${from} is in two pieces.`);
    if (last !== undefined && from === last[1] + 1) last[1] = to;
    else all.push([from, to]);
  }
  return all;
}

/** With this many seeds on the model, each fault must happen often enough. Few of them are followed by a run of people. */
const ENOUGH_SEEDS = 20_000;
const ENOUGH_SEEDS_FOR_PEOPLE = 100_000;
const OF_PEOPLE: ReadonlySet<string> = new Set(PEOPLE_FAULTS);
const LEAST = 100;

/** Faults that happened too rarely to prove anything; not checked for fewer seeds. */
export function seldom({ seeds, faults }: Pick<RunTally, 'seeds' | 'faults'>): SimulatedFault[] {
  const least = (fault: SimulatedFault): number => (OF_PEOPLE.has(fault) ? ENOUGH_SEEDS_FOR_PEOPLE : ENOUGH_SEEDS);
  return FAULTS.filter((fault) => seeds >= least(fault) && faults[fault] < LEAST);
}

/** The tally as one line of JSON. */
export function tallyLine({ faults, failing, ...sums }: RunTally): string {
  return JSON.stringify({ ...sums, ...(failing.length > 0 ? { failing } : {}), ...faults });
}

/** The sum of the JSON lines in the output of several pieces; other lines are ignored. */
export function mergedFrom(outputs: readonly string[]): RunTally {
  const tally = noTally();
  for (const output of outputs) {
    const lines = output.split('\n').filter((line) => line.startsWith('{"ranges"'));
    if (lines.length === 0) throw new Error('A piece has no line of JSON.');
    for (const line of lines) addTally(tally, tallyIn(line));
  }
  return tally;
}

function tallyIn(line: string): RunTally {
  const printed: Omit<RunTally, 'faults' | 'failing'> & Counts & { failing?: number[] } = JSON.parse(line);
  for (const name of [...FAULTS, ...PROMISES]) {
    if (typeof printed[name] !== 'number') throw new Error(`A piece says nothing of ${name}.`);
  }
  const faults = noCounts();
  for (const fault of FAULTS) faults[fault] = printed[fault];
  return { ...printed, faults, failing: printed.failing ?? [] };
}

/** The tally without the faults, for the summary of the deep run. */
export function figuresOf(tally: RunTally, service: string): string {
  const { seeds, intents, lostStorage, splitCopies, faults } = tally;
  const promises = Object.fromEntries(PROMISES.map((promise) => [promise, tally[promise]]));
  const { posts, executions } = faults;
  return JSON.stringify({
    of: `simulator on the ${service}`,
    seeds,
    intents,
    ...promises,
    wiped: lostStorage.seeds,
    'copies split': splitCopies.seeds,
    posts,
    executions,
  });
}
