import { useCan } from '#src/web/api/permissions.ts';
import { Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useMemo } from 'react';
import { Link } from 'react-router';
import { byWhom } from '#src/shared/author.ts';
import { isAmount } from '#src/shared/amount.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { sum } from '#src/shared/money.ts';
import { searchEntries, type AddressUse } from '#src/shared/operations/knownAddresses.ts';
import { paths } from '#src/shared/paths.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { counted, numberWords, revealHidden } from '#src/shared/text.ts';
import type { RecipientControl } from '#src/shared/contract/recipientsContract.ts';
import { useRecipientControls } from '#src/web/api/recipientControls.ts';
import { type KnownRecipient, useRecipients } from '#src/web/api/recipients.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { Amount } from '#src/web/ui/Amount.tsx';
import { buttonClass, IconButton } from '#src/web/ui/Button.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';
import { RecipientMark } from './RecipientMark.tsx';
import { AddressCell, editButtonId, useRemoval } from './savedRows.tsx';

/** The team's saved recipients, with the amounts sent to each. */
export const recipients = {
  title: 'Recipients',
  path: paths.recipients,
  noun: { one: 'recipient', many: 'recipients' },
  label: 'Recipients',
  heading: 'Saved recipients',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ id }) => id,
  search: { hint: '(name, chain or address)', find: (rows, text) => searchEntries(rows, text) },
  Empty: ({ action }) => (
    <EmptyState action={action}>
      No recipients yet. Save one to pick it by name when you withdraw; addresses imitating it are blocked.
    </EmptyState>
  ),
} satisfies OwnList<KnownRecipient>;

interface RecipientRowsProps {
  history: AddressHistory;
  heading: RefObject<HTMLHeadingElement | null>;
  onEdit: (entry: KnownRecipient) => void;
}

export function useRecipientRows({ history, heading, onEdit }: RecipientRowsProps): OwnListRows<KnownRecipient> {
  const canChange = useCan('save-recipients');
  const { entries, isLoaded, query } = useRecipients();
  const { data: controls } = useRecipientControls();
  const sent = useMemo(() => sentAmounts(history.list), [history.list]);
  const removal = useRemoval('recipients', heading, {
    removed: ({ name }) => (
      <>
        Removed “<UntrustedText value={name} max={80} />
        ”.
      </>
    ),
    failed: 'The recipient was not changed',
    theirs: ['name'],
  });
  const remove = ({ id, revision, name, chain, address, asset, reference, note }: KnownRecipient) =>
    removal.remove({ id, revision, value: { name, chain, address, asset, reference, note } });
  return {
    rows: isLoaded ? entries : undefined,
    query,
    isEmpty: entries.length === 0,
    columns: [
      ...columnsOf(history, sent),
      ...(controls ? [stateColumn(controls)] : []),
      ...(canChange ? [actionsColumn(onEdit, remove)] : []),
    ],
    asOf: isLoaded ? `${counted(entries.length, 'recipient', 'recipients')}, shared with your team` : '\u00a0',
    above: removal.notice,
    foot: `${scopeText(history.list)} Always check an address against the invoice.`,
  };
}

function stateColumn(controls: ReadonlyMap<string, RecipientControl>): DataColumn<KnownRecipient> {
  return {
    name: 'State',
    cell: ({ id }) => {
      const control = controls.get(id);
      return control === undefined ? <None /> : <RecipientMark state={control.state} />;
    },
  };
}

