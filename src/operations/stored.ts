import * as v from 'valibot';
import { isObject } from '#src/lib/answers.ts';
import { checksumOf } from './checksum.ts';
import { closedBy, fromClosureRow } from './closures.ts';
import { isOfKind, placeOf } from './kinds.ts';
import { type DamagedRecord, type OperationRecord, SCHEMA_VERSION, recordSchema } from './record.ts';

/** What a look-alike check needs, with a checksum of its own: a damaged record still says what it blocks. */
const gistSchema = v.object({
  service: v.string(),
  account: v.string(),
  firstSentAt: v.number(),
  destination: v.string(),
  checksum: v.string(),
});

/** The row as IndexedDB keeps it: the record, its checksum, and its gist. */
export function toRow(record: OperationRecord): object {
  const { service, account, firstSentAt } = record;
  const gist = { service, account, firstSentAt, destination: placeOf(record) ?? '' };
  return { ...record, checksum: checksumOf(record), gist: { ...gist, checksum: checksumOf(gist) } };
}

type Read = { record: OperationRecord } | { damaged: DamagedRecord };

/** A record only when schema, checksum and body hold; anything else is set aside. `closureRow`: of the same id, where there is one. */
export function fromRow(row: unknown, closureRow?: unknown): Read {
  const read = fromRowAlone(row);
  const closure = fromClosureRow(closureRow);
  if (closure === null) return read;
  if ('record' in read) return { record: closedBy(read.record, closure) };
  const { words, at, date } = closure;
  return { damaged: { ...read.damaged, closed: { words, at, date } } };
}

function fromRowAlone(row: unknown): Read {
  const raw = isObject(row) ? row : {};
  const schema = raw['schema'];
  if (typeof schema === 'number' && schema > SCHEMA_VERSION) return { damaged: damagedOf(raw, 'newer-version') };
  // Version 1 knew withdrawals alone and fewer optional fields; nothing else differs.
  const parsed = v.safeParse(recordSchema, schema === 1 ? { ...raw, schema: SCHEMA_VERSION } : raw);
  if (!parsed.success || !isOfKind(parsed.output)) return { damaged: damagedOf(raw, 'schema') };
  const record = parsed.output;
  if (raw['checksum'] !== checksumOf({ ...record, schema })) return { damaged: damagedOf(raw, 'checksum') };
  return { record };
}

function damagedOf(raw: Record<string, unknown>, why: DamagedRecord['why']): DamagedRecord {
  const id = typeof raw['id'] === 'string' ? raw['id'] : '';
  const gist = readGist(raw['gist']);
  if (gist === null) return { id, why, service: null, account: null, firstSentAt: null, blocks: null };
  const { service, account, firstSentAt, destination } = gist;
  // The body may be whole and something else damaged, or the other way round: both destinations are blocked.
  const { path, body } = raw;
  const kinds = recordSchema.entries.kind.options;
  const places =
    typeof path === 'string' && typeof body === 'string' ? kinds.map((kind) => ({ kind, path, body })) : [];
  const held = places.map((sent) => (isOfKind(sent) ? placeOf(sent) : null));
  const blocks = [...new Set([destination, ...held])].filter(
    (place): place is string => place !== null && place !== '',
  );
  return { id, why, service, account, firstSentAt, blocks };
}

function readGist(value: unknown): v.InferOutput<typeof gistSchema> | null {
  const parsed = v.safeParse(gistSchema, value);
  if (!parsed.success) return null;
  const { checksum, ...gist } = parsed.output;
  return checksum === checksumOf(gist) ? parsed.output : null;
}
