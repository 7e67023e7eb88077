import { type RefObject, useEffect, useEffectEvent, useRef, type FocusEvent, useLayoutEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { shouldIgnoreShortcut } from '#src/web/ui/Keys.tsx';

interface ListKeys {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** Number of the row whose detail is open beside the list; null if none is, or it isn't loaded. */
  openAt: number | null;
  show: (at: number) => void;
  open: (at: number) => void;
}

/** Frames to wait until a row that was scrolled to exists. */
const FRAMES = 20;

/** j and k focus the next and the previous row; beside an open detail they open it. Enter follows the focused row's link. */
export function useListKeys({ scroller, count, openAt, show, open }: ListKeys): void {
  // The row that is about to take the focus. Keys pressed faster than rows are drawn continue from it.
  const onItsWay = useRef<number | null>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if ((key === 'Home' || key === 'End') && target instanceof Node && scroller.current?.contains(target)) {
      // The browser would lose a key that is pressed just as its scrolling for the previous one ends.
      event.preventDefault();
      scroller.current.scrollTo({ top: key === 'Home' ? 0 : scroller.current.scrollHeight });
    }
    const step = key === 'j' ? 1 : key === 'k' ? -1 : 0;
    if (step === 0) return;
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
  const active = document.activeElement;
  return active !== null && scroller?.contains(active) ? rowNumber(active) : null;
}

function firstInSight(scroller: HTMLElement | null): number | null {
  if (!scroller) return null;
  const top = scroller.getBoundingClientRect().top;
  const row = [...scroller.querySelectorAll<HTMLElement>('[data-at]')].find(
    (each) => each.getBoundingClientRect().bottom > top + each.offsetHeight,
  );
  return row === undefined ? null : Number(row.dataset['at']);
}

/**
 * The number of the focused row. The row stays focused when its link moves to another column: closing the panel beside
 * the list makes the list wider, and the link then moves from the time to the id.
 */
export function useFocusedRow(scroller: RefObject<HTMLElement | null>, columns: readonly object[]) {
  const [focused, setFocused] = useState<number | null>(null);
  const last = useRef<number | null>(null);
  const before = useRef(columns);
  useLayoutEffect(() => {
    if (before.current === columns) return;
    before.current = columns;
    if (last.current === null || document.activeElement !== document.body) return;
    const link = scroller.current?.querySelector<HTMLElement>(`[data-at="${last.current}"] [data-row-link]`);
    link?.focus({ preventScroll: true });
  });
  return {
    focused,
    onFocus: ({ target }: FocusEvent) => {
      last.current = rowNumber(target);
      setFocused(last.current);
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // The row that takes the focus next must stay drawn, too.
      const next = relatedTarget && rowNumber(relatedTarget);
      // Focus went nowhere: the link may just have been replaced.
      if (relatedTarget !== null) last.current = next;
      setFocused(next);
    },
  };
}

function rowNumber(target: Element): number | null {
  const at = target.closest<HTMLElement>('[data-at]')?.dataset['at'];
  return at === undefined ? null : Number(at);
}

/**
 * A click anywhere on a row follows the row's link; keyboards use the link itself. Not while text is selected, so that
 * amounts can be copied. One listener serves all rows, because their links are plain elements.
 */
export function useRowClicks(scroller: RefObject<HTMLElement | null>): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const follow = useEffectEvent((event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest<HTMLAnchorElement>('a[data-row-link]');
    if (link) {
      // With a modifier key the browser follows the link: in another tab or window, or as a download.
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const to = link.pathname + link.search;
      void navigate(to, { replace: to === pathname + search });
      return;
    }
    if (event.target.closest('a, button, input') || document.getSelection()?.isCollapsed === false) return;
    const rowLink = event.target.closest('[role="row"]')?.querySelector<HTMLElement>('[data-row-link]');
    rowLink?.dispatchEvent(new MouseEvent('click', event));
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [scroller]);
}
