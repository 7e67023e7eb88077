import { useCan } from '#src/web/api/permissions.ts';
import { ActionLink } from '#src/web/list/ActionLink.tsx';
import { ArrowUpRight, Plus } from 'lucide-react';
import { Navigate } from 'react-router';
import { paths } from '#src/shared/paths.ts';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import { deferred, useDelay } from '#src/web/ui/useLoaded.ts';
import '#src/web/list/overview.css';
import './home.css';
import { HomeBalances } from './HomeBalances.tsx';
import { NeedsAttention } from './NeedsAttention.tsx';
import { type HomeData, useHome } from './useHome.ts';
import { Updated } from '#src/web/ui/Updated.tsx';

/** How long the page waits for the data at its top, so that the rest doesn't move. */
const WAIT_MAX_MS = 2_000;
// Below the fold, so loaded after the top of the page.
const Payments = deferred(() => import('./Payments.tsx').then((read) => read.Payments));
// Loaded later, because it needs the library for amounts.
const PolicyReminder = deferred(() =>
  import('#src/web/resources/PolicyReminder.tsx').then((read) => read.PolicyReminder),
);
const RolesToDecide = deferred(() => import('#src/web/resources/WaitingRoles.tsx').then((read) => read.RolesToDecide));
const Due = deferred(() => import('./Due.tsx').then((read) => read.Due));
const FirstSteps = deferred(() => import('./FirstSteps.tsx').then((read) => read.FirstSteps));

export { prefetchHome } from './useHome.ts';

export function Component() {
  // If the provider refuses the key, only our own records can be loaded.
  if (!useCan('read')) return <Navigate to={paths.operations} replace />;
  return <Home />;
}

function Home() {
  const home = useHome();
  const { balances, lists, checks, attention, due } = home;
  const isChecking = checks.some(({ state }) => state === 'loading');
  const waited = useDelay(isChecking, WAIT_MAX_MS);
  const isReady = !isChecking || waited;
  const isNew = isEmpty(home) && attention.length === 0 && due.length === 0;
  const times = [balances.data?.readAt, ...lists.map(({ meta }) => meta?.readAt)].filter((at) => at !== undefined);
  return (
    <PageFrame
      title="Home"
      asOf={
        <Updated
          at={times.length === 0 ? null : Math.min(...times)}
          isFetching={home.isFetching}
          onRefresh={home.refetch}
        />
      }
      actions={
        <>
          <ActionLink
            ability="prepare"
            reasonHidden
            variant="primary"
            to={paths.newWithdrawal}
            icon={<ArrowUpRight aria-hidden />}
          >
            New withdrawal
          </ActionLink>
          <ActionLink ability="prepare" to={paths.newDepositAddress} icon={<Plus aria-hidden />}>
            New deposit address
          </ActionLink>
        </>
      }
    >
      <PolicyReminder />
      <RolesToDecide />
      {isNew ? (
        <FirstSteps />
      ) : (
        <>
          <NeedsAttention home={home} isReady={isReady} isChecking={isChecking} />
          {/* Always rendered, so that its code loads while the data does. */}
          <Due home={home} isReady={isReady} />
          {isReady && (
            <>
              <HomeBalances home={home} />
              {/* Waits for the balances, which would push it down. */}
              {(balances.data ?? balances.error) && <Payments home={home} />}
            </>
          )}
        </>
      )}
    </PageFrame>
  );
}

function isEmpty({ balances, lists }: HomeData): boolean {
  return (
    balances.data?.complete === true &&
    balances.data.balances.length === 0 &&
    balances.data.malformed.length === 0 &&
    lists.every(({ newest, count, isWhole, malformed }) => newest !== null && count === 0 && isWhole && malformed === 0)
  );
}
