import { expect, test } from 'vitest';
import type { Balances } from '#src/api/balances.ts';
import type { Operations } from '#src/api/useOperations.ts';
import { findingsOf } from './findings.ts';
import type { FailedRead } from './failedWithdrawals.ts';
import { deposits, withdrawals } from './homeSources.ts';
import type { Recent } from './recentRows.ts';
import { judge } from './stuckPayments.ts';
import type { HomeList } from './useHomeList.ts';
import { summaryOf } from './pageSummary.ts';

const NOW = 1_800_000_000;
const meta = { requestId: null, date: NOW, readAt: NOW };
const rows = Array.from({ length: 20 }, (_, at) => ({
  id: `id${at}`,
  status: 'completed',
  asset: 'BTC',
  chain: 'bitcoin',
  amount: '1',
  created_at: NOW - at * 3600,
}));
const recent: Recent = { ...meta, rows, malformed: 0, pages: 1, stop: 'end', reason: null, since: null };
const error = new Error('lost');
const judged = (of: readonly (typeof rows)[number][]) => judge(of, null, NOW);

function list(more: Partial<HomeList> = {}): HomeList {
  return {
    kind: deposits,
    recent,
    judgement: judged(rows),
    error: null,
    notOffered: false,
    reading: false,
    readAgain: () => undefined,
    readOn: () => undefined,
    readingOn: false,
    oldest: null,
    readingOldest: false,
    oldestError: null,
    ...more,
  };
}
const operations: Operations = {
  status: 'ready',
  views: [],
  operations: [],
  unreadable: [],
  setBack: false,
  more: false,
};
const balances: Balances = { ...meta, balances: [], further: [], malformed: [], broken: null, complete: true };
const balance = { asset: 'BTC', available: '1', pending: '0', locked: '0', total: '1', updated_at: NOW };

const none: FailedRead = { rows: [], ready: true };

function toneOf({ view = operations, came = list(), of = balances, failed = null as Error | null, gone = none } = {}) {
  return summaryOf(findingsOf(view, gone, [came, list({ kind: withdrawals })], { data: of, error: failed })).tone;
}

test('a failed withdrawal that nobody handled is not calm, and says how many there are', () => {
  const gone = { ...none, rows: [{ ...rows[0]!, status: 'failed' }] };
  expect(summaryOf(findingsOf(operations, gone, [list()], { data: balances, error: null })).text).toBe(
    '1 withdrawal failed.',
  );
  expect(toneOf({ gone })).toBe('open');
  expect(toneOf({ gone: { ...gone, ready: false } })).toBe('reading');
});

test('calm takes that everything was read, to its end, now, and could be judged', () => {
  expect(toneOf()).toBe('calm');
  expect(toneOf({ of: { ...balances, balances: [balance] } })).toBe('calm');
  expect(toneOf({ came: list({ oldest: { rows: [], more: [] } }) })).toBe('calm');
  const timeless = [...rows, { ...rows[0]!, id: 'x', created_at: Number.NaN }];
  for (const came of [
    list({ recent: null, judgement: null, error }),
    list({ recent: null, judgement: null, error, notOffered: true }),
    list({ error }),
    list({ recent: { ...recent, stop: 'bound' } }),
    list({ recent: { ...recent, stop: 'broken' } }),
    list({ recent: { ...recent, malformed: 1 } }),
    list({ recent: { ...recent, rows: timeless }, judgement: judged(timeless) }),
    list({ judgement: judged(rows.slice(0, 3)) }),
    list({ oldestError: error }),
    list({ oldest: { rows: [], more: ['pending'] } }),
  ])
    expect(toneOf({ came })).toBe('unsure');
  for (const of of [
    { ...balances, complete: false },
    { ...balances, malformed: [{}] },
    { ...balances, balances: [balance], further: [{ ...balance, total: '2', available: '2' }] },
    { ...balances, balances: [{ ...balance, locked: null }] },
  ])
    expect(toneOf({ of })).toBe('unsure');
  expect(toneOf({ failed: error })).toBe('unsure');
  for (const part of [{ status: 'unavailable' }, { reason: 'lost' }, { setBack: true }, { more: true }] as const)
    expect(toneOf({ view: { ...operations, ...part } })).toBe('unsure');
  expect(toneOf({ came: list({ recent: null, judgement: null }) })).toBe('reading');
  expect(toneOf({ came: list({ readingOldest: true }) })).toBe('reading');
  expect(toneOf({ view: { ...operations, status: 'loading' } })).toBe('reading');
});

test('what is found is found, whatever else failed', () => {
  const stuck = [...rows, { ...rows[0]!, id: 'stuck', status: 'pending', created_at: NOW - 90 * 3600 }];
  expect(toneOf({ came: list({ judgement: judged(stuck), error }) })).toBe('open');
  expect(toneOf({ of: { ...balances, balances: [{ ...balance, total: '2' }] }, failed: error })).toBe('open');
  const unreadable = [{ key: 'k', why: 'checksum' as const, firstSentAt: NOW, closed: null }];
  expect(toneOf({ view: { ...operations, unreadable } })).toBe('open');
});
