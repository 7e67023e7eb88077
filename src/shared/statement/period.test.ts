import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inZone } from '#src/tests/inZone.ts';

const at = (text: string): number => Date.parse(text) / 1000;
const ZONE = 'America/Los_Angeles';

// The module remembers the device's zone when first loaded.
beforeEach(() => void vi.resetModules());
afterEach(() => void vi.resetModules());

test.each([
  // The next month is in the zone of the closed ones, whatever the device's zone.
  [['October 2026, UTC'], '2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', 'November 2026, UTC'],
  [['February 2026, UTC'], '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z', 'March 2026, UTC'],
  [[`October 2026, ${ZONE}`], '2026-11-01T07:00:00Z', '2026-12-01T08:00:00Z', `November 2026, ${ZONE}`],
  [['October 2026, Europe/Berlin'], '2026-10-31T23:00:00Z', '2026-11-30T23:00:00Z', 'November 2026, Europe/Berlin'],
  // After a period of days comes the rest of the month.
  [
    ['1 Oct 2026 to 7 Oct 2026, Asia/Kathmandu'],
    '2026-10-07T18:15:00Z',
    '2026-10-31T18:15:00Z',
    '8 Oct 2026 to 31 Oct 2026, Asia/Kathmandu',
  ],
  // The last day of a month is a period; a single hour means a different zone.
  [['1 Oct 2026 to 30 Oct 2026, UTC'], '2026-10-31T00:00:00Z', '2026-11-01T00:00:00Z', '31 Oct 2026, UTC'],
  // A period that ends within a day doesn't change the zone: the next one ends with a month of the series again.
  [
    ['October 2026, UTC', `after Sat 31 Oct 2026 16:59:59 ${ZONE} (UTC-07:00), to 7 Nov 2026`],
    '2026-11-08T08:00:00Z',
    '2026-12-01T00:00:00Z',
    'after Sun 8 Nov 2026 07:59:59 UTC, to 30 Nov 2026',
  ],
  // A zone that this device doesn't know.
  [['October 2026, Mars/Olympus'], '2026-10-31T23:00:00Z', '2026-12-01T00:00:00Z', /^after .* UTC, to 30 Nov 2026$/],
] as const)('after %j, up to %s, comes the period up to %s', async (names, closed, to, next) => {
  const { nextPeriod, periodName } = await import('./period.ts');
  const { seriesZone } = await import('./seriesZone.ts');
  inZone(ZONE, () => {
    const zone = seriesZone(names.map((name) => ({ name })));
    const bounds = nextPeriod({ to: at(closed) }, zone);
    expect(bounds).toEqual({ from: at(closed), to: at(to) });
    expect(periodName(bounds, zone)).toMatch(next);
  });
});

test('the first period is in UTC, whatever the device’s zone', async () => {
  const { monthOf, periodName } = await import('./period.ts');
  const { seriesZone } = await import('./seriesZone.ts');
  inZone(ZONE, () => {
    const zone = seriesZone([]);
    expect(zone).toBe('utc');
    expect(periodName(monthOf(at('2026-11-01T03:00:00Z'), zone, 1), zone)).toBe('October 2026, UTC');
    // A link to a month in the device's zone is named in the zone of the series.
    expect(periodName(monthOf(at('2026-10-15T00:00:00Z'), 'local'), zone)).toBe(
      'after Thu 1 Oct 2026 06:59:59 UTC, before Sun 1 Nov 2026 07:00:00 UTC',
    );
  });
});