function columnsOf(history: AddressHistory, sent: ReadonlyMap<string, SentAmounts>): DataColumn<KnownRecipient>[] {
  return [
    {
      name: 'Name',
      isHead: true,
      className: 'min-w-36 whitespace-normal wrap-anywhere',
      cell: ({ id, name, note }) => (
        <>
          <Link to={paths.recipient(id)}>
            <UntrustedText value={name} max={120} />
          </Link>
          {note !== '' && (
            <span className="small sub block font-normal">
              <UntrustedText value={note} max={120} />
            </span>
          )}
        </>
      ),
    },
    {
      name: 'Address',
      cell: ({ chain, address }) => <AddressCell chain={chain} address={address} />,
    },
    {
      name: 'Default asset',
      cell: ({ asset }) => (asset === '' ? <None /> : <UntrustedText code value={asset} max={20} />),
    },
    {
      name: 'Reference',
      className: 'min-w-24 whitespace-normal wrap-anywhere',
      cell: ({ reference }) => (reference === '' ? <None /> : <UntrustedText value={reference} max={60} />),
    },
    {
      name: 'Last payment',
      cell: (entry) => {
        const last = history.known.find(entry)?.last;
        return last?.at == null ? <None /> : <Time unix={last.at} />;
      },
    },
    { name: 'Sent', className: 'num', cell: (entry) => <Sent amounts={sent.get(addressKey(entry))} /> },
  ];
}

function actionsColumn(
  onEdit: (entry: KnownRecipient) => void,
  onRemove: (entry: KnownRecipient) => void,
): DataColumn<KnownRecipient> {
  return {
    name: 'Actions',
    head: <span className="vh">Actions</span>,
    cell: (entry) => {
      const label = revealHidden(entry.name.slice(0, 60));
      const { chain, address, asset, reference } = entry;
      const prefill = { chain, address, ...(asset && { asset }), ...(reference && { reference }) };
      return (
        <span className="acts-row flex-nowrap justify-end">
          <Link
            className={buttonClass('plain', 'small')}
            to={paths.newWithdrawal}
            state={locationState({ prefill })}
            aria-label={`New withdrawal to ${label}`}
          >
            Withdraw
          </Link>
          <IconButton
            id={editButtonId(entry.id)}
            label={`Edit ${label}`}
            data-tip={`Edit ${label}, last changed${byWhom(entry)}`}
            onClick={() => onEdit(entry)}
          >
            <Pencil className="icon-s" aria-hidden />
          </IconButton>
          <IconButton label={`Remove ${label}`} onClick={() => onRemove(entry)}>
            <Trash2 className="icon-s" aria-hidden />
          </IconButton>
        </span>
      );
    },
  };
}

type SentAmounts = readonly { asset: string; amount: string }[];

function Sent({ amounts }: { amounts: SentAmounts | undefined }) {
  if (!amounts) return <None />;
  return amounts.map(({ asset, amount }) => (
    <span key={asset} className="block">
      <Amount value={amount} asset={asset} flow />
    </span>
  ));
}

function None() {
  return <span className="dim">—</span>;
}

/** Sums of the completed withdrawals in the provider’s list, by recipient and asset. */
function sentAmounts(list: AddressHistory['list']): ReadonlyMap<string, SentAmounts> {
  const completed = completedIn(list).filter(({ amount, asset }) => asset !== null && isAmount(amount));
  return new Map([...groupBy(completed, addressKey)].map(([key, uses]) => [key, byAsset(uses)]));
}

function byAsset(uses: readonly AddressUse[]): SentAmounts {
  const groups = groupBy(uses, ({ asset }) => asset ?? '');
  return [...groups].map(([asset, of]) => ({ asset, amount: sum(of.map(({ amount }) => amount ?? '0')) }));
}

function completedIn(list: AddressHistory['list']): AddressUse[] {
  return (list.status === 'read' ? list.uses : []).filter(({ status }) => toneOf(status) === 'proof');
}

export function scopeText(list: AddressHistory['list']): string {
  if (list.status === 'reading') return 'Totals are loading.';
  if (list.status !== 'read') return 'Totals couldn’t be loaded: the provider’s list of withdrawals isn’t available.';
  const scope = list.complete ? '' : ` among the latest ${numberWords(list.count)}`;
  const unreadable = completedIn(list).filter(({ asset, amount }) => asset === null || !isAmount(amount)).length;
  const without = unreadable === 0 ? '' : `, without ${numberWords(unreadable)} whose amount or asset can’t be read`;
  return `Totals count completed withdrawals${scope}${without}.`;
}
