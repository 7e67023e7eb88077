import type { AttemptResult } from '#src/shared/answers.ts';
import type { Author } from '#src/shared/author.ts';
import type { Clocks, OperationRecord } from '#src/shared/operations/record.ts';

/** No event contains a key or bytes to send. */
export type OperationEvent =
  /** `date`: from a 2xx just received, Unix seconds. */
  | ({ type: 'send'; attemptId: string; date: number } & Author)
  | { type: 'retry'; attemptId: string; retryAt: number }
  /** The attempt's socket closed before it was connected, so nothing was sent. */
  | ({ type: 'not-connected'; attemptId: string; automatic: boolean } & Author)
  | { type: 'not-made'; attemptId: string }
  /** `taken`: another operation has the id in the response. */
  | { type: 'answer'; attemptId: string; attempt: AttemptResult; jitter: number; taken: boolean }
  | { type: 'give-up'; retryAt: number }
  /** The lease expired: the server that made the attempt is gone. */
  | { type: 'demote' }
  | { type: 'checked'; object: CheckedObject; taken: boolean }
  /** The journal was set back: an unsent operation may have been sent in the lost part. */
  | { type: 'set-back' }
  /** The account has a new API key: unsent operations of the old one must never be sent, even if a send is about to begin. */
  | { type: 'key-changed' }
  | ({ type: 'discard'; words?: string } & Author)
  /** An approver rejected it. */
  | ({ type: 'reject'; words: string } & Author)
  /** It waited for its approvals for too long, by all three clocks. */
  | { type: 'lapse' }
  /** It needs more approvals than it was recorded with. */
  | { type: 'raise'; needs: number; policy: number | null }
  | ({ type: 'close'; words: string } & Author)
  /** `date`: of the complete list that doesn't have it, Unix seconds. */
  | ({ type: 'absent'; words: string; date: number; requestId: string | null } & Author);

/** When a record is changed. */
export type Instant = Pick<Clocks, 'server' | 'database'>;

export type Effect =
  | { type: 'wait'; retryAt: number }
  /** Read the withdrawal by its id, because the response lacked a field. */
  | { type: 'confirm' };

/** `record` is null when the event changes nothing; `rejection` says why in plain words. */
export type Transition =
  | { record: OperationRecord; effects: Effect[] }
  | { record: null; effects: []; rejection: string };

/** A complete 200 of GET /v1/withdrawals/:id. */
export interface CheckedObject {
  id: string;
  text: string;
  requestId: string | null;
  /** Unix seconds by the service's clock; null if invalid. */
  date: number | null;
}

export function rejectEvent(rejection: string): Transition {
  return { record: null, effects: [], rejection };
}

const OPTIONAL = [
  'reason',
  'retryAt',
  'asleepUntil',
  'result',
  'contradiction',
  'ended',
  'ending',
  'leaseUntil',
  'approval',
] as const satisfies readonly (keyof OperationRecord)[];
type Optional = Pick<OperationRecord, (typeof OPTIONAL)[number]>;

/** undefined takes a field away. Key, path, body and owner are not among them: nothing changes those. */
export type RecordChanges = Partial<Pick<OperationRecord, 'state' | 'attempts' | 'firstSent' | 'lastSent'>> & {
  [Field in keyof Optional]?: Optional[Field] | undefined;
};

export const NOTHING_PENDING = {
  reason: undefined,
  retryAt: undefined,
  asleepUntil: undefined,
  leaseUntil: undefined,
} as const satisfies RecordChanges;

export function change(record: OperationRecord, changes: RecordChanges): OperationRecord {
  const { state, attempts, firstSent, lastSent, ...optional } = changes;
  const next = { ...record, revision: record.revision + 1 };
  if (state !== undefined) next.state = state;
  if (attempts !== undefined) next.attempts = attempts;
  if (firstSent !== undefined) next.firstSent = firstSent;
  if (lastSent !== undefined) next.lastSent = lastSent;
  for (const field of OPTIONAL) {
    if (Object.hasOwn(optional, field)) set(next, field, optional[field]);
  }
  return next;
}

export function nextState(record: OperationRecord, changes: RecordChanges): Transition {
  return { record: change(record, changes), effects: [] };
}

function set<Field extends keyof Optional>(
  record: OperationRecord,
  field: Field,
  value: OperationRecord[Field] | undefined,
): void {
  if (value === undefined) delete record[field];
  else record[field] = value;
}
