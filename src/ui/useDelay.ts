import { useEffect, useState } from 'react';

/** True once `active` has been true for `ms`; what is quick shows no skeleton at all. */
export function useDelay(active: boolean, ms = 150): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const timer = setTimeout(() => setPassed(true), ms);
    return () => {
      clearTimeout(timer);
      setPassed(false);
    };
  }, [active, ms]);
  return active && passed;
}
