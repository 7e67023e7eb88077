import type { ActionResult, CheckNote, CheckResult, SameSend, StartRequest, StartResult } from './outcomes.ts';
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
  /** Ids of another key's operations that this account's key proved it can read; of this page's session only. */
  readable: { account: string; ids: ReadonlySet<string> } | null;
  /** The service's clock as last heard, beside the device's at that moment; null before the first answer. */
  heard: { date: number; mono: number; account: string } | null;
}

export interface Sameness {
  /** An unresolved or damaged one holds the place; foreign: another account's. */
  existing: { id: string; foreign: boolean; damaged: boolean } | null;
  of: SameSend[];
}

/** Money moves once: what the hooks call. Made by createOperations(), with everything that touches the world injected. */
export interface Operations {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => StoreSnapshot;
  /** Reads the journal again, and settles what nobody is running any more. */
  refresh: () => Promise<void>;
  start: (request: StartRequest) => Promise<StartResult>;
  send: (id: string) => Promise<ActionResult>;
  resend: (id: string) => Promise<ActionResult>;
  discard: (id: string) => Promise<ActionResult>;
  check: (id: string) => Promise<CheckResult>;
  /** Ends an unconfirmed operation by hand, whoever it belongs to; `words`: why, typed by a person holding the service's own word. */
  close: (id: string, words: string) => Promise<ActionResult>;
  /** Ends an expired one as not sent: reads the complete list again, and only its absence there, 26 h after the first send, allows it. */
  confirmNotSent: (id: string, words: string) => Promise<ActionResult>;
  /** A person saw it finished: it is dropped 7 days later. */
  seen: (id: string) => Promise<void>;
  /** Everything recorded of one operation as JSON text (of one that cannot be read: the row as it is), damaged or another account's too; null when there is none. Never an API key. */
  evidence: (id: string) => Promise<string | null>;
  /** Unix seconds by the service's clock, carried on from its last answer; null before one. */
  serviceNow: () => number | null;
}
