import type { OperationRecord } from './record.ts';

type Optional = Pick<OperationRecord, 'reason' | 'retryAt' | 'asleepUntil' | 'result' | 'endedAt'>;

/** undefined takes a field away. Key, path, body and owner are not among them: nothing changes those. */
export type Changes = Partial<Pick<OperationRecord, 'state' | 'attempts'>> & {
  [Field in keyof Optional]?: Optional[Field] | undefined;
};

/** The record's next revision. */
export function change(record: OperationRecord, changes: Changes): OperationRecord {
  const { reason, retryAt, asleepUntil, result, endedAt, ...rest } = { ...record, ...changes };
  return {
    ...rest,
    ...(reason === undefined ? {} : { reason }),
    ...(retryAt === undefined ? {} : { retryAt }),
    ...(asleepUntil === undefined ? {} : { asleepUntil }),
    ...(result === undefined ? {} : { result }),
    ...(endedAt === undefined ? {} : { endedAt }),
    revision: record.revision + 1,
  };
}
