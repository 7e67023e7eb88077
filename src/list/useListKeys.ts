import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { shouldIgnoreShortcut } from '#src/ui/shouldIgnoreShortcut.ts';

interface ListKeys {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** Number of the row whose detail is open beside the list; null when none is, or it is not loaded. */
  openAt: number | null;
  /** Brings a row into sight. */
  show: (at: number) => void;
  /** Opens the detail of a row in the place of the one that is open. */
  open: (at: number) => void;
}

/** Frames to wait until a row that was scrolled to exists. */
const FRAMES = 20;

/** j and k go to the next and the previous row; beside an open detail they open its neighbour. Enter is the row's own link. */
export function useListKeys({ scroller, count, openAt, show, open }: ListKeys): void {
  // A row on its way to the focus: keys pressed faster than rows are drawn count on from there.
  const onItsWay = useRef<number | null>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (count === 0 || shouldIgnoreShortcut(event)) return;
    event.preventDefault();
    if (openAt !== null) {
      const next = openAt + step;
      if (next < 0 || next >= count) return;
      show(next);
      open(next);
      return;
    }
    const at = onItsWay.current ?? focusedRow(scroller.current);
    const next = Math.min(Math.max(0, at === null ? (firstInSight(scroller.current) ?? 0) : at + step), count - 1);
    show(next);
    onItsWay.current = next;
    const focusSoon = (frames: number): void => {
      if (onItsWay.current !== next) return;
      const link = scroller.current?.querySelector<HTMLElement>(`[data-at="${next}"] [data-row-link]`);
      link?.focus({ preventScroll: true });
      if (link || frames === 0) onItsWay.current = null;
      else requestAnimationFrame(() => focusSoon(frames - 1));
    };
    focusSoon(FRAMES);
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

function focusedRow(scroller: HTMLElement | null): number | null {
  const row = scroller?.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>('[data-at]')
    : null;
  return row?.dataset['at'] === undefined ? null : Number(row.dataset['at']);
}

function firstInSight(scroller: HTMLElement | null): number | null {
  if (!scroller) return null;
  const top = scroller.getBoundingClientRect().top;
  const row = [...scroller.querySelectorAll<HTMLElement>('[data-at]')].find(
    (each) => each.getBoundingClientRect().bottom > top + each.offsetHeight,
  );
  return row === undefined ? null : Number(row.dataset['at']);
}
