import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import { keySessionRights } from '#src/server/people/sessionRows.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { openTeam, type Team } from '#src/server/team/team.ts';
import { closingOfJob, type MonthRequest } from '#src/shared/contract/monthJobContract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { parseExact } from '#src/shared/json/exactJson.ts';
import {
  createMonthsProvider,
  fillFirstMonth,
  fillSecondMonth,
  fillThirdMonth,
  MONTH_STARTS,
  type MonthsProvider,
  TEST_RATES,
  testTeamRecords,
} from '#src/shared/statement/testMonths.ts';
import type { JobActor, MonthRow } from './jobRows.ts';
import { createJobs, type Jobs, type JobsParts } from './jobs.ts';
import { migrateJobs } from './schema.ts';
import { answerOf, NOTHING_CLOSED, quickClock } from './testProvider.ts';
import { monthViewOf } from './views.ts';
import { DEEP } from '#src/tests/depth.ts';

let database: Database;
let team: Team;
let accounts = 0;
let actor: JobActor;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migratePeople(database);
  await migrateJobs(database);
  team = await openTeam(database, { list: async () => ({ data: [], next: null }), find: async () => null });
}, 60_000);
afterAll(() => database.close());
beforeEach(async () => {
  actor = await signIn(`a1b2c3d4e5f6${(accounts += 1)}`, 'Ana');
});

const SERVICE = 'https://pay.example';
const KEY = 'sk_test_of_months';
const [FIRST, SECOND, THIRD, END] = MONTH_STARTS;

async function signIn(account: string, who: string): Promise<JobActor> {
  const session = `session ${account} ${who}`;
  await database.query(
    `insert into people.sessions (token_sha256, id, service, account, credential, name, journal_only, created_at, seen_at)
     values ($1, $1, $2, $3, $3, $4, false, ${NOW_MS}, ${NOW_MS})`,
    [session, SERVICE, account, who],
  );
  return { service: SERVICE, account, session, who, person: null, rights: KEY_RIGHTS };
}

interface Read {
  /** Number of the read, from 1. */
  call: number;
  path: string;
}

/** The provider as the server reads it. `onRead`: before each read; an answer replaces the provider's own. */
function serviceOf(
  provider: MonthsProvider,
  onRead: (read: Read) => Promise<number | void> | number | void = () => undefined,
) {
  let call = 0;
  const keys = new Set<string>();
  return {
    name: SERVICE,
    keys,
    calls: () => call,
    read: async (apiKey: string, target: string) => {
      keys.add(apiKey);
      const { pathname: path, searchParams } = new URL(target, SERVICE);
      call += 1;
      const status = await onRead({ call, path });
      if (typeof status === 'number') return answerOf(status, { error: { code: 'refused', message: 'No.' } });
      const { status: of, body } = provider.answer(path, searchParams);
      return { ...answerOf(of, body), date: provider.now };
    },
  };
}

function serverWith(service: JobsParts['service'], more: Partial<JobsParts> = {}): Jobs {
  return createJobs({
    database,
    service,
    readSessionRights: keySessionRights,
    people: null,
    loadTeamColumns: async () => [],
    ...NOTHING_CLOSED,
    statements: team.statements,
    clock: quickClock(),
    warn: (line) => {
      throw new Error(line);
    },
    ...more,
  });
}

function requestOf(from: number, to: number, more: Partial<MonthRequest> = {}): MonthRequest {
  return { kind: 'month-close', task: 'read', from, to, closed: 0, reading: null, ...more };
}

async function started(jobs: Jobs, request: MonthRequest, by = actor): Promise<string> {
  const job = await jobs.start(by, KEY, request);
  if (job === null) throw new Error('It was not started.');
  return job.id;
}

async function found(jobs: Jobs, id: string, by = actor): Promise<MonthRow> {
  const job = await jobs.find(by, id);
  if (job?.kind !== 'month-close') throw new Error('There is no such job.');
  return job;
}

async function done(jobs: Jobs, request: MonthRequest, by = actor): Promise<MonthRow> {
  const id = await started(jobs, request, by);
  await jobs.runner.idle();
  await jobs.noteSeen(id);
  return found(jobs, id, by);
}

/** Reads and prepares a month, as a page asks for it. */
async function prepared(jobs: Jobs, from: number, to: number, by = actor): Promise<MonthRow> {
  const closed = (await team.statements.list(by)).length;
  const { id } = await done(jobs, requestOf(from, to, { closed }), by);
  return done(jobs, requestOf(from, to, { closed, task: 'prepare', reading: id }), by);
}

