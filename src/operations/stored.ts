import * as v from 'valibot';
import { isObject } from '#src/api/answers.ts';
import { readWithdrawalBody } from './body.ts';
import { checksumOf } from './checksum.ts';
import { type DamagedRecord, type OperationRecord, SCHEMA_VERSION, recordSchema } from './record.ts';
import { destinationForm } from './sameSend.ts';

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
  const gist = { service, account, firstSentAt, destination: formOf(record.body) ?? '' };
  return { ...record, checksum: checksumOf(record), gist: { ...gist, checksum: checksumOf(gist) } };
}

/** A record only when schema, checksum and body hold; anything else is set aside. */
export function fromRow(row: unknown): { record: OperationRecord } | { damaged: DamagedRecord } {
  const raw = isObject(row) ? row : {};
  const schema = raw['schema'];
  if (typeof schema === 'number' && schema > SCHEMA_VERSION) return { damaged: damagedOf(raw, 'newer-version') };
  const parsed = v.safeParse(recordSchema, raw);
  if (!parsed.success || formOf(parsed.output.body) === null) return { damaged: damagedOf(raw, 'schema') };
  const record = parsed.output;
  if (raw['checksum'] !== checksumOf(record)) return { damaged: damagedOf(raw, 'checksum') };
  return { record };
}

function damagedOf(raw: Record<string, unknown>, why: DamagedRecord['why']): DamagedRecord {
  const id = typeof raw['id'] === 'string' ? raw['id'] : '';
  const gist = readGist(raw['gist']);
  if (gist === null) return { id, why, service: null, account: null, firstSentAt: null, blocks: null };
  const { service, account, firstSentAt, destination } = gist;
  // The body may be whole and something else damaged, or the other way round: both destinations are blocked.
  const body = typeof raw['body'] === 'string' ? formOf(raw['body']) : null;
  const blocks = [...new Set([destination, ...(body === null ? [] : [body])])];
  return { id, why, service, account, firstSentAt, blocks };
}

function readGist(value: unknown): v.InferOutput<typeof gistSchema> | null {
  const parsed = v.safeParse(gistSchema, value);
  if (!parsed.success) return null;
  const { checksum, ...gist } = parsed.output;
  return checksum === checksumOf(gist) ? parsed.output : null;
}

function formOf(body: string): string | null {
  const fields = readWithdrawalBody(body);
  return fields === null ? null : destinationForm(fields);
}
