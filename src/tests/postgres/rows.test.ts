import { afterAll, beforeAll, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { expectRowsAlike } from '#src/server/operations/testSameRows.ts';
import { DEEP } from '#src/tests/depth.ts';
import { postgresPrograms } from './programs.ts';
import { type PostgresServer, startPostgres } from './server.ts';

let server: PostgresServer;
let database: Database;
beforeAll(async () => {
  server = await startPostgres(postgresPrograms() ?? '');
  vi.stubEnv('PGHOST', server.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  database = await openDatabase({ databaseUrl: 'postgres:///postgres', directory: 'memory' });
});
afterAll(async () => {
  await database.close();
  await server.stop();
  vi.unstubAllEnvs();
});

test('rows in memory behave like rows in PostgreSQL, with several concurrent writers', async () => {
  await expectRowsAlike(database, DEEP ? 30 : 8);
});
