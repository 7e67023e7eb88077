import { useCan } from '#src/web/api/permissions.ts';
import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { ArrowUpRight } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { byWhom } from '#src/shared/author.ts';
import { formatAmount, isZero } from '#src/shared/amount.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { compare } from '#src/shared/money.ts';
import { paths } from '#src/shared/paths.ts';
import { withParams } from '#src/shared/searchParams.ts';
import { counted, revealHidden, shorten, visibleCode } from '#src/shared/text.ts';
import { dateOf, type Zone } from '#src/shared/time.ts';
import { namesEveryPayment, type PaymentsTo, useRecipientPayments } from '#src/web/api/addressPayments.ts';
import type { Payment } from '#src/shared/overview/payment.ts';
import { type KnownRecipient, type RecipientProfile, useRecipient } from '#src/web/api/recipients.ts';
import { AmountChart, drawColumns } from '#src/web/chart/AmountChart.tsx';
import { dayWords } from '#src/shared/createdRange.ts';
import '#src/web/list/overview.css';
import { LoadedBack, Skeleton } from '#src/web/list/StillLoading.tsx';
import { OwnListPage } from '#src/web/resources/OwnListPage.tsx';
import { recipientPayments, usePaymentRows } from '#src/web/resources/paymentLists.tsx';
import { SavedItemPage } from '#src/web/resources/SavedItemPage.tsx';
import { useListView } from '#src/web/resources/useListView.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { missingWords } from '#src/web/list/missingWords.ts';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { ShortId, UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Updated } from '#src/web/ui/Updated.tsx';
import { useNowByService } from '#src/web/ui/useNow.ts';
import { Confirmation } from './Confirmation.tsx';
import {
  type AssetPaid,
  type PaidPeriods,
  type PaidSum,
  paidByAsset,
  paidInAsset,
  periodsAt,
} from './recipientTotals.ts';

const NONE: readonly Payment[] = [];
const NO_CLOCKS = { date: null, readAt: 0 };

const MISSING = {
  why: 'It may have been removed, or the link is incomplete. Its payments are still in Withdrawals.',
  to: paths.recipients,
  link: 'All recipients',
};

export function Component() {
  const { id = '' } = useParams();
  const { profile, query } = useRecipient(id);
  return (
    <SavedItemPage noun="recipient" title="Recipient" query={query} item={profile} missing={MISSING}>
      {(found) => <RecipientPage profile={found} />}
    </SavedItemPage>
  );
}

function RecipientPage({ profile }: { profile: RecipientProfile }) {
  const { name, addresses } = profile;
  const canWithdraw = useCan('prepare');
  const declaration = useMemo(
    () => ({ ...recipientPayments, title: revealHidden(name), path: paths.recipient(addresses[0]?.id ?? '') }),
    [name, addresses],
  );
  const view = useListView(declaration);
  const paid = usePaid(profile);
  const { list } = paid;
  const content = usePaymentRows('withdrawal', list, list.reached === null && namesEveryPayment(list));
  const [only] = addresses;
  const actions = only && addresses.length === 1 && (
    <ActionLink
      ability="prepare"
      variant="primary"
      to={paths.newWithdrawal}
      state={prefillOf(only)}
      icon={<ArrowUpRight aria-hidden />}
    >
      New withdrawal
    </ActionLink>
  );
  const above = (
    <div className="duo">
      <div>
        <Paid {...paid} />
      </div>
      <Addresses addresses={addresses} canWithdraw={canWithdraw && addresses.length > 1} />
    </div>
  );
  if (list.notOffered) {
    return (
      <PageFrame title={declaration.title} actions={actions}>
        {above}
      </PageFrame>
    );
  }
  const asOf = <Updated at={list.meta?.readAt ?? null} isFetching={list.isFetching} onRefresh={list.refresh} />;
  return <OwnListPage list={declaration} view={view} content={{ ...content, asOf }} actions={actions} above={above} />;
}

