import { vi } from 'vitest';

/** Runs a part of a test as on a device of that zone. Works only in a process of Node: a thread ignores a change of TZ. */
export function inZone<T>(zone: string, run: () => T): T {
  vi.stubEnv('TZ', zone);
  try {
    return run();
  } finally {
    vi.unstubAllEnvs();
  }
}
