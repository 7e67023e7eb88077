import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import { migrateActivity } from '#src/server/activity/schema.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import type { Rows } from './ports.ts';
import { JOURNAL_MIGRATIONS, openSqlRows } from './sqlRows.ts';
import { OWN_PARTS } from './sqlTransaction.ts';
import { operationRecord } from './testAnswers.ts';
import { clearJournal, insertRecord } from './testSqlRows.ts';

// A database of version 7, before payments were signed, or of version 8, before they were approved.

let database: Database;
let rows: Rows;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migratePeople(database);
  await migrateActivity(database);
  await migrate(database, 'operations', JOURNAL_MIGRATIONS);
  rows = await openSqlRows(database);
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const KINDS = {
  withdrawal: operationRecord({ key: 'withdrawal' }),
  unconfirmed: operationRecord({
    key: 'unconfirmed',
    state: 'unconfirmed',
    body: operationRecord().body.replace('bc1', 'bc2'),
  }),
  replay: operationRecord({
    key: 'replay',
    kind: 'webhook-replay',
    path: '/v1/webhook-deliveries/whd_1/replay',
    body: '{}',
  }),
};

/** Brings the journal to an earlier version, in this mode, and starts a server of this version. */
async function upgrade(mode: 'key' | 'people', version: number): Promise<void> {
  for (const record of Object.values(KINDS)) await insertRecord(rows, record);
  await database.query('update operations.journal set version = $2, mode = $1', [mode, version]);
  rows = await openSqlRows(database, { mode, ...OWN_PARTS });
}

const states = async (): Promise<(string | undefined)[]> => {
  const found = await Promise.all(Object.keys(KINDS).map((key) => rows.byKey(key)));
  return found.map((row) => row?.record?.state);
};

it.each([7, 8])('in key mode an upgrade from version %i changes no operation', async (version) => {
  await upgrade('key', version);
  expect(await states()).toEqual(['ready', 'unconfirmed', 'ready']);
});

it.each([7, 8])('in people mode an upgrade from version %i ends unsent payments as not sent', async (version) => {
  await upgrade('people', version);
  expect(await states()).toEqual(['not-sent', 'unconfirmed', 'ready']);
  expect((await rows.byKey('withdrawal'))?.record?.ending).toMatchObject({
    by: 'discard',
    words: 'It was recorded before people approved payments.',
  });
  const lines = await database.query('select kind, subject from activity.lines order by number desc limit 1');
  expect(lines).toEqual([{ kind: 'operation.discarded', subject: 'withdrawal' }]);
  // The database itself refuses to send the other payment again.
  const send = database.query("update operations.operations set state = 'sending' where key = 'unconfirmed'");
  await expect(send).rejects.toThrow('nobody signed');
});
