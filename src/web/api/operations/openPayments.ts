import { queryOptions } from '@tanstack/react-query';
import { CODE_INVALID_REQUEST, LIMIT_MAX } from '#src/shared/contract/contract.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { openPaymentsOf, readStatus } from '#src/shared/overview/openPayments.ts';
import { ApiError } from '#src/web/api/errors.ts';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { noResponseInfo } from '#src/web/api/query.ts';

/** Payments in these statuses: open ones oldest first until they are recent, failed ones of the last weeks. */
export function openPayments(account: string, kind: PaymentKind, statuses: readonly string[], asset?: string) {
  return queryOptions({
    queryKey: [account, `${kind}s`, 'open', asset ?? null, statuses],
    queryFn: async ({ signal }) => {
      const reader = {
        page: (filters: object, cursor: string | null) =>
          PAYMENTS[kind].page(filters, cursor, { limit: LIMIT_MAX, account, signal }),
        isRefusal: (error: unknown) =>
          error instanceof ApiError &&
          !error.isOfLaterPage &&
          error.status === 400 &&
          error.code === CODE_INVALID_REQUEST,
        asset,
        signal,
      };
      const reads = await Promise.all(statuses.map((status) => readStatus(kind, status, reader)));
      return openPaymentsOf(reads, noResponseInfo().readAt);
    },
    structuralSharing: false,
  });
}
