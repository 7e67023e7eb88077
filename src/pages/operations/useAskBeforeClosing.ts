import { useEffect } from 'react';

/** The browser asks before the window closes: while an operation is recorded but not sent, or under way (faults.md 44). */
export function useAskBeforeClosing(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [active]);
}
