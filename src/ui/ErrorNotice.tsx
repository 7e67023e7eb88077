import { CircleAlert, ClipboardCopy, RotateCw } from 'lucide-react';
import { announce } from './announce.tsx';
import { Button } from './Button.tsx';
import { copyText, CopyButton } from './CopyButton.tsx';
import { Fact, Facts } from './Facts.tsx';
import { UntrustedText } from './UntrustedText.tsx';
import { Time } from './Time.tsx';

/** What api/errors.ts describes: plain words, and the evidence to hand on. */
export interface DescribedError {
  heading: string;
  status: number | null;
  code: string | null;
  message: string;
  requestId: string | null;
  /** Unix seconds, device clock. */
  at: number;
  /** Unix seconds, device clock; until then the service asked to be left alone. */
  waitUntil?: number | null;
}

interface ErrorNoticeProps {
  error: DescribedError;
  onRetry?: () => void;
  /** What the heading says instead, where the page knows better what failed. */
  heading?: string;
  retrying?: boolean;
}

function details(error: DescribedError): string {
  const lines = [
    error.heading,
    `Status: ${error.status ?? 'none'}`,
    `Code: ${error.code ?? 'none'}`,
    `Message: ${error.message}`,
    `Request ID: ${error.requestId ?? 'none'}`,
    `Time: ${new Date(error.at * 1000).toISOString()}`,
  ];
  return lines.join('\n');
}

export function ErrorNotice({ error, onRetry, heading, retrying = false }: ErrorNoticeProps) {
  const copyAll = async () => {
    announce((await copyText(details(error))) ? 'Copied' : 'Copying isn’t allowed in this browser');
  };
  return (
    <div className="err grid max-w-measure gap-2 px-gutter py-4" role="alert">
      <h2 className="flex items-center gap-2">
        <CircleAlert aria-hidden /> {heading ?? error.heading}
      </h2>
      <Facts>
        {error.status !== null && <Fact label="Status">{error.status}</Fact>}
        {error.code !== null && (
          <Fact label="Code" mono>
            <UntrustedText value={error.code} max={120} />
          </Fact>
        )}
        <Fact label="Message">
          <UntrustedText value={error.message} />
        </Fact>
        {error.requestId !== null && (
          <Fact label="Request ID" mono action={<CopyButton value={error.requestId} label="Copy request ID" />}>
            <UntrustedText value={error.requestId} max={80} />
          </Fact>
        )}
        <Fact label="Time">
          <Time unix={error.at} />
        </Fact>
        {error.waitUntil != null && (
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
        <Button icon={<ClipboardCopy aria-hidden />} onClick={() => void copyAll()}>
          Copy details
        </Button>
      </div>
    </div>
  );
}
