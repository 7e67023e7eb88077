import { describeError } from '#src/api/errors.ts';
import { CopyButton } from '#src/ui/CopyButton.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';

interface ErrorLineProps {
  error: unknown;
  /** Characters of the service's words before the rest is behind a button. */
  max?: number;
  /** Whether the request id can be copied. */
  copied?: boolean;
}

/** What went wrong in the service's own words, and the request: part of a line. */
export function ErrorLine({ error, max = 240, copied = true }: ErrorLineProps) {
  const { status, code, message, requestId } = describeError(error);
  return (
    <>
      <UntrustedText value={[status, code, message].filter((part) => part !== null).join(' · ')} max={max} />
      {requestId !== null && (
        <>
          {' · '}request{' '}
          <span className="mono">
            <UntrustedText value={requestId} max={60} />
          </span>
          {copied && (
            <>
              {' '}
              <CopyButton value={requestId} label="Copy request ID" />
            </>
          )}
        </>
      )}
    </>
  );
}
