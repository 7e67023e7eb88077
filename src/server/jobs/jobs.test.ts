import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import { keySessionRights } from '#src/server/people/sessionRows.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { JOBS_MAX, type ExportRequest } from '#src/shared/contract/jobsContract.ts';
import type { ExportJobRow, JobActor } from './jobRows.ts';
import { createJobs, type Jobs, type JobsParts } from './jobs.ts';
import { RUNNING_MAX } from './runner.ts';
import { JOB_MIGRATIONS, migrateJobs } from './schema.ts';
import { answerOf, NOTHING_CLOSED, quickClock, testProvider, testRows } from './testProvider.ts';
import { detailOf, fileOf, exportJobView } from './views.ts';

let database: Database;
let accounts = 0;
let actor: JobActor;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migratePeople(database);
  await migrateJobs(database);
}, 60_000);
afterAll(() => database.close());
beforeEach(async () => {
  actor = await signIn(`account-${(accounts += 1)}`);
});

const SERVICE = 'https://pay.example';
const KEY = 'sk_test_of_jobs';
const CSV: ExportRequest = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters: {} };

async function signIn(account: string, who: string | null = null): Promise<JobActor> {
  const session = `session ${account} ${who ?? ''}`;
  await database.query(
    `insert into people.sessions (token_sha256, id, service, account, credential, name, journal_only, created_at, seen_at)
     values ($1, $1, $2, $3, $3, $4, false, ${NOW_MS}, ${NOW_MS})`,
    [session, SERVICE, account, who],
  );
  return { service: SERVICE, account, session, who, person: null, rights: KEY_RIGHTS };
}

const endSession = (session: string, why: string) =>
  database.query(`update people.sessions set ended_at = ${NOW_MS}, ended_why = $2, key_box = null where id = $1`, [
    session,
    why,
  ]);

function serverWith(provider: JobsParts['service'], more: Partial<JobsParts> = {}): Jobs {
  return createJobs({
    database,
    service: provider,
    readSessionRights: keySessionRights,
    people: null,
    loadTeamColumns: async () => [],
    ...NOTHING_CLOSED,
    clock: quickClock(),
    warn: () => undefined,
    ...more,
  });
}

/** A person in people mode. */
function peopleWith(permissions: Permission[] = ['view']): NonNullable<JobsParts['people']> {
  return {
    accounts: {
      list: () => [],
      find: (account) => ({ name: 'main', account, credential: account, apiKey: KEY }),
    },
    grants: { readPerson: async (_, { person }) => ({ id: person, name: 'Ada', permissions, setBack: false }) },
  };
}

const person = (account: string, id = 'ada'): JobActor => ({
  service: SERVICE,
  account,
  session: 'a session',
  who: 'Ada',
  person: id,
  rights: KEY_RIGHTS,
});

const inPeopleMode = (permissions?: Permission[]): Partial<JobsParts> => ({
  people: peopleWith(permissions),
  readSessionRights: async () => ({ permissions: ['view'], keyRefused: false }),
});

/** A provider that blocks at a read until it is released. */
function stuckAt(call: number, rows = testRows(9)) {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const provider = testProvider(rows, {
    onRead: async (n) => {
      if (n !== call) return undefined;
      arrive();
      await held;
      return undefined;
    },
  });
  return { provider, arrived, release };
}

async function started(jobs: Jobs, by = actor, request = CSV): Promise<ExportJobRow> {
  const job = await jobs.start(by, KEY, request);
  if (job?.kind !== 'export') throw new Error('It was not started.');
  return job;
}

async function found(jobs: Jobs, id: string, by = actor): Promise<ExportJobRow> {
  const job = await jobs.find(by, id);
  if (job?.kind !== 'export') throw new Error('There is no such job.');
  return job;
}

/** Waits until everything before a read of stuckAt() is saved. */
async function savedBefore(call: number, jobs: Jobs, id: string, by = actor): Promise<void> {
  const rows = Math.max(0, call - 2) * 2;
  while ((await found(jobs, id, by)).progress.rows !== rows);
}

