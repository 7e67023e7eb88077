import { numberWords } from '#src/lib/text.ts';
import { type ReactNode, useState } from 'react';
import { Button } from '#src/ui/Button.tsx';

const STEP = 100;

/** The first of many, and a button for more of them. */
export function useMore<T>(items: readonly T[]): { shown: readonly T[]; more: ReactNode } {
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
