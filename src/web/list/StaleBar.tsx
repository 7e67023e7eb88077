import { RotateCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { describeError } from '#src/web/api/errors.ts';
import { formatClock } from '#src/shared/time.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { CopyButton } from '#src/web/ui/CopyButton.tsx';
import { ReloadPage } from './ReloadPage.tsx';

interface NotUpdatedProps {
  error: unknown;
  /** When the visible data was loaded, Unix seconds by this device's clock. */
  readAt: number;
  retrying?: boolean;
  /** Absent if the page has such a button already. */
  onRetry?: (() => void) | undefined;
}

/** Shown when a refresh failed and the loaded data stays: how old it is, and the error. */
export function NotUpdated({ error, readAt, retrying = false, onRetry }: NotUpdatedProps) {
  const zone = useZone();
  const { status, code, message, requestId } = describeError(error);
  useEffect(() => announce(`Not updated: ${message}`), [message]);
  return (
    <>
      <TriangleAlert className="icon-s text-open" aria-hidden />
      <span className="text-open">
        Not updated since {formatClock(readAt, zone)}
        {zone === 'utc' && ' UTC'}.{' '}
        <UntrustedText
          value={[status, code, message, requestId].filter((part) => part !== null).join(' · ')}
          max={160}
        />
      </span>
      <ReloadPage error={error} size="small" />
      {onRetry && (
        <Button
          size="small"
          icon={<RotateCw className="icon-s" aria-hidden />}
          disabledReason={retrying ? 'Loading' : undefined}
          reasonHidden
          onClick={onRetry}
        >
          Retry
        </Button>
      )}
    </>
  );
}

export function StaleBar(props: NotUpdatedProps) {
  return (
    <div className="stalebar flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1 border-b border-rule bg-inset px-gutter py-1 text-small">
      <NotUpdated {...props} />
    </div>
  );
}

export function ErrorLine({ error }: { error: unknown }) {
  const { status, code, message, requestId } = describeError(error);
  return (
    <>
      <UntrustedText value={[status, code, message].filter((part) => part !== null).join(' · ')} max={240} />
      {requestId !== null && (
        <>
          {' · '}request <UntrustedText mono value={requestId} max={60} />{' '}
          <CopyButton value={requestId} label="Copy request ID" />
        </>
      )}{' '}
      <ReloadPage error={error} size="small" />
    </>
  );
}
