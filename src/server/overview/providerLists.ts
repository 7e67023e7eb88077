// Reads pages of the provider's lists.
import { PROVIDER_LISTS, type ListFilters, type ListName } from '#src/shared/contract/contract.ts';
import type { OverviewError } from '#src/shared/contract/overviewContract.ts';
import {
  depositSchema,
  ledgerEntrySchema,
  type LedgerEntryRow,
  listOf,
  withdrawalSchema,
} from '#src/shared/contract/rows.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { type Payment, paymentOf } from '#src/shared/overview/payment.ts';
import { isNotOfferedProblem, type ListPage, type ProviderReads, ReadFailed } from './providerReads.ts';

export const PAYMENT_KINDS = ['deposit', 'withdrawal'] as const;

const parseLedger = listOf(ledgerEntrySchema);
const PAYMENT_PARSERS = { deposit: listOf(depositSchema), withdrawal: listOf(withdrawalSchema) };
export const PAYMENT_LISTS = { deposit: 'deposits', withdrawal: 'withdrawals' } as const satisfies Record<
  PaymentKind,
  ListName
>;

/** Reads one page of the deposits or withdrawals. */
export function paymentPage(kind: PaymentKind, reads: ProviderReads) {
  return async (filters: ListFilters, cursor: string | null): Promise<ListPage<Payment>> => {
    const parse = PAYMENT_PARSERS[kind];
    const page = await reads.list<{ id: string }>(PROVIDER_LISTS[PAYMENT_LISTS[kind]].path, parse, filters, cursor);
    const { malformed, has_more, next_cursor, requestId, date, readAt } = page;
    return {
      data: page.data.map((row) => paymentOf(kind, { ...row })),
      malformed,
      has_more,
      next_cursor,
      requestId,
      date,
      readAt,
    };
  };
}

/** Reads one page of the ledger. */
export function ledgerPage(reads: ProviderReads) {
  return (filters: ListFilters, cursor: string | null): Promise<ListPage<LedgerEntryRow>> =>
    reads.list(PROVIDER_LISTS['ledger-entries'].path, parseLedger, filters, cursor);
}

export function problemOf(error: unknown): OverviewError {
  if (error instanceof ReadFailed) return error.problem;
  throw error;
}

/** Whether the 404 is from the service itself, not from a proxy. */
export function isNotFoundProblem(problem: OverviewError): boolean {
  return (
    isNotOfferedProblem(problem) && problem.code === 'not_found' && problem.type !== null && problem.request_id !== null
  );
}
