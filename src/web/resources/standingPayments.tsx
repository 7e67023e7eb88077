import { Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { chainLabel } from '#src/shared/chains/names.ts';
import { dueFirst, isDue } from '#src/shared/due/dueDates.ts';
import { dayAndDistance, rhythmWords } from '#src/shared/due/dueWords.ts';
import { foundEntries } from '#src/shared/operations/knownAddresses.ts';
import { paths } from '#src/shared/paths.ts';
import { byWhom, counted, revealHidden, shorten } from '#src/shared/text.ts';
import { useCan } from '#src/web/api/permissions.ts';
import {
  type NextPayment,
  preparedFrom,
  type StandingPayment,
  type StandingPaymentItem,
  useStandingPayments,
} from '#src/web/api/standingPayments.ts';
import { useTeamChange } from '#src/web/api/team.ts';
import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { Button, IconButton } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { ShortId, UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useToday } from '#src/web/ui/useToday.ts';
import type { OwnList, OwnListRows } from './ownList.ts';

/** What the search finds by, beside what is shown. */
type Row = NextPayment & Pick<StandingPayment, 'name' | 'chain' | 'address'>;

/** Payments that somebody prepares again and again: the next date first. */
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
    find: (rows, text) => (text.trim() === '' ? rows : foundEntries(rows, text)),
  },
  Empty: ({ action }) => (
    <EmptyState action={action}>
      No standing payments yet. Save a payment that repeats, such as rent. Home reminds your team from two days before;
      somebody prepares it each time, and nothing is sent by itself.
    </EmptyState>
  ),
} satisfies OwnList<Row>;

export function editButtonId(id: string): string {
  return `edit-${encodeURIComponent(id)}`;
}

interface StandingPaymentRowsProps {
  heading: RefObject<HTMLHeadingElement | null>;
  onEdit: (item: StandingPaymentItem) => void;
}

export function useStandingPaymentRows({ heading, onEdit }: StandingPaymentRowsProps): OwnListRows<Row> {
  const canChange = useCan('save-standing-payments');
  const today = useToday();
  const { payments, query } = useStandingPayments();
  const removal = useRemoval(heading);
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

/** Ends a standing payment, and offers to bring it back. */
function useRemoval(heading: RefObject<HTMLHeadingElement | null>) {
  const { mutateAsync, error, reset } = useTeamChange('standing-payments');
  const [ended, setEnded] = useState<StandingPaymentItem | null>(null);
  // Failures are shown from the mutation's error.
  const remove = async (item: StandingPaymentItem) => {
    setEnded(null);
    const done = await mutateAsync({ id: item.id, value: null, revision: item.revision }).catch(() => null);
    if (done) setEnded(item);
  };
  const undo = async ({ id, value }: StandingPaymentItem) => {
    const done = await mutateAsync({ id, value, revision: 0 }).catch(() => null);
    if (!done) return;
    setEnded(null);
    heading.current?.focus();
  };
  const notice = (ended ?? error) && (
    <div className="grid gap-3 px-gutter pb-3">
      {ended && (
        <div className="acts-row">
          <Notice tone="plain" live>
            Ended “<UntrustedText value={ended.value.name} max={80} />
            ”. Nobody is reminded of it any more.
          </Notice>
          {/* The row that had the focus is gone. */}
          <Button size="small" ref={focusOnMount} onClick={() => void undo(ended)}>
            Undo
          </Button>
        </div>
      )}
      {error && (
        <>
          <TeamProblem error={error} heading="The standing payment was not changed" theirs={['name', 'amount']} />
          <Button size="small" onClick={reset}>
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
  return { remove: (item: StandingPaymentItem) => void remove(item), notice };
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
      cell: ({ chain, address }) => (
        <span className="inline-flex items-center gap-1">
          <span>
            <ShortId value={address} />{' '}
            <span className="small sub" translate="no">
              {chainLabel(chain)}
            </span>
          </span>
          <CopyButton value={address} label={`Copy the address ${shorten(address)}`} />
        </span>
      ),
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
                data-tip={`Edit ${label}, last changed${byWhom(item.who)}`}
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
