import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { insertJob, noteDownload } from '#src/server/jobs/jobRows.ts';
import { migrateJobs } from '#src/server/jobs/schema.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import type { TeamActor } from '#src/server/team/items.ts';
import { openTeam } from '#src/server/team/team.ts';
import { type Act, createActivityLog } from './activityLog.ts';
import { type ActivityQuery, readActivity } from './readActivity.ts';
import { migrateActivity } from './schema.ts';

let database: Database;
let account = '';
let accounts = 0;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migratePeople(database);
  await migrateActivity(database);
  await migrateJobs(database);
  await openTeam(database, { list: async () => ({ data: [], next: null }), find: async () => null });
});
afterAll(() => database.close());
beforeEach(() => {
  account = `account-${(accounts += 1)}`;
});

const log = createActivityLog(new Uint8Array(32));
const SERVICE = 'https://pay.example';

async function line(at: number, { who = 'Ada', kind = 'operation.sent' as const, of = account } = {}) {
  const by = { service: SERVICE, account: of, person: `id of ${who}`, who };
  await database.transaction((tx) => log.append(tx, by, { kind, subject: 'key', facts: { amount: '1' } }, at));
}

async function act(done: Act) {
  const by = { service: SERVICE, account, person: 'p', who: 'Ada' };
  await database.transaction((tx) => log.append(tx, by, done, 1_000));
}

async function session(id: string, createdAt: number, ended: { at: number; why: string } | null = null) {
  await database.query(
    `insert into people.sessions (token_sha256, id, service, account, credential, name, journal_only, created_at, seen_at, ended_at, ended_why)
     values ($1, $1, $2, $3, $3, 'Ben', false, $4, $4, $5, $6)`,
    [id, SERVICE, account, String(createdAt), ended && String(ended.at), ended?.why ?? null],
  );
}

async function teamWriting() {
  const team = await openTeam(database, { list: async () => ({ data: [], next: null }), find: async () => null });
  const actor: TeamActor = {
    service: SERVICE,
    account,
    session: null,
    who: 'Cy',
    person: 'id of Cy',
    rights: KEY_RIGHTS,
  };
  return { team, actor };
}

function all(): ActivityQuery {
  return {
    service: SERVICE,
    account,
    person: null,
    group: null,
    who: null,
    createdAfter: null,
    createdBefore: null,
    cursor: null,
    limit: 50,
  };
}

const read = (query: Partial<ActivityQuery> = {}) => readActivity(database, { ...all(), ...query });

test('merges all sources into one list, newest first, of this account and service only', async () => {
  await line(1_000);
  await line(1_500, { of: 'another account' });
  await session(`s-${account}`, 2_000, { at: 4_000, why: 'signed-out' });
  const { team, actor } = await teamWriting();
  const note = { kind: 'deposit', id: 'dep_1', reference: 'Order 1', note: 'A secret note' };
  const change = { collection: 'notes' as const, id: 'deposit:dep_1' };
  await team.put(actor, { ...change, value: note, revision: 0 });
  await team.put(actor, { ...change, value: { ...note, note: 'Another' }, revision: 1 });
  await team.remove(actor, { ...change, revision: 2 });
  const { data, next } = await read();
  expect(next).toBeNull();
  expect(data.map(({ kind, who }) => `${kind} by ${who}`)).toEqual([
    'notes.removed by Cy',
    'notes.changed by Cy',
    'notes.added by Cy',
    'signed-out by Ben',
    'signed-in by Ben',
    'operation.sent by Ada',
  ]);
  expect(data[0]).toMatchObject({ person: 'id of Cy', facts: { kind: 'deposit', id: 'dep_1' } });
  // The activity doesn't repeat the text of notes.
  expect(JSON.stringify(data)).not.toContain('secret');
  expect(await readActivity(database, { ...all(), service: 'https://other.example' })).toEqual({
    data: [],
    next: null,
  });
});

test('a finished export is listed with its list, filters, rows and hash; unfinished ones are not listed', async () => {
  const actor = { service: SERVICE, account, session: 's', who: 'Di', person: 'id of Di', rights: KEY_RIGHTS };
  const filters = { status: 'completed', created_after: 5 };
  const request = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters } as const;
  for (const id of [`done ${account}`, `waiting ${account}`])
    await insertJob(database, actor, { id, request, server: null });
  await database.query(
    `update jobs.runs set state = 'done', ended_at = 7000, rows = 120, sha256 = 'ab12' where id = $1`,
    [`done ${account}`],
  );
  const facts = { list: 'deposits', filters: JSON.stringify(filters), rows: '120', sha256: 'ab12' };
  const entry = { at: 7, group: 'exports', kind: 'exported', who: 'Di', person: 'id of Di', subject: null, facts };
  expect((await read()).data).toMatchObject([entry]);
  expect((await read({ group: 'exports' })).data).toHaveLength(1);
  expect((await read({ group: 'notes' })).data).toEqual([]);
});

