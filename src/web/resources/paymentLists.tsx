import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { authorName } from '#src/shared/author.ts';
import { subjectId } from '#src/shared/contract/teamContract.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { paths } from '#src/shared/paths.ts';
import { revealHidden, totalWords } from '#src/shared/text.ts';
import { type SentFrom, sentWithdrawals } from '#src/web/api/operations/sentWithdrawals.ts';
import type { PaymentsTo } from '#src/web/api/addressPayments.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { useSession } from '#src/web/api/session.ts';
import { useTeam } from '#src/web/api/team.ts';
import { StatusCell } from '#src/web/list/rows/StatusCell.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { Time, ZoneHead } from '#src/web/ui/Time.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';

const NONE: readonly Payment[] = [];

interface PaidRow extends Payment {
  reference: string;
  sentBy: string;
}

type PaymentsOf = Omit<OwnList<PaidRow>, 'title' | 'path'>;

/** The withdrawals to one recipient, newest first. Its page adds the title. */
export const recipientPayments = {
  noun: { one: 'payment', many: 'payments' },
  label: 'Payments',
  heading: 'Payments',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ id }) => id,
  Empty: () => <p className="px-gutter">No payments to this recipient in the loaded withdrawals.</p>,
} satisfies PaymentsOf;

/** The deposits to one address, newest first. Its page adds the title. */
export const addressDeposits = {
  ...recipientPayments,
  noun: { one: 'deposit', many: 'deposits' },
  label: 'Deposits',
  heading: 'Deposits',
  Empty: () => <p className="px-gutter">No deposit to this address among the loaded ones.</p>,
} satisfies PaymentsOf;

/** The payments of a recipient or an address; all of them if `isWhole`. */
export function usePaymentRows(kind: PaymentKind, list: PaymentsTo, isWhole: boolean): OwnListRows<PaidRow> {
  const { account } = useSession();
  const { data: sent } = useQuery({ ...sentWithdrawals(account), enabled: kind === 'withdrawal' });
  const { data: notes } = useTeam('notes');
  const references = useMemo(() => new Map(notes?.items.map(({ id, value }) => [id, value.reference])), [notes]);
  const payments = list.payments ?? NONE;
  const rows = useMemo(
    () => payments.map((payment) => withSender(payment, sent?.get(payment.id), references)),
    [payments, sent, references],
  );
  const { noun } = kind === 'withdrawal' ? recipientPayments : addressDeposits;
  return {
    rows: list.payments === null ? undefined : rows,
    query: {
      error: list.error,
      isFetching: list.isFetching,
      dataUpdatedAt: (list.meta?.readAt ?? 0) * 1000,
      refetch: list.refresh,
    },
    isEmpty: rows.length === 0,
    columns: columnsOf(kind, new Set(payments.map(({ chain }) => chain)).size > 1),
    tableStyle: { '--int': integerWidth(payments.map(({ amount }) => amount)).css },
    asOf: null,
    foot: list.isLoading ? 'Loading older ones…' : totalWords(rows.length, noun, isWhole),
  };
}

/** A withdrawal without its own reference gets the one that was written when it was sent. */
function withSender(payment: Payment, from: SentFrom | undefined, references: ReadonlyMap<string, string>): PaidRow {
  const own = references.get(subjectId(payment));
  const written = from && references.get(subjectId({ kind: 'operation', id: from.key }));
  return { ...payment, reference: own || written || '', sentBy: from ? authorName(from) : '' };
}

function columnsOf(kind: PaymentKind, hasChain: boolean): DataColumn<PaidRow>[] {
  return [
    {
      name: 'Created',
      head: <ZoneHead word="Created" />,
      isHead: true,
      cell: ({ id, created_at: at }) => (
        <Link to={paths[kind](id)}>
          <Time unix={at} />
        </Link>
      ),
    },
    { name: 'Status', cell: ({ status }) => <StatusCell status={status} /> },
    ...(hasChain
      ? [{ name: 'Chain', cell: ({ chain }: PaidRow) => <bdi translate="no">{chainLabel(chain ?? '')}</bdi> }]
      : []),
    {
      name: 'Reference',
      className: 'min-w-24 whitespace-normal wrap-anywhere',
      cell: ({ reference }) => textCell(reference),
    },
    ...(kind === 'withdrawal' ? [{ name: 'Sent by', cell: ({ sentBy }: PaidRow) => textCell(sentBy) }] : []),
    {
      name: 'Amount',
      className: 'cash',
      cell: ({ amount, asset }) => <Amount value={amount} asset={asset ?? undefined} />,
    },
  ];
}

function textCell(text: string) {
  return text === '' ? <span className="dim">—</span> : <bdi>{revealHidden(text.slice(0, 120))}</bdi>;
}
