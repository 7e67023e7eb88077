import { expect, test } from 'vitest';
import { readDay } from './readDay.ts';

test.each([
  ['1 Oct 2026', '2026-10-01'],
  ['31 october 2026', '2026-10-31'],
  ['2026-10-01', '2026-10-01'],
  ['1. Oct', '2026-10-01'],
  ['25 Dec', '2025-12-25'],
  ['', ''],
  ['31 Sep 2026', null],
  ['10/01/2026', null],
  ['yesterday', null],
])('%s, typed on 22 Nov 2026, is %s', (typed, day) => expect(readDay(typed, '2026-11-22')).toBe(day));
