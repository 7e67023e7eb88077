import { type RefObject, useEffect, useState } from 'react';

/** The width of a part in px, followed; 0 where it is not shown. */
export function useWidth(part: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = part.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [part]);
  return width;
}
