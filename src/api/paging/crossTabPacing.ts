import { wait } from './rateLimitPause.ts';
import { requestsMade } from '#src/api/requestLog.ts';

/** Milliseconds from one background request to the next over all tabs: fewer than one a second. */
const SPACING = 1_250;
/** Where tabs cannot know of each other, each takes the twentieth part. */
const SPACING_ALONE = 20 * SPACING;
/** A read that hangs holds the other tabs up no longer than this. */
const HOLD = 10_000;

/** The part of a LockManager that turns need. */
export type RequestLock = (
  name: string,
  options: { signal: AbortSignal },
  work: () => Promise<void>,
) => Promise<unknown>;

/** Reads when it is this read's turn, and resolves when that read has ended, however; rejects when aborted before. */
export type TakeTurn = (signal: AbortSignal, read: () => Promise<unknown>) => Promise<void>;

/** Turns that every holder of the same lock takes; `requests` counts those that this tab has made so far. */
export function turnsBy(lock: RequestLock, spacing: number, requests: () => number): TakeTurn {
  return (signal, read) =>
    new Promise((resolve, reject) => {
      const work = async (): Promise<void> => {
        const before = requests();
        const began = performance.now();
        // Whoever asked shows what went wrong.
        const reading = read().catch(() => undefined);
        void reading.then(() => resolve());
        await Promise.race([reading, wait(HOLD, undefined)]);
        // A read that was tried again, or had pages, used several turns; one that proved needless used none.
        const rest = (requests() - before) * spacing - (performance.now() - began);
        if (rest > 0) await wait(rest, undefined);
      };
      lock('background-read', { signal }, work).catch(reject);
    });
}

/** A lock that no other tab knows of. */
export function lockOfThisTab(): RequestLock {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, { signal }, work) => {
    const mine = last.then(() => {
      signal.throwIfAborted();
      return work();
    });
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Turns by one lock, and from the first time on that it is refused by the other. */
export function turnsOrElse(shared: TakeTurn, alone: TakeTurn): TakeTurn {
  let refused = false;
  return async (signal, read) => {
    if (!refused) {
      try {
        return await shared(signal, read);
      } catch (error) {
        if (signal.aborted) throw error;
        refused = true;
      }
    }
    return alone(signal, read);
  };
}

function turnsOfBrowser(): TakeTurn {
  const alone = turnsBy(lockOfThisTab(), SPACING_ALONE, requestsMade);
  // HTTPS and localhost have locks, but not where a browser keeps a site from all storage.
  const locks = 'locks' in navigator ? navigator.locks : undefined;
  if (!locks) return alone;
  const shared = turnsBy((name, options, work) => locks.request(name, options, work), SPACING, requestsMade);
  return turnsOrElse(shared, alone);
}

let ofBrowser: TakeTurn | null = null;

/** Background reads of all tabs of this browser take turns; what a person asks for never waits here. */
export const inTurn: TakeTurn = (signal, read) => {
  ofBrowser ??= turnsOfBrowser();
  return ofBrowser(signal, read);
};
