import { RefreshCw } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import type { Noun } from '#src/shared/text.ts';
import { age } from '#src/shared/time.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button, IconButton } from '#src/web/ui/Button.tsx';
import { useNow } from '#src/web/ui/useNow.ts';
import { describeChanged, describeNews } from './diffPages.ts';
import { NotUpdated } from './StaleBar.tsx';
import type { NewRowsState } from './useNewRows.ts';

interface ListStatusProps {
  newRows: NewRowsState;
  noun: Noun;
  oldestFirst: boolean;
  onRefresh: () => void;
}

/** Beside the heading: how current the list is, and a button that shows new rows. */
export function ListStatus({ newRows, noun, oldestFirst, onRefresh }: ListStatusProps) {
  const words = describeNews(newRows.count, newRows.leftCount, noun);
  const { changed, error } = newRows;
  useEffect(() => {
    if (words !== '') announce(words);
  }, [words]);
  const announceChanged = useEffectEvent((rows: number) => announce(describeChanged(rows, noun)));
  useEffect(() => {
    if (changed) announceChanged(changed.rows);
  }, [changed]);
  // Nothing was loaded; the page shows the error.
  if (newRows.checkedAt === null) return null;
  return (
    <>
      {error ? (
        <NotUpdated error={error} readAt={newRows.checkedAt} retrying={newRows.isReading} onRetry={onRefresh} />
      ) : (
        <>
          <Current newRows={newRows} oldestFirst={oldestFirst} hasNews={words !== ''} />
          <IconButton label="Refresh list" onClick={onRefresh} aria-busy={newRows.isReading}>
            <RefreshCw className="icon-s" aria-hidden />
          </IconButton>
        </>
      )}
      {words !== '' && (
        <Button size="small" onClick={() => void newRows.show()}>
          Show {words}
        </Button>
      )}
    </>
  );
}

/** Seconds; much longer than the polling interval, so after this polling has stopped or is waiting. */
const LIVE_FOR = 120;

/** Seconds since the list was loaded after which later pages may be out of date: polls read only the first page. */
const MAY_DIFFER_AFTER = 60;

/** "Live" only if no change can be missed: not if new rows are added at the end, and not with a status filter. */
function Current({ newRows, oldestFirst, hasNews }: { newRows: NewRowsState; oldestFirst: boolean; hasNews: boolean }) {
  const now = useNow(10);
  const at = (hasNews ? newRows.asOf : newRows.checkedAt) ?? now;
  const isLive = !newRows.byStatus && !oldestFirst && !hasNews && now - at < LIVE_FOR;
  return (
    <span data-tip-unix={at}>
      {isLive ? 'Live · up to date' : `Updated ${age(at, Math.max(now, at))}`}
      {!isLive && newRows.byStatus && now - (newRows.loadedAt ?? now) >= MAY_DIFFER_AFTER && (
        <span className="max-[72rem]:hidden">. Statuses may have changed</span>
      )}
      {!isLive && oldestFirst && <span className="max-[72rem]:hidden">. Newer ones come at the end</span>}
    </span>
  );
}