async function textOf(jobs: Jobs, job: ExportJobRow, by = actor): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of jobs.readFile(by, job)) parts.push(bytes);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(parts));
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const lapse = (id: string) => database.query(`update jobs.runs set lease_until = ${NOW_MS} - 1 where id = $1`, [id]);

/** The file of an export that runs without interruption. */
async function undisturbed(request = CSV): Promise<string> {
  const by = await signIn(`account-${(accounts += 1)}`);
  const jobs = serverWith(testProvider(testRows(9)));
  const { id } = await started(jobs, by, request);
  await jobs.runner.idle();
  return textOf(jobs, await found(jobs, id, by));
}

test('an export becomes a file with its control totals', async () => {
  const jobs = serverWith(testProvider(testRows(9)));
  const { id } = await started(jobs);
  await jobs.runner.idle();
  const job = await found(jobs, id);
  const text = await textOf(jobs, job);
  expect(text.match(/dep_\d/g)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1].map((n) => `dep_${n}`));
  const view = exportJobView(job);
  expect(view).toMatchObject({ state: 'done', rows: 9, covered: 1, problem: null, list: 'deposits' });
  expect(view.file).toMatchObject({ bytes: Buffer.byteLength(text), sha256: sha256(text), complete: true });
  expect(view.file?.name).toMatch(/^deposits-\d{4}-\d\d-\d\dT\d{6}Z\.csv$/);
  expect(view.expires_at).toBe((view.ended_at ?? 0) + 24 * 3_600);
  expect(JSON.parse(detailOf(job).manifest ?? '')).toMatchObject({
    file: { name: view.file?.name, sha256: sha256(text), complete: true },
    path: '/v1/deposits',
    account: actor.account,
    rows: 9,
    bound: { id: 'dep_9', met: true },
    totals: [{ asset: 'BTC', status: 'completed', rows: 9, sum: '0.9' }],
  });
});

describe('in people mode, a job whose server falls silent', () => {
  test.each([
    [2, 'csv', {}],
    [3, 'csv', {}],
    [5, 'jsonl', {}],
    [4, 'csv', { order: 'asc' }],
  ] as const)('at read %i goes on elsewhere to the same file: %s %o', async (call, format, filters) => {
    const request: ExportRequest = { ...CSV, format, filters };
    const whole = await undisturbed(request);
    const ada = person(actor.account);
    const stuck = stuckAt(call);
    const first = serverWith(stuck.provider, inPeopleMode());
    const { id } = await started(first, ada, request);
    await stuck.arrived;
    await savedBefore(call, first, id, ada);
    const second = serverWith(testProvider(testRows(9)), inPeopleMode());
    // Not while the lease lasts.
    await second.runner.idle();
    expect((await found(second, id, ada)).state).toBe('running');
    await lapse(id);
    await second.runner.idle();
    const done = await found(second, id, ada);
    expect(await textOf(second, done)).toBe(whole);
    expect(fileOf(done)?.sha256).toBe(sha256(whole));

    // The first server can no longer save what it has read.
    stuck.release();
    await first.runner.idle();
    const after = await found(second, id, ada);
    expect(after).toEqual(done);
    expect(await textOf(second, after)).toBe(whole);
  });

  test('can’t be saved by the silent server once another server has it, even before that one saved anything', async () => {
    const ada = person(actor.account);
    const stuck = stuckAt(4);
    const first = serverWith(stuck.provider, inPeopleMode());
    const { id } = await started(first, ada);
    await stuck.arrived;
    await savedBefore(4, first, id, ada);
    await lapse(id);
    const before = await found(first, id, ada);
    const other = stuckAt(1);
    const second = serverWith(other.provider, inPeopleMode());
    await second.runner.tick();
    await other.arrived;
    stuck.release();
    await first.runner.idle();
    expect(await found(first, id, ada)).toEqual({ ...before, state: 'running' });
    other.release();
    await second.runner.idle();
    expect(await textOf(second, await found(second, id, ada))).toBe(await undisturbed());
  });

  test('is released at once by a server that ends', async () => {
    const ada = person(actor.account);
    const stuck = stuckAt(4);
    const first = serverWith(stuck.provider, inPeopleMode());
    const { id } = await started(first, ada);
    await stuck.arrived;
    // It doesn't wait for the provider.
    await first.runner.stop();
    const second = serverWith(testProvider(testRows(9)), inPeopleMode());
    await second.runner.idle();
    expect(await textOf(second, await found(second, id, ada))).toBe(await undisturbed());
  });
});

