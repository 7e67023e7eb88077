import { useQuery } from '@tanstack/react-query';
import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { useId } from 'react';
import { Link, useParams } from 'react-router';
import { balanceQueries } from '#src/api/balances.ts';
import { ApiError, describeError } from '#src/api/errors.ts';
import type { BalanceRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { usePolledQuery } from '#src/api/polling.ts';
import { paths } from '#src/lib/paths.ts';
import { shorten, visible } from '#src/lib/text.ts';
import { OtherFields } from '#src/resources/OtherFields.tsx';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { buttonClass } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { Fact, Facts } from '#src/ui/Facts.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { Time } from '#src/ui/Time.tsx';
import { useNowByService } from '#src/ui/useNow.ts';
import './balances.css';
import { Loading } from './Loading.tsx';
import { NeverHeld } from './NeverHeld.tsx';
import { Legend, ShareBar } from './ShareBar.tsx';
import { AsOf, Snapshot } from './Snapshot.tsx';
import { BalanceBreakdown } from './BalanceBreakdown.tsx';

/** Fields that stand on the page by themselves (2.1). */
const STATED = ['object', 'asset', 'available', 'pending', 'locked', 'total', 'updated_at'];
/** Real codes are far shorter; the whole one is in the address. */
const ASSET_MAX = 40;

const POLL_MS = 60_000;

export function Component() {
  const { asset = '' } = useParams();
  const { account } = useSession();
  const options = balanceQueries.detail(account, asset);
  const { data, error, refetch, isFetching } = useQuery(options);
  usePolledQuery(options.queryKey, () => POLL_MS);
  const readAgain = () => void refetch();
  const name = visible(asset.length > ASSET_MAX ? shorten(asset) : asset);
  const neverHeld = error instanceof ApiError && error.status === 404 && error.gateway === null;
  return (
    <>
      <PageHeader
        title={name}
        documentTitle={`${name} balance`}
        asOf={data && <AsOf {...data} reading={isFetching} onReadAgain={readAgain} />}
        actions={<Ways asset={asset} />}
      />
      {data && error && <StaleBar error={error} readAt={data.readAt} onReadAgain={readAgain} />}
      {data ? (
        <Read balance={data.balance} data={data} />
      ) : neverHeld ? (
        <NeverHeld asset={asset} error={error} />
      ) : error ? (
        <div className="page-body">
          <ErrorNotice
            error={describeError(error)}
            heading="The balance could not be read"
            onRetry={readAgain}
            retrying={isFetching}
          />
        </div>
      ) : (
        <Loading />
      )}
    </>
  );
}

function Ways({ asset }: { asset: string }) {
  const search = new URLSearchParams({ asset });
  return (
    <>
      <Link className={buttonClass()} to={paths.deposits(search)}>
        <ArrowDownLeft aria-hidden /> Deposits of this asset
      </Link>
      <Link className={buttonClass()} to={paths.withdrawals(search)}>
        <ArrowUpRight aria-hidden /> Withdrawals of this asset
      </Link>
    </>
  );
}

interface ReadProps {
  balance: BalanceRow;
  data: { date: number | null; readAt: number; requestId: string | null };
}

function Read({ balance, data }: ReadProps) {
  const figures = useId();
  const now = useNowByService(data);
  return (
    <>
      <Legend>A snapshot of the ledger, which it can lag. The sum is checked here.</Legend>
      <div className="page-body">
        <div className="accts one">
          <section className="acct" aria-label={`Balance of ${balance.asset}`}>
            <ShareBar balance={balance} figures={figures} />
            <BalanceBreakdown balance={balance} requestId={data.requestId} id={figures} />
          </section>
        </div>
        <div className="pad pt-0">
          <Facts className="max-w-172">
            <Fact label="Snapshot">
              <Snapshot updatedAt={balance.updated_at} now={now} />
            </Fact>
            <Fact label="Read">
              <Time unix={data.readAt} age />
            </Fact>
            {data.requestId !== null && (
              <Fact label="Request id" mono>
                <UntrustedText value={data.requestId} max={80} />
              </Fact>
            )}
            <OtherFields record={balance} except={STATED} />
          </Facts>
        </div>
      </div>
    </>
  );
}
