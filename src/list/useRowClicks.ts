import { type RefObject, useEffect } from 'react';

/**
 * A click anywhere on a row follows the row's link. For the pointer alone: with the keyboard the link itself is there.
 * Not when text is being selected, so that amounts can be copied.
 */
export function useRowClicks(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const follow = (event: MouseEvent): void => {
      if (!(event.target instanceof Element) || event.target.closest('a, button, input')) return;
      if (document.getSelection()?.isCollapsed === false) return;
      const link = event.target.closest('[role="row"]')?.querySelector<HTMLElement>('[data-row-link]');
      link?.dispatchEvent(new MouseEvent('click', event));
    };
    element.addEventListener('click', follow);
    return () => element.removeEventListener('click', follow);
  }, [scroller]);
}
