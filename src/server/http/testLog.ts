import type { Mock } from 'vitest';

/** The logged calls, without the counts of refusals that an earlier test's server logs a minute later. */
export function loggedBy({ mock }: Pick<Mock, 'mock'>): unknown[][] {
  return mock.calls.filter(([line]) => !/ refused in the last minute/.test(String(line)));
}
