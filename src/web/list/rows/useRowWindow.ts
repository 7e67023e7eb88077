import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface RowWindowOptions {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** Height of each row, px; `height`: of the scroller. */
  row: number;
  height: number;
  /** Rows above the window when the list is first shown. */
  initial: number;
  /** The first render, which draws only the rows in sight: the person can't have scrolled yet. */
  first: boolean;
}

const OVERSCAN = 4;
/** Rows by which the window moves: drawing two at once costs little more than one. */
const STEP = 2;
/**
 * Window heights per step from which scrolling is a fling. The rows can't be read then, so they are drawn as plain text
 * into the existing elements (rowElements). With a 4 times slower CPU, a frame takes 33 to 67 ms at p95 instead of 117
 * (npm run bench -- rows).
 */
const FLING = 1.5;
/** Below this, rows are readable again. */
const SLOW = 0.5;
/** Milliseconds without a step until scrolling has ended. */
const REST = 150;

/** Which rows of a list are in sight, all of one height; `fast`: during a fling. */
export function useRowWindow({ scroller, count, row, height, initial, ...is }: RowWindowOptions) {
  const [first, setFirst] = useState(Math.floor(initial));
  const [fast, setFast] = useState(false);
  const top = useRef(initial * row);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  useLayoutEffect(() => {
    if (top.current > 0) scroller.current?.scrollTo({ top: top.current });
  }, [scroller]);

  const fits = Math.ceil(height / row);
  const from = Math.max(0, Math.min(first, count - fits));
  const to = Math.min(count - 1, from + fits);
  const around = is.first ? 0 : fast ? STEP : OVERSCAN;
  const scrollTo = (px: number): void => scroller.current?.scrollTo({ top: px });
  return {
    from,
    to,
    drawn: { from: Math.max(0, from - around), to: Math.min(count - 1, to + around) },
    fast,
    onScroll: () => {
      const now = scroller.current?.scrollTop ?? 0;
      const step = Math.abs(now - top.current) / height;
      if (step > FLING) setFast(true);
      else if (step < SLOW) setFast(false);
      top.current = now;
      setFirst(Math.max(0, Math.floor(now / row / STEP) * STEP));
      clearTimeout(rest.current);
      rest.current = setTimeout(() => setFast(false), REST);
    },
    scrollTo: (rows: number) => scrollTo(rows * row),
    /** Scrolls as little as needed to bring a row into sight. The head covers as much of the window as a row. */
    show: (at: number) => {
      const now = scroller.current?.scrollTop ?? 0;
      if (at * row < now) scrollTo(at * row);
      else if ((at + 2) * row > now + height) scrollTo((at + 2) * row - height);
    },
  };
}

/** The numbers of the rows to draw, always including the focused row. */
export function rowsDrawn(from: number, to: number, focused: number | null): number[] {
  const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  if (focused === null || (focused >= from && focused <= to)) return rows;
  return focused < from ? [focused, ...rows] : [...rows, focused];
}

/**
 * Assigns row ids to elements. When a fling leaves none of the earlier rows, their elements are reused, so none has to be
 * created, styled or removed. Otherwise a new row gets a new element: moving one would cost as much.
 */
export function rowElements(): (ids: readonly string[]) => ReadonlyMap<string, number> {
  let shown = new Map<string, number>();
  let made = 0;
  return (ids) => {
    const gone = [...shown].filter(([id]) => !ids.includes(id));
    // One earlier row may be kept because it has the focus.
    const free = gone.length < shown.size - 1 ? [] : gone.map(([, element]) => element);
    return (shown = new Map(ids.map((id) => [id, shown.get(id) ?? free.shift() ?? made++])));
  };
}

// Scroll position of each list by history entry, because the router restores only the window's. Counted in rows, because
// their height changes with the window.
const positions = new Map<string, number>();

export function rememberPosition(entry: string, rows: number): void {
  positions.set(entry, rows);
}

/** Rows above the window's top edge; 0 for an entry without a position. */
export function positionAt(entry: string): number {
  return positions.get(entry) ?? 0;
}

/** Whether a position was stored for this entry since the page load. */
export function wasScrolled(entry: string): boolean {
  return positions.has(entry);
}
