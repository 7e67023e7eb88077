import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { depositAddressPages } from '#src/web/api/depositAddresses.ts';
import type { BalanceRow, LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { useSession } from '#src/web/api/session.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { paths } from '#src/shared/paths.ts';
import { revealHidden, counted, visibleCode } from '#src/shared/text.ts';
import { LatestMovements, newestOf, type SwapLeg } from '#src/web/list/Movements.tsx';
import { lineOf } from '#src/shared/statement/ledgerMoves.ts';
import { sourceOf } from '#src/shared/ledgerSource.ts';
import { createPairs } from '#src/shared/statement/swapPairs.ts';
import { OtherFields } from '#src/web/resources/OtherFields.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { ShortId } from '#src/web/ui/UntrustedText.tsx';
import { Time, useZone } from '#src/web/ui/Time.tsx';
import { Snapshot } from './BalanceBreakdown.tsx';
import type { AssetData } from './useAsset.ts';
import type { OpenPayments } from '#src/shared/overview/openPayments.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { knownStatus } from '#src/shared/paymentStatus.ts';
import { PAYMENTS } from '#src/web/api/payments.ts';
import { isAmount, isZero } from '#src/shared/amount.ts';
import { equal, sum } from '#src/shared/money.ts';
import { isSearchText } from '#src/shared/searchParams.ts';
import { isPlausibleTime } from '#src/shared/time.ts';
import { usePaymentNames } from '#src/web/list/paymentNames.ts';
import { Amount } from '#src/web/ui/Amount.tsx';

const MOVEMENTS = 10;
const ADDRESSES = 5;
/** Seconds by which a balance may lag behind the lists. */
const LAG = 60;
/** Fields that have their own place on the page (2.1). */
const STATED = ['object', 'asset', 'available', 'pending', 'locked', 'total', 'updated_at'];

interface AssetSideProps {
  asset: string;
  of: AssetData;
  data: { balance: BalanceRow; readAt: number; requestId: string | null };
  now: number;
}

export function AssetSide({ asset, of: { deposits, withdrawals, ledger, legs }, data, now }: AssetSideProps) {
  const zone = useZone();
  const search = new URLSearchParams({ asset });
  const swaps = useMemo(() => swapsIn(ledger.rows ?? [], legs), [ledger.rows, legs]);
  const newest = newestOf([...(deposits.back.rows ?? []), ...(withdrawals.back.rows ?? []), ...swaps], MOVEMENTS);
  // The rest waits for these, which could push it down.
  const isLoaded = [deposits.back, withdrawals.back, ledger].every(
    ({ rows, error }) => rows !== null || error !== null,
  );
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
            { ...deposits.back, kind: 'deposit' },
            { ...withdrawals.back, kind: 'withdrawal' },
          ]}
          moves={newest}
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
              <Snapshot updatedAt={data.balance.updated_at} now={now} />
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

/** Legs of swaps, with the other asset if known. */
function swapsIn(entries: readonly LedgerEntryRow[], legs: readonly LedgerEntryRow[]): SwapLeg[] {
  const pairs = createPairs();
  for (const entry of [...entries, ...legs]) pairs.add(entry);
  return entries.flatMap((entry) => {
    const line = lineOf(entry);
    const pair = pairs.of(sourceOf(entry));
    if (line !== 'swaps' && (line !== null || pair === null)) return [];
    const other = pair?.out.id === entry.id ? pair.in.asset : pair?.out.asset;
    return { ...entry, kind: 'swap' as const, other: other ?? null };
  });
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
  read: OpenPayments | undefined;
}

/** Which payments a part of the balance consists of, and whether they add up to it. */
export function PartMade({ of, amount, balance: { asset, updated_at: updated }, now, read }: PartMadeProps) {
  const name = usePaymentNames();
  const isRecent = !isPlausibleTime(updated) || now - updated < LAG;
  const why = isRecent ? 'Balances can be a few seconds behind.' : 'The payments listed don’t explain it.';
  if (read === undefined || !isAmount(amount)) return null;
  const { open, partly } = read;
  if (open.length === 0)
    return isZero(amount) ? null : (
      <span className={isRecent ? undefined : 'text-open'}>
        No {PAYMENTS[of].noun.one} in progress found. {why}
      </span>
    );
  const made = sum(open.map((row) => row.amount).filter(isAmount));
  const isWhole = partly.length === 0 && open.every((row) => isAmount(row.amount));
  const { one, many } = PAYMENTS[of].noun;
  const statuses = [...new Set(open.map(({ status }) => status ?? ''))];
  const search = new URLSearchParams({
    asset,
    ...(statuses.length === 1 && isSearchText(statuses[0] ?? '') ? { status: statuses[0] ?? '' } : {}),
  });
  // A status that isn't documented may say anything.
  const isConfirming = of === 'deposit' && open.every(({ status }) => knownStatus(status) !== null);
  const standing = isConfirming ? 'confirming' : 'in progress';
  const link = <Link to={PAYMENTS[of].list(search)}>{counted(open.length, one, many)}</Link>;
  if (isWhole && equal(made, amount))
    return (
      <>
        = {link}
        {open.length === 1 && open[0] ? ` ${name(open[0])}` : ` ${standing}`}
      </>
    );
  // A snapshot older than a payment can't include it.
  const isLate = open.some(({ created_at: at }) => !isPlausibleTime(at) || !isPlausibleTime(updated) || at > updated);
  if (!isWhole || isLate)
    return (
      <>
        {link} {standing}
      </>
    );
  return (
    <span className="text-open">
      {link} {open.length === 1 ? 'makes' : 'make'} <Amount value={made} compared flow />. {why}
    </span>
  );
}
