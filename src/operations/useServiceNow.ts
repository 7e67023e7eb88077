import { useEffect, useState } from 'react';
import type { Operations } from './operations.ts';

/** Both clocks, read again every second: the device's in milliseconds, the service's in unix seconds or null. */
export function useServiceNow(operations: Operations): { now: number; serviceNow: number | null } {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return { now, serviceNow: operations.serviceNow() };
}
