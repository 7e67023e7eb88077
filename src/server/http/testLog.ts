import type { Mock } from 'vitest';

/**
 * The logged calls, without what servers of earlier tests log later: how many sign-ins they refused, and that a service other than
 * `service` gives no answer.
 */
export function loggedBy({ mock }: Pick<Mock, 'mock'>, service?: string): unknown[][] {
  return mock.calls.filter(([line]) => {
    const [, silent] = /(\S+) gives no answer/.exec(String(line)) ?? [];
    return (silent === undefined || silent === service) && !/ refused in the last minute/.test(String(line));
  });
}
