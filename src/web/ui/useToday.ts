import { dateOf } from '#src/shared/time.ts';
import { useZone } from './Time.tsx';
import { useNow } from './useNow.ts';

/** The calendar day now, in the zone that times are shown in. */
export function useToday(): string {
  return dateOf(useNow(60), useZone());
}
