import { Navigate, useParams } from 'react-router';
import { useMarkVisible, usePendingStart } from '#src/web/api/operations/pendingStarts.ts';
import { useOperation } from '#src/web/api/operations/useOperations.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { stateMarkOf } from '#src/shared/operations/stateMark.ts';
import { paths } from '#src/shared/paths.ts';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { acceptedAnyway } from './StatePage.tsx';
import { KeyTaken, NoOperation, NotSentNotice, Recording } from './NoOperation.tsx';
import { OperationDetail } from './OperationDetail.tsx';
import { ErrorBoundary } from '#src/web/ui/ErrorBoundary.tsx';
import { useHeadingFocus } from '#src/web/ui/focus.ts';

export function Component() {
  const { key = '' } = useParams();
  // Keyed, so that no state of one operation's page carries over to another's.
  return <OperationAt key={key} operationKey={key} />;
}

/** `operationKey`: the operation's key from the URL. */
function OperationAt({ operationKey }: { operationKey: string }) {
  const start = usePendingStart(operationKey);
  useMarkVisible(start?.key, 'page');
  const conclusion = start?.status === 'concluded' ? start.conclusion : null;
  const isRecorded = start === undefined || conclusion?.kind === 'reused' || conclusion?.kind === 'unreadable';
  const query = useOperation(operationKey, isRecorded);
  // Each state has its own heading, and the navigation focused that of the previous state.
  useHeadingFocus(isRecorded ? query.status : (start?.status ?? ''), true);
  if (start && start.status !== 'concluded') return <Recording start={start} />;
  if (start && conclusion?.kind === 'not-sent') {
    const { notSent, message, lookAlikes } = conclusion;
    const existing = lookAlikes?.existing;
    if (existing != null)
      return <Navigate to={paths.operation(existing)} replace state={locationState({ instead: start.kind })} />;
    return <NotSentNotice operationKey={operationKey} notSent={notSent} message={message} start={start} />;
  }
  if (conclusion?.kind === 'taken') return <KeyTaken operationKey={operationKey} />;
  const { data, error, dataUpdatedAt } = query;
  if (!data) return <NoOperation operationKey={operationKey} query={query} />;
  const { operation } = data;
  const { kind, state } = operation;
  const accepted =
    state === 'succeeded' ? { one: KIND[kind].one, id: knownResultId(operation), mark: stateMarkOf(operation) } : null;
  return (
    <ErrorBoundary renderError={(error) => acceptedAnyway(accepted, error)}>
      <OperationDetail view={data} reused={conclusion?.kind === 'reused'}>
        {error && <StaleBar error={error} readAt={Math.floor(dataUpdatedAt / 1000)} />}
      </OperationDetail>
    </ErrorBoundary>
  );
}
