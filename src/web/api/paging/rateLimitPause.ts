/** Longest automatic wait; beyond it the person decides. */
export const MAX_WAIT_SECONDS = 60;
const RATE_LIMIT_DEFAULT_SECONDS = 2;

let notBefore = 0;

/** After a 429, or a 503 with Retry-After (`asked`: its seconds), reads of this page wait. */
export function notePause(status: number, asked: number | null): void {
  if (status !== 429 && !(status === 503 && asked !== null)) return;
  const seconds = Math.min(asked ?? RATE_LIMIT_DEFAULT_SECONDS, MAX_WAIT_SECONDS);
  notBefore = Math.max(notBefore, Date.now() + seconds * 1000);
}

/** The provider asked the dashboard's server to wait; Unix milliseconds. */
export function notePauseUntil(until: number): void {
  notBefore = Math.max(notBefore, Math.min(until, Date.now() + MAX_WAIT_SECONDS * 1000));
}

/** Reads wait until then, Unix milliseconds. */
export function pauseEnds(): number {
  return notBefore;
}

export function clearPause(): void {
  notBefore = 0;
}

/** Milliseconds left. */
export function pauseLeft(): number {
  // Capped again: a device clock set back must not hold reads for hours.
  return Math.max(0, Math.min(notBefore - Date.now(), MAX_WAIT_SECONDS * 1000));
}

/** Waits; throws the signal's reason when aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
