import { Link } from 'react-router';
import type { ApiError } from '#src/api/errors.ts';
import { useOperationsAbout } from '#src/api/useOperations.ts';
import { paths } from '#src/lib/paths.ts';
import { CaseFileLink } from './CaseFileLink.tsx';
import { knownResultId } from '#src/lib/operations/record.ts';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

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
        <b>No withdrawal with this ID on this account.</b> It may belong to another account or not be shown yet.
      </p>
      <p className="mono">
        <UntrustedText value={id} max={160} />
      </p>
      {operation && (
        <p>
          {operation.state === 'succeeded'
            ? 'It was sent from here and the provider accepted it, so it may take a moment to appear.'
            : 'It was sent from here, and that payment isn’t resolved yet.'}{' '}
          <Link to={paths.operation(operation.key)}>View operation</Link>
        </p>
      )}
      <p className="small sub">
        {error.message}
        {error.requestId !== null && (
          <>
            {' '}
            Request ID <span className="mono">{error.requestId}</span>.
          </>
        )}
      </p>
      <div className="acts-row">
        <CaseFileLink at={paths.withdrawals()} id={id} />
      </div>
    </div>
  );
}
