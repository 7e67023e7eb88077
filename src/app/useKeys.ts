import { useEffect, useEffectEvent } from 'react';

/** Whether a key pressed there is text or belongs to a dialog, and no command of the page. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return true;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (document.querySelector('dialog[open]')) return true;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** The keys of the whole product: Ctrl or Cmd with K, and "/", find; "?" lists the keys. */
export function useKeys({ onFind, onHelp }: { onFind: () => void; onHelp: () => void }): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (command && event.key.toLowerCase() === 'k') {
      // Also from within a field: the browser would take it else.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      onFind();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    if (event.key === '/') {
      event.preventDefault();
      onFind();
    } else if (event.key === '?') {
      event.preventDefault();
      onHelp();
    }
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
