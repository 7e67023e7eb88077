import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, type RefObject, useDeferredValue, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import type { KnownRecipient } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { useTeamChange } from '#src/web/api/team.ts';
import type { Recipient } from '#src/shared/contract/teamContract.ts';
import { placeKey } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { foundEntries, type Use } from '#src/shared/operations/knownAddresses.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { byWhom, shorten, revealHidden, numberWords } from '#src/shared/text.ts';
import { paths } from '#src/shared/paths.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { Button, buttonClass, IconButton } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { FindField } from '#src/web/ui/Field.tsx';
import { focusOnMount } from '#src/web/ui/focus.ts';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { UntrustedText, ShortId } from '#src/web/ui/UntrustedText.tsx';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';
import { groupBy } from '#src/shared/groupBy.ts';
import { isAmount } from '#src/shared/amount.ts';
import { sum } from '#src/shared/money.ts';
import { Amount } from '#src/web/ui/Amount.tsx';

interface RecipientTableProps {
  known: AddressHistory;
  entries: readonly KnownRecipient[];
  /** Takes the focus of what is gone. */
  heading: RefObject<HTMLHeadingElement | null>;
  onEdit: (entry: KnownRecipient) => void;
}

export function editButtonId(id: string): string {
  return `edit-${encodeURIComponent(id)}`;
}

