import { describe, expect, test } from 'vitest';
import { boundsOfDays } from '#src/shared/createdRange.ts';
import { assetsByRowCount, binsOf, measure, spanOf } from './bins.ts';
import { type Counted, newCount, NO_TALLY } from './counted.ts';
import { binWords, leftOutWords, summaryWords } from './countWords.ts';

const NOW = Date.UTC(2026, 10, 21, 14) / 1000;
const noun = { one: 'deposit', many: 'deposits' };

function counted(days: Record<string, Record<string, number>>, more: Partial<Counted> = {}): Counted {
  return {
    ...newCount({}, 'utc'),
    days: new Map(
      Object.entries(days).map(([day, counts]) => [
        day,
        new Map(Object.entries(counts).map(([asset, rows]) => [asset, { ...NO_TALLY, rows }])),
      ]),
    ),
    asOf: NOW,
    end: 'all',
    ...more,
  };
}

test('with more than four assets, the three with most rows are named and the others are one entry', () => {
  const span = { from: '2026-11-19', to: '2026-11-20' };
  const wordsOf = (day: Record<string, number>) => {
    const [bin] = binsOf(counted({ '2026-11-19': { X: 1 }, '2026-11-20': day }), span, 'week');
    return bin && binWords(bin, noun, true).split(': ').at(-1);
  };
  expect(wordsOf({ SOL: 3, BTC: 9, ETH: 5, '': 2 })).toBe('BTC 9, ETH 5, SOL 3, 2 others 3');
  expect(wordsOf({ C: 2, B: 3, A: 4 })).toBe('A 4, B 3, C 2, X 1');
  expect(assetsByRowCount(counted({ '2026-11-18': { A: 1 }, '2026-11-19': { A: 1, B: 2 } }), span)).toEqual([
    ['B', 2],
    ['A', 1],
  ]);
});

describe('the span', () => {
  test('is the filter’s, without days in the future', () => {
    const filters = boundsOfDays({ from: '2026-11-10', to: '2026-12-31' }, 'utc');
    expect(spanOf(counted({ '2026-11-12': { BTC: 1 } }, { filters }))).toEqual({
      from: '2026-11-10',
      to: '2026-11-21',
    });
  });

  test('includes rows that the service sent from outside the filter, and goes back as far as the list does', () => {
    const filters = boundsOfDays({ from: '2026-11-10', to: '2026-11-11' }, 'utc');
    const days = { '2026-11-12': { BTC: 1 }, '2026-11-09': { BTC: 1 } };
    expect(spanOf(counted(days, { filters }))).toEqual({ from: '2026-11-09', to: '2026-11-12' });
    expect(spanOf(counted(days, { far: '2025-01-01' }))).toEqual({ from: '2025-01-01', to: '2026-11-21' });
    expect(spanOf(counted({}))).toBeNull();
  });
});

test('unread days are "not loaded", partly read ones "at least", today is "so far", and a cut day is noted', () => {
  const filters = { created_before: NOW };
  const of = counted(
    { '2026-11-21': { BTC: 2, ETH: 1 }, '2026-11-19': { BTC: 4 } },
    { end: 'more', reached: '2026-11-19', far: '2026-11-17', filters },
  );
  const bins = binsOf(of, { from: '2026-11-17', to: '2026-11-21' }, 'day');
  expect(bins.map((bin) => binWords(bin, noun, true))).toEqual([
    '17 Nov 2026: not loaded',
    '18 Nov 2026: not loaded',
    '19 Nov 2026: at least 4 deposits: BTC 4 (not loaded to its start)',
    '20 Nov 2026: 0 deposits',
    '21 Nov 2026: 3 deposits so far: BTC 2, ETH 1 (the filter takes a part of a day)',
  ]);
  expect(summaryWords(bins, 'day', noun)).toBe(
    'Deposits per day, 17 Nov to 21 Nov 2026; 0 a day; 3 so far today; 17 Nov to 18 Nov 2026 not loaded',
  );
});

test('a mean is over full weeks only: none that isn’t over, was cut, or began before the span', () => {
  const done = { rows: 1, sum: '7' };
  const days = ['2026-10-25', '2026-10-28', '2026-11-16', '2026-11-21'].map(
    (day) => [day, new Map([['BTC', { ...NO_TALLY, rows: 1, done }]])] as const,
  );
  const of = { ...counted({}), days: new Map(days) };
  const span = { from: '2026-10-25', to: '2026-11-21' };
  const meanOf = (unit: 'week' | 'month') =>
    measure(of, binsOf(of, span, unit), span, { kind: 'amount', asset: 'BTC' }).mean;
  // Three weeks from 26 October on, one of them with a row.
  expect(meanOf('week')).toMatch(/^2\.33/);
  expect(meanOf('month')).toBeNull();
});

test('names from outside are clipped and cannot reorder the words', () => {
  const of = counted({ '2026-11-20': { ['A'.repeat(500)]: 1, '\u202Eevil<script>': 1 } });
  const [bin] = binsOf(of, { from: '2026-11-20', to: '2026-11-20' }, 'day');
  if (!bin) throw new Error('no bin');
  expect(binWords(bin, noun, true)).toBe(`20 Nov 2026: 2 deposits: ${'A'.repeat(40)}… 1, ⟨U+202E⟩evil<script> 1`);
});

test.each([
  [0, ['0', '1']],
  [1, ['0', '1']],
  [2, ['0', '1', '2']],
  [5, ['0', '5']],
  [31, ['0', '20', '40']],
  [1234, ['0', '500', '1000', '1500']],
])('a grid for up to %i rows has no half ones', (rows, lines) => {
  const day = { from: '2026-11-20', to: '2026-11-20' };
  const done = { rows, sum: '0' };
  const of = { ...counted({}), days: new Map([['2026-11-20', new Map([['BTC', { ...NO_TALLY, rows, done }]])]]) };
  expect(measure(of, binsOf(of, day, 'day'), day, { kind: 'count' }).grid).toEqual(lines);
});

test('rows that belong to no day are described in words', () => {
  expect(leftOutWords(counted({}), noun)).toBe('');
  expect(leftOutWords(counted({}, { untimed: 1, repeated: 2 }), noun)).toBe(
    '1 deposit without a readable time is not on any day; 2 came twice and are counted once.',
  );
});
