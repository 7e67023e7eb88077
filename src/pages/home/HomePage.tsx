import { ArrowUpRight, Plus, RefreshCw } from 'lucide-react';
import { useMemo } from 'react';
import { Link, Navigate } from 'react-router';
import { describeError } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { paths } from '#src/lib/paths.ts';
import { age, dateOf } from '#src/lib/time.ts';
import { dayWords } from '#src/list/createdRange.ts';
import { Movements, newestOf } from '#src/list/Movements.tsx';
import { buttonClass, IconButton } from '#src/ui/Button.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { useNow, useNowByService } from '#src/ui/useNow.ts';
import { FirstSteps } from './FirstSteps.tsx';
import { Flows } from './Flows.tsx';
import './home.css';
import { HomeBalances } from './HomeBalances.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { type HomeData, useHome } from './useHome.ts';

const ACTIVITY = 8;
/** Milliseconds that the page waits for what belongs at its top, so that nothing below it moves. */
const PATIENCE = 2_000;

export function Component() {
  // Of a key that the provider refuses, nothing but what was recorded can be loaded.
  if (useSession().journal_only) return <Navigate to={paths.operations} replace />;
  return <Home />;
}

function Home() {
  const home = useHome();
  const { read_only: readOnly } = useSession();
  const { balances, lists, checks, attention } = home;
  const isChecking = checks.some(({ state }) => state === 'loading');
  const waited = useDelay(isChecking, PATIENCE);
  const isNew = isEmpty(home) && attention.length === 0;
  const times = [balances.data?.readAt, ...lists.map(({ meta }) => meta?.readAt)].filter((at) => at !== undefined);
  return (
    <>
      <PageHeader
        title="Home"
        asOf={<Updated at={times.length === 0 ? null : Math.min(...times)} home={home} />}
        actions={
          !readOnly && (
            <>
              <Link className={buttonClass('primary')} to={paths.newWithdrawal}>
                <ArrowUpRight aria-hidden /> New withdrawal
              </Link>
              <Link className={buttonClass()} to={paths.newDepositAddress}>
                <Plus aria-hidden /> New deposit address
              </Link>
            </>
          )
        }
      />
      <div className="page-body home">
        {isNew ? (
          <FirstSteps />
        ) : (
          <>
            <NeedsAttention home={home} />
            {(!isChecking || waited) && <Overview home={home} />}
          </>
        )}
      </div>
    </>
  );
}

/** Everything was loaded and there is nothing. */
function isEmpty({ balances, lists }: HomeData): boolean {
  return (
    balances.data?.complete === true &&
    balances.data.balances.length === 0 &&
    balances.data.malformed.length === 0 &&
    lists.every(({ rows, isWhole, malformed }) => rows?.length === 0 && isWhole && malformed === 0)
  );
}

function Overview({ home }: { home: HomeData }) {
  const zone = useZone();
  const { balances, lists } = home;
  const [deposits, withdrawals] = lists;
  const meta = deposits.meta ?? withdrawals.meta ?? balances.data;
  const now = useNowByService(meta ?? { date: null, readAt: 0 });
  const assets = useMemo(() => balances.data?.balances.map(({ asset }) => asset) ?? [], [balances.data]);
  const newest = useMemo(
    () => newestOf([...(deposits.rows ?? []), ...(withdrawals.rows ?? [])], ACTIVITY),
    [deposits.rows, withdrawals.rows],
  );
  return (
    <>
      <HomeBalances home={home} />
      <div className="duo">
        <Flows lists={lists} assets={assets} now={now} />
        <section className="reg activity" aria-label="Latest activity">
          <div className="reg-h">
            <h2>Latest activity</h2>
            <span>
              {dayWords(dateOf(now, zone))}, {zone === 'utc' ? 'UTC' : 'local time'}
            </span>
          </div>
          <Movements payments={newest} now={now} />
          <p className="more">
            <Link to={paths.deposits()}>All deposits</Link> <Link to={paths.withdrawals()}>All withdrawals</Link>
          </p>
        </section>
      </div>
    </>
  );
}

function Updated({ at, home: { balances, lists, isFetching, refetch } }: { at: number | null; home: HomeData }) {
  const now = useNow(10);
  if (at === null) return null;
  const error = [balances, ...lists].map((read) => read.error).find((found) => found !== null);
  return (
    <>
      <span data-tip-unix={at}>
        {error === undefined || lists.some(({ notOffered }) => notOffered)
          ? 'Updated'
          : `${describeError(error).status === null ? 'No connection' : 'Refresh failed'}, updated`}{' '}
        {age(at, Math.max(now, at))}
      </span>
      <IconButton label="Refresh" onClick={refetch} aria-busy={isFetching}>
        <RefreshCw className="icon-s" aria-hidden />
      </IconButton>
    </>
  );
}
