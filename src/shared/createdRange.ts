// Converts days in the person's zone to the contract's created_after and created_before, and back. The contract doesn't say
// whether a bound itself is included, so each bound is one second outside the range: no row of the range can be missed,
// and a row of that one second may be included.
import type { ListFilters } from './contract/contract.ts';
import { dateOf, daysBefore, dayStart, formatFull, MONTHS, type Zone, zoneName } from './time.ts';

export const ANY_TIME = { created_after: undefined, created_before: undefined, period: undefined };

export interface DayRange {
  /** First day, as "2026-11-01"; empty if there is no bound or it isn't the start of a day. */
  from: string;
  /** Last day, included. */
  to: string;
}

/** The bounds for a range of whole days; an empty or impossible day leaves its side open. */
export function boundsOfDays({ from, to }: DayRange, zone: Zone): ListFilters {
  const bounds: ListFilters = {};
  const start = dayStart(from, zone);
  const end = dayStart(to, zone) === null ? null : dayStart(daysBefore(to, -1), zone);
  if (start !== null && start > 0) bounds.created_after = start - 1;
  if (end !== null && end > 0) bounds.created_before = end;
  return bounds;
}

/** Reverses boundsOfDays; a bound within a day gives an empty string. */
export function daysOfBounds({ created_after, created_before }: ListFilters, zone: Zone): DayRange {
  return {
    from: created_after === undefined ? '' : dayStartingAt(created_after + 1, zone),
    to: created_before === undefined ? '' : dayEndingAt(created_before, zone),
  };
}

function dayStartingAt(unix: number, zone: Zone): string {
  const date = dateOf(unix, zone);
  return dayStart(date, zone) === unix ? date : '';
}

function dayEndingAt(unix: number, zone: Zone): string {
  return dayStartingAt(unix, zone) === '' ? '' : dateOf(unix - 1, zone);
}

export function dayWords(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

/** "1 Nov 2026 to 21 Nov 2026, UTC"; a bound within a day is written with its time. "any" when both sides are open. */
export function describeRange(filters: ListFilters, zone: Zone): string {
  const { created_after, created_before } = filters;
  if (created_after === undefined && created_before === undefined) return 'any';
  const { from, to } = daysOfBounds(filters, zone);
  if (from !== '' && from === to) return `${dayWords(from)}, ${zoneName(zone)}`;
  if (from !== '' && to !== '') return `${dayWords(from)} to ${dayWords(to)}, ${zoneName(zone)}`;
  const sides: string[] = [];
  if (from !== '') sides.push(`from ${dayWords(from)}`);
  else if (created_after !== undefined) sides.push(`after ${formatFull(created_after, zone)}`);
  if (to !== '') sides.push(`to ${dayWords(to)}`);
  else if (created_before !== undefined) sides.push(`before ${formatFull(created_before, zone)}`);
  const isExact = (from === '' && created_after !== undefined) || (to === '' && created_before !== undefined);
  // A bound with a time names the zone itself.
  return isExact ? sides.join(', ') : `${sides.join(', ')}, ${zoneName(zone)}`;
}
