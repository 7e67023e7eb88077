import type { Batch, WriteTransaction } from '#src/server/operations/ports.ts';

/**
 * A batch of which nothing is left to send is over; a running one finds that itself. `why`: how the last of it ended, null
 * if it was excluded. Returns the batch as it is then, null if there is none.
 */
export async function endBatch(
  { batches }: WriteTransaction,
  id: string,
  why: 'rejected' | 'lapsed' | null,
): Promise<Batch | null> {
  const batch = await batches.batch(id);
  const isOpen = batch?.state === 'waiting' || batch?.state === 'paused';
  if (!isOpen || (await batches.nextLine(id, 0)) !== null) return batch;
  return batches.replaceBatch(batch, { state: 'done', why, whyLine: null, run: null });
}
