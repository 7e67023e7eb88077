import { shortDayWords, formatClock, zoneName } from '#src/shared/time.ts';
import { useZone } from '#src/web/ui/Time.tsx';

/** `at`: when the server had read the month twice in the background, with the same result. */
export function PreparedNote({ at, now }: { at: number; now: number }) {
  const zone = useZone();
  return (
    <p className="small sub px-gutter pb-2">
      Prepared on {shortDayWords(at, zone, now)}, {formatClock(at, zone).slice(0, 5)} {zoneName(zone)}: two equal
      readings
    </p>
  );
}