async function close(jobs: Jobs, job: MonthRow, rates: Uint8Array | null = null, by = actor) {
  const result = await jobs.close(by, job.id, { sha256: job.sha256 ?? '', rates });
  return result.kind === 'closed' ? periodIn(result.item.value) : result;
}

function periodIn(value: string): ClosedPeriod {
  const parsed: unknown = parseExact(value);
  return JSON.parse(JSON.stringify(parsed));
}

const FILES: ClosedPeriod[] = JSON.parse(
  readFileSync(new URL('../../shared/statement/testMonths.json', import.meta.url), 'utf8'),
);

test('a month closed by the server equals the one that the browser closed before, byte for byte', async () => {
  const by = await signIn('a1b2c3d4e5f6', 'Ana');
  const months = async (provider: MonthsProvider, steps: readonly [(of: MonthsProvider) => void, number, number][]) => {
    const jobs = serverWith(serviceOf(provider), {
      loadTeamRecords: async (_, { from }) =>
        from === SECOND ? testTeamRecords() : { recipients: [], notes: [], operations: [] },
    });
    const closed: unknown[] = [];
    for (const [fill, from, to] of steps) {
      fill(provider);
      const rates = from === SECOND ? new TextEncoder().encode(TEST_RATES) : null;
      const period = await close(jobs, await prepared(jobs, from, to, by), rates, by);
      closed.push({ ...period, closing: 'closing_1', parts: 1 });
    }
    return closed;
  };
  const closed = await months(createMonthsProvider(), [
    [fillFirstMonth, FIRST, SECOND],
    [fillSecondMonth, SECOND, THIRD],
    [fillThirdMonth, THIRD, END],
  ]);
  expect(closed).toEqual(FILES.slice(0, 3));
  await database.query('delete from team.items where account = $1', [by.account]);
  const bare = await months(createMonthsProvider({ hasLedger: false }), [[fillFirstMonth, FIRST, SECOND]]);
  expect(bare).toEqual(FILES.slice(3));
}, 60_000);

/** A provider with the first month. */
function firstMonth(): MonthsProvider {
  const provider = createMonthsProvider();
  fillFirstMonth(provider);
  return provider;
}

/** Blocks the provider at a read until the test releases it. */
function held() {
  let release = (): void => undefined;
  const open = new Promise<void>((resolve) => (release = resolve));
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  return {
    arrived,
    release,
    at: (call: number) => async (read: Read) => {
      if (read.call !== call) return;
      arrive();
      await open;
    },
  };
}

const lapse = (id: string) => database.query(`update jobs.runs set lease_until = ${NOW_MS} - 1 where id = $1`, [id]);
const inPeopleMode: Partial<JobsParts> = {
  people: {
    accounts: {
      list: () => [],
      find: (account) => ({ name: 'main', account, credential: account, apiKey: KEY }),
    },
    grants: {
      readPerson: async (_, { person }) => ({
        id: person,
        name: 'Ada',
        permissions: ['view', 'prepare'],
        setBack: false,
      }),
    },
  },
  readSessionRights: async () => ({ permissions: ['view', 'prepare'], keyRefused: false }),
};
const ada = (): JobActor => ({ ...actor, person: 'ada', who: 'Ada', session: 'a session' });

test('reports its step and progress, and shows the month while it searches', async () => {
  const provider = firstMonth();
  // The totals don't match the deposits, so late rows are searched for.
  provider.balances = (rows) => rows.map((row) => ({ ...row, total: '1' }));
  const states: ReturnType<typeof monthViewOf>[] = [];
  const jobs = serverWith(serviceOf(provider), {
    database: watched(async (id) => states.push(monthViewOf(await found(jobs, id)))),
  });
  const job = await done(jobs, requestOf(FIRST, SECOND));
  expect(states.find(({ progress }) => progress?.list === 'ledger')).toMatchObject({
    state: 'running',
    doing: 'reading',
    month: null,
    progress: { rows: expect.any(Number), reached: expect.any(Number) },
  });
  expect(states.find(({ doing }) => doing === 'finding')).toMatchObject({
    month: { rows: { deposits: 701 } },
    late: null,
  });
  expect(monthViewOf(job)).toMatchObject({
    state: 'done',
    progress: null,
    late: { rows: { deposits: expect.any(Number) } },
  });

  /** The database, with a look at the job after each save of its progress. */
  function watched(look: (id: string) => Promise<unknown>): Database {
    return {
      ...database,
      transaction: async (work) => {
        let id: string | null = null;
        const result = await database.transaction((tx) =>
          work({
            ...tx,
            query: (text, params) => {
              if (text.startsWith('update jobs.runs set progress')) id = String(params?.[0]);
              return tx.query(text, params);
            },
          }),
        );
        if (id !== null) await look(id);
        return result;
      },
    };
  }
});

