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
  views: readonly { operation: Operation; underWay: boolean; waiting: boolean; now: number }[];
  unreadable: readonly { key: string; firstSentAt: number | null; closed: unknown }[];
}

/** What waits for a person: recorded and not sent, unconfirmed, or a row that cannot be read. */
export function unsettledOf({ views, unreadable }: Recorded): Unsettled[] {
  return [
    ...views
      .filter((view) => WAITS.has(view.operation.state) && !isBeingSent(view) && !isJustSaved(view))
      .map(({ operation }) => ({ key: operation.key, record: operation, firstSentAt: operation.firstSent.service })),
    ...unreadable
      .filter(({ closed }) => closed === null)
      .map(({ key, firstSentAt }) => ({ key, record: null, firstSentAt })),
  ];
}

const WAITS: ReadonlySet<Operation['state']> = new Set(['unconfirmed', 'ready']);

/** Every send is saved a moment before it goes out; only one that stays so waits for anybody. Milliseconds. */
const JUST_SAVED_MS = 3_000;

/** Whether it was saved so lately that the server is about to send it. */
export function isJustSaved({ operation, now }: { operation: Operation; now: number }): boolean {
  const { state, attempts, firstSent } = operation;
  return state === 'ready' && attempts.length === 0 && now - firstSent.server < JUST_SAVED_MS;
}
