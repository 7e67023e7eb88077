import { mayHaveLeft } from './attemptWords.ts';
import type { Operation } from './record.ts';
import { isBeingSent } from './stateMark.ts';
import { STATES, type WaitsFor } from './states.ts';

export type Unsettled = {
  key: string;
  /** Unix seconds; null if it can't be read. */
  firstSentAt: number | null;
} & ({ record: Operation; waitsFor: WaitsFor } | UnreadableRecord);

interface UnreadableRecord {
  record: null;
  waitsFor: null;
}

interface Recorded {
  views: readonly { operation: Operation; underWay: boolean; waiting: boolean; now: number }[];
  unreadable: readonly { key: string; firstSentAt: number | null; closed: unknown }[];
}

/** Operations that wait for a person: recorded but not sent, unconfirmed, or unreadable. */
export function unsettledOf({ views, unreadable }: Recorded): Unsettled[] {
  return [
    ...views.flatMap((view) => {
      const { operation } = view;
      const { waitsFor } = STATES[operation.state];
      if (waitsFor === null || isBeingSent(view) || isJustSaved(view)) return [];
      return [{ key: operation.key, record: operation, waitsFor, firstSentAt: operation.firstSent.service }];
    }),
    ...unreadable
      .filter(({ closed }) => closed === null)
      .map(({ key, firstSentAt }) => ({ key, record: null, waitsFor: null, firstSentAt })),
  ];
}

/** In ms. An operation that stays saved for longer isn't being sent: it waits for a person. */
const JUST_SAVED_MS = 3_000;

/** Whether the server is about to send it: each operation is saved a moment before its first send. */
export function isJustSaved({ operation, now }: { operation: Operation; now: number }): boolean {
  const { state, attempts, firstSent } = operation;
  return state === 'ready' && attempts.length === 0 && now - firstSent.server < JUST_SAVED_MS;
}

/**
 * True if it was waiting to be sent in the copy that was restored. Any other unconfirmed operation has an attempt that may have
 * reached the provider.
 */
export function isUnsentBeforeRestore(operation: Operation): boolean {
  return operation.state === 'unconfirmed' && !mayHaveLeft(operation);
}