describe('in key mode', () => {
  test('a job whose server is gone stops, and can be continued with another session’s API key', async () => {
    const stuck = stuckAt(4);
    const first = serverWith(stuck.provider);
    const { id } = await started(first);
    await stuck.arrived;
    await savedBefore(4, first, id);
    await lapse(id);
    const provider = testProvider(testRows(9));
    const second = serverWith(provider);
    await second.runner.idle();
    const stopped = await found(second, id);
    expect(exportJobView(stopped)).toMatchObject({ state: 'stopped', problem: { code: 'server-restarted' } });
    expect(stopped.progress.rows).toBeGreaterThan(0);
    expect(provider.reads).toEqual([]);

    const colleague = await signIn(actor.account, 'Bo');
    expect(await second.continue(colleague, 'sk_of_bo', id)).toMatchObject({ kind: 'changed' });
    await second.runner.idle();
    expect(await textOf(second, await found(second, id))).toBe(await undisturbed());
    expect([...provider.keys]).toEqual(['sk_of_bo']);
    stuck.release();
    await first.runner.idle();
    expect((await found(second, id)).state).toBe('done');
  });

  test('the rows of a stopped job can be downloaded as an incomplete file', async () => {
    const jobs = serverWith(
      testProvider(testRows(9), { onRead: (call) => (call > 3 ? answerOf(401, {}) : undefined) }),
    );
    const { id } = await started(jobs);
    await jobs.runner.idle();
    const job = await found(jobs, id);
    expect(exportJobView(job)).toMatchObject({
      state: 'stopped',
      problem: { code: 'provider-refused', request_id: 'req_1' },
    });
    const text = await textOf(jobs, job);
    expect(fileOf(job)).toMatchObject({ complete: false, sha256: sha256(text), bytes: Buffer.byteLength(text) });
    expect(fileOf(job)?.name).toMatch(/-incomplete\.csv$/);
    expect(text.match(/dep_\d/g)).toEqual(['dep_9', 'dep_8', 'dep_7', 'dep_6']);
    expect(JSON.parse(detailOf(job).manifest ?? '').may_have_moved.join(' ')).toContain('incomplete');
  });

  test.each([
    ['idle', 'done', undefined],
    ['signed-out', 'stopped', 'signed-out'],
    ['replaced', 'stopped', 'signed-out'],
    ['key-refused', 'stopped', 'signed-out'],
  ] as const)('a session that ends as %s leaves its job %s', async (why, state, code) => {
    const stuck = stuckAt(4);
    const jobs = serverWith(stuck.provider);
    const { id } = await started(jobs);
    await stuck.arrived;
    await endSession(actor.session, why);
    stuck.release();
    await jobs.runner.idle();
    const job = await found(jobs, id);
    expect([job.state, job.problem?.code]).toEqual([state, code]);
  });

  test('a waiting job whose session signs out makes no request to the provider', async () => {
    const stuck = stuckAt(2);
    const jobs = serverWith(stuck.provider);
    await started(jobs);
    await stuck.arrived;
    const { id } = await started(jobs);
    await endSession(actor.session, 'signed-out');
    stuck.release();
    await jobs.runner.idle();
    expect(exportJobView(await found(jobs, id))).toMatchObject({
      state: 'stopped',
      rows: 0,
      problem: { code: 'signed-out' },
    });
    expect(stuck.provider.reads.filter((query) => query.get('limit') === '1')).toHaveLength(1);
  });

  test('the API key is stored in no table', async () => {
    const stuck = stuckAt(3);
    const jobs = serverWith(stuck.provider);
    await started(jobs);
    await stuck.arrived;
    const rows = await database.query<{ text: string }>(
      `select r::text as text from jobs.runs r union all select encode(bytes, 'escape') || row_ids from jobs.parts`,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ text }) => text).join('')).not.toContain(KEY);
    stuck.release();
    await jobs.runner.idle();
  });
});

