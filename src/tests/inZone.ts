import { vi } from 'vitest';

/** Runs a part of a test on a device of that zone: a process of Node takes up TZ whenever it is set, a thread does not. */
export function inZone<T>(zone: string, run: () => T): T {
  vi.stubEnv('TZ', zone);
  try {
    return run();
  } finally {
    vi.unstubAllEnvs();
  }
}
