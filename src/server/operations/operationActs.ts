import type { Act, ActBy } from '#src/server/activity/activityLog.ts';
import type { ActivityFacts, ActKind } from '#src/shared/contract/activityContract.ts';
import type { Ability } from '#src/shared/permissions.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import type { OperationEvent } from './events.ts';
import type { OperationActor } from './ports.ts';

/**
 * The events that a person causes: the ability they need, and the line of the activity. The other events record a result, or
 * retry automatically within two minutes of a press of Send.
 */
export const PERSON_EVENTS: Partial<Record<OperationEvent['type'], { ability: Ability; act: ActKind }>> = {
  send: { ability: 'send', act: 'operation.sent' },
  discard: { ability: 'discard', act: 'operation.discarded' },
  close: { ability: 'close', act: 'operation.closed' },
  absent: { ability: 'confirm-not-sent', act: 'operation.confirmed-not-sent' },
};

export function actBy(
  { account, person, who }: Pick<OperationActor, 'account' | 'person' | 'who'>,
  service: string,
): ActBy {
  return { service, account, person, who };
}

/** A person's act on an operation. `words`: the reason they gave. */
export function operationAct(kind: ActKind, record: OperationRecord, words?: string): Act {
  return { kind, subject: record.key, facts: { ...contentOf(record), ...(words === undefined ? {} : { words }) } };
}

function contentOf(record: OperationRecord): ActivityFacts {
  return { operation: record.kind, ...withdrawalFieldsOf(record) };
}
