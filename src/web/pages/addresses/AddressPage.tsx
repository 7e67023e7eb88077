import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router';
import { isSameAccount } from '#src/shared/chains/lookAlike.ts';
import { chainForm, chainLabel } from '#src/shared/chains/names.ts';
import type { DepositAddress } from '#src/shared/contract/teamContract.ts';
import { paths } from '#src/shared/paths.ts';
import { byWhom, counted, revealHidden, visibleCode } from '#src/shared/text.ts';
import { allDepositAddresses } from '#src/web/api/depositAddresses.ts';
import { paymentsBack, type RowsBack, useRowsBack } from '#src/web/api/paging/rowsBack.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
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

/** Older deposits are loaded when somebody asks for them. */
const DAYS = 366;
const NONE: readonly Payment[] = [];

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
  const { account } = useSession();
  const title = label === '' ? `${visibleCode(asset)} on ${chainLabel(chain)}` : label;
  const declaration = useMemo(
    () => ({ ...addressDeposits, title: revealHidden(title), path: paths.address(id) }),
    [title, id],
  );
  const view = useListView(declaration);
  const list = useRowsBack(paymentsBack(account, 'deposit'), DAYS);
  const deposits = useMemo(() => depositsTo(address, list.rows ?? NONE), [address, list.rows]);
  const unnamed = useMemo(() => countUnnamed(chain, list.rows ?? NONE), [chain, list.rows]);
  const content = usePaymentRows('deposit', deposits, list, list.reached === null && unnamed === 0);
  const about = <About address={address} />;
  const unknown = unknownDeposits(address, list.rows ?? NONE);
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
        asOf: <Updated at={list.meta?.readAt ?? null} isFetching={list.isFetching} onRefresh={list.refetch} />,
      }}
      above={
        <>
          {about}
          <Received deposits={deposits} unnamed={unnamed} list={list} />
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

/** How many deposits may have come to an address on this chain, because they name none. */
function countUnnamed(chain: string, deposits: readonly Payment[]): number {
  return deposits.filter((row) => row.address === null && chainForm(row.chain ?? chain) === chainForm(chain)).length;
}

/** Why no deposit can be told to have come to this address; null if some can. */
function unknownDeposits({ address }: DepositAddress, deposits: readonly Payment[]): string | null {
  if (address === null) return 'We don’t know this address';
  const areUnnamed = deposits.length > 0 && deposits.every((row) => row.address === null);
  return areUnnamed ? 'This provider doesn’t say which address a deposit came to' : null;
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

interface ReceivedProps {
  deposits: readonly Payment[];
  /** Deposits that name no address. */
  unnamed: number;
  list: RowsBack<Payment>;
}

function Received({ deposits, unnamed, list }: ReceivedProps) {
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
        <span>{receivedScope(list.reached === null, unnamed)}</span>
      </div>
      <RowSumsTable sums={sums} />
      <LoadedBack list={list} what="Deposits loaded" />
    </section>
  );
}

function receivedScope(isWhole: boolean, unnamed: number): string {
  if (!isWhole) return 'at least, as far as loaded';
  if (unnamed === 0) return 'all deposits to this address';
  return `at least: ${counted(unnamed, 'deposit names', 'deposits name')} no address`;
}
