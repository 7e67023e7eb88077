import { formatTime } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { useZone } from '#src/ui/Time.tsx';
import type { HomeList } from './useHomeList.ts';

/** The bound was reached before the list's end: how far it was read, and the way on. */
export function ReadOn({ list: { kind, recent, readOn, readingOn } }: { list: HomeList }) {
  const zone = useZone();
  if (recent === null || recent.stop !== 'bound' || recent.since === null) return null;
  return (
    <div className="home-line home-on">
      <span>
        Read {recent.rows.length.toLocaleString('en')} {kind.noun.many} since {formatTime(recent.since, zone)}
        {zone === 'utc' && ' UTC'}; there are more. What is older is not in here.
      </span>
      <Button size="small" onClick={readOn} disabledReason={readingOn ? 'Reading on' : undefined}>
        Read on
      </Button>
    </div>
  );
}
