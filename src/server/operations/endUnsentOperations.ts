import type { ActBy } from '#src/server/activity/activityLog.ts';
import type { BatchReason } from '#src/shared/contract/batchContract.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { endBatch } from './batches/endBatch.ts';
import { step } from './engine.ts';
import type { OperationEvent } from './events.ts';
import { operationAct } from './operationActs.ts';
import type { RecordChange, WriteTransaction } from './ports.ts';

interface Ending {
  event: Extract<OperationEvent, { type: 'discard' | 'key-changed' }>;
  /** Who did it. */
  by: Pick<ActBy, 'person' | 'who'>;
  /** For batches none of whose payments is left. */
  batchReason?: Extract<BatchReason, 'maker-not-permitted'>;
}

/**
 * Ends these operations as not sent, and batches none of whose payments is left. Logs a line of the activity for each
 * operation, and one for all payments of a batch.
 */
export async function endUnsentOperations(
  transaction: WriteTransaction,
  unsent: readonly OperationRecord[],
  { event, by, batchReason }: Ending,
): Promise<void> {
  const at = { server: Date.now(), database: (await transaction.facts()).now };
  const changes = unsent.flatMap((before): RecordChange | [] => {
    // Ignore the lease: once this is committed, a server that is about to send it can no longer record "sending".
    const { leaseUntil: _, ...unleased } = before;
    const { record: next } = step(unleased, event, at);
    return next === null ? [] : { next, before };
  });
  await transaction.replaceAll(changes);
  const ended = changes.map(({ next }) => next);
  for (const record of ended.filter(({ batch }) => batch === undefined))
    await transaction.note({ ...ownerOf(record), ...by }, operationAct('operation.discarded', record, wordsOf(record)));
  const lines = ended.filter(({ batch }) => batch !== undefined);
  for (const [id, own] of groupBy(lines, ({ batch }) => batch?.id ?? '')) {
    const [first] = own;
    if (first === undefined) continue;
    const facts = { payments: String(own.length), words: wordsOf(first) };
    await transaction.note({ ...ownerOf(first), ...by }, { kind: 'batch.withdrawn', subject: id, facts });
    await endBatch(transaction, id, { why: batchReason ?? null, at, endsRun: true });
  }
}

function ownerOf({ service, account }: OperationRecord): Pick<OperationRecord, 'service' | 'account'> {
  return { service, account };
}

function wordsOf({ ending }: OperationRecord): string {
  return ending?.words ?? '';
}
