import { expect, test } from 'vitest';
import { readServiceDate } from './answers.ts';

const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT';
const UNIX = Date.UTC(2026, 10, 21, 10) / 1000;

test.each([
  ['alone', DATE, null, UNIX],
  ['less its age', DATE, '60', UNIX - 60],
  ['of the obsolete forms', 'Saturday, 21-Nov-26 10:00:00 GMT', null, UNIX],
  ['without a zone', 'Sat Nov 21 10:00:00 2026', null, UNIX],
])('a service’s Date %s is its clock', (_, date, age, unix) => {
  expect(readServiceDate(date, age)).toBe(unix);
});

test.each([
  ['none', null, null],
  ['empty', '', null],
  ['words', 'yesterday', null],
  ['a number, which Date.parse would take for a year', '5', null],
  ['another format', '2026-11-21T10:00:00Z', null],
  ['one with an age that is no number', DATE, 'old'],
  ['one with a negative age', DATE, '-5'],
  ['one that a cache kept for more than a minute', DATE, '61'],
  ['no such day', 'Sat, 41 Nov 2026 10:00:00 GMT', null],
])('a Date that is %s is unreadable', (_, date, age) => {
  expect(readServiceDate(date, age)).toBeNull();
});