test('a job of a person who lost every role reads no further', async () => {
  const ada = person(actor.account);
  const permissions: Permission[] = ['view'];
  const stuck = stuckAt(4);
  const jobs = serverWith(stuck.provider, inPeopleMode(permissions));
  const { id } = await started(jobs, ada);
  await stuck.arrived;
  permissions.pop();
  stuck.release();
  await jobs.runner.idle();
  expect(exportJobView(await found(jobs, id, ada))).toMatchObject({
    state: 'stopped',
    problem: { code: 'not-permitted' },
  });
  expect(stuck.provider.reads.length).toBeLessThanOrEqual(5);
});

test('one job of a person runs at a time, ten on a server; the others wait', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const provider = testProvider(testRows(2), { onRead: () => held.then(() => undefined) });
  const jobs = serverWith(provider, inPeopleMode());
  const [first = actor, ...others] = Array.from({ length: RUNNING_MAX + 1 }, (_, n) => person(actor.account, `p${n}`));
  const ids: [string, JobActor][] = [];
  for (const by of [first, first, ...others]) ids.push([(await started(jobs, by)).id, by]);
  await jobs.runner.tick();
  const states = await Promise.all(ids.map(async ([id, by]) => (await found(jobs, id, by)).state));
  const running = Array.from({ length: RUNNING_MAX - 1 }, () => 'running');
  expect(states).toEqual(['running', 'waiting', ...running, 'waiting']);
  release();
  await jobs.runner.idle();
  for (const [id, by] of ids) expect((await found(jobs, id, by)).state).toBe('done');
});

test('a cancelled job reads no further and leaves nothing', async () => {
  const stuck = stuckAt(4);
  const jobs = serverWith(stuck.provider);
  const { id } = await started(jobs);
  await stuck.arrived;
  await savedBefore(4, jobs, id);
  const reads = stuck.provider.reads.length;
  expect(await jobs.cancel(actor, id)).toMatchObject({ kind: 'changed' });
  stuck.release();
  await jobs.runner.idle();
  expect(stuck.provider.reads).toHaveLength(reads);
  expect((await found(jobs, id)).state).toBe('cancelled');
  expect(await database.query('select number from jobs.parts where job = $1', [id])).toEqual([]);
  expect(await jobs.list(actor)).toEqual([]);
  expect(await jobs.continue(actor, KEY, id)).toEqual({ kind: 'gone' });
});

test('a large file is deleted a few parts at a time', async () => {
  const jobs = serverWith(testProvider(testRows(90)));
  const { id } = await started(jobs);
  await jobs.runner.idle();
  const query = vi.spyOn(database, 'query');
  onTestFinished(() => query.mockRestore());
  await jobs.cancel(actor, id);
  await jobs.runner.idle();
  const deletes = query.mock.calls.flatMap(([text], at) =>
    text.startsWith('delete from jobs.parts') ? [query.mock.results[at]?.value] : [],
  );
  const deleted = (await Promise.all(deletes)).map((rows) => rows.length);
  expect(deleted).toEqual([20, 20, 5, 0]);
  expect(await database.query('select number from jobs.parts where job = $1', [id])).toEqual([]);
});

test('a job that another server cancelled is aborted at the next tick', async () => {
  const stuck = stuckAt(4);
  const jobs = serverWith(stuck.provider);
  const { id } = await started(jobs);
  await stuck.arrived;
  await savedBefore(4, jobs, id);
  await serverWith(testProvider([])).cancel(actor, id);
  await jobs.runner.tick();
  const reads = stuck.provider.reads.length;
  stuck.release();
  await jobs.runner.idle();
  expect(stuck.provider.reads).toHaveLength(reads);
});

