import { afterAll, beforeAll, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { DEEP } from '#src/tests/depth.ts';
import { expectRowsAlike } from './testSameRows.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
}, 60_000);
afterAll(() => database.close());

test('rows in memory return, refuse and store the same as rows in PGlite', async () => {
  await expectRowsAlike(database, DEEP ? 30 : 8);
});
