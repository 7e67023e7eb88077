import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysBefore, MONTHS } from '#src/shared/time.ts';
import { daysIn } from './days.ts';
import { propertyRuns } from '#src/tests/depth.ts';

const KINDS = {
  isCode: (word: string) => word === 'USDT',
  isNoName: (word: string) => /^(?:USDT|paid|on)$/.test(word),
};
const day = fc.integer({ min: 0, max: 4_000 }).map((back) => daysBefore('2030-12-31', back));
const inWords = (date: string) => {
  const [year, month, number] = date.split('-').map(Number);
  return `${number} ${MONTHS[(month ?? 1) - 1]} ${year}`;
};

test('a week is seven days from a Monday, and includes the day that names it', () => {
  fc.assert(
    fc.property(day, day, fc.constantFrom('week of', 'in the week of the'), (today, named, lead) => {
      const { from = '', to = '' } = daysIn(`${lead} ${inWords(named)}`, KINDS, today)?.value ?? {};
      expect(new Date(`${from}T00:00:00Z`).getUTCDay()).toBe(1);
      expect(to).toBe(daysBefore(from, -6));
      expect(from <= named && named <= to).toBe(true);
    }),
  );
});

test('a period relative to today ends by today, and reaches back as far as stated', () => {
  const words = [
    'last 3 days',
    'past two weeks',
    'since Monday',
    'last weekend',
    'over the weekend',
    'Sunday',
    'this week',
  ];
  fc.assert(
    fc.property(day, fc.constantFrom(...words), (today, text) => {
      const { from = '', to = '' } = daysIn(text, KINDS, today)?.value ?? {};
      expect(from <= to && to <= today).toBe(true);
      expect(from >= daysBefore(today, 13)).toBe(true);
    }),
  );
});

test('no text throws, and the days found are in order and come from a part of the text', () => {
  const parts = [
    '20',
    '23',
    'Nov',
    '2026',
    'to',
    'week of',
    'since',
    'the',
    'last',
    '3',
    'days',
    'weekend',
    'Sunday',
    'USDT',
    '2000',
    '-',
    'in',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 9 }), day, (words, today) => {
      const text = words.join(' ');
      const found = daysIn(text, KINDS, today);
      if (found === null) return;
      expect(text).toContain(found.from);
      expect(found.value.from <= found.value.to).toBe(true);
    }),
    { numRuns: propertyRuns(500) },
  );
});
