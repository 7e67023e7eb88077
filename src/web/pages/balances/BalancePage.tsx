import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowUpRight, CircleCheck, Plus } from 'lucide-react';
import { useEffect, useEffectEvent, useId } from 'react';
import { Link, useParams } from 'react-router';
import type { AssetOverview } from '#src/shared/contract/overviewContract.ts';
import { useAssetOverview } from '#src/web/api/assetOverview.ts';
import { balanceQueries } from '#src/web/api/balances.ts';
import { type ApiError, saysNotFound } from '#src/web/api/errors.ts';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { useSession } from '#src/web/api/session.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { isAmount, isZero } from '#src/shared/amount.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { paths } from '#src/shared/paths.ts';
import { listInWords, shorten, revealHidden, visibleCode } from '#src/shared/text.ts';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import '#src/web/list/overview.css';
import { Amount } from '#src/web/ui/Amount.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { useDocumentTitle } from '#src/web/ui/PageHeader.tsx';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { useNowByService } from '#src/web/ui/useNow.ts';
import './balances.css';
import './asset.css';
import { BalanceBreakdown, Loading } from './BalanceBreakdown.tsx';
import { ShareBar } from './ShareBar.tsx';
import { checkIdentity } from '#src/shared/overview/balanceIdentity.ts';
import { Updated } from '#src/web/ui/Updated.tsx';

/** Longer codes are clipped. Real ones are much shorter, and the URL has the full code. */
const ASSET_MAX = 40;
const CHAINS = 4;
const POLL_MS = 60_000;

// Below the fold, so loaded after the top of the page.
const PartMade = deferred(() => import('./AssetSide.tsx').then((read) => read.PartMade));
const AssetHistory = deferred(() => import('./AssetHistory.tsx').then((read) => read.AssetHistory));
const AssetSide = deferred(() => import('./AssetSide.tsx').then((read) => read.AssetSide));

export function Component() {
  const { asset = '' } = useParams();
  const { account } = useSession();
  const options = balanceQueries.detail(account, asset);
  const query = useQuery({ ...options, ...POLLED, refetchInterval: POLL_MS });
  const { data, error, refetch, isFetching } = query;
  const overview = useAssetOverview(asset, data !== undefined);
  const refresh = () => {
    void refetch();
    if (data) overview.refresh();
  };
  useNewerTotal(data?.balance.total, overview);
  const name = visibleCode(asset.length > ASSET_MAX ? shorten(asset) : asset);
  useDocumentTitle(`${name} balance`);
  const neverHeld = saysNotFound(error);
  return (
    <>
      {data && error && <StaleBar error={error} readAt={data.readAt} onRetry={refresh} />}
      <div className="page-body">
        <header className="flex items-center gap-x-4 px-gutter pt-3 pb-4 narrow:flex-col narrow:items-stretch">
          <div className="min-w-0 flex-1 wrap-anywhere">
            <p className="small">
              <ArrowLeft className="icon-s" aria-hidden />{' '}
              <Link className="text-ink-2 decoration-rule-strong" to={paths.balances}>
                Balances
              </Link>
            </p>
            <h1 className="pt-2 text-lead" tabIndex={-1} data-page-title>
              <span translate="no">{name}</span> <OnChains of={overview.data} />
            </h1>
            <p className="min-h-9 [&_.amt]:whitespace-normal">
              {data && <Amount value={data.balance.total} asset={data.balance.asset} figure />}
            </p>
            <span className="dim small flex min-h-7 items-center gap-2">
              {data && <Updated at={data.readAt} isFetching={isFetching} onRefresh={refresh} />}
            </span>
          </div>
          {!neverHeld && (
            <div className="flex flex-wrap items-start gap-2 narrow:pt-3 narrow:*:flex-1">
              <ActionLink
                ability="prepare"
                reasonHidden
                variant="primary"
                to={paths.newWithdrawal}
                state={locationState({ prefill: { asset } })}
                icon={<ArrowUpRight aria-hidden />}
              >
                New withdrawal
              </ActionLink>
              <ActionLink
                ability="prepare"
                to={paths.newDepositAddress}
                state={locationState({ prefill: { asset } })}
                icon={<Plus aria-hidden />}
              >
                New deposit address
              </ActionLink>
            </div>
          )}
        </header>
        {data ? (
          <Held asset={asset} data={data} overview={overview} />
        ) : neverHeld ? (
          <NeverHeld asset={asset} error={error} />
        ) : error ? (
          <LoadError of={query} heading="Couldn’t load this balance" />
        ) : (
          <p className="small sub px-gutter">
            <Loading />
          </p>
        )}
      </div>
    </>
  );
}

