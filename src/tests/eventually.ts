import { vi } from 'vitest';

/** Retries the check until it passes, for longer than a busy machine needs. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000 });
}
