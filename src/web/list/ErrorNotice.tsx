import { CircleAlert, RotateCw } from 'lucide-react';
import { describeError } from '#src/web/api/errors.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { CopyText } from '#src/web/ui/CopyButton.tsx';
import { Fact, Facts, TextFact } from '#src/web/ui/Facts.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { ReloadPage } from './ReloadPage.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';

interface ErrorNoticeProps {
  error: unknown;
  onRetry?: () => void;
  heading?: string;
  retrying?: boolean;
  advice?: string;
  /** The page announces it together with something else. */
  isAnnounced?: boolean;
}

function details({ heading, status, code, message, requestId, at }: ReturnType<typeof describeError>): string {
  const lines = [
    heading,
    `Status: ${status ?? 'none'}`,
    `Code: ${code ?? 'none'}`,
    `Message: ${message}`,
    `Request ID: ${requestId ?? 'none'}`,
    `Time: ${new Date(at * 1000).toISOString()}`,
  ];
  return lines.join('\n');
}

export function ErrorNotice(props: ErrorNoticeProps) {
  const { error: of, onRetry, heading, retrying = false, advice, isAnnounced = false } = props;
  const described = describeError(of);
  const error = advice === undefined ? described : { ...described, message: `${described.message} ${advice}` };
  return (
    <div className="err grid max-w-measure gap-2 px-gutter py-4" role={isAnnounced ? undefined : 'alert'}>
      <h2 className="flex items-center gap-2">
        <CircleAlert aria-hidden /> {heading ?? error.heading}
      </h2>
      <Facts>
        {error.status !== null && <Fact label="Status">{error.status}</Fact>}
        <TextFact label="Code" mono value={error.code} max={120} />
        <TextFact label="Message" value={error.message} />
        <TextFact label="Request ID" mono value={error.requestId} max={80} copy="Copy request ID" />
        <Fact label="Time">
          <Time unix={error.at} />
        </Fact>
        {error.waitUntil !== null && (
          <Fact label="Wait">
            until <Time unix={error.waitUntil} />, as the provider asks
          </Fact>
        )}
      </Facts>
      <div className="acts-row">
        {onRetry && (
          <Button
            variant="primary"
            icon={<RotateCw aria-hidden />}
            onClick={onRetry}
            disabledReason={retrying ? 'Loading' : undefined}
          >
            Retry
          </Button>
        )}
        <ReloadPage error={of} />
        <CopyText label="Copy details" text={() => details(error)} />
      </div>
    </div>
  );
}

/** Invalid filters of a link: "created_after=abc". */
export function IgnoredInLink({ ignored }: { ignored: readonly string[] }) {
  return (
    ignored.length > 0 && (
      <p className="filters-ignored px-gutter pb-2 text-small wrap-anywhere text-ink-2" role="status">
        Ignored in the link: <UntrustedText value={ignored.join(', ')} max={400} brief />
      </p>
    )
  );
}

export function LoadError({ of, heading }: { of: Query; heading: string }) {
  return <ErrorNotice error={of.error} heading={heading} onRetry={() => void of.refetch()} retrying={of.isFetching} />;
}

interface Query {
  error: unknown;
  refetch: () => unknown;
  isFetching: boolean;
}