test('if a server is killed while it reads, another takes over, and the file equals that of an undisturbed run', async () => {
  const calm = await signIn(actor.account, 'Ada');
  const undisturbed = await prepared(serverWith(serviceOf(firstMonth()), inPeopleMode), FIRST, SECOND, {
    ...calm,
    person: 'other',
  });
  for (const call of [1, 3, 9, 15, 21]) {
    const { arrived, release, at } = held();
    const first = serverWith(serviceOf(firstMonth(), at(call)), inPeopleMode);
    const second = serverWith(serviceOf(firstMonth()), inPeopleMode);
    const id = await started(first, requestOf(FIRST, SECOND, { task: 'prepare' }), ada());
    await arrived;
    // A save that was under way may renew it once more.
    do {
      await lapse(id);
      await second.runner.idle();
    } while ((await found(second, id, ada())).state === 'running');
    release();
    await first.runner.stop();
    await second.noteSeen(id);
    const job = await found(second, id, ada());
    expect([call, job.state, job.sha256]).toEqual([call, 'done', undisturbed.sha256]);
  }
}, 60_000);

test('with SIGN_IN=key a reading stops with the server that has the API key, until somebody continues it', async () => {
  const { arrived, release, at } = held();
  const service = serviceOf(firstMonth(), at(5));
  const first = serverWith(service);
  const id = await started(first, requestOf(FIRST, SECOND));
  await arrived;
  await first.runner.stop();
  release();
  const second = serverWith(serviceOf(firstMonth()));
  await second.runner.idle();
  expect(monthViewOf(await found(second, id))).toMatchObject({
    state: 'stopped',
    problem: { code: 'server-restarted' },
  });
  expect(await second.continue(actor, KEY, id)).toMatchObject({ kind: 'changed' });
  await second.runner.idle();
  expect(await found(second, id)).toMatchObject({ state: 'done' });
  const [row] = await database.query('select * from jobs.runs where id = $1', [id]);
  expect(JSON.stringify(row)).not.toContain(KEY);
});

test('a reading outlives its page: an equal request joins it, or gets its result once', async () => {
  const { arrived, release, at } = held();
  const service = serviceOf(firstMonth(), at(2));
  const jobs = serverWith(service);
  const id = await started(jobs, requestOf(FIRST, SECOND));
  await arrived;
  expect(await started(jobs, requestOf(FIRST, SECOND))).toBe(id);
  const ben = await signIn(actor.account, 'Ben');
  expect(await started(jobs, requestOf(FIRST, SECOND), ben)).not.toBe(id);
  release();
  await jobs.runner.idle();
  expect(await started(jobs, requestOf(FIRST, SECOND))).toBe(id);
  await jobs.noteSeen(id);
  expect(await started(jobs, requestOf(FIRST, SECOND))).not.toBe(id);
  await jobs.runner.idle();
});

test('a person has a limited number of readings, and they aren’t listed as exports', async () => {
  const jobs = serverWith(serviceOf(createMonthsProvider()));
  for (let n = 0; n < 12; n += 1) await done(jobs, requestOf(FIRST + n, SECOND));
  const [row] = await database.query(
    'select count(*)::integer as count from jobs.runs where account = $1 and dropped_at is null',
    [actor.account],
  );
  expect(row).toEqual({ count: 8 });
  expect(await jobs.list(actor)).toEqual([]);
});

test('a refusal stops a reading, with the provider’s message; a missing ledger does not', async () => {
  const refusing = serverWith(serviceOf(firstMonth(), ({ path }) => (path === '/v1/deposits' ? 403 : undefined)));
  expect(monthViewOf(await done(refusing, requestOf(FIRST, SECOND)))).toMatchObject({
    state: 'stopped',
    problem: { code: 'provider-refused', message: 'The provider refused this (403): No.', request_id: 'req_1' },
  });
  // Not the provider's own 404: no proof that it has no ledger.
  const odd = serverWith(serviceOf(firstMonth(), ({ path }) => (path === '/v1/ledger-entries' ? 404 : undefined)));
  expect(await done(odd, requestOf(FIRST, SECOND))).toMatchObject({ state: 'stopped' });
  const bare = createMonthsProvider({ hasLedger: false });
  fillFirstMonth(bare);
  const job = await done(serverWith(serviceOf(bare)), requestOf(FIRST, SECOND));
  expect(monthViewOf(job)).toMatchObject({ state: 'done', month: { sums: null, rows: { ledger: null } } });
});

