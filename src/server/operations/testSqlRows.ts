import type { Database } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { Rows } from './ports.ts';
import { duplicateKeyOfRecord } from './rowText.ts';
import { JOURNAL_VERSION } from './sqlRows.ts';

// Support for the tests that run on one real database, one after the other.

export function clearJournal(database: Database): Promise<void> {
  return database.script(`delete from operations.attempts; delete from operations.operations; delete from operations.tombstones;
    delete from operations.shown; delete from operations.closed_unreadable; delete from operations.set_backs;
    update operations.journal set set_back_at = null, set_back_position = null, version = ${JOURNAL_VERSION}`);
}

export function insertRecord(rows: Rows, record: OperationRecord): Promise<void> {
  return rows.write((transaction) => transaction.insert(record, duplicateKeyOfRecord(record)));
}

export function replaceRecord(rows: Rows, next: OperationRecord, before: OperationRecord): Promise<void> {
  return rows.write((transaction) => transaction.replace(next, before));
}
