/** After `quiet` seconds without a change, reads are `pause` seconds apart. */
const STEPS = [
  { quiet: 600, pause: 60 },
  { quiet: 180, pause: 30 },
  { quiet: 60, pause: 10 },
  { quiet: 20, pause: 5 },
  { quiet: 0, pause: 3 },
] as const;

/** Milliseconds until the next read. */
export function pauseAfter(quietMs: number): number {
  const step = STEPS.find(({ quiet }) => quietMs >= quiet * 1000);
  return (step?.pause ?? 3) * 1000;
}

/**
 * Time between two reads of a payment: 3 s, slowing to 60 s while the status stays the same. A new status or restart()
 * starts over. Polling never stops at a status: the contract calls none final (section 3).
 */
export class PollInterval {
  #status: string | null = null;
  #since = Date.now();

  restart(): void {
    this.#since = Date.now();
  }

  /** Milliseconds until the next read, given the latest status. */
  next(status: string | null): number {
    if (status !== this.#status) this.restart();
    this.#status = status;
    return pauseAfter(Date.now() - this.#since);
  }
}
