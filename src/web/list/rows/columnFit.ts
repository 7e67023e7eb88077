import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { firstPaint } from '#src/web/ui/firstPaint.ts';
import type { AmountWidth } from './amountWidth.ts';

declare module 'react' {
  interface CSSProperties {
    /** A value for grid-template-columns, and the least width of a row (list.css). */
    '--columns'?: string;
    '--least'?: string;
    '--row-height'?: string;
    /** Space for the digits that other amounts have after the decimal point. */
    '--pad'?: string;
  }
}

/** Limit in rem. Amounts of more than about 60 digits scroll sideways instead of displacing all columns. */
const CASH_MAX = 46;
/** In a list narrower than this, rem, the rows are cards. */
const CARDS_BELOW = 40;
/** Number of columns at the start that are never dropped. */
const FIRST_KEPT = 2;
/** Width of a column that doesn't specify one, rem. */
const LEAST = 9;

/** A column and its least width in rem. The cash column has none: its width comes from its amounts. */
export interface ColumnWidth {
  id: string;
  width?: number | undefined;
  /** Its share of the remaining width. */
  share?: number | undefined;
}

export interface ColumnLayout {
  /** In order. A narrow list drops the last ones first, but never the amount. */
  columns: readonly ColumnWidth[];
  cards: readonly ColumnWidth[];
  /** Columns that can have the row's link: the first visible one has it, else the time. */
  links?: readonly string[];
}

/** Space around an amount in its column, rem. */
const CASH_PADDING = 2.5;
const BODY_REM = 0.875;

/** Which columns fit a list of this size, which of them has the rows' links, and the style variables. */
export function fitList(
  { cards, width, row }: Pick<ListSize, 'cards' | 'width' | 'row'>,
  amount: AmountWidth,
  layout: ColumnLayout,
) {
  const cash = (amount.integer + amount.rest) * BODY_REM + CASH_PADDING;
  const fit = cards ? fitColumns(Infinity, cash, layout.cards) : fitColumns(width ?? 60, cash, layout.columns);
  return {
    shown: fit.shown,
    linkColumn: fit.shown.find((id) => layout.links?.includes(id)) ?? 'created',
    style: { '--row-height': `${row - 1}px`, '--columns': fit.template, '--least': `${fit.least.toFixed(2)}rem` },
  };
}

/**
 * Which columns fit a list of this width (rem). The last one before the amount is dropped first. A list narrower than
 * `least` (rem) scrolls sideways.
 */
export function fitColumns(width: number, cash: number, columns: readonly ColumnWidth[]) {
  const shown: { id: string; width: number; share: number }[] = [];
  let room = width - Math.min(cash, CASH_MAX);
  for (const { id, width: least = LEAST, share = 1 } of columns) {
    if (id === 'cash') continue;
    room -= least;
    if (shown.length >= FIRST_KEPT && room < 0) break;
    shown.push({ id, width: least, share });
  }
  shown.push({ id: 'cash', width: cash, share: 1 });
  const template = shown.map(({ width: least, share }) => `minmax(${least.toFixed(2)}rem, ${share}fr)`).join(' ');
  return { shown: shown.map(({ id }) => id), template, least: shown.reduce((sum, { width: each }) => sum + each, 0) };
}

export interface ListSize {
  /** Width of the list in rem; null before it was measured. */
  width: number | null;
  cards: boolean;
  /** Height of a row in px: one for all rows. */
  row: number;
  /** Height of the scroller, px. */
  height: number;
  /** Guessed from the window; not measured yet. */
  guessed?: true;
}

/** Least height of the rest of the page, rem: the heading, a line of filters, the totals. */
const AROUND = 8;
const NARROW = '(max-width: 56rem)';
const COARSE = '(pointer: coarse)';
/** Heights of a row, rem. With a coarse pointer, rows other than cards are higher. */
const ROW = 2.25;
const ROW_COMPACT = 1.75;
const ROW_CARD = 3.75;
const COARSE_EXTRA = 0.5;

/** Follows the size of a list's scroller, the window's width and the kind of pointer. */
export function useListSize(scroller: RefObject<HTMLElement | null>, compact: boolean): ListSize {
  const [size, setSize] = useState(() => guessSize(compact));
  const guess = useRef(size);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const media = [NARROW, COARSE].map((query) => window.matchMedia(query));
    const measure = (): void => {
      const now = sizeOf(element, compact);
      setSize((before) => (isSame(before, now) ? before : now));
    };
    // If the guess is good enough, it is early enough to measure in the observer, after the first paint.
    if (!covers(guess.current, sizeOf(element, compact))) measure();
    const observer = new ResizeObserver(measure);
    let left = false;
    void firstPaint.then(() => left || observer.observe(element));
    for (const query of media) query.addEventListener('change', measure);
    return () => {
      left = true;
      observer.disconnect();
      for (const query of media) query.removeEventListener('change', measure);
    };
  }, [scroller, compact]);
  return size;
}

/** Estimates the list's size from the page area already on screen; the real size is measured after the first draw. */
export function guessSize(compact: boolean): ListSize {
  const { height, ...page } = sizeOf(document.querySelector('main, .main'), compact);
  return { ...page, height: Math.max(0, height - AROUND * remPx()), guessed: true };
}

function remPx(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

function sizeOf(element: Element | null, compact: boolean): ListSize {
  const rem = remPx();
  const width = element && element.clientWidth / rem;
  const cards = window.matchMedia(NARROW).matches || (width !== null && width < CARDS_BELOW);
  const columnRow = (compact ? ROW_COMPACT : ROW) + (window.matchMedia(COARSE).matches ? COARSE_EXTRA : 0);
  return { width, cards, row: rem * (cards ? ROW_CARD : columnRow), height: element?.clientHeight ?? 0 };
}

/** Difference in rem, about a scrollbar's width, that changes no columns. */
const NEARLY = 2;

/** Whether rows drawn for a guess fill a list of this size. */
function covers(guess: ListSize, { width, cards, row, height }: ListSize): boolean {
  if (guess.width === null || width === null) return false;
  return Math.abs(guess.width - width) < NEARLY && guess.cards === cards && guess.row === row && guess.height >= height;
}

function isSame(a: ListSize, b: ListSize): boolean {
  return (
    a.guessed === b.guessed && a.width === b.width && a.cards === b.cards && a.row === b.row && a.height === b.height
  );
}