/** The withdrawals to the recipient, back to the oldest month shown, and their sums. */
function usePaid({ addresses }: RecipientProfile) {
  const zone = useZone();
  const list = useRecipientPayments(addresses.map(({ id }) => id));
  const today = dateOf(useNowByService(list.meta ?? NO_CLOCKS), zone);
  const periods = useMemo(() => periodsAt(today, zone), [today, zone]);
  const { payments } = list;
  const totals = useMemo(() => paidByAsset(payments ?? NONE, periods, zone), [payments, periods, zone]);
  return { list, totals, periods, zone };
}

interface PaidProps {
  list: PaymentsTo;
  totals: readonly AssetPaid[];
  periods: PaidPeriods;
  zone: Zone;
}

function Paid({ list, totals, periods, zone }: PaidProps) {
  const { payments, reached, notOffered } = list;
  const isWithin = (start: number) =>
    payments !== null && (reached === null || reached < start) && namesEveryPayment(list);
  if (notOffered)
    return (
      <p className="px-gutter py-3">
        This provider doesn’t list withdrawals, so they can’t be added up.{' '}
        <Link to={paths.operations}>What was sent from here</Link>
      </p>
    );
  return (
    <>
      <section className="reg" aria-label="Paid">
        <div className="reg-h">
          <h2>Paid</h2>
          <span>completed withdrawals, {zone === 'utc' ? 'UTC' : 'local time'}</span>
        </div>
        {payments === null ? (
          <p className="more">{list.error === null && <Skeleton width="12rem" />}</p>
        ) : totals.length === 0 ? (
          <p className="more">
            {isWithin(periods.since) ? 'Nothing in the last 12 months.' : 'Nothing in the loaded withdrawals.'}
          </p>
        ) : (
          <DataTable
            label="Paid"
            className="grid-table labelled fitted"
            rows={totals}
            columns={paidColumns(totals, isWithin(periods.monthStart), isWithin(periods.yearStart))}
            keyOf={({ asset }) => asset ?? ''}
          />
        )}
        <LoadedBack list={list} what="Withdrawals loaded" />
      </section>
      {totals.length > 0 && <Months totals={totals} periods={periods} isWhole={isWithin(periods.since)} />}
    </>
  );
}

function paidColumns(
  totals: readonly AssetPaid[],
  isMonthWhole: boolean,
  isYearWhole: boolean,
): DataColumn<AssetPaid>[] {
  const column = (name: string, of: (paid: AssetPaid) => PaidSum, isWhole: boolean): DataColumn<AssetPaid> => ({
    name,
    style: { '--int': integerWidth(totals.map((paid) => of(paid).sum)).css },
    cell: (paid) => <Sum of={of(paid)} isWhole={isWhole} />,
  });
  const isMoving = totals.some(({ inProgress }) => inProgress.count > 0);
  return [
    {
      name: 'Asset',
      isHead: true,
      className: 'asset',
      cell: ({ asset }) => (asset === null ? 'no asset' : <UntrustedText code value={asset} max={24} brief />),
    },
    ...(isMoving ? [column('In progress', ({ inProgress }) => inProgress, isYearWhole)] : []),
    column('This month', ({ month }) => month, isMonthWhole),
    { ...column('This year', ({ year }) => year, isYearWhole), className: 'cash' },
  ];
}

function Sum({ of, isWhole }: { of: PaidSum; isWhole: boolean }) {
  const { sum, count } = of;
  const missing = missingWords(of);
  if (count === 0 && missing === '') return <span className="dim">{isWhole ? 'none' : 'none loaded'}</span>;
  return (
    <>
      {!isWhole && <span className="dim">at least </span>}
      <Amount value={sum} />
      <span className="small sub block">
        {counted(count, 'payment', 'payments')}
        {missing && `, ${missing}`}
      </span>
    </>
  );
}

interface MonthsProps {
  totals: readonly AssetPaid[];
  periods: PaidPeriods;
  isWhole: boolean;
}

