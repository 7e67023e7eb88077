import type { Batch, WriteTransaction } from '#src/server/operations/ports.ts';

/**
 * Marks a batch as done once none of its lines waits to be sent, unless it is running: a run ends its batch itself. `why`: how
 * the last lines ended, null if they were excluded. Returns the batch as it is then; null if there is no such batch.
 */
export async function endBatch(
  { batches }: WriteTransaction,
  id: string,
  why: 'rejected' | 'lapsed' | 'maker-not-permitted' | null,
): Promise<Batch | null> {
  const batch = await batches.batch(id);
  const isOpen = batch?.state === 'waiting' || batch?.state === 'paused';
  if (!isOpen || (await batches.nextLine(id, 0)) !== null) return batch;
  return batches.replaceBatch(batch, { state: 'done', why, whyLine: null, run: null });
}
