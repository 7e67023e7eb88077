import { type Author, authorOf } from '#src/shared/author.ts';
import { isSamePayment } from '#src/shared/batches/fingerprint.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';

/** How long a rejected or withdrawn payment is shown next to an equal new one. */
export const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;
const MOST_REMEMBERED = 3;

/** An equal payment that an approver rejected or its maker withdrew. */
export interface RefusedPayment {
  record: OperationRecord;
  ending: { by: 'reject' | 'discard'; words: string; at: number } & Author;
}

/** Equal payments of the account that were rejected or withdrawn lately, the oldest first. `now`: the server's clock, ms. */
export function refusedBefore(
  records: readonly OperationRecord[],
  payment: Pick<OperationRecord, 'body'>,
  now: number,
): RefusedPayment[] {
  const refused = records.flatMap((record) => {
    const { ending } = record;
    if (!isSamePayment(record, payment) || (ending?.by !== 'reject' && ending?.by !== 'discard')) return [];
    const { by, words, at } = ending;
    return now - at < REMEMBERED_MS ? { record, ending: { by, words, ...authorOf(ending), at } } : [];
  });
  return refused.slice(-MOST_REMEMBERED);
}
