import { TriangleAlert } from 'lucide-react';
import { describeError } from '#src/api/errors.ts';
import { formatClock } from '#src/lib/time.ts';
import { RawText } from '#src/ui/RawText.tsx';
import { useZone } from '#src/ui/zone.tsx';

/** A refresh failed: what was read stays, and says since when it is stale. `readAt`: unix seconds by this device. */
export function Stale({ error, readAt }: { error: unknown; readAt: number }) {
  const zone = useZone();
  const { status, message } = describeError(error);
  return (
    <div className="stalebar">
      <TriangleAlert className="icon-s" aria-hidden />
      <output>
        Stale since {formatClock(readAt, zone)}
        {zone === 'utc' && ' UTC'}. The last read failed:{' '}
        <RawText value={[status, message].filter((part) => part !== null).join(' · ')} max={160} />
      </output>
    </div>
  );
}
