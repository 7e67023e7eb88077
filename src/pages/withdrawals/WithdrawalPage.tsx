import { useQuery } from '@tanstack/react-query';
import { RefreshCw, X } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { ApiError, describeError } from '#src/api/errors.ts';
import { useSession } from '#src/api/session.ts';
import { withdrawalQueries } from '#src/api/withdrawals.ts';
import { paths } from '#src/lib/paths.ts';
import { knownResultId } from '#src/operations/record.ts';
import { useOperations } from '#src/operations/useOperations.ts';
import { Button } from '#src/ui/Button.tsx';
import { useDocumentTitle } from '#src/ui/documentTitle.ts';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { ShortId } from '#src/ui/ShortId.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { NoWithdrawal } from './NoWithdrawal.tsx';
import { Stale } from './Stale.tsx';
import { Pace } from './pace.ts';
import './withdrawal.css';
import { WithdrawalFacts } from './WithdrawalFacts.tsx';

export function Component() {
  const { id = '' } = useParams();
  return <Withdrawal key={id} id={id} />;
}

function Withdrawal({ id }: { id: string }) {
  const session = useSession();
  const { search } = useLocation();
  const { operations } = useOperations();
  useDocumentTitle(`Withdrawal ${id.slice(0, 80)}`);
  const options = withdrawalQueries.detail(session?.account ?? '', id);
  const [pace] = useState(() => new Pace());
  const { data, error, refetch, isFetching } = useQuery({
    ...options,
    enabled: session !== null,
    refetchInterval: (query) => pace.next(query.state.data?.withdrawal.status ?? null),
  });
  const slow = useDelay(!data && !error);
  const refresh = () => {
    pace.restart();
    void refetch();
  };
  const operation = operations.find((record) => knownResultId(record) === id);
  const unknown = error instanceof ApiError && error.status === 404 && error.gateway === null;
  return (
    <section className="withdrawal" aria-labelledby="withdrawal-title">
      <header className="withdrawal-head">
        <h2 id="withdrawal-title" tabIndex={-1} data-page-title>
          Withdrawal <ShortId value={id} />
        </h2>
        <span className="acts-row">
          <Button
            size="small"
            icon={<RefreshCw className="icon-s" aria-hidden />}
            onClick={refresh}
            aria-busy={isFetching}
          >
            Refresh
          </Button>
          <Link className="icon-btn" to={paths.withdrawals(search)} aria-label="Close" data-tip="Close">
            <X aria-hidden />
          </Link>
        </span>
      </header>
      {data && error && <Stale error={error} readAt={data.readAt} />}
      {data ? (
        <WithdrawalFacts read={data} operation={operation} />
      ) : unknown ? (
        <NoWithdrawal id={id} error={error} operation={operation} />
      ) : error ? (
        <ErrorNotice
          error={describeError(error)}
          heading="The withdrawal could not be read"
          onRetry={refresh}
          retrying={isFetching}
        />
      ) : (
        slow && <output className="sub">Reading the withdrawal</output>
      )}
    </section>
  );
}
