import type { SeenOperation } from '#src/api/operations.ts';
import { useMonotonicNow } from '#src/ui/useNow.ts';

/** The server's clock in milliseconds and the service's in Unix seconds, carried on since a view was heard; every second anew. */
export function useCarriedClock(seen: Pick<SeenOperation, 'now' | 'serviceNow' | 'heard'>): {
  now: number;
  serviceNow: number | null;
} {
  const passed = Math.max(0, useMonotonicNow(1) - seen.heard);
  const { now, serviceNow } = seen;
  return { now: now + passed, serviceNow: serviceNow === null ? null : serviceNow + Math.floor(passed / 1000) };
}
