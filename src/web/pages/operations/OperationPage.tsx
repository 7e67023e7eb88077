import { Navigate, useParams } from 'react-router';
import { useShown, useStart } from '#src/web/api/operations/startOperation.ts';
import { useOperation } from '#src/web/api/operations/useOperations.ts';
import { locationState } from '#src/web/storage/locationState.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { chipOf } from '#src/shared/operations/stateMark.ts';
import { paths } from '#src/shared/paths.ts';
import { StaleBar } from '#src/web/list/StaleBar.tsx';
import { acceptedAnyway } from './StatePage.tsx';
import { KeyTaken, NoOperation, NotSent, Recording } from './NoOperation.tsx';
import { OperationDetail } from './OperationDetail.tsx';
import { ErrorBoundary } from '#src/web/ui/ErrorBoundary.tsx';
import { useHeadingFocus } from '#src/web/ui/focus.ts';

export function Component() {
  const { key = '' } = useParams();
  // Keyed, so that what one operation's page said never stands on another's.
  return <OperationAt key={key} address={key} />;
}

/** `address`: the operation's key, as the URL has it. */
function OperationAt({ address }: { address: string }) {
  const start = useStart(address);
  useShown(start?.key, 'page');
  const conclusion = start?.conclusion;
  const isRecorded = start === undefined || conclusion?.kind === 'reused' || conclusion?.kind === 'unreadable';
  const query = useOperation(address, isRecorded);
  // What is known changes the heading that the navigation gave the focus to.
  useHeadingFocus(isRecorded ? query.status : conclusion === null ? 'recording' : 'told', true);
  if (start && conclusion === null) return <Recording start={start} />;
  if (start && conclusion?.kind === 'not-sent') {
    const existing = conclusion.lookAlikes?.existing;
    if (existing != null)
      return <Navigate to={paths.operation(existing)} replace state={locationState({ instead: true })} />;
    return <NotSent address={address} told={conclusion} start={start} />;
  }
  if (conclusion?.kind === 'taken') return <KeyTaken address={address} />;
  const { data, error, dataUpdatedAt } = query;
  if (!data) return <NoOperation address={address} query={query} />;
  const { operation } = data;
  const { kind, state } = operation;
  const accepted =
    state === 'succeeded' ? { one: KIND[kind].one, id: knownResultId(operation), mark: chipOf(operation) } : null;
  return (
    <ErrorBoundary renderError={(error) => acceptedAnyway(accepted, error)}>
      <OperationDetail seen={data} reused={conclusion?.kind === 'reused'}>
        {error && <StaleBar error={error} readAt={Math.floor(dataUpdatedAt / 1000)} />}
      </OperationDetail>
    </ErrorBoundary>
  );
}
