import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { byWhom } from '#src/shared/author.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import type { DepositAddress } from '#src/shared/contract/teamContract.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, revealHidden, visibleCode } from '#src/shared/text.ts';
import { allDepositAddresses } from '#src/web/api/depositAddresses.ts';
import { namesEveryPayment, type PaymentsTo, useAddressDeposits } from '#src/web/api/addressPayments.ts';
import { useSession } from '#src/web/api/session.ts';
import '#src/web/list/overview.css';
import { createTotals } from '#src/shared/export/rowTotals.ts';
import { RowSumsTable } from '#src/web/list/rowSums.tsx';
import { LoadedBack } from '#src/web/list/StillLoading.tsx';
import { AddressCard } from '#src/web/resources/AddressCard.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { addressDeposits, usePaymentRows } from '#src/web/resources/paymentLists.tsx';
import { SavedItemPage } from '#src/web/resources/SavedItemPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { Updated } from '#src/web/ui/Updated.tsx';

const MISSING = {
  why: 'The link may be incomplete, or the address belongs to another account.',
  to: paths.addresses,
  link: 'All addresses',
};

export function Component() {
  const { id = '' } = useParams();
  const query = useQuery(allDepositAddresses(useSession().account));
  const address = query.data && (query.data.all.find((each) => each.id === id) ?? null);
  return (
    <SavedItemPage noun="deposit address" title="Deposit address" query={query} item={address} missing={MISSING}>
      {(found) => <AddressPage address={found} />}
    </SavedItemPage>
  );
}

function AddressPage({ address }: { address: DepositAddress }) {
  const { id, asset, chain, label } = address;
  const title = label === '' ? `${visibleCode(asset)} on ${chainLabel(chain)}` : label;
  const declaration = useMemo(
    () => ({ ...addressDeposits, title: revealHidden(title), path: paths.address(id) }),
    [title, id],
  );
  const view = useListView(declaration);
  const list = useAddressDeposits(id, address.address !== null);
  const content = usePaymentRows('deposit', list, list.reached === null && namesEveryPayment(list));
  const about = <About address={address} />;
  const unknown = unknownDeposits(address, list);
  if (unknown !== null) {
    return (
      <PageFrame title={declaration.title}>
        {about}
        <div className="blank">
          <h2>{unknown}</h2>
          <p>So the deposits to this address can’t be listed, only all deposits of its asset.</p>
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
        asOf: <Updated at={list.meta?.readAt ?? null} isFetching={list.isFetching} onRefresh={list.refresh} />,
      }}
      above={
        <>
          {about}
          <Received list={list} />
        </>
      }
    />
  );
}

/** Why we can't say which deposits came to this address; null if we can. */
function unknownDeposits({ address }: DepositAddress, { areAllUnnamed }: PaymentsTo): string | null {
  if (address === null) return 'We don’t know this address';
  return areAllUnnamed ? 'This provider doesn’t say which address a deposit came to' : null;
}

function About({ address: row }: { address: DepositAddress }) {
  const { id, asset, chain, address, along, at } = row;
  return (
    <div className="grid gap-3 px-gutter pb-5">
      {address === null ? (
        <p className="sub">The response named no address, or several. See the operation.</p>
      ) : (
        <AddressCard request={{ asset, chain }} address={address} along={along} />
      )}
      <p className="small sub">
        <Link to={paths.operation(id)}>Created</Link>
        {byWhom(row)} <Time unix={at} /> · <Link to={paths.addresses}>All addresses</Link>
      </p>
    </div>
  );
}

function Received({ list }: { list: PaymentsTo }) {
  const { payments } = list;
  const sums = useMemo(() => {
    const totals = createTotals();
    for (const { asset, status, amount } of payments ?? []) totals.add(asset, status, amount);
    return totals.list();
  }, [payments]);
  if (sums.length === 0) return <LoadedBack list={list} what="Deposits loaded" />;
  return (
    <section className="reg" aria-label="Received">
      <div className="reg-h">
        <h2>Received</h2>
        <span>{receivedScope(list)}</span>
      </div>
      <RowSumsTable sums={sums} />
      <LoadedBack list={list} what="Deposits loaded" />
    </section>
  );
}

function receivedScope({ reached, unnamed, malformed }: PaymentsTo): string {
  if (reached !== null) return 'at least, as far as loaded';
  if (unnamed > 0) return `at least: ${counted(unnamed, 'deposit names', 'deposits name')} no address`;
  if (malformed > 0) return `at least: ${counted(malformed, 'item has', 'items have')} no readable ID`;
  return 'all deposits to this address';
}
