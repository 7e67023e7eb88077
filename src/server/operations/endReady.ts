import type { ActBy } from '#src/server/activity/activityLog.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { step } from './engine.ts';
import type { OperationEvent } from './events.ts';
import { operationAct } from './operationActs.ts';
import type { WriteTransaction } from './ports.ts';

/** Ends operations that wait to be sent, with a line of the activity each. `by`: whose act it was. */
export async function endReady(
  transaction: WriteTransaction,
  event: Extract<OperationEvent, { type: 'discard' | 'key-changed' }>,
  by: Pick<ActBy, 'person' | 'who'>,
  isEnded: (record: OperationRecord) => boolean = () => true,
): Promise<void> {
  const { now } = await transaction.facts();
  const records = await transaction.unsent();
  for (const record of records.filter(isEnded)) {
    // A server that is about to send it can't record that any more.
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
