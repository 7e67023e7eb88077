import { createHash } from 'node:crypto';
import { isPositive } from '#src/shared/amount.ts';
import * as v from 'valibot';
import { compare } from '#src/shared/money.ts';
import { canonicalJson } from '#src/shared/operations/compare.ts';
import { KIND, duplicateKeyOf } from '#src/shared/operations/kinds.ts';
import { type AttemptNote, type Clocks, type OperationRecord, recordSchema } from '#src/shared/operations/record.ts';
import { KINDS, type OperationRequest } from '#src/shared/operations/kind.ts';
import { withdrawalFieldsOf } from '#src/shared/operations/withdrawal.ts';
import { foldedAsset } from '#src/shared/policy/policy.ts';
import type { Param, SqlRow as Columns } from '#src/server/database/sql.ts';
import type { AccountOwner, OperationRow } from './ports.ts';

// Conversion between records and columns. An unreadable row is returned as unreadable, never guessed.

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The duplicate key as indexed, including the kind. */
export function duplicateKeyOfRecord(sent: OperationRequest): string {
  const { kind, path, body } = sent;
  // Bytes that cannot be read have a duplicate key of their own.
  return sha256(canonicalJson([kind, duplicateKeyOf(sent) ?? ['bytes', path, body]]));
}

/** The duplicate key of a stored row, also of one whose other columns a newer version wrote; null where its bytes are not whole. */
export function wholeDuplicateKeyOf(columns: Columns): string | null {
  const kind = KINDS.find((each) => each === columns['kind']);
  const body = text(columns, 'body');
  if (kind === undefined || sha256(body) !== columns['body_sha256']) return null;
  const sent = { kind, path: text(columns, 'path'), body };
  return duplicateKeyOf(sent) === null ? null : duplicateKeyOfRecord(sent);
}

const ATTEMPT_COLUMNS = new Set('id start end date who outcome status requestId replayed resultId'.split(' '));

export function attemptValues(note: AttemptNote) {
  const details = Object.entries(note).filter(([name]) => !ATTEMPT_COLUMNS.has(name));
  const { id, start, end, date, who, outcome, status, requestId, replayed, resultId } = note;
  const when = [Math.round(start), end === null ? null : Math.round(end), date];
  const came = [outcome, status, requestId, replayed, resultId];
  return [id, ...when, who, ...came, canonicalJson(Object.fromEntries(details))];
}

export function clockValues({ service, server, database }: Clocks): [number, number, number] {
  return [Math.floor(service), Math.round(server), Math.round(database)];
}

/** The columns of a line of a batch, which never change. */
export function batchValues({ batch }: OperationRecord): Param[] {
  return batch === undefined ? [null, null, null, null] : [batch.id, batch.line, batch.reference, batch.recipient];
}

/** The columns of an operation that may wait for its first send, which never change. */
export function recordedValues({ recorded, approval }: OperationRecord): Param[] {
  return [...(recorded === undefined ? [null, null, null] : clockValues(recorded)), approval?.hours ?? null];
}

/** The columns that the limits of a policy add up, which never change. */
export function amountValues(record: Pick<OperationRecord, 'kind' | 'body'>): Param[] {
  const fields = withdrawalFieldsOf(record);
  return fields === null || !isPositive(fields.amount) ? [null, null] : [foldedAsset(fields.asset), fields.amount];
}

/** The columns of a signed payment, which never change. */
export function signedValues({ signed }: OperationRecord): Param[] {
  return signed === undefined ? [null, null] : [signed.maker, signed.contentHash];
}

const whole = (ms: number | undefined): number | null => (ms === undefined ? null : Math.round(ms));
const jsonOf = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));

/** The columns that change with a revision, and their values. */
const CHANGING = {
  first_service: ({ firstSent }) => clockValues(firstSent)[0],
  first_server: ({ firstSent }) => clockValues(firstSent)[1],
  first_database: ({ firstSent }) => clockValues(firstSent)[2],
  last_service: ({ lastSent }) => clockValues(lastSent)[0],
  last_server: ({ lastSent }) => clockValues(lastSent)[1],
  last_database: ({ lastSent }) => clockValues(lastSent)[2],
  state: ({ state }) => state,
  reason: ({ reason }) => reason ?? null,
  retry_at: ({ retryAt }) => whole(retryAt),
  asleep_until: ({ asleepUntil }) => whole(asleepUntil),
  result: ({ result }) => jsonOf(result),
  result_id: ({ kind, result }) => (KIND[kind].isCompared ? (result?.id ?? null) : null),
  contradiction: ({ contradiction }) => jsonOf(contradiction),
  ending: ({ ending }) => jsonOf(ending),
  ended_service: ({ ended }) => (ended ? clockValues(ended)[0] : null),
  ended_server: ({ ended }) => (ended ? clockValues(ended)[1] : null),
  ended_database: ({ ended }) => (ended ? clockValues(ended)[2] : null),
  lease_until: ({ leaseUntil }) => whole(leaseUntil),
  needs: ({ approval }) => approval?.needs ?? null,
  policy: ({ approval }) => approval?.policy ?? null,
  revision: ({ revision }) => revision,
} satisfies Record<string, (record: OperationRecord) => Param>;

export const COLUMNS = Object.keys(CHANGING);

/** In the order of COLUMNS. */
export function recordValues(record: OperationRecord): Param[] {
  return Object.values(CHANGING).map((valueOf) => valueOf(record));
}

