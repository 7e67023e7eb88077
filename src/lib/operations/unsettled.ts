import type { OperationsView } from './outcomes.ts';
import type { OperationRecord } from './record.ts';

export interface Unsettled {
  id: string;
  /** null: the record is damaged, so only that it exists is known. */
  record: OperationRecord | null;
  /** Unix seconds; null where it cannot be read. */
  firstSentAt: number | null;
}

/** What waits for a person: recorded and not sent, unconfirmed, or damaged. Another account's stay hidden. */
export function unsettledOf({ operations, damaged }: Pick<OperationsView, 'operations' | 'damaged'>): Unsettled[] {
  return [
    ...operations
      .filter(({ state }) => state === 'unconfirmed' || state === 'ready')
      .map((record) => ({ id: record.id, record, firstSentAt: record.firstSentAt })),
    ...damaged
      .filter(({ closed }) => closed === undefined)
      .map(({ id, firstSentAt }) => ({ id, record: null, firstSentAt })),
  ];
}
