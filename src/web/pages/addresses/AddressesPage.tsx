import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus, QrCode } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useState } from 'react';
import { Link } from 'react-router';
import { depositAddressPages } from '#src/web/api/depositAddresses.ts';
import { usePolledQuery } from '#src/web/api/paging/polling.ts';
import { useSession } from '#src/web/api/session.ts';
import type { DepositAddress } from '#src/shared/contract/teamContract.ts';
import { isSameAccount } from '#src/shared/chains/lookAlike.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { paths } from '#src/shared/paths.ts';
import { searchForm, shorten, revealHidden, numberWords, visibleCode } from '#src/shared/text.ts';
import { Button, buttonClass, IconButton } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { FindField } from '#src/web/ui/Field.tsx';
import { PageHeader } from '#src/web/ui/PageHeader.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';
import { Time } from '#src/web/ui/Time.tsx';

// The check of addresses, the drawing of codes and the form: only where an address is opened.
const AddressDialog = lazy(() => import('./AddressDialog.tsx').then((module) => ({ default: module.AddressDialog })));

const LOOK_MS = 15_000;

export function Component() {
  const session = useSession();
  const options = depositAddressPages(session.account);
  const query = useInfiniteQuery(options);
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  usePolledQuery(options.queryKey, () => LOOK_MS);
  const [typed, setTyped] = useState('');
  const [openId, setOpenId] = useState<string | null>(null);
  const sought = useDeferredValue(typed);
  const all = data?.pages.flatMap(({ addresses }) => addresses) ?? [];
  const unreadable = data?.pages.reduce((sum, page) => sum + page.unreadable, 0) ?? 0;
  const found = holding(all, sought);
  const open = all.find(({ id }) => id === openId);
  const more = hasNextPage ? 'the newest ' : '';
  return (
    <>
      <PageHeader
        title="Addresses"
        asOf={data ? `${more}${numberWords(all.length)} created here` : '\u00a0'}
        actions={
          !session.read_only && (
            <Link className={buttonClass('primary')} to={paths.newDepositAddress}>
              <Plus aria-hidden />
              New deposit address
            </Link>
          )
        }
      />
      <div className="page-body">
        {error && <LoadError of={query} heading="Couldn’t load addresses" />}
        {!data && !error && <output className="pad sub block">Loading…</output>}
        {data && all.length === 0 && (
          <div className="blank">
            <p>
              No deposit addresses yet.{' '}
              {!session.read_only &&
                'Create one and share it with a customer: it stays here with its label, whoever created it.'}
            </p>
            {!session.read_only && (
              <Link className={buttonClass()} to={paths.newDepositAddress}>
                New deposit address
              </Link>
            )}
          </div>
        )}
        {all.length > 0 && (
          <>
            <div className="px-gutter pb-3">
              <FindField
                hint="(asset, chain, address, label or name)"
                text={typed}
                onText={setTyped}
                found={`${numberWords(found.length)} found in ${more}${all.length}`}
              />
            </div>
            <DataTable
              label="Deposit addresses"
              className="grid-table labelled"
              rows={found}
              columns={columnsOf(setOpenId)}
              keyOf={({ id }) => id}
            />
            <div className="pad grid justify-items-start gap-2">
              {unreadable > 0 && <p className="sub small">{unreadable} more can’t be shown by this version.</p>}
              {hasNextPage && (
                <Button onClick={() => void fetchNextPage()} aria-busy={isFetchingNextPage}>
                  Load older addresses
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      {open && (
        <Suspense>
          <AddressDialog made={open} readOnly={session.read_only} onClose={() => setOpenId(null)} />
        </Suspense>
      )}
    </>
  );
}

function columnsOf(onOpen: (id: string) => void): DataColumn<DepositAddress>[] {
  return [
    {
      name: 'Label or customer',
      isHead: true,
      cell: ({ id, label, asset, chain }) => (
        <button type="button" className="link text-left wrap-anywhere" onClick={() => onOpen(id)}>
          <bdi translate="no">
            {label === '' ? `${visibleCode(asset)} on ${revealHidden(chainLabel(chain))}` : revealHidden(label)}
          </bdi>
        </button>
      ),
    },
    { name: 'Asset', cell: ({ asset }) => <bdi translate="no">{visibleCode(asset)}</bdi> },
    { name: 'Chain', cell: ({ chain }) => <bdi translate="no">{revealHidden(chainLabel(chain))}</bdi> },
    { name: 'Address', cell: (made) => <Address made={made} onOpen={onOpen} /> },
    {
      name: 'Created',
      cell: ({ id, at, who }) => (
        <>
          <Link className="inline-block py-0.5" to={paths.operation(id)}>
            <Time unix={at} />
          </Link>
          {who !== null && who !== '' && <span className="small sub"> by {revealHidden(who)}</span>}
        </>
      ),
    },
  ];
}

function Address({ made, onOpen }: { made: DepositAddress; onOpen: (id: string) => void }) {
  const { id, address, along } = made;
  if (address === null) return <span className="sub">Not in the response</span>;
  const short = shorten(address);
  // Never the address without what has to go with it.
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
      <IconButton label={`QR code of ${short}`} onClick={() => onOpen(id)}>
        <QrCode className="icon-s" aria-hidden />
      </IconButton>
    </span>
  );
}

function holding(all: readonly DepositAddress[], typed: string): readonly DepositAddress[] {
  const words = searchForm(typed).split(/\s+/).filter(Boolean);
  return all.filter(({ asset, chain, address, label, who, along }) => {
    const text = [asset, chain, chainLabel(chain), address, label, who, ...along.map(({ value }) => value)].join(' ');
    const form = searchForm(text);
    return words.every((word) => form.includes(word)) || (address !== null && isSameAccount(chain, address, typed));
  });
}
