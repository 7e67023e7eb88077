import { Link } from 'react-router';
import type { ApiError } from '#src/api/errors.ts';
import { useOperationsAbout } from '#src/api/useOperations.ts';
import { paths } from '#src/lib/paths.ts';
import { CaseFileLink } from '#src/list/CaseFileLink.tsx';
import { knownResultId } from '#src/lib/operations/record.ts';
import { RawText } from '#src/ui/RawText.tsx';

interface NoWithdrawalProps {
  id: string;
  error: ApiError;
}

/** The service's 404; of a withdrawal that it accepted a moment ago, absence is no failure. */
export function NoWithdrawal({ id, error }: NoWithdrawalProps) {
  const operation = useOperationsAbout(id).operations.find((record) => knownResultId(record) === id);
  return (
    <div className="grid gap-2">
      <p>
        <b>No withdrawal with this id on this account</b>, says the service.
      </p>
      <p className="mono">
        <RawText value={id} max={160} />
      </p>
      {operation && (
        <p>
          {operation.state === 'succeeded'
            ? 'It was sent from here and the service accepted it, so it may take a moment.'
            : 'A response named it, and what became of that request is not resolved.'}{' '}
          <Link to={paths.operation(operation.key)}>The record of it</Link>
        </p>
      )}
      <p className="small sub">
        {error.message}
        {error.requestId !== null && (
          <>
            {' '}
            Request <span className="mono">{error.requestId}</span>.
          </>
        )}
      </p>
      <div className="acts-row">
        <CaseFileLink at={paths.withdrawals()} id={id} />
      </div>
    </div>
  );
}
