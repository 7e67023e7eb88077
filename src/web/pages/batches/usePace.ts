import { useState } from 'react';
import { batchProgress } from '#src/shared/batches/batchWords.ts';
import type { ReceivedBatch } from '#src/web/api/batches.ts';

/** Assumed at first: half a second between two payments, and a response. */
const USUAL_MS = 1_000;
const LINES_ENOUGH = 5;

/** How long a payment takes, in ms, measured since this page first showed the batch running. */
export function usePace({ batch, receivedMs }: ReceivedBatch): number {
  const { left } = batchProgress(batch);
  const isRunning = batch.state === 'running';
  const [first, setFirst] = useState<{ left: number; at: number } | null>(null);
  if (isRunning && first === null) setFirst({ left, at: receivedMs });
  if (!isRunning && first !== null) setFirst(null);
  const done = first === null ? 0 : first.left - left;
  return first === null || done < LINES_ENOUGH ? USUAL_MS : (receivedMs - first.at) / done;
}
