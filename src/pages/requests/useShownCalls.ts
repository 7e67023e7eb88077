import { useState } from 'react';
import { stringifyExact } from '#src/lib/exactJson.ts';
import { type CallFilters, fits } from './callFilters.tsx';
import type { LoggedCall } from './calls.ts';

interface ShownCalls {
  /** Newest first; what was shown once stays, also when it fits no longer. */
  rows: LoggedCall[];
  /** Calls that fit and are not shown yet. */
  newer: number;
  /** Shows them. */
  show: () => void;
}

/** The rows on screen: they follow what becomes of their calls, but none comes or goes until the person asks. */
export function useShownCalls(calls: readonly LoggedCall[], filters: CallFilters): ShownCalls {
  const key = stringifyExact(filters);
  const fitting = calls.filter((call) => fits(call, filters));
  const [shown, setShown] = useState<{ key: string; numbers: ReadonlySet<number> }>({
    key,
    numbers: numbersOf(fitting),
  });
  const isOther = shown.key !== key || (shown.numbers.size === 0 && fitting.length > 0);
  const now = isOther ? { key, numbers: numbersOf(fitting) } : shown;
  // Other filters are another list, and where there is none nothing can move.
  if (isOther) setShown(now);
  return {
    rows: calls.filter(({ number }) => now.numbers.has(number)),
    newer: fitting.filter(({ number }) => !now.numbers.has(number)).length,
    show: () => setShown({ key, numbers: numbersOf(fitting) }),
  };
}

function numbersOf(calls: readonly LoggedCall[]): ReadonlySet<number> {
  return new Set(calls.map(({ number }) => number));
}
