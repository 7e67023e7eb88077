import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { type FocusEvent, useCallback, useRef } from 'react';

/** The row that has the focus stays, wherever the list is scrolled to: Tab goes on from there. */
export function useFocusedRow() {
  const focused = useRef<number | null>(null);
  const rangeExtractor = useCallback((range: Range) => {
    const rows = defaultRangeExtractor(range);
    const at = focused.current;
    if (at === null || at >= range.count || rows.includes(at)) return rows;
    return at < (rows[0] ?? 0) ? [at, ...rows] : [...rows, at];
  }, []);
  const onFocus = useCallback(({ target }: FocusEvent) => {
    focused.current = rowNumber(target);
  }, []);
  const onBlur = useCallback(() => {
    focused.current = null;
  }, []);
  return { rangeExtractor, onFocus, onBlur };
}

function rowNumber(target: Element): number | null {
  const at = target.closest<HTMLElement>('[data-at]')?.dataset['at'];
  return at === undefined ? null : Number(at);
}
