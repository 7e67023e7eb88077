import { useCan } from '#src/web/api/permissions.ts';
import { Pencil, Trash2 } from 'lucide-react';
import { type RefObject, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { isAmount } from '#src/shared/amount.ts';
import { addressKey } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import type { Recipient } from '#src/shared/contract/teamContract.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { sum } from '#src/shared/money.ts';
import { foundEntries, type Use } from '#src/shared/operations/knownAddresses.ts';
import { paths } from '#src/shared/paths.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { byWhom, counted, numberWords, revealHidden, shorten } from '#src/shared/text.ts';
import type { RecipientControl } from '#src/shared/contract/recipientsContract.ts';
import { useRecipientControls } from '#src/web/api/recipientControls.ts';
import { type KnownRecipient, useRecipients } from '#src/web/api/recipients.ts';
import { useTeamChange } from '#src/web/api/team.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { Amount } from '#src/web/ui/Amount.tsx';
import { Button, buttonClass, IconButton } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { ShortId, UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';
import { RecipientMark } from './RecipientMark.tsx';

/** The team's saved recipients, with what was sent to each. */
export const recipients = {
  title: 'Recipients',
  path: paths.recipients,
  noun: { one: 'recipient', many: 'recipients' },
  label: 'Recipients',
  heading: 'Saved recipients',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ id }) => id,
  search: { hint: '(name, chain or address)', find: (rows, text) => foundEntries(rows, text) },
  Empty: ({ action }) => (
    <EmptyState action={action}>
      No recipients yet. Save one to pick it by name when you withdraw; addresses imitating it are blocked.
    </EmptyState>
  ),
} satisfies OwnList<KnownRecipient>;

export function editButtonId(id: string): string {
  return `edit-${encodeURIComponent(id)}`;
}

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
  const removal = useRemoval(heading);
  return {
    rows: isLoaded ? entries : undefined,
    query,
    isEmpty: entries.length === 0,
    columns: [
      ...columnsOf(history, sent),
      ...(controls ? [stateColumn(controls)] : []),
      ...(canChange ? [actionsColumn(onEdit, removal.remove)] : []),
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

/** Removes a recipient, and offers to bring it back. */
function useRemoval(heading: RefObject<HTMLHeadingElement | null>) {
  const { mutateAsync, error, reset } = useTeamChange('recipients');
  const [removed, setRemoved] = useState<(Recipient & { id: string }) | null>(null);
  // Failures are shown from the mutation's error.
  const remove = async ({ id, revision, name, chain, address, asset, reference, note }: KnownRecipient) => {
    setRemoved(null);
    const done = await mutateAsync({ id, value: null, revision }).catch(() => null);
    if (done) setRemoved({ id, name, chain, address, asset, reference, note });
  };
  const undo = async ({ id, ...value }: Recipient & { id: string }) => {
    const done = await mutateAsync({ id, value, revision: 0 }).catch(() => null);
    if (!done) return;
    setRemoved(null);
    heading.current?.focus();
  };
  const notice = (removed ?? error) && (
    <div className="grid gap-3 px-gutter pb-3">
      {removed && (
        <div className="acts-row">
          <Notice tone="plain" live>
            Removed “<UntrustedText value={removed.name} max={80} />
            ”.
          </Notice>
          {/* The row that had the focus is gone. */}
          <Button size="small" ref={focusOnMount} onClick={() => void undo(removed)}>
            Undo
          </Button>
        </div>
      )}
      {error && (
        <>
          <TeamProblem error={error} heading="The recipient was not changed" theirs={['name']} />
          <Button size="small" onClick={reset}>
            Dismiss
          </Button>
        </>
      )}
    </div>
  );
  return { remove: (entry: KnownRecipient) => void remove(entry), notice };
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
            data-tip={`Edit ${label}, last changed${byWhom(entry.who)}`}
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
  const completed = (list.status === 'read' ? list.uses : []).filter(
    ({ status, amount, asset }) => asset !== null && isAmount(amount) && toneOf(status) === 'proof',
  );
  return new Map([...groupBy(completed, addressKey)].map(([key, uses]) => [key, byAsset(uses)]));
}

function byAsset(uses: readonly Use[]): SentAmounts {
  const groups = groupBy(uses, ({ asset }) => asset ?? '');
  return [...groups].map(([asset, of]) => ({ asset, amount: sum(of.map(({ amount }) => amount ?? '0')) }));
}

function scopeText(list: AddressHistory['list']): string {
  if (list.status === 'reading') return 'Totals are loading.';
  if (list.status !== 'read') return 'Totals couldn’t be loaded: the provider’s list of withdrawals isn’t available.';
  if (list.complete) return 'Totals count completed withdrawals.';
  return `Totals count completed withdrawals among the latest ${numberWords(list.count)}.`;
}