test('a file is deleted after 24 hours, and its job no longer offers it', async () => {
  const jobs = serverWith(testProvider(testRows(9)));
  const { id } = await started(jobs);
  await jobs.runner.idle();
  const set = (hours: number) =>
    database.query(`update jobs.runs set ended_at = ${NOW_MS} - $2::bigint where id = $1`, [
      id,
      String(hours * 3_600_000),
    ]);
  await set(23.9);
  await serverWith(testProvider([])).runner.tick();
  expect(fileOf(await found(jobs, id))).not.toBeNull();
  await set(24.1);
  await serverWith(testProvider([])).runner.tick();
  const job = await found(jobs, id);
  expect(exportJobView(job)).toMatchObject({ state: 'done', file: null, expires_at: null, rows: 9 });
  expect(await database.query('select number from jobs.parts where job = $1', [id])).toEqual([]);
  await expect(textOf(jobs, job)).rejects.toThrow('The file was deleted.');
});

test('a person’s job may wait longer than a day, one of the other sign-in mode may not', async () => {
  const ada = person(actor.account);
  const old = (id: string) =>
    database.query(`update jobs.runs set created_at = ${NOW_MS} - 90000000, lease_until = null where id = $1`, [id]);
  const asleep = serverWith(testProvider([]), inPeopleMode());
  await asleep.runner.stop();
  const { id } = await started(asleep, ada);
  await old(id);
  const people = serverWith(testProvider(testRows(2)), inPeopleMode());
  await people.runner.idle();
  expect((await found(people, id, ada)).state).toBe('done');

  const another = await started(asleep, ada);
  await old(another.id);
  await serverWith(testProvider([])).runner.tick();
  expect(exportJobView(await found(people, another.id, ada))).toMatchObject({
    state: 'stopped',
    problem: { message: 'No server worked on it for a day.' },
  });
});

test('a job on which several servers failed stops', async () => {
  const ada = person(actor.account);
  const asleep = serverWith(testProvider([]), inPeopleMode());
  await asleep.runner.stop();
  const { id } = await started(asleep, ada);
  // As if each server had ended in the middle of the job.
  await database.query('update jobs.runs set takeovers = 5 where id = $1', [id]);
  const jobs = serverWith(testProvider(testRows(2)), inPeopleMode());
  await jobs.runner.idle();
  expect(exportJobView(await found(jobs, id, ada)).problem).toMatchObject({
    message: 'Several servers failed on this.',
  });
  await jobs.continue(ada, KEY, id);
  await jobs.runner.idle();
  expect((await found(jobs, id, ada)).state).toBe('done');
});

test('a job whose parts are gone stops instead of being retried for ever', async () => {
  const ada = person(actor.account);
  const jobs = serverWith(
    testProvider(testRows(9), { onRead: (call) => (call > 3 ? answerOf(401, {}) : undefined) }),
    inPeopleMode(),
  );
  const { id } = await started(jobs, ada);
  await jobs.runner.idle();
  await database.query('delete from jobs.parts where job = $1', [id]);
  await jobs.continue(ada, KEY, id);
  await jobs.runner.idle();
  expect(exportJobView(await found(jobs, id, ada))).toMatchObject({ state: 'stopped', problem: { code: 'failed' } });
});

