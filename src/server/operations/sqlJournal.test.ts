import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { webhookReplayRequest } from '#src/shared/operations/webhookReplay.ts';
import { memoryRows } from './testMemoryRows.ts';
import { emptyJournal } from './testMemoryJournal.ts';
import { duplicateKeyOfRecord } from './rowText.ts';
import { JournalAway, type JournalMark, type OperationListQuery, type Rows } from './ports.ts';
import { migrateActivity } from '#src/server/activity/schema.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { LONGEST_MS } from '#src/server/people/sessionAge.ts';
import { sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { OWN_PARTS } from './sqlTransaction.ts';
import {
  JOURNAL_MIGRATIONS,
  JOURNAL_VERSION,
  claimService,
  endPeople,
  openSqlRows,
  type SignInMode,
} from './sqlRows.ts';
import {
  LIST_ALL,
  OTHER_ACCOUNT,
  OWNER,
  ACCOUNT,
  SENT,
  SERVICE,
  START,
  answer,
  attemptWith,
  created,
  operationRecord,
} from './testAnswers.ts';
import { clearJournal, insertRecord, replaceRecord, insertBefore, insertIn, withoutRules } from './testSqlRows.ts';
import { type TestWorld, type Server, createTestWorld, viewInAnswer } from './testWorld.ts';

// The journal in a real database: its lists, its own row, and the routes.

let database: Database;
let rows: Rows;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  rows = await openSqlRows(database);
  await withoutRules(database);
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const insert = (one: OperationRecord, into = rows) =>
  into.write((transaction) => transaction.insert(one, duplicateKeyOfRecord(one)));
const replace = (next: OperationRecord, before: OperationRecord, into = rows) => replaceRecord(into, next, before);

it('lists the same as rows in memory, by every filter, page by page', async () => {
  const journal = emptyJournal('jnl_m');
  const memory = memoryRows(
    () => journal,
    () => START.database,
  );
  const result = (id: string) => ({
    id,
    text: `{"id":"${id}"}`,
    requestId: null,
    by: 'answer' as const,
    confirmed: [],
  });
  const all = [
    operationRecord({ state: 'succeeded', result: result('wd_1') }),
    operationRecord({ key: 'k2', secondSendOf: ['key-1', 'wd_7'], state: 'unconfirmed', reason: 'no-answer' }),
    operationRecord({ key: 'k3', ...depositAddressRequest(SENT), state: 'succeeded', result: result('dep_1') }),
    operationRecord({ key: 'k4', ...webhookReplayRequest('a/b 50%'), state: 'succeeded' }),
    operationRecord({ key: 'k5', account: OTHER_ACCOUNT, state: 'closed' }),
    operationRecord({ key: 'k6', state: 'refused' }),
  ];
  const late = operationRecord({
    key: 'k6',
    state: 'refused',
    revision: 1,
    attempts: [attemptWith({ resultId: 'wd_late' })],
  });
  for (const into of [rows, memory]) {
    for (const one of all) await insert(one, into);
    await replace(late, operationRecord({ key: 'k6' }), into);
    await into.write((transaction) => transaction.shareWith('k5', ACCOUNT));
    await into.write((transaction) => transaction.shareWith('k5', ACCOUNT));
  }
  const keysOf = async (from: Rows, query: Partial<OperationListQuery>) => {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Rows['list']>> = await from.list({ ...LIST_ALL, ...query, cursor });
      pages.push(page.rows.map((row) => row.record?.key ?? ''));
      cursor = page.next;
    } while (cursor !== null);
    return pages;
  };
  const abouts = ['wd_1', 'wd_7', 'wd_late', 'dep_1', 'key-1', 'a/b 50%', 'a', 'wd_', '"', '%', 'x\0'];
  const queries: Partial<OperationListQuery>[] = [
    { limit: 2 },
    { account: OTHER_ACCOUNT },
    { service: 'sandbox' },
    { states: ['unconfirmed', 'closed'] },
    { kind: 'withdrawal', limit: 1 },
    ...abouts.map((about) => ({ about })),
  ];
  for (const query of queries) expect([query, await keysOf(rows, query)]).toEqual([query, await keysOf(memory, query)]);
  expect(await keysOf(rows, { limit: 2 })).toEqual([
    ['k6', 'k5'],
    ['k4', 'k3'],
    ['k2', 'key-1'],
  ]);
  expect([await rows.isSharedWith('k5', ACCOUNT), await rows.isSharedWith('k5', 'c')]).toEqual([true, false]);
  expect([await rows.hasAccount(OWNER), await rows.hasAccount({ ...OWNER, account: 'c' })]).toEqual([true, false]);
  expect((await rows.operationsOfOtherAccounts({ ...OWNER, account: OTHER_ACCOUNT }, 9)).map(({ key }) => key)).toEqual(
    (await memory.operationsOfOtherAccounts({ ...OWNER, account: OTHER_ACCOUNT }, 9)).map(({ key }) => key),
  );
  for (const service of [SERVICE, 'https://b.test', 'sandbox'])
    for (const id of ['wd_1', 'dep_1', 'wd_late', 'x\0'])
      expect(await rows.keyOfResult(service, id)).toBe(await memory.keyOfResult(service, id));
  expect(await Promise.all([SERVICE, 'https://b.test', 'sandbox'].map((one) => rows.keyOfResult(one, 'wd_1')))).toEqual(
    ['key-1', 'key-1', null],
  );
});

