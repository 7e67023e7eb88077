import { pauseEnds } from '#src/web/api/paging/rateLimitPause.ts';
import { useDelay } from '#src/web/ui/useLoaded.ts';
import { useNow } from '#src/web/ui/useNow.ts';
import { dateOf } from '#src/shared/time.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { useZone } from '#src/web/ui/Time.tsx';
import { dayWords } from '#src/shared/createdRange.ts';

/** After two seconds, says why a first load takes long, if known. Its countdown is not announced every second. */
export function StillLoading({ what, children = false }: { what: string; children?: string | false }) {
  const slow = useDelay(true, 2_000);
  return slow ? <Why what={what} /> : <>{children}</>;
}

function Why({ what }: { what: string }) {
  const left = Math.ceil(pauseEnds() / 1000) - useNow(1);
  if (left <= 0) return <>Still loading {what}. The provider is slow to respond.</>;
  return (
    <span>
      The provider asks us to slow down<span aria-hidden>; next try in {left} s</span>
    </span>
  );
}

interface LoadedBackProps {
  list: {
    isLoading: boolean;
    /** Loaded back to this time, Unix seconds; null if to the end. */
    reached: number | null;
    isFetching: boolean;
    canLoadMore: boolean;
    loadMore: () => void;
  };
  what?: string;
}

export function LoadedBack({ list, what = 'Loaded' }: LoadedBackProps) {
  const { isLoading, reached, isFetching, canLoadMore, loadMore } = list;
  const zone = useZone();
  if (isLoading || reached === null) return null;
  return (
    <p className="more">
      {what} back to {dayWords(dateOf(reached, zone))}.{' '}
      {canLoadMore && (
        <Button size="small" onClick={loadMore} disabledReason={isFetching ? 'Loading' : undefined} reasonHidden>
          Load more
        </Button>
      )}
    </p>
  );
}

export function Skeleton({ width = '7rem' }: { width?: string }) {
  return <span className="sk" style={{ width }} aria-hidden />;
}
