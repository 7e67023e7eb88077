import { expect, test } from 'vitest';
import { scopeText } from './recipients.tsx';

const use = (amount: string | null, status = 'completed') => ({
  chain: 'tron',
  address: 'TWiummto6eeTBsUoD6N2rgqYNTGvwTft86',
  source: 'service' as const,
  id: 'wd_1',
  asset: 'USDT',
  amount,
  at: null,
  status,
});
const read = (uses: ReturnType<typeof use>[], complete = true) =>
  scopeText({ status: 'read', uses, count: uses.length, complete, date: null, readAt: 0 });

test('what the totals of recipients count is named, and what they lack', () => {
  expect(read([use('1'), use(null, 'failed')])).toBe('Totals count completed withdrawals.');
  expect(read([use('1'), use(null), use('1e5')], false)).toBe(
    'Totals count completed withdrawals among the latest 3, without 2 whose amount or asset can’t be read.',
  );
});
