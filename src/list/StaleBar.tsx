import { TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import { describeError } from '#src/api/errors.ts';
import { age, formatClock } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { RawText } from '#src/ui/RawText.tsx';
import { useHandOnFocus } from '#src/ui/useHandOnFocus.ts';
import { useNow } from '#src/ui/useNow.ts';
import { useZone } from '#src/ui/zone.tsx';

interface StaleBarProps {
  error: unknown;
  /** When what is on screen was read, Unix seconds by this device. */
  readAt: number;
  /** Absent where the page has such a button already. */
  onReadAgain?: () => void;
}

/** A refresh failed: what was read stays, and says since when it is stale. */
export function StaleBar({ error, readAt, onReadAgain }: StaleBarProps) {
  const zone = useZone();
  const now = useNow(10);
  const bar = useRef<HTMLDivElement>(null);
  useHandOnFocus(bar);
  const { status, code, message, requestId } = describeError(error);
  return (
    <div className="stalebar" ref={bar}>
      <TriangleAlert className="icon-s" aria-hidden />
      <output>
        Stale since {formatClock(readAt, zone)}
        {zone === 'utc' && ' UTC'}, {age(readAt, now)}. The last read failed:{' '}
        <RawText value={[status, code, message].filter((part) => part !== null).join(' · ')} max={160} />
        {requestId !== null && (
          <>
            , request{' '}
            <span className="mono">
              <RawText value={requestId} max={60} />
            </span>
          </>
        )}
      </output>
      {onReadAgain && (
        <Button size="small" onClick={onReadAgain}>
          Read again
        </Button>
      )}
    </div>
  );
}
