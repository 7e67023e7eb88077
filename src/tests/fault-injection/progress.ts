/** How often it is looked whether anything happened, in ms of real time. */
const LOOK_MS = 20_000;
/** Several, because a busy machine may start a database or give this process its turn late. */
const LOOKS = 3;
/** A run takes some thousands of steps. */
const MOST_STEPS = 500_000;

/**
 * Fails if the work waits for what never happens, or never ends: nothing else would tell that from a slow run. `onStep` is to be
 * called for whatever the work does.
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
      // What goes round without a pause would never let anybody hear of the rejection.
      throw error;
    };
    work(onStep)
      .finally(() => clearInterval(look))
      .then(resolve, reject);
  });
}
