import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useParams } from 'react-router';
import { ApiError, describeError } from '#src/api/errors.ts';
import type { Meta } from '#src/api/read.ts';
import type { WithdrawalRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { useOperationsAbout } from '#src/api/useOperations.ts';
import { usePolledQuery } from '#src/api/polling.ts';
import { withdrawalQueries } from '#src/api/withdrawals.ts';
import { paths } from '#src/lib/paths.ts';
import { shorten } from '#src/lib/text.ts';
import { DetailPanel } from '#src/list/DetailPanel.tsx';
import { StaleBar } from '#src/list/StaleBar.tsx';
import { useSeenRow } from '#src/list/useSeenRow.ts';
import { markVisited } from '#src/list/visited.ts';
import { knownResultId } from '#src/lib/operations/record.ts';
import { withdrawalStory } from '#src/lib/operations/story.ts';
import { Button } from '#src/ui/Button.tsx';
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx';
import { useDelay } from '#src/ui/useDelay.ts';
import { NoWithdrawal } from './NoWithdrawal.tsx';
import { Pace } from './pace.ts';
import { WithdrawalFacts } from './WithdrawalFacts.tsx';

export function Component() {
  const { id = '' } = useParams();
  const session = useSession();
  const view = useOperationsAbout(id);
  const options = withdrawalQueries.detail(session?.account ?? '', id);
  const [pace] = useState(() => new Pace());
  // What a list has of it stands until it is read: going from one to the next blinks at nobody.
  const seen = useSeenRow('withdrawals', session?.account ?? '', id, readOf);
  const query = useQuery({ ...options, enabled: session !== null, ...(seen && { placeholderData: seen }) });
  const { data, error, refetch, isFetching } = query;
  // Another withdrawal is news as another status is.
  usePolledQuery(options.queryKey, () => pace.next(data ? `${id} ${data.withdrawal.status}` : null), {
    enabled: session !== null,
  });
  useEffect(() => markVisited(id), [id]);
  const slow = useDelay(!data && !error);
  const refresh = () => {
    pace.restart();
    void refetch();
  };
  const operation = view.operations.find((record) => knownResultId(record) === id);
  const story = useMemo(() => withdrawalStory(view, id, data?.withdrawal), [view, id, data]);
  const unknown = error instanceof ApiError && error.status === 404 && error.gateway === null;
  return (
    <DetailPanel
      id={id}
      title="Withdrawal"
      documentTitle={`Withdrawal ${shorten(id)}`}
      listPath={paths.withdrawals()}
      actions={
        <Button
          size="small"
          icon={<RefreshCw className="icon-s" aria-hidden />}
          onClick={refresh}
          aria-busy={isFetching}
        >
          Refresh
        </Button>
      }
    >
      {data && error && <StaleBar error={error} readAt={data.readAt} />}
      {data ? (
        <WithdrawalFacts read={data} story={story} />
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
    </DetailPanel>
  );
}

function readOf(withdrawal: WithdrawalRow, meta: Meta) {
  return { withdrawal, ...meta };
}
