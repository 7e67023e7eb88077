import { setTimeout as wait } from 'node:timers/promises';

const TIMEOUT_MS = 20_000;

/** Polls until the condition holds; throws an error naming `what` after 20 s. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`It did not come to this: ${what}.`);
    await wait(20);
  }
}
