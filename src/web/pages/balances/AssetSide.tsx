import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { depositAddressPages } from '#src/web/api/depositAddresses.ts';
import type { InProgress } from '#src/shared/contract/overviewContract.ts';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import type { useAssetOverview } from '#src/web/api/assetOverview.ts';
import { readProgressOf, noReadProgress } from '#src/web/api/sharedReading.ts';
import { useSession } from '#src/web/api/session.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { paths } from '#src/shared/paths.ts';
import { revealHidden, counted, visibleCode } from '#src/shared/text.ts';
import { LatestMovements, newestOf } from '#src/web/list/Movements.tsx';
import { OtherFields } from '#src/web/resources/OtherFields.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { SnapshotTime } from './BalanceBreakdown.tsx';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { isAmount, isZero } from '#src/shared/amount.ts';
import { equal } from '#src/shared/money.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { Amount } from '#src/web/ui/Amount.tsx';

const MOVEMENTS = 10;
const ADDRESSES = 5;
/** How long a balance may lag behind the lists. */
const LAG_SECONDS = 60;
/** Fields that the page shows elsewhere (2.1). */
const STATED = ['object', 'asset', 'available', 'pending', 'locked', 'total', 'updated_at'];

interface AssetSideProps {
  asset: string;
  overview: ReturnType<typeof useAssetOverview>;
  data: { balance: BalanceRow; readAt: number; requestId: string | null };
  now: number;
}

export function AssetSide({ asset, overview: { data: of, error }, data, now }: AssetSideProps) {
  const zone = useZone();
  const search = new URLSearchParams({ asset });
  const [deposits, withdrawals, ledger] = of
    ? [readProgressOf(of.deposits), readProgressOf(of.withdrawals), readProgressOf(of.ledger)]
    : [noReadProgress(error), noReadProgress(error), noReadProgress(error)];
  const moves = of ? [...of.deposits.newest, ...of.withdrawals.newest, ...of.ledger.newest_swaps] : [];
  // The rest waits for these lists, which could push it down.
  const isLoaded = [deposits, withdrawals, ledger].every((list) => list.meta !== null || list.error !== null);
  const code = <span translate="no">{visibleCode(asset)}</span>;
  return (
    <div>
      <section className="reg" aria-label="Latest movements">
        <div className="reg-h">
          <h2>Latest movements</h2>
          <span>{zone === 'utc' ? 'UTC' : 'local time'}</span>
        </div>
        <LatestMovements
          lists={[
            { ...deposits, kind: 'deposit', isRead: deposits.meta !== null },
            { ...withdrawals, kind: 'withdrawal', isRead: withdrawals.meta !== null },
          ]}
          moves={newestOf(moves, MOVEMENTS)}
          now={now}
          isLoaded={isLoaded}
        />
        <p className="more wrap-anywhere">
          <Link to={paths.deposits(search)}>{code} deposits</Link>{' '}
          <Link to={paths.withdrawals(search)}>{code} withdrawals</Link>{' '}
          {!ledger.notOffered && <Link to={paths.ledger(search)}>All {code} movements</Link>}
        </p>
      </section>
      {isLoaded && <Addresses asset={asset} />}
      {isLoaded && (
        <section className="px-gutter pt-3 pb-6" aria-label="About these figures">
          <Facts>
            <Fact label="Last change">
              <SnapshotTime updatedAt={data.balance.updated_at} now={now} />
            </Fact>
            <Fact label="Loaded">
              <Time unix={data.readAt} age />
            </Fact>
            <TextFact label="Request ID" mono value={data.requestId} max={80} />
            <OtherFields record={data.balance} except={STATED} />
          </Facts>
        </section>
      )}
    </div>
  );
}

function Addresses({ asset }: { asset: string }) {
  const { account } = useSession();
  const { data } = useInfiniteQuery(depositAddressPages(account));
  const made = data?.pages.flatMap(({ addresses }) => addresses).filter((each) => each.asset === asset) ?? [];
  if (made.length === 0) return null;
  return (
    <section className="reg" aria-label="Deposit addresses">
      <div className="reg-h">
        <h2>Deposit addresses</h2>
      </div>
      <ul>
        {made.slice(0, ADDRESSES).map(({ id, chain, address, along, label }) => (
          <li
            key={id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 border-b border-rule px-gutter py-1.75 wrap-anywhere"
          >
            <span>
              <Link to={paths.operation(id)}>
                {label === '' ? `On ${revealHidden(chainLabel(chain))}` : revealHidden(label)}
              </Link>
              <span className="small dim block">
                {address === null ? 'no address in the response' : <ShortId value={address} />}
                {label !== '' && ` on ${revealHidden(chainLabel(chain))}`}
                {along.map(({ name, value }) => `, with ${revealHidden(name)} ${revealHidden(value.slice(0, 40))}`)}
              </span>
            </span>
            {address !== null && (
              <CopyButton
                value={[address, ...along.map(({ name, value }) => `${name}: ${value}`)].join('\n')}
                label={['Copy address', ...along.map(({ name }) => revealHidden(name))].join(' and ')}
              />
            )}
          </li>
        ))}
      </ul>
      {made.length > ADDRESSES && <p className="more dim">{made.length - ADDRESSES} more created here.</p>}
    </section>
  );
}

interface PartMadeProps {
  of: PaymentKind;
  amount: unknown;
  balance: BalanceRow;
  now: number;
  /** Null if they couldn't be read. */
  read: InProgress | null | undefined;
}

/** The payments that a part of the balance consists of, and whether they add up to it. */
export function PartMade({ of, amount, balance: { asset, updated_at: updated }, now, read }: PartMadeProps) {
  const name = usePaymentNames();
  const isRecent = !isPlausibleTime(updated) || now - updated < LAG_SECONDS;
  const why = isRecent ? 'Balances can be a few seconds behind.' : 'The payments listed don’t explain it.';
  if (read == null || !isAmount(amount)) return null;
  const { count, sum: made, statuses, latest_at: latest, only } = read;
  const isWhole = read.is_all && read.are_readable;
  if (count === 0)
    return isZero(amount) || !read.is_all ? null : (
      <span className={isRecent ? undefined : 'text-open'}>
        No {PAYMENTS[of].noun.one} in progress found. {why}
      </span>
    );
  const { one, many } = PAYMENTS[of].noun;
  const [status] = statuses;
  const search = new URLSearchParams({
    asset,
    ...(statuses.length === 1 && isSearchText(status ?? '') ? { status: status ?? '' } : {}),
  });
  // An undocumented status may mean anything.
  const isConfirming = of === 'deposit' && statuses.every((each) => knownStatus(each) !== null);
  const standing = isConfirming ? 'confirming' : 'in progress';
  const link = <Link to={PAYMENTS[of].list(search)}>{counted(count, one, many)}</Link>;
  if (isWhole && equal(made, amount))
    return (
      <>
        = {link}
        {only ? ` ${name(only)}` : ` ${standing}`}
      </>
    );
  // A snapshot older than a payment can't include it.
  const isLate = latest === null || !isPlausibleTime(updated) || latest > updated;
  if (!isWhole || isLate)
    return (
      <>
        {!read.is_all && 'At least '}
        {link} {standing}
      </>
    );
  return (
    <span className="text-open">
      {link} {count === 1 ? 'makes' : 'make'} <Amount value={made} compared flow />. {why}
    </span>
  );
}
