import type { Database } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { isUnsent } from '#src/shared/operations/states.ts';
import type { Rows, WriteTransaction } from './ports.ts';
import { COLUMNS, duplicateKeyOfRecord, recordValues, sha256 } from './rowText.ts';
import { JOURNAL_VERSION } from './sqlRows.ts';

// Support for the tests that run on one real database, one after the other.

export function clearJournal(database: Database): Promise<void> {
  return database.script(`truncate operations.attempts, operations.operations, operations.batches; delete from operations.tombstones;
    delete from operations.shown; delete from operations.closed_unreadable; delete from operations.set_backs;
    update operations.journal set set_back_at = null, set_back_position = null, version = ${JOURNAL_VERSION}`);
}

/** Drops the triggers, for tests that create states no server can create. operationRules.test.ts tests the triggers. */
export function withoutRules(database: Database): Promise<void> {
  return database.script('alter table operations.operations disable trigger user');
}

export function insertRecord(rows: Rows, record: OperationRecord): Promise<void> {
  return rows.write((transaction) => insertIn(transaction, record));
}

/** Inserts it unsent, as every operation begins, and then brings it to its state. */
export async function insertIn(
  transaction: WriteTransaction,
  record: OperationRecord,
  duplicateKey = duplicateKeyOfRecord(record),
): Promise<void> {
  const unsent: OperationRecord = { ...record, state: 'ready', attempts: [] };
  await transaction.insert(isUnsent(record.state) ? record : unsent, duplicateKey);
  if (!isUnsent(record.state)) await transaction.replace(record, unsent);
}

/** Inserts it into the tables of version 1. */
export async function insertBefore(
  database: Database,
  record: OperationRecord,
  { duplicateKey = duplicateKeyOfRecord(record), seq = 0 } = {},
): Promise<void> {
  const values = [
    record.key,
    seq,
    record.kind,
    record.service,
    record.credential,
    duplicateKey,
    record.path,
    record.body,
  ];
  const columns = COLUMNS.filter((name) => name !== 'needs' && name !== 'policy');
  const changing = recordValues(record).filter((_, at) => columns.includes(COLUMNS[at] ?? ''));
  const more = [sha256(record.body), record.who, JSON.stringify(record.secondSendOf), ...changing];
  const params = [...values, ...more];
  await database.query(
    `insert into operations.operations (key, seq, kind, service, account, place, path, body, body_sha256, who, second_send_of,
       ${columns.join(', ')}) values (${params.map((_, index) => `$${index + 1}`).join(', ')})`,
    params,
  );
}

export function replaceRecord(rows: Rows, next: OperationRecord, before: OperationRecord): Promise<void> {
  return rows.write((transaction) => transaction.replace(next, before));
}