/** Asks the server to read the ledger again if the balance has changed since it did. */
function useNewerTotal(total: unknown, { data, refresh }: ReturnType<typeof useAssetOverview>): void {
  const isNewer = data !== undefined && data.total !== null && isAmount(total) && data.total !== total;
  const follow = useEffectEvent((_total: unknown) => refresh());
  useEffect(() => {
    if (isNewer) follow(total);
  }, [isNewer, total]);
}

function OnChains({ of }: { of: AssetOverview | undefined }) {
  const chains = [...new Set((of?.chains ?? []).map(chainLabel))].slice(0, CHAINS);
  if (chains.length === 0) return null;
  return (
    <span className="small sub ml-1 font-normal">
      on <span translate="no">{revealHidden(listInWords(chains))}</span>
    </span>
  );
}

interface HeldProps {
  overview: ReturnType<typeof useAssetOverview>;
  asset: string;
  data: { balance: BalanceRow; date: number | null; readAt: number; requestId: string | null };
}

function Held({ overview, asset, data }: HeldProps) {
  const id = useId();
  const now = useNowByService(data);
  const { balance, requestId } = data;
  const { available, pending, locked, total } = balance;
  const { kind } = checkIdentity(balance);
  const { data: of } = overview;
  // Null if the overview's total differs: the balance was read at another time.
  const isLedger = of?.total === total ? of?.ledger.matches : null;
  const part = { balance, now };
  return (
    <div className="duo">
      <div>
        <section className="parts" aria-label={`Balance of ${balance.asset}`}>
          <ShareBar balance={balance} figures={id} className="h-3 w-full" />
          <BalanceBreakdown
            balance={balance}
            requestId={requestId}
            id={id}
            why={{
              available: isAmount(available) && isZero(available) ? '' : 'Available to send',
              pending: <PartMade {...part} of="deposit" amount={pending} read={of?.deposits.in_progress} />,
              locked: <PartMade {...part} of="withdrawal" amount={locked} read={of?.withdrawals.in_progress} />,
              total: kind === 'holds' && (
                <>
                  <CircleCheck className="icon-s text-proof" aria-hidden />{' '}
                  {isLedger === true ? 'Matches the ledger' : 'Adds up'}
                  {isLedger === false && <span className="text-open">; the ledger differs or is newer</span>}
                </>
              ),
            }}
          />
        </section>
        {isAmount(total) && kind !== 'broken' && <AssetHistory asset={asset} overview={overview} now={now} />}
      </div>
      <AssetSide asset={asset} overview={overview} data={data} now={now} />
    </div>
  );
}

/** 404 of one balance (contract 4.2): a response, not an error. */
function NeverHeld({ asset, error }: { asset: string; error: ApiError }) {
  return (
    <EmptyState
      title={
        <>
          This account has never held <UntrustedText code value={asset} max={40} />
        </>
      }
      action={
        <Link className={buttonClass()} to={paths.balances}>
          All balances
        </Link>
      }
    >
      Codes are case-sensitive: “btc” may be another asset than “BTC”. The provider’s response was 404
      {error.code !== null && (
        <>
          {' '}
          <UntrustedText value={error.code} max={60} />
        </>
      )}
      {error.requestId !== null && (
        <>
          , request <UntrustedText mono value={error.requestId} max={80} />
        </>
      )}
      .
    </EmptyState>
  );
}
