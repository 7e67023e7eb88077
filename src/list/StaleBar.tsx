import { TriangleAlert } from 'lucide-react';
import { useRef } from 'react';
import { age, formatClock } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { useReturnFocus } from '#src/ui/focus.ts';
import { useNow } from '#src/ui/useNow.ts';
import { useZone } from '#src/ui/Time.tsx';
import { ErrorLine } from './ErrorLine.tsx';

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
  useReturnFocus(bar);
  return (
    <div
      className="stalebar flex min-h-8 flex-wrap items-center gap-x-2 gap-y-1 border-b border-rule bg-inset px-gutter py-1 text-small text-ink-2"
      ref={bar}
    >
      <TriangleAlert className="icon-s text-open" aria-hidden />
      <output>
        Stale since {formatClock(readAt, zone)}
        {zone === 'utc' && ' UTC'}, {age(readAt, now)}. The last read failed:{' '}
        <ErrorLine error={error} max={160} copied={false} />
      </output>
      {onReadAgain && (
        <Button size="small" onClick={onReadAgain}>
          Read again
        </Button>
      )}
    </div>
  );
}
