import type { ListFilters } from '#src/shared/contract/contract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { dateOf, dayStart, type Zone, zoneName } from '#src/shared/time.ts';
import { describeRange } from '#src/shared/createdRange.ts';

/** Unix seconds: `from` included, `to` excluded. */
export interface Bounds {
  from: number;
  to: number;
}

export function isSamePeriod(one: Bounds, other: Bounds): boolean {
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

/** The rest of the month in which a closed period ended. */
export function nextPeriod({ to }: Pick<ClosedPeriod, 'to'>, zone: Zone): Bounds {
  // If this device doesn't know the zone, a month seems to end some hours off; those hours are not a period.
  return { from: to, to: monthOf(to + 22 * 3600, zone).to };
}

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "October 2026, UTC", "1 Oct 2026 to 7 Oct 2026, UTC". */
export function periodName(bounds: Bounds, zone: Zone): string {
  if (!isSamePeriod(bounds, monthOf(bounds.from, zone))) return describeRange(filtersOf(bounds), zone);
  return `${MONTH.format(Date.parse(dateOf(bounds.from, zone)))}, ${zoneName(zone)}`;
}

/** The name of the period that late rows go into: "November", or "January 2027" where `from` is of another year. */
export function nextToClose(closed: readonly ClosedPeriod[], { from }: Pick<Bounds, 'from'>, zone: Zone): string {
  const last = closed.at(-1);
  if (!last) return 'the next period';
  const next = nextPeriod(last, zone);
  const isSameYear = dateOf(next.from, zone).slice(0, 4) === dateOf(from, zone).slice(0, 4);
  const [name = ''] = periodName(next, zone).split(',');
  return isSameYear ? withoutYear(name) : name;
}

/** "October 2026, UTC" as "October"; other days keep their years. */
export function withoutYear(name: string): string {
  const [days = ''] = name.split(',');
  return days.replace(/^(\p{L}+) \d{4}$/u, '$1');
}

/** As list filters: both bounds are one second outside, as services differ in whether the bound counts. */
export function filtersOf({ from, to }: Bounds): ListFilters {
  return { created_after: from - 1, created_before: to };
}

export function searchOf(bounds: Bounds, more: Record<string, string> = {}): URLSearchParams {
  const { created_after, created_before } = filtersOf(bounds);
  return new URLSearchParams({ ...more, created_after: String(created_after), created_before: String(created_before) });
}

/** The period in the page's URL; null if missing or invalid. */
export function periodIn(search: URLSearchParams): Bounds | null {
  const [after, before] = ['created_after', 'created_before'].map((name) => search.get(name) ?? '');
  if (!after || !before || !/^\d{1,12}$/.test(after) || !/^\d{1,12}$/.test(before)) return null;
  const bounds = { from: Number(after) + 1, to: Number(before) };
  return bounds.from < bounds.to ? bounds : null;
}
