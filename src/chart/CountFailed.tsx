import { describeError } from '#src/api/errors.ts';
import { ErrorLine } from '#src/list/ErrorLine.tsx';
import { Time } from '#src/ui/Time.tsx';

/** Why counting stopped, in one line with the evidence. */
export function CountFailed({ error }: { error: unknown }) {
  const { waitUntil } = describeError(error);
  return (
    <p className="chart-note chart-failed" role="alert">
      Stopped early; totals are partial. <ErrorLine error={error} />
      {waitUntil !== null && (
        <>
          {' '}
          The provider asks to wait until <Time unix={waitUntil} />.
        </>
      )}
    </p>
  );
}
