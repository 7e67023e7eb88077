import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleQuestionMark, TriangleAlert } from 'lucide-react';
import { Navigate } from 'react-router';
import { balanceQueries } from '#src/api/balances.ts';
import { useSession } from '#src/api/session.ts';
import { useOpenOperations } from '#src/api/useOperations.ts';
import { usePolledQuery } from '#src/api/polling.ts';
import { paths } from '#src/lib/paths.ts';
import { AsOf } from '#src/list/AsOf.tsx';
import { PageHeader } from '#src/ui/PageHeader.tsx';
import { BrokenBalances } from './BrokenBalances.tsx';
import { FailedWithdrawals } from './FailedWithdrawals.tsx';
import { useFailedWithdrawals } from './failedWithdrawals.ts';
import { findingsOf } from './findings.ts';
import './home.css';
import { deposits, withdrawals } from './homeSources.ts';
import { pollInterval } from './pollInterval.ts';
import { StuckPayments } from './StuckPayments.tsx';
import { Today } from './Today.tsx';
import { Unsettled } from './Unsettled.tsx';
import { useHomeList } from './useHomeList.ts';
import { type PageSummary, summaryOf } from './pageSummary.ts';

export function Component() {
  // Of a key that the provider refuses, nothing but what was recorded can be loaded.
  if (useSession().journal_only) return <Navigate to={paths.operations} replace />;
  return <Home />;
}

function Home() {
  const { account } = useSession();
  const operations = useOpenOperations();
  const ofBalances = balanceQueries.list(account);
  const balances = useQuery(ofBalances);
  usePolledQuery(ofBalances.queryKey, (failed) => pollInterval(1, failed));
  const cameIn = useHomeList(deposits, balances.data);
  const wentOut = useHomeList(withdrawals, balances.data);
  const failed = useFailedWithdrawals(wentOut);
  const lists = [cameIn, wentOut];
  const readBalances = () => void balances.refetch();
  const readAgain = () => {
    readBalances();
    for (const list of lists) if (!list.notOffered) list.readAgain();
  };
  const times = [balances.data?.readAt, cameIn.recent?.readAt, wentOut.recent?.readAt].filter((at) => at !== undefined);
  return (
    <>
      <PageHeader
        title="What needs attention"
        asOf={
          <AsOf
            at={times.length === 0 ? null : Math.min(...times)}
            reading={balances.isFetching || lists.some(({ reading }) => reading)}
            onReadAgain={readAgain}
          />
        }
      />
      <div className="page-body home">
        <InOneLine verdict={summaryOf(findingsOf(operations, failed, lists, balances))} />
        <Unsettled read={operations} />
        <FailedWithdrawals rows={failed.ready ? failed.rows : []} />
        <StuckPayments lists={lists} balancesRead={balances.data !== undefined} />
        <BrokenBalances
          balances={balances.data}
          error={balances.error}
          reading={balances.isFetching}
          onReadAgain={readBalances}
        />
        <Today lists={lists} clocks={cameIn.recent ?? wentOut.recent ?? balances.data ?? null} />
      </div>
    </>
  );
}

const icons = { open: TriangleAlert, unsure: CircleQuestionMark, calm: CircleCheck, reading: null } as const;

function InOneLine({ verdict: { tone, text } }: { verdict: PageSummary }) {
  const Icon = icons[tone];
  return (
    <output className={`home-verdict home-${tone}`}>
      {Icon && <Icon aria-hidden />}
      <span>{text}</span>
    </output>
  );
}
