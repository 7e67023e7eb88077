import { expect, test } from 'vitest';
import { testOperation } from '#src/shared/operations/testRecords.ts';
import { isUnconfirmed, paymentProgressOf } from './paymentStanding.ts';

const NOW = 1_790_000_000;
const HOUR = 3600;
const openFor = (waiting: number, usual: number | null, threshold: number) =>
  paymentProgressOf({ payment: { status: 'pending', created_at: NOW - waiting }, now: NOW, usual, threshold }).kind;

test('stuck means over an hour and over twice the usual time, or over the team’s threshold if that is unknown', () => {
  expect(openFor(HOUR + 1, 180, 48 * HOUR)).toBe('stuck');
  expect(openFor(HOUR, 180, HOUR / 2)).toBe('inTime');
  expect(openFor(3 * HOUR, 2 * HOUR, HOUR)).toBe('inTime');
  expect(openFor(4 * HOUR + 1, 2 * HOUR, HOUR)).toBe('stuck');
  expect(openFor(2 * HOUR, null, 4 * HOUR)).toBe('inTime');
  expect(openFor(4 * HOUR + 1, null, 4 * HOUR)).toBe('stuck');
});

test('a payment that ended is not stuck, however old, and one without a time can’t be judged', () => {
  const of = (status: string, created_at?: unknown) =>
    paymentProgressOf({ payment: { status, created_at }, now: NOW, usual: 60, threshold: HOUR });
  expect(of('completed', NOW - 99 * HOUR)).toEqual({ kind: 'succeeded' });
  expect(of('returned', NOW - 99 * HOUR)).toEqual({ kind: 'failed' });
  expect(of('pending', 'yesterday')).toEqual({ kind: 'inTime', waiting: null, usual: 60 });
});

test('a payment that an unresolved operation got as its response is unconfirmed', () => {
  const [attempt] = testOperation.attempts;
  const record = { ...testOperation, attempts: [{ ...attempt!, resultId: 'wd_1' }] };
  const unsettled = [
    { key: 'key-1', record, waitsFor: 'outcome' as const, firstSentAt: null },
    { key: 'key-2', record: null, waitsFor: null, firstSentAt: null },
  ];
  expect(isUnconfirmed('wd_1', unsettled)).toBe(true);
  expect(isUnconfirmed('wd_2', unsettled)).toBe(false);
});
