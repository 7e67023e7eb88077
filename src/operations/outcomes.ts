import type { DamagedRecord, OperationKind, OperationRecord } from './record.ts';

/** An earlier operation for the same place (a withdrawal's destination, a webhook delivery), shown in the second-send step. */
export interface SameSend {
  source: 'journal' | 'service';
  /** What confirming adds to secondSendOf: an operation's id, or a withdrawal's (wd_…). */
  id: string;
  /** Recorded for another account, or it cannot be read: only that it exists is known, every other field is null. */
  foreign: boolean;
  amount: string | null;
  /** Unix seconds by the service's clock. */
  createdAt: number | null;
  /** The operation's state, or the withdrawal's status as it came. */
  status: string | null;
}

/** What a person asked for, made by kinds.ts. */
export interface StartRequest {
  kind: OperationKind;
  /** Made by newKey() when the form mounted. */
  key: string;
  path: string;
  /** The exact text that every attempt will send. */
  body: string;
  /** Ids of the SameSends that the person saw and confirmed. */
  secondSendOf: string[];
}

/**
 * started: recorded and sending, the answer will be in the record. existing: an unresolved or damaged
 * look-alike holds the place, go to it (foreign: another account's, whose page shows only when and how to close it).
 * second-send: nothing recorded, show these and ask. not-recorded: nothing recorded, the form stays.
 */
export type StartResult =
  | { outcome: 'started'; id: string }
  | { outcome: 'existing'; id: string; foreign?: boolean; damaged?: boolean }
  | { outcome: 'second-send'; of: SameSend[] }
  | { outcome: 'not-recorded'; reason: string };

export type Action =
  | 'send'
  | 'discard'
  | 'check'
  | 'resend'
  | 'close'
  | 'confirm-not-sent'
  | 'edit-as-new'
  | 'start-another';

/** not-done: nothing was sent or changed, and why in plain words. record null: it cannot be read. */
export type ActionResult =
  | { outcome: 'done'; record: OperationRecord | null }
  | { outcome: 'not-done'; reason: string };

/** A listed withdrawal that looks like the operation's; it may be a colleague's and proves nothing. */
export interface LookAlike {
  id: string;
  amount: string;
  status: string;
  /** Unix seconds. */
  createdAt: number | null;
}

/** One read-only look at the service; kept in memory only. */
export interface CheckNote {
  /** Device clock, milliseconds. */
  at: number;
  /** unreadable: the service did not answer; nothing: it answered and that concludes nothing. */
  found: 'succeeded' | 'mismatch' | 'nothing' | 'unreadable';
  /** null: the service does not list withdrawals, or the list could not be read. */
  lookAlikes: LookAlike[] | null;
  requestId: string | null;
  /** The list was read to its end, back to before the first send; false: absence from it says nothing. */
  complete: boolean;
  /** Unix seconds by the service's clock; null when it stated none. */
  date: number | null;
}

export type CheckResult = { outcome: 'done'; note: CheckNote } | { outcome: 'not-done'; reason: string };

export interface OperationsView {
  status: 'loading' | 'ready' | 'unavailable';
  /** Why storage is unavailable. */
  reason?: string;
  /** Of this session's service and account, and those of another key that this one proved it can read; newest first. */
  operations: OperationRecord[];
  /** Ids of operations recorded under another key of this account: check only. */
  checkOnly: ReadonlySet<string>;
  /** Set aside, of this session's account or of an unreadable one. */
  damaged: DamagedRecord[];
  /** Not settled and not shown: another account's of this service. Only that, and when, is known here. */
  blocks: { id: string; firstSentAt: number }[];
  /** The browser did not promise to keep the records. */
  mayForget: boolean;
}

export interface OperationView {
  /** blocked: another account's; only when it was first sent is known here, and it can be closed by hand. */
  status: 'loading' | 'absent' | 'found' | 'damaged' | 'blocked' | 'unavailable';
  reason?: string;
  operation?: OperationRecord;
  damaged?: DamagedRecord;
  /** Of a blocked one: unix seconds by the service's clock, and its state by then. */
  blocked?: { firstSentAt: number; unresolved: boolean };
  /** Recorded under another key of this account. */
  checkOnly: boolean;
  /** What to offer; an action that is also in `disabled` is shown with its reason. */
  allowed: Action[];
  disabled: Partial<Record<Action, string>>;
  /** Device clock, milliseconds: Resend sleeps until then. */
  asleepUntil: number | null;
  /** An automatic retry is due at asleepUntil. */
  waiting: boolean;
  /** By the service's clock; null while that is not known. */
  expired: boolean | null;
  /** Unix seconds by the service's clock, ticking on from its last answer; null before one. */
  serviceNow: number | null;
  /** Read-only checks of this page, oldest first. */
  checks: CheckNote[];
}
