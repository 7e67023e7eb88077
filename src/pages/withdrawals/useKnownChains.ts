import { useEffect, useState } from 'react';
import { loadChains } from './fieldRules.ts';

export type KnownChains = Awaited<ReturnType<typeof loadChains>>;

/** The checks of all chains; null until they are read. Who validates says so when they cannot be. */
export function useKnownChains(): KnownChains | null {
  const [chains, setChains] = useState<KnownChains | null>(null);
  useEffect(() => {
    let wanted = true;
    loadChains()
      .then((loaded) => wanted && setChains(loaded))
      .catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, []);
  return chains;
}