function Months({ totals, periods: { months }, isWhole }: MonthsProps) {
  const [search, setSearch] = useSearchParams();
  const paid = paidInAsset(totals, search.get('asset'));
  if (!paid) return null;
  const { asset, byMonth } = paid;
  return (
    <section className="reg" aria-label="Paid by month">
      <div className="reg-h">
        <h2>Last 12 months</h2>
        <span>{!isWhole && 'as far as loaded'}</span>
        {totals.length > 1 && (
          <Segmented
            label="Asset of the chart"
            value={asset ?? ''}
            options={Object.fromEntries(
              totals.map((each) => [each.asset ?? '', visibleCode(each.asset ?? 'no asset').slice(0, 20)]),
            )}
            onChange={(next) =>
              setSearch(withParams(search, { asset: next }), { replace: true, preventScrollReset: true })
            }
          />
        )}
      </div>
      <div className="h-54 px-gutter pt-3 pb-5">
        <AmountChart
          days={months}
          unit="month"
          amounts={byMonth}
          label={monthsWords(asset, months, byMonth)}
          draw={drawColumns}
        />
      </div>
    </section>
  );
}

/** "USDT paid per month, Dec 2025 to Nov 2026, most in Mar 2026: 1,250" */
function monthsWords(asset: string | null, months: readonly string[], amounts: readonly string[]): string {
  const nameOf = (day = '') => dayWords(day).replace(/^\d+ /, '');
  const what = `${asset === null ? 'Paid' : `${visibleCode(asset)} paid`} per month, ${nameOf(months[0])} to ${nameOf(months.at(-1))}`;
  const [most = '0'] = amounts.toSorted((a, b) => compare(b, a));
  if (isZero(most)) return `${what}, none`;
  return `${what}, most in ${nameOf(months[amounts.indexOf(most)])}: ${formatAmount(most)}`;
}

function prefillOf({ chain, address, asset, reference }: KnownRecipient) {
  return locationState({ prefill: { chain, address, ...(asset && { asset }), ...(reference && { reference }) } });
}

function Addresses({ addresses, canWithdraw }: { addresses: readonly KnownRecipient[]; canWithdraw: boolean }) {
  return (
    <section className="reg" aria-label="Addresses">
      <div className="reg-h">
        <h2>{addresses.length === 1 ? 'Address' : 'Addresses'}</h2>
        <span>
          <Link to={paths.recipients}>All recipients</Link>
        </span>
      </div>
      <ul>
        {addresses.map((entry) => (
          <li key={entry.id} className="border-b border-rule px-gutter py-2">
            <Address entry={entry} canWithdraw={canWithdraw} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Address({ entry, canWithdraw }: { entry: KnownRecipient; canWithdraw: boolean }) {
  const { chain, address, asset, reference, note } = entry;
  const label = `${chainLabel(chain)} ${shorten(address)}`;
  const details = [asset !== '' && `usually ${visibleCode(asset)}`, reference, note].filter(Boolean).join(' · ');
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2">
        <span translate="no">{chainLabel(chain)}</span>
        <ShortId value={address} />
        <CopyButton value={address} label={`Copy the address ${shorten(address)}`} />
        <span className="acts-row ml-auto">
          <Link
            className="small"
            to={paths.withdrawals(new URLSearchParams({ to: address }))}
            aria-label={`Withdrawals to ${label}`}
          >
            Withdrawals
          </Link>
          {canWithdraw && (
            <Link
              className={buttonClass('plain', 'small')}
              to={paths.newWithdrawal}
              state={prefillOf(entry)}
              aria-label={`New withdrawal to ${label}`}
            >
              Withdraw
            </Link>
          )}
        </span>
      </p>
      {details !== '' && (
        <p className="small">
          <bdi>{revealHidden(details)}</bdi>
        </p>
      )}
      <p className="small sub">
        <SavedBy entry={entry} />
      </p>
      <Confirmation id={entry.id} name={entry.name} address={address} />
    </>
  );
}

/** Who saved the recipient. `who` is the creator only for the first revision. */
function SavedBy({ entry }: { entry: KnownRecipient }) {
  const { revision, created, changed } = entry;
  if (revision === 1)
    return (
      <>
        Saved{byWhom(entry)} <Time unix={created} />
      </>
    );
  return (
    <>
      Saved <Time unix={created} />, last changed{byWhom(entry)} <Time unix={changed} />
    </>
  );
}
