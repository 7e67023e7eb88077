import type { ActBy } from '#src/server/activity/activityLog.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { step } from './engine.ts';
import type { OperationEvent } from './events.ts';
import { operationAct } from './operationActs.ts';
import type { WriteTransaction } from './ports.ts';

/** Ends unsent operations as not sent and logs each in the activity. `by`: who did it. */
export async function endUnsentOperations(
  transaction: WriteTransaction,
  event: Extract<OperationEvent, { type: 'discard' | 'key-changed' }>,
  by: Pick<ActBy, 'person' | 'who'>,
  isEnded: (record: OperationRecord) => boolean = () => true,
): Promise<void> {
  const { now } = await transaction.facts();
  const records = await transaction.unsent();
  for (const record of records.filter(isEnded)) {
    // Ignore the lease: once this is committed, a server that is about to send it can no longer record "sending".
    const { leaseUntil: _, ...unleased } = record;
    const { record: ended } = step(unleased, event, { server: Date.now(), database: now });
    if (ended === null) continue;
    await transaction.replace(ended, record);
    const { service, account } = record;
    await transaction.note(
      { service, account, ...by },
      operationAct('operation.discarded', ended, ended.ending?.words),
    );
  }
}
