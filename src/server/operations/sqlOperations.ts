import type { Param, Queries, SqlRow as Columns } from '#src/server/database/sql.ts';
import type { AttemptNote, OperationRecord } from '#src/shared/operations/record.ts';
import { OPERATION_STATES, type StateFacts, STATES } from '#src/shared/operations/states.ts';
import { cursorAt, type EndedSince, type OperationRow, readCursor, type RecordChange } from './ports.ts';
import {
  COLUMNS,
  SELECT,
  amountValues,
  attemptValues,
  batchValues,
  recordValues,
  recordedValues,
  rowOf,
  sha256,
  signedValues,
} from './rowText.ts';

// The table of operations: what a transaction reads and writes of it.

export const UNRESOLVED_SQL = stateList(({ isUnresolved }) => isUnresolved);
const UNPROVEN_SQL = stateList(({ isOutcomeOpen }) => isOutcomeOpen);
export const UNSENT_SQL = "('ready', 'awaiting')";
/** The states that leave an operation's duplicate key free; the unique index of the migrations lists them too. */
export const KEY_FREE_SQL = stateList(({ holdsDuplicateKey }) => !holdsDuplicateKey);

function stateList(includes: (facts: StateFacts) => boolean): string {
  return `(${OPERATION_STATES.filter((state) => includes(STATES[state]))
    .map((state) => `'${state}'`)
    .join(', ')})`;
}

/** Rows of every service and account: unresolved, or ended after `since` by any of its clocks (null: at any time). */
export async function byDuplicateKeys(
  queries: Queries,
  duplicateKeys: readonly string[],
  since: EndedSince | null,
): Promise<OperationRow[]> {
  // By three clocks: if any of them says "recently", it must be confirmed.
  const ended =
    since &&
    [since.proven, since.unproven].flatMap(({ service, server, database }) =>
      [service, server, database].map(Math.floor),
    );
  const recent = ended
    ? `and (o.state in ${UNRESOLVED_SQL} or o.ended_database is null
         or o.ended_service > $2 or o.ended_server > $3 or o.ended_database > $4
         or o.state in ${UNPROVEN_SQL} and (o.ended_service > $5 or o.ended_server > $6 or o.ended_database > $7))`
    : '';
  const rows = await queries.query(
    `${SELECT} where o.place in (select jsonb_array_elements_text($1::text::jsonb)) ${recent} order by o.seq, o.line`,
    [JSON.stringify(duplicateKeys), ...(ended ?? [])],
  );
  return rows.map(rowOf);
}

/** Conditions for the rows of `o` after a cursor. The first of two is for the index. */
export function afterCursor(cursor: string | null, param: (value: Param) => string): string[] {
  const at = cursor === null ? null : readCursor(cursor);
  if (at === null) return [];
  if (at.line === null) return [`o.seq < ${param(at.seq)}::bigint`];
  const [seq, line] = [param(at.seq), param(at.line)];
  return [`o.seq <= ${seq}::bigint`, `(o.seq < ${seq}::bigint or o.line > ${line}::integer)`];
}

/** The cursor after a row, or null. */
export function cursorOf(columns: Columns | undefined): string | null {
  if (columns === undefined) return null;
  const { seq, line = null } = columns;
  return cursorAt({ seq: String(seq), line: line === null ? null : Number(line) });
}

export interface NewOperation {
  record: OperationRecord;
  duplicateKey: string;
}

/** Rows of one statement: a statement may have 65,535 parameters. */
const ROWS_AT_ONCE = 100;

