import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { withdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { JournalAway, type Rows } from './ports.ts';
import { duplicateKeyOfRecord } from './rowText.ts';
import { JOURNAL_VERSION, JOURNAL_MIGRATIONS, openSqlRows } from './sqlRows.ts';
import { insertBefore, insertRecord } from './testSqlRows.ts';
import { ACCOUNT, SENT, operationRecord } from './testAnswers.ts';
import { createTestWorld } from './testWorld.ts';

// Migrating duplicate keys of the previous version, in which each spelling of an address had a key of its own.

const EQ = 'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz';
const UQ = 'UQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18b12';
const RAW = '0:906697a57af1cdb1bc39214b7049ae02b3c92a5b0c342ac61e0eb8bd9304b5f1';
const toTon = (address: string) => withdrawalBody({ ...SENT, asset: 'TON', chain: 'ton', address });
const ofTon = (key: string, address: string, more: Partial<OperationRecord> = {}) =>
  operationRecord({
    key,
    body: toTon(address),
    state: 'unconfirmed',
    reason: 'no-answer',
    // In that version an account was the credential of its key.
    credential: more.account ?? ACCOUNT,
    ...more,
  });
const DUPLICATE_KEY = duplicateKeyOfRecord(ofTon('any', UQ));

let database: Database;
beforeEach(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migrate(database, 'operations', JOURNAL_MIGRATIONS.slice(0, 1));
  await database.script(`insert into operations.journal (id, position, version) values ('jnl_old', 9, 1)`);
}, 60_000);
afterEach(() => database.close());

/** Rows as the previous version wrote them, each with its own duplicate key. */
async function writtenBefore(...records: OperationRecord[]): Promise<void> {
  for (const [seq, one] of records.entries())
    await insertBefore(database, one, { duplicateKey: `before ${one.key}`, seq });
}

const keysAt = async (rows: Rows, duplicateKey = DUPLICATE_KEY) =>
  (await rows.byDuplicateKey(duplicateKey, null)).map((row) => (row.record ?? row.unreadable).key);

it('an operation in any spelling is found by every other spelling, ended or not', async () => {
  await writtenBefore(
    ofTon('raw', RAW),
    ofTon('done', EQ, { state: 'refused' }),
    operationRecord({ key: 'btc' }),
    ofTon('else', RAW.replace('0:90', '0:91')),
  );
  const rows = await openSqlRows(database);
  expect(await keysAt(rows)).toEqual(['raw', 'done']);
  expect(await keysAt(rows, duplicateKeyOfRecord(operationRecord()))).toEqual(['btc']);
  expect(await rows.byKey('raw')).toEqual({ record: ofTon('raw', RAW), duplicateKey: DUPLICATE_KEY, seq: 0n });
});

it('two unresolved operations that now have the same duplicate key both stay, both block, and each can be resolved', async () => {
  const both = [ofTon('first', EQ), ofTon('second', RAW)] as const;
  await writtenBefore(...both, ofTon('other', UQ, { account: 'b'.repeat(32) }));
  const rows = await openSqlRows(database);
  expect(await keysAt(rows)).toEqual(['first', 'second', 'other']);
  const server = createTestWorld().server({ rows, separateAccounts: true });
  const request = { kind: 'withdrawal', path: '/v1/withdrawals', body: toTon(UQ) } as const;
  await expect(insert(rows, ofTon('past', UQ))).rejects.toBeInstanceOf(JournalAway);
  for (const [index, one] of both.entries()) {
    const came = await server.put(`again-${index}`, { ...request, not_after: Date.now() + 60_000 });
    expect(came.body).toMatchObject({ look_alikes: { existing: one.key } });
    await rows.write((transaction) => transaction.replace({ ...one, state: 'closed', revision: 1 }, one));
  }
  await insert(rows, ofTon('next', UQ));
  await expect(insert(rows, ofTon('past', EQ))).rejects.toBeInstanceOf(JournalAway);
});

it('an unreadable operation keeps its duplicate key if its bytes are whole', async () => {
  await writtenBefore(ofTon('newer', RAW), ofTon('broken', EQ));
  await database.script(`update operations.operations set reason = 'of tomorrow' where key = 'newer';
    update operations.operations set body = replace(body, 'EQ', 'XQ') where key = 'broken'`);
  const rows = await openSqlRows(database);
  expect(await keysAt(rows)).toEqual(['newer']);
  expect(await keysAt(rows, 'before broken')).toEqual(['broken']);
});

it('duplicate keys are rewritten once, under a version that older servers refuse to write', async () => {
  await writtenBefore(ofTon('raw', RAW));
  const rows = await openSqlRows(database);
  const { position } = await rows.facts();
  expect((await (await openSqlRows(database)).facts()).position).toBe(position);
  expect(await database.query('select id, version from operations.journal')).toEqual([
    { id: 'jnl_old', version: JOURNAL_VERSION },
  ]);
});

const insert = (rows: Rows, one: OperationRecord) => insertRecord(rows, one);
