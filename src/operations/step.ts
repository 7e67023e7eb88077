import type { Attempt } from '#src/api/http.ts';
import type { OperationRecord } from './record.ts';

/** `at` is the device's clock in milliseconds; `date` the service's, just read, in unix seconds. */
export type OperationEvent =
  | { type: 'send'; attemptId: string; at: number; date: number }
  | { type: 'retry'; attemptId: string; at: number; retryAt: number }
  | { type: 'not-made'; attemptId: string; at: number }
  | { type: 'answer'; attemptId: string; at: number; attempt: Attempt; jitter: number }
  | { type: 'give-up'; retryAt: number }
  | { type: 'demote'; attemptId: string }
  | { type: 'checked'; object: CheckedObject }
  /** `words`: why, typed where another account's is discarded. */
  | { type: 'discard'; at: number; words?: string }
  /** `date`: the service's; null: not known. */
  | { type: 'close'; at: number; words: string; date: number | null }
  /** `date`: the service's, in the complete list where it is absent. */
  | { type: 'absent'; at: number; words: string; date: number; requestId: string | null }
  | { type: 'seen'; date: number };

export type Effect =
  | { type: 'post'; attemptId: string }
  | { type: 'wait'; retryAt: number }
  /** Read the withdrawal by its id: the answer did not state every field. */
  | { type: 'confirm' };

/** `record` is null when the event changes nothing; `refused` says why in plain words. */
export type Step = { record: OperationRecord; effects: Effect[] } | { record: null; effects: []; refused: string };

/** A complete 200 of GET /v1/withdrawals/:id. */
export interface CheckedObject {
  /** The id that was asked for. */
  id: string;
  text: string;
  requestId: string | null;
  /** Unix seconds by the service; null when unreadable. */
  date: number | null;
}
