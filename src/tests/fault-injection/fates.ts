import { type Random, drawing } from './random.ts';

// The faults of a request. Its fate is drawn once per attempt and applies to every copy that reaches the service.

const request = drawing({ lost: 28, delayed: 30, doubled: 30, rewritten: 6, anothers: 4 });
const front = drawing({
  unauthorized: 10,
  forbidden: 4,
  rateLimited: 10,
  unavailable: 10,
  conflict: 6,
  refused: 16,
  refusedStored: 8,
  errorInSuccess: 4,
  failed: 10,
  timedOut: 6,
  strange: 4,
  failedStored: 6,
  failedStoredExecuted: 6,
});
/** An overloaded service, and an edge with its own error responses. */
const overload = drawing({ rateLimited: 3, unavailable: 3, conflict: 2, refused: 3 });
const answer = drawing({
  lost: 40,
  late: 12,
  html502: 12,
  html504: 8,
  cut: 6,
  empty: 3,
  unfinished: 3,
  strangeId: 3,
  portal: 4,
  altered: 3,
  partial: 8,
  undated: 4,
  redirect: 5,
});
const read = drawing({
  lost: 40,
  html502: 10,
  failed: 10,
  rateLimited: 8,
  unavailable: 12,
  portal: 6,
  cut: 6,
  partial: 6,
  undated: 6,
  aged: 6,
  slow: 14,
});
const way = drawing({ lost: 20, delayed: 20, doubled: 24, answerLost: 24, html: 8, refused: 10 });

export interface Fate {
  request: 'clean' | ReturnType<typeof request>;
  front: 'passes' | ReturnType<typeof front>;
  answer: 'clean' | ReturnType<typeof answer>;
}

export type ReadFate = 'clean' | ReturnType<typeof read>;
/** The fate of a request between a browser and a server. */
export type WayFate = 'clean' | ReturnType<typeof way>;

const CLEAN: Fate = { request: 'clean', front: 'passes', answer: 'clean' };

/** Draws whether the edge passes or refuses a second copy. */
export function frontOf(random: Random): Fate['front'] {
  return random.chance(0.5) ? 'passes' : front(random);
}

/** A request in two copies, which the edge may treat differently. */
export function splitFate(random: Random): Fate {
  return { request: 'doubled', front: random.chance(0.3) ? 'refused' : frontOf(random), answer: 'clean' };
}

export function fateOf(
  random: Random,
  faultRate: number,
  { overloads, needsADayOfSilence }: { overloads: boolean; needsADayOfSilence: boolean },
): Fate {
  if (faultRate === 0) return CLEAN;
  return {
    request: random.chance(0.4 * faultRate) ? request(random) : 'clean',
    front:
      overloads && random.chance(0.8) ? overload(random) : random.chance(0.25 * faultRate) ? front(random) : 'passes',
    answer:
      needsADayOfSilence && random.chance(0.5) ? 'lost' : random.chance(0.45 * faultRate) ? answer(random) : 'clean',
  };
}

/** `badReadFate`: the fate of many of this service's reads. */
export function readFateOf(random: Random, faultRate: number, badReadFate: ReadFate): ReadFate {
  if (faultRate > 0 && badReadFate !== 'clean' && random.chance(0.3)) return badReadFate;
  return faultRate > 0 && random.chance(0.08 * faultRate) ? read(random) : 'clean';
}

export function wayFateOf(random: Random, faultRate: number, isRead: boolean): WayFate {
  return faultRate > 0 && random.chance((isRead ? 0.08 : 0.3) * faultRate) ? way(random) : 'clean';
}
