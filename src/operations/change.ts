import type { OperationRecord } from './record.ts';

const OPTIONAL = [
  'reason',
  'retryAt',
  'asleepUntil',
  'result',
  'contradiction',
  'endedAt',
  'ending',
  'seenAt',
] as const satisfies readonly (keyof OperationRecord)[];
type Optional = Pick<OperationRecord, (typeof OPTIONAL)[number]>;

/** undefined takes a field away. Key, path, body and owner are not among them: nothing changes those. */
export type Changes = Partial<Pick<OperationRecord, 'state' | 'attempts'>> & {
  [Field in keyof Optional]?: Optional[Field] | undefined;
};

/** The record's next revision. */
export function change(record: OperationRecord, changes: Changes): OperationRecord {
  const { state, attempts, ...optional } = changes;
  const next = { ...record, revision: record.revision + 1 };
  if (state !== undefined) next.state = state;
  if (attempts !== undefined) next.attempts = attempts;
  for (const field of OPTIONAL) {
    if (Object.hasOwn(optional, field)) set(next, field, optional[field]);
  }
  return next;
}

function set<Field extends keyof Optional>(
  record: OperationRecord,
  field: Field,
  value: OperationRecord[Field] | undefined,
): void {
  if (value === undefined) delete record[field];
  else record[field] = value;
}