export function RecipientTable({ known, entries, heading, onEdit }: RecipientTableProps) {
  const session = useSession();
  const { key, search } = useLocation();
  const [typed, setTyped] = useState({ at: '', text: '' });
  // Find leads here with a name, also to who is here already.
  if (typed.at !== key) setTyped({ at: key, text: new URLSearchParams(search).get('q') ?? '' });
  const [removed, setRemoved] = useState<(Recipient & { id: string }) | null>(null);
  const sought = useDeferredValue(typed.text);
  const found = useMemo(() => foundEntries(entries, sought), [entries, sought]);
  const { shown, more } = useMore(found);
  const { mutateAsync, error, reset } = useTeamChange('recipients');
  const paid = useMemo(() => paidTo(known.list), [known.list]);
  // What goes wrong stands in the mutation's error.
  const remove = async ({ id, revision, name, chain, address, asset, reference, note }: KnownRecipient) => {
    setRemoved(null);
    const done = await mutateAsync({ id, value: null, revision }).catch(() => null);
    if (done) setRemoved({ id, name, chain, address, asset, reference, note });
  };
  const bringBack = async () => {
    if (!removed) return;
    const { id, ...value } = removed;
    const done = await mutateAsync({ id, value, revision: 0 }).catch(() => null);
    if (!done) return;
    setRemoved(null);
    heading.current?.focus();
  };
  const columns = [
    ...columnsOf(known, paid),
    ...(session.read_only ? [] : [actsColumn(onEdit, (entry) => void remove(entry))]),
  ];
  return (
    <section aria-label="Saved recipients">
      <div className="grid gap-3 px-gutter pb-3">
        <h2 ref={heading} tabIndex={-1} className="vh">
          Saved recipients
        </h2>
        {removed && (
          <div className="acts-row">
            <Notice tone="plain" live>
              Removed “<UntrustedText value={removed.name} max={80} />
              ”.
            </Notice>
            {/* The row that had the focus is gone. */}
            <Button size="small" ref={focusOnMount} onClick={() => void bringBack()}>
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
        {entries.length > 0 && (
          <FindField
            hint="(name, chain or address)"
            text={typed.text}
            onText={(text) => setTyped({ at: key, text })}
            found={`${numberWords(found.length)} found`}
          />
        )}
      </div>
      {entries.length === 0 ? (
        <div className="blank pt-0">
          <p>No recipients yet. Save one to pick it by name when you withdraw; addresses imitating it are blocked.</p>
        </div>
      ) : (
        <DataTable
          label="Recipients"
          className="grid-table labelled fitted"
          rows={shown}
          columns={columns}
          keyOf={({ id }) => id}
        />
      )}
      <div className="grid gap-2 px-gutter py-4">
        {more}
        {entries.length > 0 && (
          <p className="small sub">
            {scopeOf(known.list)} Not a security control: compare an address with its source before you pay it.
          </p>
        )}
      </div>
    </section>
  );
}

function columnsOf(known: AddressHistory, paid: ReadonlyMap<string, Paid>): DataColumn<KnownRecipient>[] {
  return [
    {
      name: 'Name',
      isHead: true,
      className: 'min-w-36 whitespace-normal wrap-anywhere',
      cell: ({ name, note }) => (
        <>
          <UntrustedText value={name} max={120} />
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
        const last = known.known.find(entry)?.last;
        return last?.at == null ? <None /> : <Time unix={last.at} />;
      },
    },
    { name: 'Sent', className: 'num', cell: (entry) => <Sent paid={paid.get(placeKey(entry))} /> },
  ];
}

function actsColumn(
  onEdit: (of: KnownRecipient) => void,
  onRemove: (of: KnownRecipient) => void,
): DataColumn<KnownRecipient> {
  return {
    name: 'Actions',
    head: <span className="vh">Actions</span>,
    cell: (entry) => {
      const called = revealHidden(entry.name.slice(0, 60));
      const { chain, address, asset, reference } = entry;
      const prefill = { chain, address, ...(asset && { asset }), ...(reference && { reference }) };
      return (
        <span className="acts-row flex-nowrap justify-end">
          <Link
            className={buttonClass('plain', 'small')}
            to={paths.newWithdrawal}
            state={locationState({ prefill })}
            aria-label={`New withdrawal to ${called}`}
          >
            Withdraw
          </Link>
          <IconButton
            id={editButtonId(entry.id)}
            label={`Edit ${called}`}
            data-tip={`Edit ${called}, last changed${byWhom(entry.who)}`}
            onClick={() => onEdit(entry)}
          >
            <Pencil className="icon-s" aria-hidden />
          </IconButton>
          <IconButton label={`Remove ${called}`} onClick={() => onRemove(entry)}>
            <Trash2 className="icon-s" aria-hidden />
          </IconButton>
        </span>
      );
    },
  };
}

type Paid = readonly { asset: string; amount: string }[];

function Sent({ paid }: { paid: Paid | undefined }) {
  if (!paid) return <None />;
  return paid.map(({ asset, amount }) => (
    <span key={asset} className="block">
      <Amount value={amount} asset={asset} flow />
    </span>
  ));
}

function None() {
  return <span className="dim">—</span>;
}

/** The completed withdrawals that the provider lists, by recipient and asset. */
function paidTo(list: AddressHistory['list']): ReadonlyMap<string, Paid> {
  const completed = (list.status === 'read' ? list.uses : []).filter(
    ({ status, amount, asset }) => asset !== null && isAmount(amount) && toneOf(status) === 'proof',
  );
  return new Map([...groupBy(completed, placeKey)].map(([key, uses]) => [key, byAsset(uses)]));
}

function byAsset(uses: readonly Use[]): Paid {
  const groups = groupBy(uses, ({ asset }) => asset ?? '');
  return [...groups].map(([asset, of]) => ({ asset, amount: sum(of.map(({ amount }) => amount ?? '0')) }));
}

function scopeOf(list: AddressHistory['list']): string {
  if (list.status !== 'read') return 'Totals couldn’t be loaded: the provider’s list of withdrawals isn’t available.';
  if (list.complete) return 'Sent: completed withdrawals.';
  return `Sent: completed among the latest ${numberWords(list.count)} withdrawals.`;
}

const STEP = 100;

export function useMore<T>(items: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const [most, setMost] = useState(STEP);
  const left = items.length - most;
  return {
    shown: items.slice(0, most),
    more: left > 0 && (
      <p>
        <Button onClick={() => setMost(most + STEP)}>Show {Math.min(left, STEP)} more</Button>{' '}
        <span className="small sub">{numberWords(left)} are not shown yet.</span>
      </p>
    ),
  };
}
