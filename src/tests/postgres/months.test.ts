import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { JobActor, MonthRow } from '#src/server/jobs/jobRows.ts';
import { createJobs, type Jobs } from '#src/server/jobs/jobs.ts';
import { createPreparing } from '#src/server/jobs/preparing.ts';
import { migrateJobs } from '#src/server/jobs/schema.ts';
import { answerOf, NOTHING_CLOSED, quickClock } from '#src/server/jobs/testProvider.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { openTeam, type Team } from '#src/server/team/team.ts';
import type { MonthRequest } from '#src/shared/contract/monthJobContract.ts';
import { createMonthsProvider, fillFirstMonth, MONTH_STARTS } from '#src/shared/statement/testMonths.ts';
import { postgresPrograms } from './programs.ts';
import { type PostgresServer, startPostgres } from './server.ts';

// Two servers on one PostgreSQL.

let server: PostgresServer;
let databases: Database[];
let teams: Team[];

const rightsOf = async () => ({ permissions: ['view', 'prepare'] as ('view' | 'prepare')[], keyRefused: false });

beforeAll(async () => {
  server = await startPostgres(postgresPrograms() ?? '');
  vi.stubEnv('PGHOST', server.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  const open = () => openDatabase({ databaseUrl: 'postgres:///postgres', directory: 'memory' });
  databases = await Promise.all([open(), open()]);
  const none = { list: async () => ({ data: [], next: null }), find: async () => null };
  await Promise.all(databases.map((sql) => migratePeople(sql)));
  await Promise.all(databases.map((sql) => migrateJobs(sql)));
  teams = await Promise.all(databases.map((sql) => openTeam(sql, none, rightsOf)));
});
afterAll(async () => {
  for (const sql of databases) await sql.close();
  await server.stop();
  vi.unstubAllEnvs();
});

const SERVICE = 'https://pay.example';
const [FIRST, SECOND] = MONTH_STARTS;
const MONTH: MonthRequest = { kind: 'month-close', task: 'prepare', from: FIRST, to: SECOND, closed: 0, reading: null };

const personOf = (account: string, name: string): JobActor => ({
  service: SERVICE,
  account,
  session: 'session',
  who: name,
  person: name,
  rights: KEY_RIGHTS,
});

function serverAt(at: number): Jobs {
  const provider = createMonthsProvider();
  fillFirstMonth(provider);
  const [database, team] = [databases[at], teams[at]];
  if (!database || !team) throw new Error('Two servers.');
  return createJobs({
    database,
    service: {
      name: SERVICE,
      read: async (_, target) => {
        const { pathname, searchParams } = new URL(target, SERVICE);
        const { status, body } = provider.answer(pathname, searchParams);
        return { ...answerOf(status, body), date: provider.now };
      },
    },
    readSessionRights: rightsOf,
    people: {
      accounts: { list: () => [], find: (account) => ({ name: 'a', account, credential: account, apiKey: 'sk_1' }) },
      grants: {
        readPerson: async (_, { person }) => ({
          id: person,
          name: person,
          permissions: ['view', 'prepare'],
          setBack: false,
        }),
      },
    },
    loadTeamColumns: async () => [],
    ...NOTHING_CLOSED,
    statements: team.statements,
    clock: quickClock(),
    warn: (line) => {
      throw new Error(line);
    },
  });
}

async function prepared(jobs: Jobs, actor: JobActor): Promise<MonthRow> {
  const started = await jobs.start(actor, 'sk_1', MONTH);
  await jobs.runner.idle();
  const job = await jobs.find(actor, started?.id ?? '');
  if (job?.kind !== 'month-close') throw new Error('There is no such job.');
  return job;
}

test('a month that two people close on two servers at once is closed once, with the ZIP of the one who did', async () => {
  for (const round of [1, 2, 3]) {
    const people = ['Ana', 'Ben'].map((name) => personOf(`account-${round}`, name));
    const servers = [serverAt(0), serverAt(1)];
    const closing = people.map(async (actor, at) => {
      const jobs = servers[at] ?? serverAt(at);
      const { id, sha256 } = await prepared(jobs, actor);
      return jobs.close(actor, id, { sha256: sha256 ?? '', rates: null });
    });
    expect((await Promise.all(closing)).map(({ kind }) => kind).sort()).toEqual(['closed', 'moved']);
    const owner = { service: SERVICE, account: `account-${round}` };
    const periods = (await teams[0]?.statements.list(owner)) ?? [];
    expect(periods).toHaveLength(1);
    for (const period of periods)
      expect((await teams[1]?.statements.readZip(owner, period))?.size).toBe(period.zip.bytes);
    const [files] =
      (await databases[0]?.query(
        'select count(distinct closing)::integer as count from team.closed_files where account = $1',
        [owner.account],
      )) ?? [];
    expect(files).toEqual({ count: 1 });
    for (const { runner } of servers) await runner.stop();
  }
});

test('two servers that prepare a month at once start one job and send one reminder', async () => {
  const reminders: string[] = [];
  const owner = { service: SERVICE, account: 'account-prepared' };
  const steps = databases.map((database, at) =>
    createPreparing({
      database,
      statements: teams[at]?.statements ?? NOTHING_CLOSED.statements,
      events: { onPrepared: async () => undefined, onReminder: async () => void reminders.push('reminder') },
      wall: () => (SECOND + 10 * 86_400) * 1_000,
    }),
  );
  await Promise.all(steps.flatMap((step) => [step(owner), step(owner)]));
  const rows = await databases[0]?.query('select state, person from jobs.runs where account = $1', [owner.account]);
  expect(rows).toEqual([{ state: 'waiting', person: null }]);
  expect(reminders).toEqual(['reminder']);
});
