import { waitsForPerson } from '#src/shared/batches/batchWords.ts';
import type { BatchSummary } from '#src/shared/contract/batchContract.ts';
import type { AccountOwner, BatchReads } from '#src/server/operations/ports.ts';
import { batchSummary } from './views.ts';

export const PAUSED_MAX = 100;

/** The account's batches that wait for a person, without totals. `now`: the database's clock, ms. */
export async function pausedBatches(
  batches: Pick<BatchReads, 'unended' | 'lineCounts'>,
  owner: AccountOwner,
  now: number,
): Promise<BatchSummary[]> {
  const unended = await batches.unended(owner, PAUSED_MAX);
  if (unended.length === 0) return [];
  const counts = await batches.lineCounts(
    unended.map(({ id }) => id),
    now,
  );
  return unended.map((batch) => batchSummary(batch, counts, now)).filter(waitsForPerson);
}
