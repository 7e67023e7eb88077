import { expect, test } from 'vitest';
import { failedRows } from './failedWithdrawals.ts';
import type { HomeRow } from './recentRows.ts';

const NOW = 1_800_000_000;
const row = (id: string, status: string | null, days = 0): HomeRow => ({
  id,
  status,
  asset: 'USDT',
  chain: 'tron',
  amount: '99',
  created_at: NOW - days * 86_400,
});

test('a withdrawal that came to nothing asks for somebody, for seven days or until it is handled', () => {
  const rows = [
    row('wd_1', 'failed'),
    row('wd_2', 'rejected', 6),
    row('wd_3', 'failed', 8),
    row('wd_4', 'completed'),
    row('wd_5', 'on_hold'),
    row('wd_6', 'returned', 1),
    { ...row('wd_7', 'failed'), created_at: null },
  ];
  const ids = failedRows(rows, NOW, new Set(['withdrawal:wd_6', 'deposit:wd_1'])).map(({ id }) => id);
  expect(ids).toEqual(['wd_1', 'wd_2', 'wd_7']);
});
