import { createContext, type ReactNode, use } from 'react';
import type { Zone } from '#src/lib/time.ts';

const ZoneContext = createContext<Zone>('utc');

export function ZoneProvider({ zone, children }: { zone: Zone; children: ReactNode }) {
  return <ZoneContext value={zone}>{children}</ZoneContext>;
}

/** The zone in which the person reads times. */
export function useZone(): Zone {
  return use(ZoneContext);
}