test('a job that is started during the check for ended jobs keeps its API key', async () => {
  let hold: Promise<void> | null = null;
  let arrive = (): void => undefined;
  const slow: Database = {
    ...database,
    query: async (text, params) => {
      const rows = await database.query<never>(text, params);
      if (hold !== null && text.startsWith('select id from jobs.runs where ended_at is null')) {
        arrive();
        await hold;
      }
      return rows;
    },
  };
  const stuck = stuckAt(2);
  const jobs = serverWith(stuck.provider, { database: slow });
  const first = await started(jobs);
  await stuck.arrived;
  let release = (): void => undefined;
  hold = new Promise((resolve) => (release = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const ticked = jobs.runner.tick();
  await arrived;
  const second = await started(jobs);
  release();
  hold = null;
  await ticked;
  stuck.release();
  await jobs.runner.idle();
  for (const { id } of [first, second]) expect((await found(jobs, id)).state).toBe('done');
});

test('the disk space of deleted files is reused', async () => {
  const size = async () => {
    const [row] = await database.query<{ size: string }>(`select pg_total_relation_size('jobs.parts')::text as size`);
    return Number(row?.size);
  };
  // Random, so that the database can't compress it.
  const rows = testRows(10).map((row) => ({ ...row, status: randomBytes(100_000).toString('base64') }));
  const clock = quickClock();
  const jobs = serverWith(testProvider(rows), { clock });
  const sizes: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { id } = await started(jobs);
    await jobs.runner.idle();
    sizes.push(await size());
    await jobs.cancel(actor, id);
    await clock.sleep(60_000, new AbortController().signal);
    await jobs.runner.tick();
  }
  expect(sizes[2]).toBeLessThan((sizes[0] ?? 0) + 1_000_000);
});

test('a database of the previous version keeps the downloads of incomplete files', async () => {
  const old = await openDatabase({ directory: 'memory' });
  await migrate(old, 'jobs', JOB_MIGRATIONS.slice(0, 3));
  for (const [state, handedOutAt] of [
    ['stopped', 5],
    ['done', 6],
    ['cancelled', null],
  ] as const)
    await old.query(
      `insert into jobs.runs (id, kind, arguments, service, account, session, state, progress, rows, sha256, created_at, ended_at, handed_out_at)
       values ($1, 'export', '{}', 's', 'a', 's', $1, '{}', 40, 'ab40', 1, 2, $2)`,
      [state, handedOutAt],
    );
  await migrateJobs(old);
  expect(await old.query('select job, sha256, rows::text, at::text from jobs.partial_downloads')).toEqual([
    { job: 'stopped', sha256: 'ab40', rows: '40', at: '5' },
  ]);
  await old.close();
});

test('another person’s job is not found; in key mode everybody with the API key sees it', async () => {
  const jobs = serverWith(testProvider(testRows(2)), inPeopleMode());
  const { id } = await started(jobs, person(actor.account));
  await jobs.runner.idle();
  for (const other of [
    person(actor.account, 'bo'),
    person('another account'),
    { ...person(actor.account), service: 'https://other.example' },
    actor,
  ]) {
    expect(await jobs.find(other, id)).toBeNull();
    expect(await jobs.list(other)).toEqual([]);
    expect(await jobs.openFile({ ...other, session: actor.session }, id)).toBeNull();
    expect(await jobs.cancel(other, id)).toEqual({ kind: 'not-found' });
    expect(await jobs.continue(other, KEY, id)).toEqual({ kind: 'not-found' });
  }
  expect((await found(jobs, id, person(actor.account))).state).toBe('done');
});

test('a session that has ended or a person without a role starts no job', async () => {
  const jobs = serverWith(testProvider(testRows(2)));
  await endSession(actor.session, 'signed-out');
  await expect(jobs.start(actor, KEY, CSV)).rejects.toThrow('The session has ended');
  const without = serverWith(testProvider(testRows(2)), {
    ...inPeopleMode(),
    readSessionRights: async () => ({ permissions: [], keyRefused: false }),
  });
  await expect(without.start(person(actor.account), KEY, CSV)).rejects.toThrow('Nothing was changed');
  expect(await jobs.list(actor)).toEqual([]);
});

test('a person has a limited number of jobs', async () => {
  const stuck = stuckAt(1);
  const jobs = serverWith(stuck.provider);
  const ids: string[] = [];
  for (let n = 0; n < JOBS_MAX; n += 1) ids.push((await started(jobs)).id);
  expect(await jobs.start(actor, KEY, CSV)).toBeNull();
  await jobs.cancel(actor, ids.at(-1) ?? '');
  expect(await jobs.start(actor, KEY, CSV)).not.toBeNull();
  stuck.release();
  await jobs.runner.idle();
});

test('after a failure of the database a job continues from the last save', async () => {
  let isFailing = true;
  const failing: Database = {
    ...database,
    query: (text, params) => database.query(text, params),
    script: (text) => database.script(text),
    transaction: (work) =>
      database.transaction(async (tx) => {
        const done = await work(tx);
        if (isFailing && provider.reads.length > 3) throw Object.assign(new Error('disk full'), { code: '53100' });
        return done;
      }),
  };
  const provider = testProvider(testRows(9));
  const lines: string[] = [];
  const jobs = serverWith(provider, { database: failing, warn: (line) => void lines.push(line) });
  const { id } = await started(jobs);
  await jobs.runner.idle();
  isFailing = false;
  await jobs.runner.idle();
  expect(lines).toEqual(['Jobs: disk full']);
  expect(await textOf(jobs, await found(jobs, id))).toBe(await undisturbed());
});

// Keep these last: they drop the constraints of the table.
describe('a job that a newer version of the server wrote', () => {
  beforeAll(() =>
    database.script(`alter table jobs.runs drop constraint runs_kind_check; alter table jobs.runs drop constraint runs_state_check;
      alter table jobs.runs drop constraint runs_check1`),
  );

  type NewerValues = Partial<Record<'kind' | 'state' | 'arguments', string>>;

  /** Copies a job, older than it, with other values. */
  async function writeNewer(id: string, values: NewerValues): Promise<string> {
    const newer = randomUUID();
    const { kind = null, state = null, arguments: request = null } = values;
    await database.query(
      `insert into jobs.runs (id, kind, state, arguments, service, account, person, who, session, progress, created_at)
       select $2, coalesce($3, kind), coalesce($4, 'waiting'), coalesce($5, arguments), service, account, person, who, session,
         progress, created_at - 1 from jobs.runs where id = $1`,
      [id, newer, kind, state, request],
    );
    return newer;
  }

  const REQUEST = JSON.stringify({ ...CSV, filters: { network: 'testnet' } });

  test.each<[string, NewerValues]>([
    ['of an unknown kind', { kind: 'report' }],
    ['in an unknown state', { state: 'paused' }],
    ['with an unknown request', { arguments: REQUEST }],
  ])('%s is left alone, and others are listed and done', async (_, values) => {
    const jobs = serverWith(testProvider(testRows(9)));
    const { id } = await started(jobs);
    const newer = await writeNewer(id, values);
    await jobs.runner.idle();
    expect((await jobs.list(actor)).map((job) => [job.id, job.state])).toEqual([[id, 'done']]);
    expect(await jobs.find(actor, newer)).toBeNull();
    expect(await jobs.continue(actor, KEY, newer)).toEqual({ kind: 'not-found' });
    expect(await jobs.cancel(actor, newer)).toEqual({ kind: 'not-found' });
    const [row] = await database.query('select state from jobs.runs where id = $1', [newer]);
    expect(row).toEqual({ state: values.state ?? 'waiting' });
  });

  test('stops when the server would claim it, and the person’s next job runs', async () => {
    const ada = person(actor.account);
    const jobs = serverWith(testProvider(testRows(9)), inPeopleMode());
    const { id } = await started(jobs, ada);
    const newer = await writeNewer(id, { arguments: REQUEST });
    await database.query(`update jobs.runs set state = 'waiting', run = null, ended_at = null where id = $1`, [id]);
    await jobs.runner.idle();
    expect((await found(jobs, id, ada)).state).toBe('done');
    const [row] = await database.query('select state, problem from jobs.runs where id = $1', [newer]);
    expect(row).toMatchObject({ state: 'stopped', problem: expect.stringContaining('Another version of the server') });
  });

  test('with an unknown problem is listed as a failure with its message', async () => {
    const jobs = serverWith(testProvider(testRows(9)));
    const { id } = await started(jobs);
    await jobs.runner.idle();
    const problem = { code: 'provider-moved', message: 'The provider has a new address.', request_id: null };
    await database.query('update jobs.runs set problem = $2 where id = $1', [id, JSON.stringify(problem)]);
    expect((await jobs.list(actor)).map((job) => job.problem)).toEqual([{ ...problem, code: 'failed' }]);
  });
});
