import type { RowsBack } from '#src/api/paging/rowsBack.ts';
import { dateOf } from '#src/lib/time.ts';
import { Button } from '#src/ui/Button.tsx';
import { useZone } from '#src/ui/Time.tsx';
import { dayWords } from './createdRange.ts';

interface LoadedBackProps {
  list: Pick<RowsBack<unknown>, 'isLoading' | 'reached' | 'isFetching' | 'loadMore'>;
  /** "Loaded" */
  what?: string;
}

/** How far back a list was loaded, where that is not to its end, and the way on. */
export function LoadedBack({ list: { isLoading, reached, isFetching, loadMore }, what = 'Loaded' }: LoadedBackProps) {
  const zone = useZone();
  if (isLoading || reached === null) return null;
  return (
    <p className="more">
      {what} back to {dayWords(dateOf(reached, zone))}.{' '}
      <Button size="small" onClick={loadMore} disabledReason={isFetching ? 'Loading' : undefined} reasonHidden>
        Load more
      </Button>
    </p>
  );
}
