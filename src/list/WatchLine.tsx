import { TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { describeError } from '#src/api/errors.ts';
import type { Noun } from '#src/lib/count.ts';
import { capital } from '#src/lib/text.ts';
import { age, formatClock } from '#src/lib/time.ts';
import { announce } from '#src/ui/announce.tsx';
import { Button } from '#src/ui/Button.tsx';
import { UntrustedText } from '#src/ui/UntrustedText.tsx';
import { useReturnFocus } from '#src/ui/focus.ts';
import { useNow } from '#src/ui/useNow.ts';
import { useZone } from '#src/ui/Time.tsx';
import { describeChanged, describeNews } from './diffPages.ts';
import type { Fresh } from './useNewRows.ts';

interface WatchLineProps {
  fresh: Fresh;
  noun: Noun;
  oldestFirst: boolean;
  onReadAgain: () => void;
}

/** Whether the list on screen is still what the service has: always one line, so that news move nothing. */
export function WatchLine({ fresh, noun, oldestFirst, onReadAgain }: WatchLineProps) {
  const words = describeNews(fresh.rows, fresh.left, noun);
  const { changed } = fresh;
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  const announceChanged = useEffectEvent((rows: number) => announce(describeChanged(rows, noun)));
  useEffect(() => {
    if (changed) announceChanged(changed.rows);
  }, [changed]);
  // Before there is a list the line is there already, and empty.
  if (fresh.checkedAt === null) return <div className="watch" />;
  if (fresh.error) return <Stale fresh={fresh} onReadAgain={onReadAgain} />;
  if (words !== '') return <News words={words} onShow={fresh.show} />;
  return (
    <div className="watch">
      <span>
        <Quiet fresh={fresh} noun={noun} oldestFirst={oldestFirst} />
      </span>
    </div>
  );
}

/** Far longer than between two looks: whoever looked last then is asleep, or waits. Seconds. */
const LIVE_FOR = 120;

/** Live only where nothing can come or go unseen: not at the end of a list, and not under a status filter. */
function Quiet({ fresh, noun, oldestFirst }: Pick<WatchLineProps, 'fresh' | 'noun' | 'oldestFirst'>) {
  const now = useNow(10);
  const clock = <Clock unix={fresh.checkedAt} />;
  if (fresh.byStatus) {
    return (
      <>
        As of {clock}
        <span className="max-[56rem]:hidden">
          . {capital(noun.many)} that got another status since may still stand here.
        </span>
      </>
    );
  }
  if (oldestFirst) return <>Newer ones come at the end. Checked {clock}</>;
  const isLive = fresh.checkedAt !== null && now - fresh.checkedAt < LIVE_FOR;
  return (
    <>
      {isLive ? 'Live: no' : 'No'} newer {noun.many}. Checked {clock}
    </>
  );
}

function News({ words, onShow }: { words: string; onShow: () => Promise<void> }) {
  const line = useRef<HTMLDivElement>(null);
  useReturnFocus(line);
  return (
    <div className="watch" ref={line}>
      <button type="button" className="link" onClick={() => void onShow()}>
        {words}
      </button>
      <span className="max-[56rem]:hidden">Nothing moves until you ask.</span>
    </div>
  );
}

function Clock({ unix }: { unix: number | null }) {
  const zone = useZone();
  if (unix === null) return null;
  return (
    <span className="whitespace-nowrap">
      {formatClock(unix, zone)}
      {zone === 'utc' && ' UTC'}
    </span>
  );
}

function Stale({ fresh, onReadAgain }: { fresh: Fresh; onReadAgain: () => void }) {
  const now = useNow(10);
  const line = useRef<HTMLDivElement>(null);
  useReturnFocus(line);
  const { status, code, message, requestId } = describeError(fresh.error);
  const why = [status, code, message, requestId].filter((part) => part !== null).join(' · ');
  return (
    <div className="watch" role="status" ref={line}>
      <TriangleAlert className="icon-s" aria-hidden />
      <span>
        Stale since <Clock unix={fresh.checkedAt} />, {age(fresh.checkedAt ?? now, now)}. The last read failed:{' '}
        <UntrustedText value={why} max={160} />
      </span>
      <Button size="small" onClick={onReadAgain} disabledReason={fresh.reading ? 'Reading' : undefined} reasonHidden>
        Read again
      </Button>
    </div>
  );
}
