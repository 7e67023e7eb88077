import { type ReactNode, useState } from 'react';
import { numberWords } from '#src/shared/text.ts';
import { Button } from './Button.tsx';

const STEP = 100;

/** The first 100 items, and what shows 100 more; nothing once all are shown. */
export function useShowMore<T>(items: readonly T[]): { shown: readonly T[]; more: ReactNode } {
  const [most, setMost] = useState(STEP);
  const left = items.length - most;
  return {
    shown: items.slice(0, most),
    more: left > 0 && (
      <p>
        <Button onClick={() => setMost(most + STEP)}>Show {Math.min(left, STEP)} more</Button>{' '}
        <span className="small sub">{numberWords(left)} are not shown yet.</span>
      </p>
    ),
  };
}
