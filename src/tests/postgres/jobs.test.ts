import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { JobActor } from '#src/server/jobs/jobRows.ts';
import { createJobs, type Jobs, type JobsParts } from '#src/server/jobs/jobs.ts';
import { migrateJobs } from '#src/server/jobs/schema.ts';
import { NOTHING_CLOSED, quickClock, testProvider, testRows } from '#src/server/jobs/testProvider.ts';
import { fileOf } from '#src/server/jobs/views.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { DEEP } from '#src/tests/depth.ts';
import { postgresPrograms } from './programs.ts';
import { startPostgres, type PostgresServer } from './server.ts';

// Two servers on one database, which PGlite with its one connection cannot show.

let server: PostgresServer;
let databases: Database[];

beforeAll(async () => {
  server = await startPostgres(postgresPrograms() ?? '');
  vi.stubEnv('PGHOST', server.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  const open = () => openDatabase({ databaseUrl: 'postgres:///postgres', directory: 'memory' });
  databases = await Promise.all([open(), open()]);
  // Both migrate at once.
  await Promise.all(databases.map(migratePeople));
  await Promise.all(databases.map((sql) => migrateJobs(sql)));
});
afterAll(async () => {
  for (const sql of databases) await sql.close();
  await server.stop();
  vi.unstubAllEnvs();
});

const ROUNDS = DEEP ? 10 : 3;
const REQUEST = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters: {} } as const;
const IDS = testRows(9).map(({ id }) => id);

const personOf = (name: string): JobActor => ({
  service: 'https://pay.example',
  account: 'account',
  session: 'session',
  who: name,
  person: name,
  rights: KEY_RIGHTS,
});

/** Two servers, each with its own connections to the provider. */
function twoServers(providers: readonly JobsParts['service'][]): Jobs[] {
  return providers.map((service, at) =>
    createJobs({
      database: databases[at] ?? databases[0]!,
      service,
      readSessionRights: async () => ({ permissions: ['view'], keyRefused: false }),
      people: {
        accounts: { list: () => [], find: (account) => ({ name: 'a', account, credential: account, apiKey: 'sk_1' }) },
        grants: {
          readPerson: async (_, { person }) => ({ id: person, name: person, permissions: ['view'], setBack: false }),
        },
      },
      loadTeamColumns: async () => [],
      ...NOTHING_CLOSED,
      clock: quickClock(),
      warn: (line) => {
        throw new Error(line);
      },
    }),
  );
}

async function idsIn(
  jobs: Jobs,
  actor: JobActor,
  id: string,
): Promise<{ state: string; ids: string[]; isWhole: boolean }> {
  const job = await jobs.find(actor, id);
  if (job?.kind !== 'export') throw new Error('There is no such job.');
  const parts: Uint8Array[] = [];
  for await (const { bytes } of jobs.readFile(actor, job)) parts.push(bytes);
  const text = Buffer.concat(parts);
  const hash = createHash('sha256').update(text).digest('hex');
  return { state: job.state, ids: text.toString().match(/dep_\d+/g) ?? [], isWhole: fileOf(job)?.sha256 === hash };
}

test('each job runs on one server, and a person’s jobs run one at a time', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const providers = [testProvider(testRows(9)), testProvider(testRows(9))];
    const servers = twoServers(providers);
    const [first, second] = servers;
    if (!first || !second) throw new Error('Two servers.');
    const started: [JobActor, string][] = [];
    for (let n = 0; n < 12; n += 1) {
      const actor = personOf(`person ${round} ${n % 6}`);
      const job = await servers[n % 2]?.start(actor, 'sk_1', REQUEST);
      if (job) started.push([actor, job.id]);
    }
    const counts: number[] = [];
    const count = async (): Promise<void> => {
      const [row] = (await databases[0]?.query<{ most: number }>(
        `select coalesce(max(count), 0)::integer as most
         from (select count(*) as count from jobs.runs where state = 'running' group by person) running`,
      )) ?? [{ most: 99 }];
      counts.push(row?.most ?? 99);
    };
    // The last jobs of the other server, too.
    const working = Promise.all(servers.map(({ runner }) => runner.idle()))
      .then(() => first.runner.idle())
      .then(() => 'done');
    // Count until the work is done.
    while ((await Promise.race([working, count()])) !== 'done');
    expect(Math.max(...counts)).toBe(1);
    for (const [actor, id] of started)
      expect(await idsIn(second, actor, id)).toEqual({ state: 'done', ids: IDS.toReversed(), isWhole: true });
    // The list's far end and five pages for each job: nothing was read twice.
    expect(providers.flatMap(({ reads }) => reads)).toHaveLength(started.length * 6);
  }
});

test('if two servers take over one job at once, one gets it and the late one writes nothing', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const frozen = testProvider(testRows(9), {
      onRead: async (call) => {
        if (call === 4) arrive();
        if (call >= 4) await held;
        return undefined;
      },
    });
    const [first] = twoServers([frozen]);
    const others = twoServers([testProvider(testRows(9)), testProvider(testRows(9))]);
    if (!first) throw new Error('A server.');
    const actor = personOf(`frozen ${round}`);
    const job = await first.start(actor, 'sk_1', REQUEST);
    await arrived;
    const id = job?.id ?? '';
    while ((await first.find(actor, id))?.progress.rows !== 4);
    await databases[0]?.query(`update jobs.runs set lease_until = ${NOW_MS} - 1 where id = $1`, [id]);
    await Promise.all(others.map(({ runner }) => runner.idle()));
    release();
    await first.runner.idle();
    expect(await idsIn(first, actor, id)).toEqual({ state: 'done', ids: IDS.toReversed(), isWhole: true });
  }
});