describe('the journal', () => {
  it('counts its writes', async () => {
    const { position, id } = await rows.facts();
    await Promise.all([rows.write(async () => undefined), rows.write(async () => undefined)]);
    expect(await rows.facts()).toMatchObject({ id, position: position + 2n, setBackAt: null });
    expect((await openSqlRows(database)).facts).toBeDefined();
    expect((await rows.facts()).position).toBe(position + 2n);
  });

  it('never changes a tombstone', async () => {
    const tombstone = { ...OWNER, key: 'key-1', why: 'too-late' as const, at: 5 };
    await rows.write((transaction) => transaction.writeTombstone(tombstone));
    await rows.write((transaction) => transaction.writeTombstone({ ...tombstone, why: 'discarded' }));
    expect(await rows.tombstone('key-1')).toEqual(tombstone);
    await rows.write((transaction) => transaction.writeTombstone({ ...tombstone, key: 'k2', why: 'nobody-knows' }));
    expect(await rows.tombstone('k2')).toMatchObject({ why: 'nobody-knows' });
  });

  it('records each set-back under a new id until an operator ends it', async () => {
    const facts = await rows.facts();
    await rows.write((transaction) => transaction.setBack(9, { ...facts, nonce: 'lost' }));
    const second = await rows.facts();
    await rows.write((transaction) => transaction.setBack(10, { ...facts, id: 'jnl_other' }));
    expect(await rows.facts()).toMatchObject({ setBackAt: 10, position: facts.position + 2n });
    await rows.write((transaction) => transaction.endSetBack('Compared.'));
    const third = await rows.facts();
    expect(third.setBackAt).toBeNull();
    expect(
      await database.query('select at::text, journal, words from operations.set_backs s order by s.at, journal'),
    ).toEqual(
      [
        { at: '9', journal: facts.id, words: 'Compared.' },
        { at: '10', journal: second.id, words: 'Compared.' },
        { at: '10', journal: 'jnl_other', words: 'Compared.' },
      ].sort((a, b) => Number(a.at) - Number(b.at) || a.journal.localeCompare(b.journal)),
    );
    expect(await Promise.all([facts.id, second.id, 'jnl_other', third.id, 'jnl_new'].map(rows.isFormerId))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('keeps the mark of every write, and only of those that were committed', async () => {
    const first = await rows.facts();
    await rows.write(async () => undefined);
    const lost = await rows
      .write(async (transaction) => {
        throw await transaction.facts();
      })
      .catch((error: { cause: JournalMark }) => error.cause);
    const second = await rows.facts();
    await rows.write(async () => undefined);
    const third = await rows.facts();
    expect([second.position, third.position]).toEqual([first.position + 1n, first.position + 2n]);
    expect(await Promise.all([first, second, third].map(rows.hasMark))).toEqual([true, true, true]);
    const others = [lost, { ...first, nonce: second.nonce }, { ...first, position: 2n ** 63n }];
    expect(await Promise.all(others.map(rows.hasMark))).toEqual([false, false, false]);
  });

  it('is unreadable without the mark of its last write, instead of seeming never set back', async () => {
    const lastMark = 'operations.marks where position = (select position from operations.journal)';
    const [mark] = await database.query(`select position::text, nonce from ${lastMark}`);
    await database.query(`delete from ${lastMark}`);
    await expect(rows.facts()).rejects.toBeInstanceOf(JournalAway);
    const { position = null, nonce = null } = mark ?? {};
    await database.query('insert into operations.marks (position, nonce) values ($1::bigint, $2)', [position, nonce]);
  });

  it('rewrites duplicate keys of an older form, also of ended operations', async () => {
    await insert(operationRecord({ state: 'succeeded', ended: START }));
    await insert(operationRecord({ key: 'k2', ...webhookReplayRequest('whd_1') }));
    await database.script(`update operations.operations set place = key; update operations.journal set version = 0`);
    const again = await openSqlRows(database);
    expect(await again.byDuplicateKey(duplicateKeyOfRecord(operationRecord()), null)).toMatchObject([
      { record: { key: 'key-1' } },
    ]);
    expect(
      await again.byDuplicateKey(duplicateKeyOfRecord(operationRecord(webhookReplayRequest('whd_1'))), null),
    ).toMatchObject([{ record: { key: 'k2' } }]);
    await again.write(async () => undefined);
  });
});

it('an account of the previous version is the credential of its key, and servers of that version stop writing', async () => {
  const old = await openDatabase({ directory: 'memory' });
  await migrate(old, 'operations', JOURNAL_MIGRATIONS.slice(0, 3));
  await old.script(`insert into operations.journal (id, position, version) values ('jnl_old', 7, 2)`);
  const record = operationRecord({ state: 'unconfirmed', reason: 'no-answer', credential: ACCOUNT });
  await insertBefore(old, record, { seq: 8 });
  const rows = await openSqlRows(old);
  const query = { ...OWNER, states: null, kind: null, about: null, cursor: null, limit: 10 };
  expect((await rows.list(query)).rows).toMatchObject([
    { record: { ...record, account: ACCOUNT, credential: ACCOUNT } },
  ]);
  expect(await rows.write((transaction) => transaction.unresolvedCount(OWNER))).toBe(1);
  // The condition of that version's every write.
  expect(await old.query('select 1 as one from operations.journal where version = 2')).toEqual([]);
  await old.close();
}, 60_000);

it('a database of the previous version is migrated, also if two spellings recorded one id', async () => {
  const old = await openDatabase({ directory: 'memory' });
  // The tables as that version made them.
  await old.script(`create schema operations; set search_path to operations;
    create table migrations (version integer primary key); insert into migrations values (1);
    ${JOURNAL_MIGRATIONS[0]} set search_path to sandbox;
    insert into operations.journal (id, position, version) values ('jnl_old', 7, 1)`);
  const result = { id: 'wd_1', text: '{"id":"wd_1"}', requestId: null, by: 'answer' as const, confirmed: [] };
  const records = ['https://a.test', 'https://b.test', 'https://b.test'].map((service, index) =>
    operationRecord({
      key: `k${index}`,
      service,
      credential: ACCOUNT,
      state: 'succeeded',
      result: { ...result, id: index < 2 ? 'wd_1' : 'wd_2' },
    }),
  );
  for (const [index, one] of records.entries()) await insertBefore(old, one, { seq: index + 1 });
  const rows = await openSqlRows(old);
  const facts = await rows.facts();
  expect([facts.id, facts.position, await rows.hasMark(facts)]).toEqual(['jnl_old', 8n, true]);
  for (const one of records) expect((await rows.byKey(one.key))?.record).toEqual(one);
  expect(await rows.keyOfResult('https://b.test', 'wd_1')).toBe('k0');
  await expect(
    insert(
      operationRecord({ key: 'k9', service: 'https://c.test', state: 'succeeded', result: { ...result, id: 'wd_2' } }),
      rows,
    ),
  ).rejects.toThrow();
  await expect(claimService(old, 'https://a.test', null)).rejects.toThrow('belongs to https://b.test');
  expect(await claimService(old, 'https://b.test', null)).toBe('https://b.test');
  await expect(claimService(old, 'https://b.test', 'https://c.test')).resolves.toBe('https://b.test');
  // The one that was used before, so that what is unresolved under it can be seen and closed.
  expect(await claimService(old, 'https://b.test', 'https://a.test')).toBe('https://a.test');
  await expect(claimService(old, 'https://b.test', null)).rejects.toThrow('belongs to https://a.test');
  expect(await claimService(old, 'https://b.test', 'https://b.test')).toBe('https://b.test');
  await old.close();
}, 60_000);

describe('through the routes', () => {
  let world: TestWorld;
  let server: Server;
  beforeEach(() => {
    world = createTestWorld();
    world.skew.database = Date.now() - START.database;
    server = world.server({ rows });
  });

  it('one PUT repeated at several servers is one row and one POST', async () => {
    const other = world.server({ rows });
    const not_after = Date.now() + 120_000;
    const answers = await Promise.all([server, other, server, other].map((one) => one.put('key-1', { not_after })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 201]);
    await Promise.all([server.settled(), other.settled()]);
    const read = await server.call('GET', '/key-1');
    expect(viewInAnswer(read).operation).toMatchObject({ state: 'succeeded', result: { id: 'wd_1' } });
    expect(world.posts).toHaveLength(1);
  });

  it.each(['wd_\0', 'wd_\uD800'])('an answer is recorded even if the database can’t store its id: %j', async (id) => {
    world.post = () => answer(201, created({ id }), { retryAfter: '99' });
    await server.put('key-1', { not_after: Date.now() + 120_000 });
    await server.settled();
    expect(viewInAnswer(await server.call('GET', '/key-1')).operation).toMatchObject({
      state: 'unconfirmed',
      attempts: [{ outcome: 'unclean-success' }],
    });
  });

  it('an id of another operation is a mismatch, recorded in the same transaction', async () => {
    await server.put('key-1', { not_after: Date.now() + 120_000 });
    await server.settled();
    await server.put('key-2', { not_after: Date.now() + 120_000, second_send_of: ['key-1'] });
    await server.settled();
    expect(viewInAnswer(await server.call('GET', '/key-2')).operation).toMatchObject({
      state: 'unconfirmed',
      reason: 'mismatch',
      contradiction: { id: 'wd_1' },
    });
  });
});

describe('how people sign in', () => {
  const nobody: SignInMode = { ...OWN_PARTS, mode: 'people', readSessionRights: async () => null };

  it('a start changes key mode to people mode: unsent operations end, and servers in key mode write nothing', async () => {
    const shared = await openDatabase({ directory: 'memory' });
    const inKeyMode = await openSqlRows(shared);
    const ready = operationRecord({ key: 'ready', state: 'ready', leaseUntil: undefined });
    const open = operationRecord({ key: 'open', state: 'unconfirmed', reason: 'no-answer' });
    await inKeyMode.write(async (transaction) => {
      await insertIn(transaction, ready, 'one');
      await insertIn(transaction, open, 'two');
    });
    const sessions = sessionRowsOf(shared, 'sandbox');
    const who = { account: 'a', credential: 'c', sandbox: null, name: null, journalOnly: false, person: null };
    await sessions.insert('hash', { ...who, id: 's1', keyBox: 'box', longestMs: LONGEST_MS });

    const inPeopleMode = await openSqlRows(shared, nobody);
    expect((await inPeopleMode.byKey('ready'))?.record).toMatchObject({
      state: 'not-sent',
      ending: { by: 'discard', who: null },
    });
    expect((await inPeopleMode.byKey('open'))?.record?.state).toBe('unconfirmed');
    const lines = () => shared.query('select kind, account, who, subject from activity.lines order by number');
    const ended = { kind: 'operation.discarded', account: ready.account, who: null, subject: 'ready' };
    const changed = { kind: 'sign-in.changed', account: null, who: null, subject: null };
    expect(await lines()).toEqual([changed, ended]);
    expect(await sessions.find('hash')).toBeNull();
    await expect(inKeyMode.write(async () => undefined)).rejects.toBeInstanceOf(JournalAway);
    await inPeopleMode.write(async () => undefined);

    await expect(openSqlRows(shared)).rejects.toThrow('SIGN_IN=passkey');
    await inPeopleMode.write((transaction) => transaction.insert({ ...ready, key: 'later' }, 'three'));
    await endPeople(shared, 'A trial.');
    expect(await lines()).toEqual([changed, ended, changed, { ...ended, subject: 'later' }]);
    const again = await openSqlRows(shared);
    expect((await again.byKey('later'))?.record).toMatchObject({ state: 'not-sent', ending: { words: 'A trial.' } });
    await again.write(async () => undefined);
    await expect(inPeopleMode.write(async () => undefined)).rejects.toBeInstanceOf(JournalAway);
    await shared.close();
  });

  it('a database of the previous version is in key mode', async () => {
    const old = await openDatabase({ directory: 'memory' });
    await migrate(old, 'operations', JOURNAL_MIGRATIONS.slice(0, 4));
    await old.query("insert into operations.journal (id, position, version) values ('jnl_old', 7, 3)");
    const rows = await openSqlRows(old);
    await rows.write(async () => undefined);
    expect(await old.query('select mode, version from operations.journal')).toEqual([
      { mode: 'key', version: JOURNAL_VERSION },
    ]);
    // The condition of that version's every write.
    expect(await old.query('select 1 as one from operations.journal where version = 3')).toEqual([]);
    await old.close();
  });

  it('a database of the version before the index of first sends gets it, and keeps its operations', async () => {
    const old = await openDatabase({ directory: 'memory' });
    await migratePeople(old);
    await migrateActivity(old);
    await migrate(old, 'operations', JOURNAL_MIGRATIONS.slice(0, 9));
    const indexes = () =>
      old.query(
        "select 1 as one from pg_indexes where schemaname = 'operations' and indexname = 'operations_first_sums'",
      );
    expect(await indexes()).toEqual([]);
    await old.query(`insert into operations.journal (id, position, version) values ('jnl_old', 0, ${JOURNAL_VERSION})`);
    await old.query("insert into operations.marks (position, nonce) values (0, 'first')");
    const rows = await openSqlRows(old);
    await insertRecord(rows, operationRecord({ key: 'of the version before' }));
    expect((await rows.byKey('of the version before'))?.record).toMatchObject({ state: 'ready' });
    expect(await indexes()).toHaveLength(1);
    await old.close();
  });
});
