import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { fileBytes } from '#src/shared/statement/lines.ts';
import { closedPeriod } from '#src/server/team/testRoutes.ts';
import { openTeam, type Team } from '#src/server/team/team.ts';
import { DEEP } from '#src/tests/depth.ts';
import { postgresPrograms } from './programs.ts';
import { startPostgres, type PostgresServer } from './server.ts';

// Two servers on one database, which PGlite with its one connection cannot show.

let server: PostgresServer;
let databases: Database[];
let teams: Team[];
const noAddresses = { list: async () => ({ data: [], next: null }), find: async () => null };

beforeAll(async () => {
  server = await startPostgres(postgresPrograms() ?? '');
  vi.stubEnv('PGHOST', server.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  const open = () => openDatabase({ databaseUrl: 'postgres:///postgres', directory: 'memory' });
  databases = await Promise.all([open(), open()]);
  // Both migrate at once.
  teams = await Promise.all(databases.map((sql) => openTeam(sql, noAddresses)));
});
afterAll(async () => {
  for (const sql of databases) await sql.close();
  await server.stop();
  vi.unstubAllEnvs();
});

const ROUNDS = Array.from({ length: DEEP ? 30 : 8 }, (_, round) => round);
const view = (search: string) => ({ name: 'A', path: '/deposits', search });
const ID = '/deposits A';
const actorOf = (account: string) => ({
  service: 'sandbox',
  account,
  session: null,
  person: null,
  who: null,
  rights: KEY_RIGHTS,
});
const kinds = (all: readonly { kind: string }[]) => all.map(({ kind }) => kind).toSorted((a, b) => (a < b ? -1 : 1));

test('of two concurrent changes to one revision, or two first versions, only one is written', async () => {
  for (const round of ROUNDS) {
    const actor = actorOf(`change-${round}`);
    for (const revision of [0, 1]) {
      const both = teams.map((team, at) =>
        team.put(
          { ...actor, who: `Server ${at}` },
          { collection: 'views', id: ID, value: view(`asset=${at}`), revision },
        ),
      );
      expect(kinds(await Promise.all(both))).toEqual(['moved', 'written']);
    }
  }
});

test('two people closing a month at once make one period', async () => {
  for (const round of ROUNDS) {
    const actor = actorOf(`close-${round}`);
    const both = teams.map(async ({ statements }, at) => {
      const period = closedPeriod(1, `closing_of_${at}`);
      return (await statements.close({ ...actor, who: `Server ${at}` }, period, fileBytes('PK'))).kind;
    });
    expect(new Set(await Promise.all(both))).toEqual(new Set(['moved', 'written']));
    const query = { collection: 'closed-periods' as const, prefix: '', updatedAfter: null, cursor: 0, limit: 10 };
    expect((await teams[0]?.list(actor, query))?.items).toHaveLength(1);
  }
});

test('a reader of changes since a position misses none, however writes overlap', async () => {
  const actor = actorOf('feed');
  const known = new Set<string>();
  let position: string | null = null;
  const look = async (): Promise<void> => {
    const query = { collection: 'views' as const, prefix: '', updatedAfter: position, cursor: 0, limit: 500 };
    const listed = await teams[0]?.list(actor, query);
    for (const { id } of listed?.items ?? []) known.add(id);
    position = listed?.position ?? null;
  };
  const names = Array.from({ length: DEEP ? 120 : 40 }, (_, at) => `V${at}`);
  const writing = names.map(async (name, at) => {
    const change = { collection: 'views' as const, id: `/deposits ${name}`, revision: 0 };
    await teams[at % 2]?.put(actor, { ...change, value: { ...view('a=b'), name } });
  });
  const done = Promise.all(writing).then(() => 'done');
  // Read continuously while the writes are under way.
  while ((await Promise.race([done, look()])) !== 'done');
  await look();
  expect(known.size).toBe(names.length);
});
