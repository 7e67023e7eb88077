import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Sql } from '#src/server/database/sql.ts';
import { killAt } from './context.ts';
import { createSchema } from './sandbox.ts';

let sql: Sql;
beforeAll(async () => {
  sql = await openDatabase({ directory: 'memory' });
});
afterAll(() => sql.close());

test('a database from before migrations is adopted with its data', async () => {
  await createSchema(sql, killAt(undefined));
  // The schema of that time.
  await sql.script(`drop table migrations; insert into settings values ('schema', '1');
    insert into api_keys (key_hash, account) values ('hash', 'acc')`);
  await createSchema(sql, killAt(undefined));
  expect(await sql.query('select version from migrations')).toEqual([{ version: 1 }]);
  expect(await sql.query('select account from api_keys')).toEqual([{ account: 'acc' }]);
});
