import * as v from 'valibot';
import { change } from './change.ts';
import { checksumOf } from './checksum.ts';
import { type OperationRecord, isUnresolved } from './record.ts';

const closureSchema = v.object({
  id: v.pipe(v.string(), v.minLength(1)),
  /** What the person typed. */
  words: v.pipe(v.string(), v.minLength(1)),
  /** Device clock, milliseconds. */
  at: v.number(),
  /** Unix seconds by the service's clock. */
  date: v.pipe(v.number(), v.integer()),
});

/** That a person closed a record by hand which this app cannot read; kept beside the row, which stays as it is. */
export type Closure = v.InferOutput<typeof closureSchema>;

export function toClosureRow(closure: Closure): object {
  return { ...closure, checksum: checksumOf(closure) };
}

/** null where there is none, or a damaged one: then the record still blocks. */
export function fromClosureRow(row: unknown): Closure | null {
  const parsed = v.safeParse(v.object({ ...closureSchema.entries, checksum: v.string() }), row);
  if (!parsed.success) return null;
  const { checksum, ...closure } = parsed.output;
  return checksum === checksumOf(closure) ? closure : null;
}

/** A record that became readable after it was closed (by a newer version of the app) is closed, and never sent again. */
export function closedBy(record: OperationRecord, { words, at, date }: Closure): OperationRecord {
  if (!isUnresolved(record.state)) return record;
  const open = { reason: undefined, retryAt: undefined, asleepUntil: undefined };
  const ending = { by: 'hand' as const, words, at, requestId: null };
  return change(record, { ...open, state: 'closed', endedAt: date, ending });
}