/** In operations.operations the column account holds the credential, and account_id the account. `seq`: the write's position. */
export async function insertAll(tx: Queries, operations: readonly NewOperation[], seq: bigint): Promise<void> {
  for (let start = 0; start < operations.length; start += ROWS_AT_ONCE) {
    const params: Param[] = [];
    const rows = operations.slice(start, start + ROWS_AT_ONCE).map((operation) => {
      const values = insertedValues(operation, seq).map((value) => `$${params.push(value)}`);
      return `(${values.join(', ')})`;
    });
    await tx.query(
      `insert into operations.operations (key, seq, kind, service, account, account_id, place, path, body, body_sha256,
         who, person, second_send_of, batch, line, reference, recipient, recorded_service, recorded_server, recorded_database,
         wait_hours, asset_key, amount, maker, content_sha256,
         ${COLUMNS.join(', ')})
       values ${rows.join(', ')}`,
      params,
    );
  }
}

function insertedValues({ record, duplicateKey }: NewOperation, seq: bigint): Param[] {
  const { key, kind, service, credential, account, path, body, who, person, secondSendOf } = record;
  const owner = [key, String(seq), kind, service, credential, account];
  const content = [duplicateKey, path, body, sha256(body), who, person, JSON.stringify(secondSendOf)];
  const waiting = [...batchValues(record), ...recordedValues(record)];
  return [...owner, ...content, ...waiting, ...amountValues(record), ...signedValues(record), ...recordValues(record)];
}

/** The outcome of an attempt is written before the row, and a new attempt after it: the database compares them with its state. */
export async function replace(tx: Queries, next: OperationRecord, before: OperationRecord): Promise<void> {
  const changed = [...next.attempts.entries()].filter(([number, note]) => note !== before.attempts[number]);
  const writeAttempts = async (isKnown: boolean) => {
    for (const [number, note] of changed)
      if (number < before.attempts.length === isKnown) await writeAttempt(tx, next.key, number, note);
  };
  await writeAttempts(true);
  const sets = COLUMNS.map((name, index) => `${name} = $${index + 3}`).join(', ');
  const done = await tx.query(
    `update operations.operations set ${sets} where key = $1 and revision = $2 returning key`,
    [next.key, before.revision, ...recordValues(next)],
  );
  if (done.length !== 1) throw new Error('The record is no longer the one that was read.');
  await writeAttempts(false);
}

function columnsOf(record: OperationRecord): Record<string, Param> {
  const values = recordValues(record);
  return Object.fromEntries(COLUMNS.map((name, index) => [name, values[index] ?? null]));
}

/** With one statement. The row type of the table gives each column its type. */
export async function replaceAll(tx: Queries, changes: readonly RecordChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ next, before }) => {
    if (next.attempts !== before.attempts || next.revision !== before.revision + 1)
      throw new TypeError('Only records that take one step without an attempt are replaced together.');
    return { key: next.key, now: columnsOf(next), was: columnsOf(before) };
  });
  // Setting all columns would take 50% longer.
  const changed = COLUMNS.filter((name) => rows.some(({ now, was }) => now[name] !== was[name]));
  const sets = changed.map((name) => `${name} = n.${name}`).join(', ');
  const done = await tx.query(
    `update operations.operations o set ${sets}
     from jsonb_populate_recordset(null::operations.operations, $1::text::jsonb) n
     where o.key = n.key and o.revision = n.revision - 1 returning o.key`,
    [JSON.stringify(rows.map(({ key, now }) => ({ key, ...now })))],
  );
  if (done.length !== changes.length) throw new Error('A record is no longer the one that was read.');
}

async function writeAttempt(tx: Queries, key: string, number: number, note: AttemptNote): Promise<void> {
  await tx.query(
    `insert into operations.attempts (key, number, id, start_at, end_at, service_date, who, outcome, status,
       request_id, replayed, result_id, details) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (key, number) do update set end_at = excluded.end_at, outcome = excluded.outcome,
       status = excluded.status, request_id = excluded.request_id, replayed = excluded.replayed,
       result_id = excluded.result_id, details = excluded.details`,
    [key, number, ...attemptValues(note)],
  );
}

export function readable(rows: Columns[]): OperationRecord[] {
  return rows.flatMap((columns) => {
    const { record } = rowOf(columns);
    return record ? [record] : [];
  });
}
