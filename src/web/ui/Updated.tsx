import { RefreshCw } from 'lucide-react';
import { age } from '#src/shared/time.ts';
import { IconButton } from './Button.tsx';
import { useNow } from './useNow.ts';

interface UpdatedProps {
  /** Unix seconds by this device's clock; null if nothing is loaded yet, which leaves the space empty. */
  at: number | null;
  isFetching: boolean;
  onRefresh: () => void;
}

export function Updated({ at, isFetching, onRefresh }: UpdatedProps) {
  const now = useNow(10);
  if (at === null) return <span>{'\u00a0'}</span>;
  return (
    <>
      <span data-tip-unix={at}>Updated {age(at, Math.max(now, at))}</span>
      <IconButton label="Refresh" onClick={onRefresh} aria-busy={isFetching}>
        <RefreshCw className="icon-s" aria-hidden />
      </IconButton>
    </>
  );
}
