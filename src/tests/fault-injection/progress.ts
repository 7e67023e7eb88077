/** How often a run is checked for progress, in ms of real time. */
const LOOK_MS = 20_000;
/** Fails after this many checks without progress: a busy machine may be slow to start a database or run this process. */
const LOOKS = 3;
/** Far more than a run takes, which is a few thousand. */
const MOST_STEPS = 500_000;

/**
 * Fails if the work makes no progress or never ends, which would otherwise look like a slow run. Call `onStep` for each step of
 * the work.
 */
export function watched<T>(name: string, work: (onStep: () => void) => Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let steps = 0;
    let stepsBefore = 0;
    let looks = 0;
    const look = setInterval(() => {
      looks = steps === stepsBefore ? looks + 1 : 0;
      stepsBefore = steps;
      if (looks < LOOKS) return;
      clearInterval(look);
      reject(new Error(`${name} stands still: nothing has happened since step ${steps}.`));
    }, LOOK_MS);
    const onStep = (): void => {
      steps += 1;
      if (steps <= MOST_STEPS) return;
      const error = new Error(`${name} never ends: ${MOST_STEPS} steps were made.`);
      reject(error);
      // A loop without pauses would keep anybody from seeing the rejection, so it is stopped by an error.
      throw error;
    };
    work(onStep)
      .finally(() => clearInterval(look))
      .then(resolve, reject);
  });
}
