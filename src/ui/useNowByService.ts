import { useNow } from './useNow.ts';

/** The clocks at a read, Unix seconds. */
export interface ReadClocks {
  /** The service's, null when it did not say. */
  date: number | null;
  /** This device's. */
  readAt: number;
}

/** Now by the service's clock, which is the one that its times are in. */
export function useNowByService({ date, readAt }: ReadClocks): number {
  const now = useNow(10);
  return date === null ? now : now + (date - readAt);
}
