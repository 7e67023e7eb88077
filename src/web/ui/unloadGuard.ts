/** Makes a function that turns the browser's question before leaving the page on and off. */
export function createUnloadGuard(): (isNeeded: boolean) => void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  return (isNeeded) => {
    if (typeof window === 'undefined') return;
    // Only while it is needed: a page with this listener is kept out of the back/forward cache.
    if (isNeeded) window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
  };
}
