import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { type Noun, visibleCode } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import { type ListFilters } from '#src/shared/contract/contract.ts';
import { listDeposits, listWithdrawals } from './listQueries.ts';
import type { Page, PageOptions } from './paging/paging.ts';

/** A deposit or a withdrawal as overviews show it; amounts and times as they came. */
export interface Payment {
  kind: PaymentKind;
  id: string;
  status: string | null;
  asset: string | null;
  chain: string | null;
  /** Destination of a withdrawal; a deposit's only if the service sends it. */
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

type Row = Readonly<Record<string, unknown>> & { id: string };

export function paymentOf(kind: PaymentKind, row: Row): Payment {
  const { id, created_at } = row;
  const word = (name: string) => (typeof row[name] === 'string' ? row[name] : null);
  const isOut = kind === 'withdrawal';
  const address = word('address') ?? (isOut ? null : word('deposit_address'));
  const named = { status: word('status'), asset: word('asset'), chain: word('chain'), address };
  const amount = isOut ? row['amount'] : row['received_amount'];
  return { kind, id, ...named, amount, fee: isOut ? row['fee'] : null, created_at };
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
