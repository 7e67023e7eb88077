import { listDeposits } from '#src/api/deposits.ts';
import type { Page } from '#src/api/paging.ts';
import { listWithdrawals } from '#src/api/withdrawals.ts';
import { paths } from '#src/lib/paths.ts';
import { type HomeRow, recentRows } from './recentRows.ts';

/** One of the two lists that this page reads. */
export interface ListKind {
  noun: { one: string; many: string };
  /** What the rows are of a day: "Came in". */
  today: string;
  /** The part of a balance that holds the funds of rows in flight (2.1). */
  heldIn: 'pending' | 'locked';
  recent: (account: string) => ReturnType<typeof recentRows>;
  list: (search: string) => string;
  detail: (id: string) => string;
}

export const deposits: ListKind = {
  noun: { one: 'deposit', many: 'deposits' },
  today: 'Came in',
  heldIn: 'pending',
  recent: (account) =>
    recentRows([account, 'deposits', 'recent'], async (cursor, options) =>
      mapRows(await listDeposits({}, cursor, { ...options, account }), (row) => row.received_amount),
    ),
  list: paths.deposits,
  detail: (id) => paths.deposit(id),
};

export const withdrawals: ListKind = {
  noun: { one: 'withdrawal', many: 'withdrawals' },
  today: 'Went out',
  heldIn: 'locked',
  recent: (account) =>
    recentRows([account, 'withdrawals', 'recent'], async (cursor, options) =>
      mapRows(await listWithdrawals({}, cursor, { ...options, account }), (row) => row.amount),
    ),
  list: paths.withdrawals,
  detail: (id) => paths.withdrawal(id),
};

function mapRows<T extends Omit<HomeRow, 'amount' | 'created_at'> & { created_at?: unknown }>(
  page: Page<T>,
  amountOf: (row: T) => unknown,
): Page<HomeRow> {
  const data = page.data.map((row) => {
    const { id, status, asset, chain, created_at } = row;
    return { id, status, asset, chain, created_at, amount: amountOf(row) };
  });
  return { ...page, data };
}
