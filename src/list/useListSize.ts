import { type RefObject, useLayoutEffect, useState } from 'react';

export interface ListSize {
  /** Width of the list in rem; null before it was measured. */
  width: number | null;
  /** Two-line cards instead of columns. */
  cards: boolean;
  /** Height of a row in px: one for all rows. */
  row: number;
}

const NARROW = '(max-width: 56rem)';
const COARSE = '(pointer: coarse)';
const ROW = 2.25;
const ROW_COARSE = 2.75;
const ROW_CARD = 3.75;

/** Follows the width of a list's scroller, the window's and the kind of pointer. */
export function useListSize(scroller: RefObject<HTMLElement | null>, cardsBelow: number): ListSize {
  const [size, setSize] = useState<ListSize>({ width: null, cards: false, row: 16 * ROW });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const media = [window.matchMedia(NARROW), window.matchMedia(COARSE)] as const;
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
      const width = element.clientWidth / rem;
      const cards = media[0].matches || width < cardsBelow;
      const row = rem * (cards ? ROW_CARD : media[1].matches ? ROW_COARSE : ROW);
      setSize((before) => {
        const same = before.width === width && before.cards === cards && before.row === row;
        return same ? before : { width, cards, row };
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const query of media) query.addEventListener('change', measure);
    return () => {
      observer.disconnect();
      for (const query of media) query.removeEventListener('change', measure);
    };
  }, [scroller, cardsBelow]);
  return size;
}
