import { type RefObject, useEffect, useState } from 'react';

/** An element's current width in px; 0 while it isn't displayed. */
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

interface GridLinesProps {
  /** Upwards from the base; `y` in px. */
  lines: readonly { y: number; words: string }[];
  left: number;
  width: number;
}

export function GridLines({ lines, left, width }: GridLinesProps) {
  return lines.map(({ y, words }, at) => (
    <g key={words}>
      <line
        className={at === 0 ? 'axis' : 'grid'}
        x1={left}
        x2={width}
        y1={Math.round(y) + 0.5}
        y2={Math.round(y) + 0.5}
      />
      <text x={left - 8} y={y + 4} textAnchor="end">
        {words}
      </text>
    </g>
  ));
}
