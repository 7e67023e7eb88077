import { age } from '#src/lib/time.ts';
import { Time, useZone } from '#src/ui/Time.tsx';
import { useNow } from '#src/ui/useNow.ts';
import type { AssetBalance } from './useAssetBalance.ts';

/** "as of 21 Nov 14:01:47 UTC, 1 min ago": when a balance was read. */
export function AsOf({ at, readAt }: Pick<AssetBalance, 'at' | 'readAt'>) {
  const zone = useZone();
  const now = useNow(10);
  if (at === null || readAt === null) return null;
  return (
    <span>
      as of <Time unix={at} />
      {zone === 'utc' && ' UTC'}, {age(readAt, Math.max(now, readAt))}
    </span>
  );
}
