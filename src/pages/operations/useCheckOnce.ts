import { useEffect, useEffectEvent } from 'react';
import type { SeenOperation } from '#src/api/operations.ts';
import type { Act } from '#src/api/useOperations.ts';
import { COMPARED } from '#src/lib/operations/compare.ts';

/** What this page load has looked up by itself: an operation, after so many attempts. */
const checked = new Set<string>();

/** Looks an unconfirmed withdrawal up, by reads only, once per page and attempt; so one that is accepted and not yet confirmed in every field. */
export function useCheckOnce({ operation, allowed, underWay, waiting }: SeenOperation, check: Act): void {
  const { key, state, attempts, result } = operation;
  const isPartly = state === 'succeeded' && (result?.confirmed.length ?? 0) < COMPARED.length;
  const isWanted =
    allowed.includes('check') && (state === 'unconfirmed' || isPartly) && !underWay && !waiting && !check.isPending;
  const mark = `${attempts.length} ${key}`;
  const checkNow = useEffectEvent(() => check.mutate());
  useEffect(() => {
    if (!isWanted || checked.has(mark)) return;
    checked.add(mark);
    checkNow();
  }, [isWanted, mark]);
}