test('a reading continues after the provider fails once', async () => {
  const jobs = serverWith(serviceOf(firstMonth(), ({ call }) => (call === 3 ? 503 : undefined)));
  expect(await done(jobs, requestOf(FIRST, SECOND))).toMatchObject({ state: 'done' });
});

test('closing: a repeated press gets the same period, other rates or another reading are rejected', async () => {
  const jobs = serverWith(serviceOf(firstMonth()));
  const ready = await prepared(jobs, FIRST, SECOND);
  const first = await jobs.close(actor, ready.id, { sha256: ready.sha256 ?? '', rates: null });
  expect(first).toMatchObject({ kind: 'closed', item: { who: 'Ana', revision: 1 } });
  const [stored] = await team.statements.list(actor);
  expect(stored?.closing).toBe(closingOfJob(ready.id));
  expect(await jobs.close(actor, ready.id, { sha256: ready.sha256 ?? '', rates: null })).toEqual(first);
  const rates = new TextEncoder().encode('day,asset,currency,rate,source\n2026-08-02,USDT,EUR,0.9,ECB\n');
  expect(await jobs.close(actor, ready.id, { sha256: ready.sha256 ?? '', rates })).toEqual({ ...first, kind: 'moved' });
  const ben = await signIn(actor.account, 'Ben');
  expect(await jobs.close(ben, ready.id, { sha256: ready.sha256 ?? '', rates: null })).toEqual({
    ...first,
    kind: 'moved',
  });
  expect(await team.statements.list(actor)).toHaveLength(1);
});

test('closing: a second press during the first makes no second file', async () => {
  let frozen = 0;
  const loadTeamRecords: JobsParts['loadTeamRecords'] = async (...asked) => {
    frozen += 1;
    return NOTHING_CLOSED.loadTeamRecords(...asked);
  };
  const jobs = serverWith(serviceOf(firstMonth()), { loadTeamRecords });
  const ready = await prepared(jobs, FIRST, SECOND);
  const [one, other] = await Promise.all([close(jobs, ready), close(jobs, ready)]);
  expect(one).toMatchObject({ number: 1 });
  expect(other).toEqual(one);
  expect(frozen).toBe(1);
});

test.runIf(DEEP)('an export of schema version 1 survives the migration, and readings can be started', async () => {
  await database.script(`delete from jobs.migrations where version > 1; drop table jobs.prepared; drop table jobs.partial_downloads;
    alter table jobs.runs drop constraint runs_kind_check;
    alter table jobs.runs add constraint runs_kind_check check (kind in ('export')) not valid`);
  const jobs = serverWith(serviceOf(createMonthsProvider()));
  await expect(jobs.start(actor, KEY, requestOf(FIRST, SECOND))).rejects.toThrow('runs_kind_check');
  const csv = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters: {} } as const;
  const before = await jobs.start(actor, KEY, csv);
  await migrateJobs(database);
  expect(await jobs.list(actor)).toMatchObject([{ id: before?.id, kind: 'export' }]);
  expect(await done(jobs, requestOf(FIRST, SECOND))).toMatchObject({ state: 'done' });
});

test('closing: the same rates get the same period, and two presses with different rates make one period', async () => {
  const jobs = serverWith(serviceOf(firstMonth()));
  const ready = await prepared(jobs, FIRST, SECOND);
  const ratesOf = (rate: string) =>
    new TextEncoder().encode(`day,asset,currency,rate,source\n2026-08-02,USDT,EUR,${rate},ECB\n`);
  const press = (rates: Uint8Array) => jobs.close(actor, ready.id, { sha256: ready.sha256 ?? '', rates });
  const results = await Promise.all([press(ratesOf('0.9')), press(ratesOf('0.8'))]);
  expect(results.map(({ kind }) => kind).sort()).toEqual(['closed', 'moved']);
  const won = results[0]?.kind === 'closed' ? '0.9' : '0.8';
  expect(await press(ratesOf(won))).toMatchObject({ kind: 'closed' });
  expect(await press(ratesOf('0.7'))).toMatchObject({ kind: 'moved', item: { id: '1' } });
});

