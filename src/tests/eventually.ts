import { vi } from 'vitest';

/** Tries until it passes, for longer than a busy machine takes. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000 });
}
