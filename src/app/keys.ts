import { useEffectEvent, useLayoutEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { isOverlaid, shouldIgnoreShortcut } from '#src/ui/Keys.tsx';
import type { Place } from './places.ts';

/** The first of two keys: where G and C go is said meanwhile. */
export type Prefix = 'G' | 'C' | null;

interface Shortcuts {
  places: readonly Place[];
  onFind: () => void;
  onHelp: () => void;
}

/**
 * The keys of the whole product: Ctrl or Cmd with K, and "/", find; G and C with a second letter go to a page or a form;
 * "?" lists them. Any other letter is the key of the control that names it (`data-keys`). Gives the first of two keys.
 */
export function useShortcuts({ places, onFind, onHelp }: Shortcuts): Prefix {
  const [prefix, setPrefix] = useState<Prefix>(null);
  const navigate = useNavigate();
  const act = (key: string): boolean => {
    if (prefix !== null) {
      const place = places.find(({ keys }) => keys === `${prefix} ${key}`);
      if (place) void navigate(place.to);
      return place !== undefined;
    }
    if (key === '/') onFind();
    else if (key === '?') onHelp();
    else return pressControl(key);
    return true;
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (command && event.key.toLowerCase() === 'k') {
      // Also from within a field: the browser would take it else.
      if (isOverlaid()) return;
      event.preventDefault();
      onFind();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Shift') return;
    setPrefix(null);
    if (shouldIgnoreShortcut(event)) return;
    const key = event.key.toUpperCase();
    if (act(key)) event.preventDefault();
    else if (prefix === null && (key === 'G' || key === 'C') && !event.repeat) setPrefix(key);
  });
  const forget = useEffectEvent(() => setPrefix(null));
  // Before the page is seen: whoever sees it may press.
  useLayoutEffect(() => {
    document.addEventListener('keydown', press);
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
  return prefix;
}

function pressControl(key: string): boolean {
  if (!/^[A-Z]$/.test(key)) return false;
  const control = [...document.querySelectorAll<HTMLElement>(`[data-keys="${key}"]`)].find((each) =>
    each.checkVisibility(),
  );
  control?.focus();
  control?.click();
  return control !== undefined;
}
