import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus, QrCode } from 'lucide-react';
import { lazy } from 'react';
import { Link } from 'react-router';
import { byWhom } from '#src/shared/author.ts';
import { isSameAddress } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import type { DepositAddress } from '#src/shared/contract/teamContract.ts';
import { paths } from '#src/shared/paths.ts';
import { numberWords, revealHidden, searchForm, shorten, visibleCode } from '#src/shared/text.ts';
import { depositAddressPages } from '#src/web/api/depositAddresses.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { useSession } from '#src/web/api/session.ts';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { IconButton } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';

type OnOpen = (address: DepositAddress) => void;

const POLL_MS = 15_000;

/** The deposit addresses that were created here, newest first. */
export const addresses = {
  title: 'Addresses',
  path: paths.addresses,
  noun: { one: 'address', many: 'addresses' },
  label: 'Deposit addresses',
  tableClass: 'grid-table labelled',
  keyOf: ({ id }) => id,
  search: { hint: '(asset, chain, address, label or name)', find: findAddresses },
  Empty,
  // Address checks, QR codes and the label form load when an address is opened.
  Dialog: lazy(() => import('./AddressDialog.tsx').then((module) => ({ default: module.AddressDialog }))),
} satisfies OwnList<DepositAddress>;

export function useAddressRows({ open }: { open: OnOpen }): OwnListRows<DepositAddress> {
  const { account } = useSession();
  const options = depositAddressPages(account);
  const query = useInfiniteQuery({ ...options, ...POLLED, refetchInterval: POLL_MS });
  const { data, hasNextPage } = query;
  const rows = data?.pages.flatMap((page) => page.addresses);
  const unreadable = data?.pages.reduce((sum, page) => sum + page.unreadable, 0) ?? 0;
  return {
    rows,
    query,
    isEmpty: rows?.length === 0,
    columns: columnsOf(open),
    asOf: rows ? `${hasNextPage ? 'the newest ' : ''}${numberWords(rows.length)} created here` : '\u00a0',
    actions: (
      <ActionLink ability="prepare" variant="primary" to={paths.newDepositAddress} icon={<Plus aria-hidden />}>
        New deposit address
      </ActionLink>
    ),
    foot: unreadable > 0 && `${unreadable} more can’t be shown by this version.`,
  };
}

function Empty() {
  return (
    <EmptyState
      action={
        <ActionLink ability="prepare" to={paths.newDepositAddress}>
          New deposit address
        </ActionLink>
      }
    >
      No deposit addresses yet. Create one and share it with a customer: it stays here with its label, whoever created
      it.
    </EmptyState>
  );
}

function columnsOf(onOpen: OnOpen): DataColumn<DepositAddress>[] {
  return [
    {
      name: 'Label or customer',
      isHead: true,
      cell: (row) => (
        <button type="button" className="link text-left wrap-anywhere" onClick={() => onOpen(row)}>
          <bdi translate="no">
            {row.label === ''
              ? `${visibleCode(row.asset)} on ${revealHidden(chainLabel(row.chain))}`
              : revealHidden(row.label)}
          </bdi>
        </button>
      ),
    },
    { name: 'Asset', cell: ({ asset }) => <bdi translate="no">{visibleCode(asset)}</bdi> },
    { name: 'Chain', cell: ({ chain }) => <bdi translate="no">{revealHidden(chainLabel(chain))}</bdi> },
    { name: 'Address', cell: (row) => <Address row={row} onOpen={onOpen} /> },
    {
      name: 'Created',
      cell: ({ id, at, ...author }) => (
        <>
          <Link className="inline-block py-0.5" to={paths.operation(id)}>
            <Time unix={at} />
          </Link>
          <span className="small sub">{byWhom(author)}</span>
        </>
      ),
    },
  ];
}

function Address({ row, onOpen }: { row: DepositAddress; onOpen: OnOpen }) {
  const { address, along } = row;
  if (address === null) return <span className="sub">Not in the response</span>;
  const short = shorten(address);
  // Never copy the address without the memo or tag that a payment needs.
  const whole = [address, ...along.map(({ name, value }) => `${name}: ${value}`)].join('\n');
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <ShortId value={address} />
      {along.map(({ name, value }) => (
        <span key={name} className="small">
          {revealHidden(name)}{' '}
          <bdi className="mono" translate="no">
            {revealHidden(value)}
          </bdi>
        </span>
      ))}
      <CopyButton
        value={whole}
        label={`Copy ${short}${along.map(({ name }) => ` with its ${revealHidden(name)}`).join('')}`}
      />
      <IconButton label={`QR code of ${short}`} onClick={() => onOpen(row)}>
        <QrCode className="icon-s" aria-hidden />
      </IconButton>
    </span>
  );
}

function findAddresses(all: readonly DepositAddress[], text: string): readonly DepositAddress[] {
  const words = searchForm(text).split(/\s+/).filter(Boolean);
  return all.filter(({ asset, chain, address, label, who, along }) => {
    const parts = [asset, chain, chainLabel(chain), address, label, who, ...along.map(({ value }) => value)];
    const form = searchForm(parts.join(' '));
    return words.every((word) => form.includes(word)) || (address !== null && isSameAddress(chain, address, text));
  });
}
