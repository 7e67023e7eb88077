import { Pencil, Trash2 } from 'lucide-react';
import type { RefObject } from 'react';
import { byWhom } from '#src/shared/author.ts';
import { dueFirst, isDue } from '#src/shared/due/dueDates.ts';
import { dayAndDistance, rhythmWords } from '#src/shared/due/dueWords.ts';
import { searchEntries } from '#src/shared/operations/knownAddresses.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, revealHidden } from '#src/shared/text.ts';
import { useCan } from '#src/web/api/permissions.ts';
import {
  type NextPayment,
  preparedFrom,
  type StandingPayment,
  type StandingPaymentItem,
  useStandingPayments,
} from '#src/web/api/standingPayments.ts';
import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { IconButton } from '#src/web/ui/Button.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useToday } from '#src/web/ui/useToday.ts';
import type { OwnList, OwnListRows } from './ownList.ts';
import { AddressCell, editButtonId, useRemoval } from './savedRows.tsx';

/** The visible data, and further fields that the search uses. */
type Row = NextPayment & Pick<StandingPayment, 'name' | 'chain' | 'address'>;

/** Payments that are prepared regularly, sorted by their next date. */
export const standingPayments = {
  title: 'Standing payments',
  path: paths.standingPayments,
  noun: { one: 'standing payment', many: 'standing payments' },
  label: 'Standing payments',
  heading: 'Saved standing payments',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ item }) => item.id,
  search: {
    hint: '(name, chain or address)',
    find: (rows, text) => (text.trim() === '' ? rows : searchEntries(rows, text)),
  },
  Empty: ({ action }) => (
    <EmptyState action={action}>
      No standing payments yet. Save a payment that repeats, such as rent. Home reminds your team from two days before;
      somebody prepares it each time, and nothing is sent by itself.
    </EmptyState>
  ),
} satisfies OwnList<Row>;

interface StandingPaymentRowsProps {
  heading: RefObject<HTMLHeadingElement | null>;
  onEdit: (item: StandingPaymentItem) => void;
}

export function useStandingPaymentRows({ heading, onEdit }: StandingPaymentRowsProps): OwnListRows<Row> {
  const canChange = useCan('save-standing-payments');
  const today = useToday();
  const { payments, query } = useStandingPayments();
  const removal = useRemoval('standing-payments', heading, {
    removed: ({ name }) => (
      <>
        Ended “<UntrustedText value={name} max={80} />
        ”. Nobody is reminded of it any more.
      </>
    ),
    failed: 'The standing payment was not changed',
    theirs: ['name', 'amount'],
  });
  const rows = payments && dueFirst(payments, ({ date }) => date).map(rowOf);
  return {
    rows,
    query,
    isEmpty: rows?.length === 0,
    columns: [...columnsOf(today), actionsColumn({ canChange, onEdit, onEnd: removal.remove })],
    tableStyle: { '--int': integerWidth((rows ?? []).map(({ item }) => item.value.amount)).css },
    asOf: rows ? `${counted(rows.length, 'standing payment', 'standing payments')}, shared with your team` : '\u00a0',
    above: removal.notice,
    foot: 'Home reminds your team from two days before. Nothing is sent by itself.',
  };
}

function rowOf(next: NextPayment): Row {
  const { name, chain, address } = next.item.value;
  return { ...next, name, chain, address };
}

function columnsOf(today: string): DataColumn<Row>[] {
  return [
    {
      name: 'Name',
      isHead: true,
      className: 'min-w-36 whitespace-normal wrap-anywhere',
      cell: ({ item: { value } }) => (
        <>
          <UntrustedText value={value.name} max={120} />
          {value.reference !== '' && (
            <span className="small sub block font-normal">
              <UntrustedText value={value.reference} max={120} />
            </span>
          )}
        </>
      ),
    },
    {
      name: 'Next',
      className: 'min-w-36 whitespace-normal',
      cell: ({ date }) => (
        <span className={isDue(date, today) ? 'text-open' : undefined}>{dayAndDistance(date, today)}</span>
      ),
    },
    {
      name: 'Repeats',
      className: 'min-w-36 whitespace-normal',
      cell: ({ item: { value } }) => rhythmWords(value),
    },
    {
      name: 'Address',
      cell: ({ chain, address }) => <AddressCell chain={chain} address={address} />,
    },
    {
      name: 'Amount',
      className: 'cash',
      cell: ({ item: { value } }) => <Amount value={value.amount} asset={value.asset} />,
    },
  ];
}

interface RowActions {
  canChange: boolean;
  onEdit: (item: StandingPaymentItem) => void;
  onEnd: (item: StandingPaymentItem) => void;
}

function actionsColumn({ canChange, onEdit, onEnd }: RowActions): DataColumn<Row> {
  return {
    name: 'Actions',
    head: <span className="vh">Actions</span>,
    cell: ({ item, date }) => {
      const label = revealHidden(item.value.name.slice(0, 60));
      return (
        <span className="acts-row flex-nowrap justify-end">
          <ActionLink
            ability="prepare"
            size="small"
            reasonHidden
            to={paths.newWithdrawal}
            state={preparedFrom({ item, date })}
          >
            Prepare<span className="vh"> {label}</span>
          </ActionLink>
          {canChange && (
            <>
              <IconButton
                id={editButtonId(item.id)}
                label={`Edit ${label}`}
                data-tip={`Edit ${label}, last changed${byWhom(item)}`}
                onClick={() => onEdit(item)}
              >
                <Pencil className="icon-s" aria-hidden />
              </IconButton>
              <IconButton label={`End ${label}`} onClick={() => onEnd(item)}>
                <Trash2 className="icon-s" aria-hidden />
              </IconButton>
            </>
          )}
        </span>
      );
    },
  };
}
