import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { formatAmount, isAmount } from '#src/shared/amount.ts';
import { type Noun, visibleCode } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import type { Payment } from '#src/shared/overview/payment.ts';

interface PaymentList {
  noun: Noun;
  /** The list's page with these filters. */
  list: (search?: URLSearchParams | string) => string;
}

/** "99 USDT withdrawal", for the name of a button about it. */
export function paymentWords({ kind, amount, asset }: Pick<Payment, 'kind' | 'amount' | 'asset'>): string {
  return `${isAmount(amount) ? formatAmount(amount) : ''} ${visibleCode(asset ?? '')} ${kind}`.trim();
}

export const PAYMENTS: Readonly<Record<PaymentKind, PaymentList>> = {
  deposit: {
    noun: { one: 'deposit', many: 'deposits' },
    list: paths.deposits,
  },
  withdrawal: {
    noun: { one: 'withdrawal', many: 'withdrawals' },
    list: paths.withdrawals,
  },
};
