import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { isSameAccount } from '#src/shared/chains/lookAlike.ts';
import { chainForm, chainLabel } from '#src/shared/chains/names.ts';
import type { DepositAddress } from '#src/shared/contract/teamContract.ts';
import { paths } from '#src/shared/paths.ts';
import { byWhom, revealHidden, visibleCode } from '#src/shared/text.ts';
import { allDepositAddresses } from '#src/web/api/depositAddresses.ts';
import { paymentsBack, type RowsBack, useRowsBack } from '#src/web/api/paging/rowsBack.ts';
import type { Payment } from '#src/web/api/payments.ts';
import { useSession } from '#src/web/api/session.ts';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import '#src/web/list/overview.css';
import { createTotals, RowSumsTable } from '#src/web/list/rowSums.tsx';
import { LoadedBack } from '#src/web/list/StillLoading.tsx';
import { AddressCard } from '#src/web/resources/AddressCard.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { addressDeposits, usePaymentRows } from '#src/web/resources/paymentLists.tsx';
import { useListView } from '#src/web/resources/useListView.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { Updated } from '#src/web/ui/Updated.tsx';

/** Older deposits are loaded when somebody asks for them. */
const DAYS = 366;
const NONE: readonly Payment[] = [];

export function Component() {
  const { id = '' } = useParams();
  const query = useQuery(allDepositAddresses(useSession().account));
  const address = query.data?.all.find((each) => each.id === id);
  if (address) return <AddressPage address={address} />;
  if (query.data) return <NoAddress />;
  return (
    <PageFrame title="Deposit address" padded>
      {query.error ? (
        <LoadError of={query} heading="Couldn’t load this address" />
      ) : (
        <output>Loading the address</output>
      )}
    </PageFrame>
  );
}

function NoAddress() {
  return (
    <PageFrame title="Deposit address">
      <div className="blank">
        <h2>No deposit address at this link</h2>
        <p>The link may be incomplete, or the address belongs to another account.</p>
        <Link className={buttonClass()} to={paths.addresses}>
          All addresses
        </Link>
      </div>
    </PageFrame>
  );
}

function AddressPage({ address }: { address: DepositAddress }) {
  const { id, asset, chain, label } = address;
  const { account } = useSession();
  const title = label === '' ? `${visibleCode(asset)} on ${chainLabel(chain)}` : label;
  const declaration = useMemo(
    () => ({ ...addressDeposits, title: revealHidden(title), path: paths.address(id) }),
    [title, id],
  );
  const view = useListView(declaration);
  const list = useRowsBack(paymentsBack(account, 'deposit'), DAYS);
  const deposits = useMemo(() => depositsTo(address, list.rows ?? NONE), [address, list.rows]);
  const content = usePaymentRows('deposit', deposits, list);
  // Without any address in the list, none of its rows can be told to be of this one.
  const areUnnamed = list.rows !== null && list.rows.length > 0 && list.rows.every(({ address: to }) => to === null);
  const about = <About address={address} />;
  if (areUnnamed) {
    return (
      <PageFrame title={declaration.title}>
        {about}
        <div className="blank">
          <h2>This provider doesn’t say which address a deposit came to</h2>
          <p>So what came in on this one can’t be listed. All deposits of its asset can.</p>
          <Link className={buttonClass()} to={paths.deposits(new URLSearchParams({ asset }))}>
            {visibleCode(asset)} deposits
          </Link>
        </div>
      </PageFrame>
    );
  }
  return (
    <OwnListPage
      list={declaration}
      view={view}
      content={{
        ...content,
        asOf: <Updated at={list.meta?.readAt ?? null} isFetching={list.isFetching} onRefresh={list.refetch} />,
      }}
      above={
        <>
          {about}
          <Received deposits={deposits} list={list} />
        </>
      }
    />
  );
}

/** In any spelling of the address, whatever the asset. */
function depositsTo({ chain, address }: DepositAddress, deposits: readonly Payment[]): Payment[] {
  if (address === null) return [];
  return deposits.filter(
    (row) =>
      row.address !== null &&
      chainForm(row.chain ?? '') === chainForm(chain) &&
      isSameAccount(chain, row.address, address),
  );
}

function About({ address: row }: { address: DepositAddress }) {
  const { id, asset, chain, address, along, who, at } = row;
  return (
    <div className="grid gap-3 px-gutter pb-5">
      {address === null ? (
        <p className="sub">The response named no address, or several. See the operation.</p>
      ) : (
        <AddressCard request={{ asset, chain }} address={address} along={along} />
      )}
      <p className="small sub">
        <Link to={paths.operation(id)}>Created</Link>
        {byWhom(who)} <Time unix={at} /> · <Link to={paths.addresses}>All addresses</Link>
      </p>
    </div>
  );
}

function Received({ deposits, list }: { deposits: readonly Payment[]; list: RowsBack<Payment> }) {
  const sums = useMemo(() => {
    const totals = createTotals();
    for (const { asset, status, amount } of deposits) totals.add(asset, status, amount);
    return totals.list();
  }, [deposits]);
  if (sums.length === 0) return <LoadedBack list={list} what="Deposits loaded" />;
  return (
    <section className="reg" aria-label="Received">
      <div className="reg-h">
        <h2>Received</h2>
        <span>{list.reached === null ? 'all deposits to this address' : 'at least, as far as loaded'}</span>
      </div>
      <RowSumsTable sums={sums} />
      <LoadedBack list={list} what="Deposits loaded" />
    </section>
  );
}
