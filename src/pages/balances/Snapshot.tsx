import { age, dateOf, formatClock, formatTime, isoUtc, isPlausibleTime, type Zone } from '#src/lib/time.ts';
import { Time, useZone } from '#src/ui/Time.tsx';

/** The hour alone for today, the day as well for any other. */
function when(unix: number, zone: Zone, now: number): string {
  const today = dateOf(unix, zone) === dateOf(now, zone);
  return `${today ? formatClock(unix, zone) : formatTime(unix, zone, now)}${zone === 'utc' ? ' UTC' : ''}`;
}

/** When a balance last changed, by the service's own time. */
export function Snapshot({ updatedAt, now }: { updatedAt: unknown; now: number }) {
  const zone = useZone();
  if (!isPlausibleTime(updatedAt)) return <Time unix={updatedAt} />;
  return (
    <>
      <time className="whitespace-nowrap" dateTime={isoUtc(updatedAt)} data-tip-unix={updatedAt}>
        {when(updatedAt, zone, now)}
      </time>
      , <span className="whitespace-nowrap">{age(updatedAt, now)}</span>
    </>
  );
}
