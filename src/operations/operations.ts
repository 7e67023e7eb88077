import type { ActionResult, CheckNote, CheckResult, SameSend, StartResult, StartWithdrawal } from './outcomes.ts';
import type { DamagedRecord, OperationRecord } from './record.ts';

/** Everything that this browser recorded, whoever it belongs to; replaced whole at every change. */
export interface StoreSnapshot {
  status: 'loading' | 'ready' | 'unavailable';
  reason: string | null;
  records: OperationRecord[];
  damaged: DamagedRecord[];
  /** By operation id, oldest first. */
  checks: ReadonlyMap<string, CheckNote[]>;
  mayForget: boolean;
  /** The service's clock as last heard, beside the device's at that moment; null before the first answer. */
  heard: { date: number; mono: number; account: string } | null;
}

export interface Sameness {
  /** An unresolved or damaged one holds the place; id null: another account's. */
  existing: { id: string | null; foreign: boolean; damaged: boolean } | null;
  of: SameSend[];
}

/** Money moves once: what the hooks call. Made by createOperations(), with everything that touches the world injected. */
export interface Operations {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => StoreSnapshot;
  /** Reads the journal again, and settles what nobody is running any more. */
  refresh: () => Promise<void>;
  start: (request: StartWithdrawal) => Promise<StartResult>;
  send: (id: string) => Promise<ActionResult>;
  resend: (id: string) => Promise<ActionResult>;
  discard: (id: string) => Promise<ActionResult>;
  check: (id: string) => Promise<CheckResult>;
  /** Unix seconds by the service's clock, carried on from its last answer; null before one. */
  serviceNow: () => number | null;
}
