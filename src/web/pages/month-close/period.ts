import type { ListFilters } from '#src/shared/contract/contract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { dateOf, dayStart, type Zone, zoneName, zoneNamed } from '#src/shared/time.ts';
import { describeRange } from '#src/web/list/createdRange.ts';

/** From its first second up to, and without, the second after it; Unix seconds. */
export interface Bounds {
  from: number;
  to: number;
}

export function isSame(one: Bounds, other: Bounds): boolean {
  return one.from === other.from && one.to === other.to;
}

export function monthOf(unix: number, zone: Zone, earlier = 0): Bounds {
  const [year = 0, month = 1] = dateOf(unix, zone).split('-').map(Number);
  const first = (at: number): number => {
    const date = new Date(Date.UTC(year, month - 1 - earlier + at, 1)).toISOString().slice(0, 10);
    return dayStart(date, zone) ?? 0;
  };
  return { from: first(0), to: first(1) };
}

/**
 * The zone in which an account closes its periods, by the names of those that it closed: UTC for the first, and where this
 * device doesn't know the zone. One zone for everybody, so that no period begins or ends hours beside the one before.
 */
export function seriesZone(closed: readonly Pick<ClosedPeriod, 'name'>[]): Zone {
  const zones = closed.map(({ name }) => zoneNamed(name.slice(name.lastIndexOf(', ') + 2)));
  return zones.findLast((zone) => zone !== null) ?? 'utc';
}

/** What is left of the month in which a closed period ended. */
export function nextPeriod({ to }: Pick<ClosedPeriod, 'to'>, zone: Zone): Bounds {
  // In a zone that this device doesn't know, a month ends hours beside: those alone are no period.
  return { from: to, to: monthOf(to + 22 * 3600, zone).to };
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "October 2026, UTC", "1 Oct 2026 to 7 Oct 2026, UTC". */
export function periodName(bounds: Bounds, zone: Zone): string {
  if (!isSame(bounds, monthOf(bounds.from, zone))) return describeRange(filtersOf(bounds), zone);
  return `${MONTH.format(Date.parse(dateOf(bounds.from, zone)))}, ${zoneName(zone)}`;
}

/** As lists are filtered: both bounds lie a second outside. */
export function filtersOf({ from, to }: Bounds): ListFilters {
  return { created_after: from - 1, created_before: to };
}

export function searchOf(bounds: Bounds, more: Record<string, string> = {}): URLSearchParams {
  const { created_after, created_before } = filtersOf(bounds);
  return new URLSearchParams({ ...more, created_after: String(created_after), created_before: String(created_before) });
}

/** The period of the page's URL; null where it names none, or one that cannot be. */
export function periodIn(search: URLSearchParams): Bounds | null {
  const [after, before] = ['created_after', 'created_before'].map((name) => search.get(name) ?? '');
  if (!after || !before || !/^\d{1,12}$/.test(after) || !/^\d{1,12}$/.test(before)) return null;
  const bounds = { from: Number(after) + 1, to: Number(before) };
  return bounds.from < bounds.to ? bounds : null;
}
