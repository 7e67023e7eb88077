import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inZone } from '#src/tests/inZone.ts';

const at = (text: string): number => Date.parse(text) / 1000;
const ZONE = 'America/Los_Angeles';

// A page keeps the zone that its device had first.
beforeEach(() => void vi.resetModules());
afterEach(() => void vi.resetModules());

test.each([
  // The viewer's own zone or not: the next month is of the zone in which the last one was closed.
  ['October 2026, UTC', '2026-11-01T00:00:00Z', 'local', '2026-12-01T00:00:00Z', 'November 2026, UTC'],
  ['February 2026, UTC', '2026-03-01T00:00:00Z', 'utc', '2026-04-01T00:00:00Z', 'March 2026, UTC'],
  [`October 2026, ${ZONE}`, '2026-11-01T07:00:00Z', 'utc', '2026-12-01T08:00:00Z', `November 2026, ${ZONE}`],
  [
    '1 Oct 2026 to 7 Oct 2026, UTC',
    '2026-10-08T00:00:00Z',
    'local',
    '2026-11-01T00:00:00Z',
    /^after Wed 7 Oct 2026 16:59:59/,
  ],
  // The last day of a month is the rest of it; an hour of it belongs to another zone.
  ['1 Oct 2026 to 30 Oct 2026, UTC', '2026-10-31T00:00:00Z', 'utc', '2026-11-01T00:00:00Z', '31 Oct 2026, UTC'],
  ['October 2026, Europe/Berlin', '2026-10-31T23:00:00Z', 'utc', '2026-12-01T00:00:00Z', /to 30 Nov 2026$/],
] as const)(
  'after %s, up to %s, comes for a viewer in %s the period up to %s',
  async (name, closed, zone, to, next) => {
    const { nextPeriod, periodName } = await import('./period.ts');
    inZone(ZONE, () => {
      const bounds = nextPeriod({ name, to: at(closed) }, zone);
      expect(bounds).toEqual({ from: at(closed), to: at(to) });
      expect(periodName(bounds, zone)).toMatch(next);
    });
  },
);
