import { RefreshCw } from 'lucide-react';
import { age, formatClock } from '#src/lib/time.ts';
import { IconButton } from '#src/ui/Button.tsx';
import { useNow } from '#src/ui/useNow.ts';
import { useZone } from '#src/ui/Time.tsx';

interface AsOfProps {
  /** Unix seconds by this device; null while nothing was read. */
  at: number | null;
  reading: boolean;
  onReadAgain: () => void;
}

/** When what is on screen was read, and the button that reads it again. */
export function AsOf({ at, reading, onReadAgain }: AsOfProps) {
  const zone = useZone();
  const now = useNow(10);
  if (at === null) return null;
  return (
    <>
      <span data-tip-unix={at}>
        As of {formatClock(at, zone)}
        {zone === 'utc' && ' UTC'}, {age(at, Math.max(now, at))}
      </span>
      <IconButton label="Read again" onClick={onReadAgain} aria-busy={reading}>
        <RefreshCw className="icon-s" aria-hidden />
      </IconButton>
    </>
  );
}
