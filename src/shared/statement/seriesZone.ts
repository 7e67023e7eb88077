import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { type Zone, zoneNamed } from '#src/shared/time.ts';

/**
 * The zone in which an account closes its periods, taken from the names of the closed ones; UTC for the first period, and if
 * this device doesn't know the zone. Everyone uses the same zone, so that no period starts hours off the end of the last.
 */
export function seriesZone(closed: readonly Pick<ClosedPeriod, 'name'>[]): Zone {
  const zones = closed.map(({ name }) => zoneNamed(name.slice(name.lastIndexOf(', ') + 2)));
  return zones.findLast((zone) => zone !== null) ?? 'utc';
}
