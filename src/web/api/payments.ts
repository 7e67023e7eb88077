import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { type Noun, visibleCode } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { type ListFilters } from '#src/shared/contract/contract.ts';
import { type Payment, paymentOf } from '#src/shared/overview/payment.ts';
import { listDeposits, listWithdrawals } from './listQueries.ts';
import type { Page, PageOptions } from './paging/paging.ts';

interface PaymentList {
  noun: Noun;
  page: (filters: ListFilters, cursor: string | null, options: PageOptions) => Promise<Page<Payment>>;
  /** The list's page with these filters. */
  list: (search?: URLSearchParams | string) => string;
}

/** "99 USDT withdrawal", for the name of a button about it. */
export function paymentWords({ kind, amount, asset }: Pick<Payment, 'kind' | 'amount' | 'asset'>): string {
  return `${isAmount(amount) ? formatAmount(amount) : ''} ${visibleCode(asset ?? '')} ${kind}`.trim();
}

function pageOf(kind: PaymentKind, read: typeof listDeposits | typeof listWithdrawals): PaymentList['page'] {
  return async (...asked) => {
    const page = await read(...asked);
    return { ...page, data: page.data.map((row) => paymentOf(kind, row)) };
  };
}

export const PAYMENTS: Readonly<Record<PaymentKind, PaymentList>> = {
  deposit: {
    noun: { one: 'deposit', many: 'deposits' },
    page: pageOf('deposit', listDeposits),
    list: paths.deposits,
  },
  withdrawal: {
    noun: { one: 'withdrawal', many: 'withdrawals' },
    page: pageOf('withdrawal', listWithdrawals),
    list: paths.withdrawals,
  },
};
