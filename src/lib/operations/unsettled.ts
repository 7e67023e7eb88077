import type { Operation } from './record.ts';
import { isBeingSent } from './stateMark.ts';

export interface Unsettled {
  key: string;
  /** null: a row that cannot be read, so only that it exists is known. */
  record: Operation | null;
  /** Unix seconds; null where it cannot be read. */
  firstSentAt: number | null;
}

interface Recorded {
  views: readonly { operation: Operation; underWay: boolean; waiting: boolean }[];
  unreadable: readonly { key: string; firstSentAt: number | null; closed: unknown }[];
}

/** What waits for a person: recorded and not sent, unconfirmed, or a row that cannot be read. */
export function unsettledOf({ views, unreadable }: Recorded): Unsettled[] {
  return [
    ...views
      .filter((view) => WAITS.has(view.operation.state) && !isBeingSent(view))
      .map(({ operation }) => ({ key: operation.key, record: operation, firstSentAt: operation.firstSent.service })),
    ...unreadable
      .filter(({ closed }) => closed === null)
      .map(({ key, firstSentAt }) => ({ key, record: null, firstSentAt })),
  ];
}

const WAITS: ReadonlySet<Operation['state']> = new Set(['unconfirmed', 'ready']);
