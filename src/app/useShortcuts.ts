import { useEffectEvent, useLayoutEffect } from 'react';
import { shouldIgnoreShortcut } from '#src/ui/shouldIgnoreShortcut.ts';

/** The keys of the whole product: Ctrl or Cmd with K, and "/", find; "?" lists the keys. */
export function useShortcuts({ onFind, onHelp }: { onFind: () => void; onHelp: () => void }): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (command && event.key.toLowerCase() === 'k') {
      // Also from within a field: the browser would take it else.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      onFind();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || shouldIgnoreShortcut(event)) return;
    if (event.key === '/') {
      event.preventDefault();
      onFind();
    } else if (event.key === '?') {
      event.preventDefault();
      onHelp();
    }
  });
  // Before the page is seen: whoever sees it may press.
  useLayoutEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
