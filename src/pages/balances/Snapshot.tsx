import { RefreshCw } from 'lucide-react';
import { age, dateOf, formatClock, formatTime, isoUtc, isPlausibleTime, type Zone } from '#src/lib/time.ts';
import { IconButton } from '#src/ui/Button.tsx';
import { Time, useZone } from '#src/ui/Time.tsx';
import { type ReadClocks, useNowByService } from '#src/ui/useNow.ts';

/** The hour alone for today, the day as well for any other. */
function when(unix: number, zone: Zone, now: number): string {
  const today = dateOf(unix, zone) === dateOf(now, zone);
  return `${today ? formatClock(unix, zone) : formatTime(unix, zone, now)}${zone === 'utc' ? ' UTC' : ''}`;
}

function Moment({ unix, now }: { unix: number; now: number }) {
  const zone = useZone();
  return (
    <>
      <time className="whitespace-nowrap" dateTime={isoUtc(unix)} data-tip-unix={unix}>
        {when(unix, zone, now)}
      </time>
      , <span className="whitespace-nowrap">{age(unix, now)}</span>
    </>
  );
}

/** The service's own time of a snapshot, and how old it is. */
export function Snapshot({ updatedAt, now }: { updatedAt: unknown; now: number }) {
  if (!isPlausibleTime(updatedAt)) return <Time unix={updatedAt} />;
  return (
    <>
      as of <Moment unix={updatedAt} now={now} />
    </>
  );
}

interface AsOfProps extends ReadClocks {
  reading: boolean;
  onReadAgain: () => void;
}

/** When a whole page was read, and the button that reads it again. */
export function AsOf({ date, readAt, reading, onReadAgain }: AsOfProps) {
  const now = useNowByService({ date, readAt });
  return (
    <>
      <span>
        As of <Moment unix={date ?? readAt} now={now} />
      </span>
      <IconButton label="Read again" onClick={onReadAgain} aria-busy={reading}>
        <RefreshCw className="icon-s" aria-hidden />
      </IconButton>
    </>
  );
}