test('an incomplete export that was downloaded stays listed as it was then, whatever becomes of the job', async () => {
  const actor = { service: SERVICE, account, session: 's', who: 'Di', person: 'id of Di', rights: KEY_RIGHTS };
  const request = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters: {} } as const;
  const id = `partly ${account}`;
  await insertJob(database, actor, { id, request, server: null });
  const update = (state: string, rows: number, sha256: string) =>
    database.query('update jobs.runs set state = $2, ended_at = 7000, rows = $3, sha256 = $4 where id = $1', [
      id,
      state,
      rows,
      sha256,
    ]);
  await update('stopped', 40, 'ab40');
  await noteDownload(database, id);
  await noteDownload(database, id);
  await update('stopped', 60, 'ab60');
  await noteDownload(database, id);
  await update('done', 90, 'ab90');
  await noteDownload(database, id);
  await database.query('update jobs.partial_downloads set at = 1000 + rows where job = $1', [id]);
  expect((await read()).data.map(({ kind, facts }) => [kind, facts['rows'], facts['sha256']])).toEqual([
    ['exported', '90', 'ab90'],
    ['exported-partly', '60', 'ab60'],
    ['exported-partly', '40', 'ab40'],
  ]);
});

test('pages of any size give the same list, even if many entries have the same time', async () => {
  for (let at = 0; at < 7; at += 1) await line(3_000);
  for (let at = 0; at < 5; at += 1) await session(`${account}-${at}`, 3_000);
  await line(2_999);
  const whole = (await read()).data.map(({ id }) => id);
  expect(new Set(whole).size).toBe(13);
  for (const limit of [1, 2, 5, 12]) {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await read({ limit, cursor });
      ids.push(...page.data.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null);
    expect(ids).toEqual(whole);
  }
});

async function person(id: string, name: string, service = SERVICE) {
  await database.query(`insert into people.people (id, service, name, created_at, seal) values ($1, $2, $3, 1, '')`, [
    id,
    service,
    name,
  ]);
}

test('an act on a person includes their name', async () => {
  await person(`Eve of ${account}`, `Eve of ${account}`);
  await act({ kind: 'person.blocked', subject: `Eve of ${account}`, facts: {} });
  expect((await read()).data).toMatchObject([{ subject_name: `Eve of ${account}` }]);
});

test('subject_name is null unless the subject is a person of this service', async () => {
  await person(`key of ${account}`, `Eve of ${account}`);
  await person(`other of ${account}`, `Fay of ${account}`, 'https://other.example');
  await act({ kind: 'operation.sent', subject: `key of ${account}`, facts: {} });
  await act({ kind: 'person.blocked', subject: `other of ${account}`, facts: {} });
  expect((await read()).data.map(({ kind, subject_name }) => [kind, subject_name])).toEqual([
    ['person.blocked', null],
    ['operation.sent', null],
  ]);
});

test('filters by person, name, group and time, with exclusive bounds', async () => {
  await line(1_000, { who: 'Ada' });
  await line(2_000, { who: 'Bo' });
  await line(3_000, { who: 'Ada' });
  await session(`f-${account}`, 2_500);
  const ats = async (query: Partial<ActivityQuery>) => (await read(query)).data.map(({ at }) => at);
  expect(await ats({ person: 'id of Ada' })).toEqual([3, 1]);
  expect(await ats({ who: 'Bo' })).toEqual([2]);
  expect(await ats({ group: 'sign-ins' })).toEqual([2]);
  expect(await ats({ group: 'people' })).toEqual([]);
  expect(await ats({ createdAfter: 1, createdBefore: 3 })).toEqual([2, 2]);
});

test.each(['', 'junk', '1', '1 lines', "1' or true", '99999999999999999999 lines 1'])(
  'an invalid cursor starts at the newest entry: %j',
  async (cursor) => {
    await line(1_000);
    expect((await read({ cursor })).data).toHaveLength(1);
  },
);
