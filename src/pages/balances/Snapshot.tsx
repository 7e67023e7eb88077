import { age, formatTime, isPlausibleTime } from '#src/lib/time.ts';
import { Time } from '#src/ui/Time.tsx';
import { useNow } from '#src/ui/useNow.ts';
import { useZone } from '#src/ui/zone.tsx';

interface Clocks {
  /** The service's clock at the read, null when it did not say. */
  date: number | null;
  /** This device's clock at the read. */
  readAt: number;
}

/** Now by the service's clock, which is the one that its times are in. */
export function useServiceNow({ date, readAt }: Clocks): number {
  const now = useNow(10);
  return date === null ? now : now + (date - readAt);
}

/** The service's own time of a snapshot, and how old it is. */
export function Snapshot({ updatedAt, now }: { updatedAt: unknown; now: number }) {
  if (!isPlausibleTime(updatedAt)) return <Time unix={updatedAt} />;
  return (
    <>
      as of <Time unix={updatedAt} />, {age(updatedAt, now)}
    </>
  );
}

/** "As of" of a whole page: when it was read. */
export function AsOf({ date, readAt }: Clocks) {
  const zone = useZone();
  const at = date ?? readAt;
  const now = useServiceNow({ date, readAt });
  return (
    <span>
      As of{' '}
      <time data-tip-unix={at} dateTime={new Date(at * 1000).toISOString()}>
        {formatTime(at, zone)} {zone === 'utc' && 'UTC'}
      </time>
      , {age(at, now)}
    </span>
  );
}