/**
 * Every column as text, so that both drivers return the same; the attempts as one JSON array. The column account holds the
 * credential, and account_id the account.
 */
export const SELECT = `select o.key, o.kind, o.service, o.account, o.account_id, o.place, o.path, o.body, o.body_sha256,
  o.who, o.person, o.second_send_of, o.seq::text,
  o.batch, o.line, o.reference, o.recipient, o.maker, o.content_sha256, o.wait_hours, o.asset_key, o.amount::text,
  o.recorded_service::text, o.recorded_server::text, o.recorded_database::text,
  ${COLUMNS.map((name) => (name === 'revision' ? 'o.revision' : `o.${name}::text`)).join(', ')},
  c.words as closed_words, c.at::text as closed_at,
  (select coalesce(json_agg(json_build_object('id', a.id, 'start', a.start_at, 'end', a.end_at, 'date', a.service_date,
    'who', a.who, 'outcome', a.outcome, 'status', a.status, 'requestId', a.request_id, 'replayed', a.replayed,
    'resultId', a.result_id, 'details', a.details) order by a.number), '[]')::text
   from operations.attempts a where a.key = o.key) as attempts
  from operations.operations o left join operations.closed_unreadable c on c.key = o.key`;

export function rowOf(columns: Columns): OperationRow {
  const at = { duplicateKey: text(columns, 'place'), seq: BigInt(text(columns, 'seq')) };
  const owner = { service: text(columns, 'service'), account: text(columns, 'account_id') };
  const because = (why: 'checksum' | 'schema'): OperationRow => {
    const { closed_words: words, closed_at: closedAt } = columns;
    const closed = typeof words === 'string' ? { words, at: Number(closedAt) } : null;
    const firstSentAt = number(columns, 'first_service') ?? null;
    return { ...at, unreadable: { ...owner, key: text(columns, 'key'), why, firstSentAt, closed } };
  };
  if (sha256(text(columns, 'body')) !== columns['body_sha256']) return because('checksum');
  try {
    const record = v.parse(recordSchema, raw(columns, owner));
    if (duplicateKeyOf(record) === null || typeof columns['closed_words'] === 'string') return because('schema');
    if (!hasAmountOfBody(record, columns)) return because('checksum');
    if (KIND[record.kind].isCompared && columns['result_id'] !== (record.result?.id ?? null)) return because('schema');
    return { ...at, record };
  } catch {
    return because('schema');
  }
}

/** Whether asset and amount, which a policy's limits add up, match the body. They are empty in rows older than limits. */
function hasAmountOfBody(record: OperationRecord, { asset_key: kept, amount: keptAmount }: Columns): boolean {
  if (typeof keptAmount !== 'string') return true;
  const [asset, amount] = amountValues(record);
  return asset === kept && typeof amount === 'string' && compare(amount, keptAmount) === 0;
}

function raw(columns: Columns, owner: AccountOwner): object {
  const present = Object.entries({
    reason: columns['reason'],
    retryAt: number(columns, 'retry_at'),
    asleepUntil: number(columns, 'asleep_until'),
    result: json(columns, 'result'),
    contradiction: json(columns, 'contradiction'),
    ending: json(columns, 'ending'),
    ended: columns['ended_database'] === null ? null : clocks(columns, 'ended'),
    leaseUntil: number(columns, 'lease_until'),
    batch: batchIn(columns),
    recorded: columns['recorded_database'] === null ? null : clocks(columns, 'recorded'),
    approval: approvalIn(columns),
    signed: signedIn(columns),
  }).filter(([, value]) => value !== null && value !== undefined);
  return {
    ...owner,
    credential: columns['account'],
    key: columns['key'],
    kind: columns['kind'],
    path: columns['path'],
    body: columns['body'],
    firstSent: clocks(columns, 'first'),
    lastSent: clocks(columns, 'last'),
    who: columns['who'],
    person: columns['person'],
    state: columns['state'],
    revision: columns['revision'],
    secondSendOf: json(columns, 'second_send_of'),
    attempts: attemptsIn(text(columns, 'attempts')),
    ...Object.fromEntries(present),
  };
}

function batchIn(columns: Columns): object | null {
  const { batch: id, line, reference, recipient } = columns;
  return typeof id === 'string' ? { id, line, reference, recipient } : null;
}

function approvalIn(columns: Columns): object | null {
  const { wait_hours: hours } = columns;
  const needs = number(columns, 'needs');
  return needs === undefined ? null : { needs, policy: number(columns, 'policy') ?? null, hours };
}

function signedIn({ maker, content_sha256: contentHash }: Columns): object | null {
  return typeof maker === 'string' ? { maker, contentHash } : null;
}

function attemptsIn(array: string): object[] {
  const rows: { details: string }[] = JSON.parse(array);
  return rows.map(({ details, ...columns }) => ({ ...JSON.parse(details), ...columns }));
}

function clocks(columns: Columns, name: string): Clocks {
  const at = (clock: string): number => number(columns, `${name}_${clock}`) ?? Number.NaN;
  return { service: at('service'), server: at('server'), database: at('database') };
}

function text(columns: Columns, name: string): string {
  const value = columns[name];
  return typeof value === 'string' ? value : '';
}

function number(columns: Columns, name: string): number | undefined {
  const value = columns[name];
  return typeof value === 'string' || typeof value === 'number' ? Number(value) : undefined;
}

function json(columns: Columns, name: string): unknown {
  const value = columns[name];
  return typeof value === 'string' ? JSON.parse(value) : undefined;
}
