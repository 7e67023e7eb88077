import { expect, test } from 'vitest';
import { checkedWords, paymentsCheck } from './checks.ts';

const read = (count: number, partly: { status: string; reason: null }[] = []) => ({
  count,
  partly,
  readAt: 1_790_000_000,
});

test('a check reports what a list has and whether the list is complete', () => {
  expect(paymentsCheck('deposit', undefined, null)).toMatchObject({ state: 'loading' });
  expect(paymentsCheck('deposit', undefined, new Error('lost'))).toMatchObject({ state: 'failed', what: 'deposits' });
  expect(paymentsCheck('deposit', read(1), null)).toMatchObject({
    state: 'whole',
    words: '1 deposit',
  });
  // Rows loaded before an outage don't count during it.
  expect(paymentsCheck('deposit', read(1), new Error('lost'))).toMatchObject({ state: 'failed' });
  const partly = [{ status: 'pending', reason: null }];
  expect(paymentsCheck('deposit', read(1, partly), null)).toMatchObject({
    state: 'partly',
    words: 'the 1 oldest deposits',
  });
  const checked = [
    paymentsCheck('deposit', read(1), null),
    paymentsCheck('withdrawal', read(0), null),
    paymentsCheck('withdrawal', undefined, null),
  ];
  expect(checkedWords(checked)).toBe('1 deposit and 0 withdrawals in progress');
});
