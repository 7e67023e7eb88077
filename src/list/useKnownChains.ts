import { loadChains } from '#src/lib/chains/loadChains.ts';
import { useLoaded } from '#src/ui/useLoaded.ts';

/** The checks of all chains; null until they are read. Who validates says so when they cannot be. */
export function useKnownChains(): Awaited<ReturnType<typeof loadChains>> | null {
  return useLoaded(loadChains).value;
}
