import { describeError } from '#src/api/errors.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { Time } from '#src/ui/Time.tsx';

/** Why counting stopped, in one line with the evidence. */
export function CountFailed({ error }: { error: unknown }) {
  const { status, code, message, requestId, waitUntil } = describeError(error);
  return (
    <p className="chart-note chart-failed" role="alert">
      Counting stopped; what was counted stays.{' '}
      <RawText value={[status, code, message].filter((part) => part !== null).join(' · ')} max={240} />
      {requestId !== null && (
        <>
          , request{' '}
          <span className="mono">
            <RawText value={requestId} max={60} />
          </span>{' '}
          <CopyButton value={requestId} label="Copy request id" />
        </>
      )}
      {waitUntil !== null && (
        <>
          {' '}
          The service asks to wait until <Time unix={waitUntil} />.
        </>
      )}
    </p>
  );
}
