import { type ListFilters, LIMIT_MAX } from '#src/api/contract.ts';
import { listDeposits } from '#src/api/deposits.ts';
import type { PageOptions } from '#src/api/listQuery.ts';
import type { Page } from '#src/api/paging.ts';
import { listWithdrawals } from '#src/api/withdrawals.ts';
import type { Noun } from '#src/lib/count.ts';
import { paths } from '#src/lib/paths.ts';
import { oldestRows } from './oldestRows.ts';
import { type HomeRow, recentRows } from './recentRows.ts';

/** One of the two lists that this page reads. */
export interface ListKind {
  noun: Noun;
  /** What the rows are of a day: "Came in". */
  today: string;
  /** The part of a balance that holds the funds of rows in flight (2.1). */
  heldIn: 'pending' | 'locked';
  recent: (account: string) => ReturnType<typeof recentRows>;
  /** The oldest rows of some statuses. */
  oldest: (account: string, statuses: readonly string[]) => ReturnType<typeof oldestRows>;
  list: (search: string) => string;
  detail: (id: string) => string;
}

type ReadRows = (filters: ListFilters, cursor: string | null, options: PageOptions) => Promise<Page<HomeRow>>;

const readDeposits: ReadRows = async (filters, cursor, options) =>
  mapRows(await listDeposits(filters, cursor, options), (row) => row.received_amount);
const readWithdrawals: ReadRows = async (filters, cursor, options) =>
  mapRows(await listWithdrawals(filters, cursor, options), (row) => row.amount);

function queriesOf(resource: string, readRows: ReadRows): Pick<ListKind, 'recent' | 'oldest'> {
  return {
    recent: (account) =>
      recentRows([account, resource, 'recent'], (cursor, options) => readRows({}, cursor, { ...options, account })),
    oldest: (account, statuses) =>
      oldestRows([account, resource, 'oldest'], statuses, (status, signal) =>
        readRows({ status, order: 'asc' }, null, { limit: LIMIT_MAX, account, signal }),
      ),
  };
}

export const deposits: ListKind = {
  noun: { one: 'deposit', many: 'deposits' },
  today: 'Came in',
  heldIn: 'pending',
  ...queriesOf('deposits', readDeposits),
  list: paths.deposits,
  detail: (id) => paths.deposit(id),
};

export const withdrawals: ListKind = {
  noun: { one: 'withdrawal', many: 'withdrawals' },
  today: 'Went out',
  heldIn: 'locked',
  ...queriesOf('withdrawals', readWithdrawals),
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
