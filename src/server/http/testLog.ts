import type { Mock } from 'vitest';

/** What was logged, without the counts of refusals that the server of an earlier test logs a minute later. */
export function loggedBy({ mock }: Pick<Mock, 'mock'>): unknown[][] {
  return mock.calls.filter(([line]) => !/ refused in the last minute/.test(String(line)));
}
