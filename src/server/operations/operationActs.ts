import type { Act, ActBy } from '#src/server/activity/activityLog.ts';
import type { ActivityFacts, ActKind } from '#src/shared/contract/activityContract.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import type { OperationEvent } from './events.ts';
import type { Actor } from './ports.ts';

export function actBy({ account, person, who }: Pick<Actor, 'account' | 'person' | 'who'>, service: string): ActBy {
  return { service, account, person, who };
}

/** A person's act on an operation. `words`: the reason they gave. */
export function operationAct(kind: ActKind, record: OperationRecord, words?: string): Act {
  return { kind, subject: record.key, facts: { ...contentOf(record), ...(words === undefined ? {} : { words }) } };
}

/** Null: the event isn't a person's act. */
export function actOfEvent(event: OperationEvent, record: OperationRecord): Act | null {
  switch (event.type) {
    case 'send':
      return operationAct('operation.sent', record);
    case 'discard':
      return operationAct('operation.discarded', record, event.words);
    case 'close':
      return operationAct('operation.closed', record, event.words);
    case 'absent':
      return operationAct('operation.confirmed-not-sent', record, event.words);
    default:
      return null;
  }
}

function contentOf(record: OperationRecord): ActivityFacts {
  return { operation: record.kind, ...withdrawalFieldsOf(record) };
}
