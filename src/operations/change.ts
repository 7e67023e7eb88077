import type { OperationRecord } from '#src/lib/operations/record.ts';
import type { Step } from './events.ts';

const OPTIONAL = [
  'reason',
  'retryAt',
  'asleepUntil',
  'result',
  'contradiction',
  'ended',
  'ending',
  'leaseUntil',
] as const satisfies readonly (keyof OperationRecord)[];
type Optional = Pick<OperationRecord, (typeof OPTIONAL)[number]>;

/** undefined takes a field away. Key, path, body and owner are not among them: nothing changes those. */
export type Changes = Partial<Pick<OperationRecord, 'state' | 'attempts' | 'lastSent'>> & {
  [Field in keyof Optional]?: Optional[Field] | undefined;
};

/** Nothing waits, runs or sleeps any more. */
export const AT_REST = {
  reason: undefined,
  retryAt: undefined,
  asleepUntil: undefined,
  leaseUntil: undefined,
} as const satisfies Changes;

/** The record's next revision. */
export function change(record: OperationRecord, changes: Changes): OperationRecord {
  const { state, attempts, lastSent, ...optional } = changes;
  const next = { ...record, revision: record.revision + 1 };
  if (state !== undefined) next.state = state;
  if (attempts !== undefined) next.attempts = attempts;
  if (lastSent !== undefined) next.lastSent = lastSent;
  for (const field of OPTIONAL) {
    if (Object.hasOwn(optional, field)) set(next, field, optional[field]);
  }
  return next;
}

export function changed(record: OperationRecord, changes: Changes): Step {
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