test('closing: two people at once make one period, with the file of the first', async () => {
  const jobs = serverWith(serviceOf(firstMonth()));
  const ben = await signIn(actor.account, 'Ben');
  const ready = [await prepared(jobs, FIRST, SECOND), await prepared(jobs, FIRST, SECOND, ben)] as const;
  const [one, other] = await Promise.all([close(jobs, ready[0]), close(jobs, ready[1], null, ben)]);
  const closed = [one, other].filter((each) => 'zip' in each);
  expect(closed).toHaveLength(1);
  const [period] = await team.statements.list(actor);
  expect(closed[0]).toEqual(period);
  await expect(team.statements.readZip(actor, period ?? FILES[0]!)).resolves.toMatchObject({ size: period?.zip.bytes });
});

test('closing needs a check of everything before the period, the hash that the person saw, and a period that is over', async () => {
  const jobs = serverWith(serviceOf(firstMonth()));
  const read = await done(jobs, requestOf(FIRST, SECOND));
  expect(await close(jobs, read)).toEqual({ kind: 'moved', item: null });
  const ready = await prepared(jobs, FIRST, SECOND);
  const other = '0'.repeat(64);
  expect(await jobs.close(actor, ready.id, { sha256: other, rates: null })).toEqual({ kind: 'moved', item: null });
  const open = await prepared(jobs, FIRST, SECOND + 40 * 86_400);
  expect(await close(jobs, open)).toMatchObject({ kind: 'refused', why: 'The period was not over when it was read.' });
  const faulty = new TextEncoder().encode('day,asset,currency,rate,source\n2026-08-02,USDT,EUR,"0,9",ECB\n');
  expect(await close(jobs, ready, faulty)).toMatchObject({ kind: 'refused', why: expect.stringContaining('Line 2') });
  expect(await close(jobs, { ...ready, id: 'no-job' })).toEqual({ kind: 'not-found' });
  await jobs.cancel(actor, ready.id);
  expect(await close(jobs, ready)).toEqual({ kind: 'gone' });
  expect(await team.statements.list(actor)).toEqual([]);
});

test('after a colleague closed a period, earlier readings can’t be continued or closed', async () => {
  const provider = firstMonth();
  const jobs = serverWith(serviceOf(provider));
  const early = await prepared(jobs, FIRST, SECOND - 86_400);
  expect(await close(jobs, await prepared(jobs, FIRST, SECOND))).toMatchObject({ number: 1 });
  expect(await close(jobs, early)).toMatchObject({ kind: 'moved', item: { id: '1' } });
  const late = await done(jobs, requestOf(FIRST, SECOND, { task: 'prepare', closed: 0 }));
  expect(monthViewOf(late)).toMatchObject({ state: 'stopped', problem: { code: 'moved-on' } });
  fillSecondMonth(provider);
  // Days are missing between the two.
  const gap = await prepared(jobs, SECOND + 86_400, THIRD);
  expect(await close(jobs, gap)).toEqual({ kind: 'moved', item: null });
});

test('a deleted reading or one of another version is read again, not continued', async () => {
  const jobs = serverWith(serviceOf(firstMonth()));
  const { id } = await done(jobs, requestOf(FIRST, SECOND));
  await database.query(
    `update jobs.runs set progress = replace(progress, '"version":1', '"version":2') where id = $1`,
    [id],
  );
  const after = requestOf(FIRST, SECOND, { task: 'prepare', reading: id });
  expect(await done(jobs, after)).toMatchObject({ state: 'stopped', problem: { code: 'moved-on' } });
  expect(await done(jobs, { ...after, reading: 'none' })).toMatchObject({ state: 'stopped' });
});

test('a read-only session and an ended one can’t close a month', async () => {
  const jobs = serverWith(serviceOf(firstMonth()));
  const ready = await prepared(jobs, FIRST, SECOND);
  const readOnly = { ...actor, rights: { ...KEY_RIGHTS, readOnly: true } };
  await expect(close(jobs, ready, null, readOnly)).rejects.toThrow('read-only');
  await database.query(`update people.sessions set ended_at = ${NOW_MS}, ended_why = 'signed-out' where id = $1`, [
    actor.session,
  ]);
  await expect(close(jobs, ready)).rejects.toThrow('The session has ended');
  expect(await team.statements.list(actor)).toEqual([]);
});
