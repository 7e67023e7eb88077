import { type RefObject, useLayoutEffect, useState } from 'react';

declare module 'react' {
  interface CSSProperties {
    /** A value for grid-template-columns, and the least width of a row (list.css). */
    '--columns'?: string;
    '--least'?: string;
    /** Height of a row. */
    '--row-height'?: string;
    /** Room for the digits that other amounts have behind the point. */
    '--pad'?: string;
  }
}

/** Very long amounts scroll sideways instead of costing the list its columns. */
const CASH_MAX = 28;
/** Below this a list has no columns at all, its rows are cards. */
export const CARDS_BELOW = 40;
/** Time, what the row is, and money: never given up. */
const FIRST = 2;
/** Of a column that names no width, rem. */
const LEAST = 9;

/** A column by its least width in rem; the cash column has none: its width comes from its amounts. */
export interface ColumnWidth {
  id: string;
  width?: number | undefined;
  /** Its part of the room that is left over. */
  share?: number | undefined;
}

/** Which columns a list has. */
export interface Layout {
  /** In their order; a narrow list gives up the last ones before the money. */
  columns: readonly ColumnWidth[];
  /** What stands on a card. */
  cards: readonly ColumnWidth[];
  /** Those that have the row's link, the first that is shown; else it is the time. */
  links?: readonly string[];
}

export interface ColumnFit {
  shown: readonly string[];
  /** A value for grid-template-columns. */
  template: string;
  /** Least width of a row in rem; a narrower list scrolls sideways. */
  least: number;
}

/** Which columns a list of a width (rem) has room for: the last one before the money goes first. */
export function fitColumns(width: number, cash: number, columns: readonly ColumnWidth[]): ColumnFit {
  const shown: { id: string; width: number; share: number }[] = [];
  let room = width - Math.min(cash, CASH_MAX);
  for (const { id, width: least = LEAST, share = 1 } of columns) {
    if (id === 'cash') continue;
    room -= least;
    if (shown.length >= FIRST && room < 0) break;
    shown.push({ id, width: least, share });
  }
  shown.push({ id: 'cash', width: cash, share: 1 });
  const template = shown.map(({ width: least, share }) => `minmax(${least.toFixed(2)}rem, ${share}fr)`).join(' ');
  return { shown: shown.map(({ id }) => id), template, least: shown.reduce((sum, { width: each }) => sum + each, 0) };
}

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
const ROW_COMPACT = 1.75;
const ROW_COMPACT_COARSE = 2.25;
const ROW_CARD = 3.75;

/** Follows the width of a list's scroller, the window's and the kind of pointer. */
export function useListSize(scroller: RefObject<HTMLElement | null>, cardsBelow: number, compact = false): ListSize {
  const [size, setSize] = useState<ListSize>({ width: null, cards: false, row: 16 * ROW });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const media = [window.matchMedia(NARROW), window.matchMedia(COARSE)] as const;
    const measure = (): void => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
      const width = element.clientWidth / rem;
      const cards = media[0].matches || width < cardsBelow;
      const row = rem * rowHeight(cards, media[1].matches, compact);
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
  }, [scroller, cardsBelow, compact]);
  return size;
}

function rowHeight(cards: boolean, coarse: boolean, compact: boolean): number {
  if (cards) return ROW_CARD;
  if (compact) return coarse ? ROW_COMPACT_COARSE : ROW_COMPACT;
  return coarse ? ROW_COARSE : ROW;
}
