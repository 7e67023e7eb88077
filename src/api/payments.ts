import type { Noun } from '#src/lib/text.ts';
import { paths } from '#src/lib/paths.ts';
import { type ListFilters } from './contract.ts';
import { listDeposits, listWithdrawals } from './lists.ts';
import type { Page, PageOptions } from './paging/paging.ts';

export type PaymentKind = 'deposit' | 'withdrawal';

/** A deposit or a withdrawal as overviews show it; amounts and times as they came. */
export interface Payment {
  kind: PaymentKind;
  id: string;
  status: string | null;
  asset: string | null;
  chain: string | null;
  /** Where a withdrawal goes; of a deposit only where the service tells. */
  address: string | null;
  amount: unknown;
  fee: unknown;
  created_at?: unknown;
}

interface PaymentList {
  noun: Noun;
  page: (filters: ListFilters, cursor: string | null, options: PageOptions) => Promise<Page<Payment>>;
  /** The list's page with these filters. */
  list: (search?: URLSearchParams | string) => string;
}

export const PAYMENTS: Readonly<Record<PaymentKind, PaymentList>> = {
  deposit: {
    noun: { one: 'deposit', many: 'deposits' },
    page: async (filters, cursor, options) => {
      const page = await listDeposits(filters, cursor, options);
      const data = page.data.map(({ id, status, asset, chain, created_at, received_amount, ...rest }): Payment => {
        const address = typeof rest['address'] === 'string' ? rest['address'] : null;
        return { kind: 'deposit', id, status, asset, chain, address, amount: received_amount, fee: null, created_at };
      });
      return { ...page, data };
    },
    list: paths.deposits,
  },
  withdrawal: {
    noun: { one: 'withdrawal', many: 'withdrawals' },
    page: async (filters, cursor, options) => {
      const page = await listWithdrawals(filters, cursor, options);
      const data = page.data.map(({ id, status, asset, chain, address, amount, fee, created_at }): Payment => {
        return { kind: 'withdrawal', id, status, asset, chain, address, amount, fee, created_at };
      });
      return { ...page, data };
    },
    list: paths.withdrawals,
  },
};
