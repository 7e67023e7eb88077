import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { openSqlRows, turnsOf } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { openAccounts } from './accounts.ts';
import { openDemoPeople } from './demoPeople.ts';
import { openPeople } from './people.ts';
import { createSeals } from './seals.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
});
afterAll(() => database.close());

async function open(secret: string, service = 'sandbox') {
  const seals = createSeals(Buffer.from(secret));
  const account = await openAccounts(database, service, seals).findOrCreateAccount('demo');
  const people = openPeople(database, service, seals, turnsOf('people'));
  const { list, has } = await openDemoPeople(people, account);
  const permissions = await Promise.all(
    list.map(async ({ id }) => (await people.findPerson(account, id))?.permissions),
  );
  return { list, has, permissions };
}

test('four people with a role each, the same at every start, also with another secret', async () => {
  const first = await open('a secret');
  expect(first.list.map(({ name }) => name)).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
  expect(first.permissions).toEqual([['view', 'prepare'], ['view', 'approve'], ['view', 'admin'], ['view']]);
  expect(first.has(first.list[0]?.id ?? '')).toBe(true);
  expect(first.has('somebody')).toBe(false);
  expect(await open('a secret')).toMatchObject({ list: first.list, permissions: first.permissions });
  expect(await open('another secret')).toMatchObject({ list: first.list, permissions: first.permissions });
});

test('another service has no people without a passkey', async () => {
  await expect(open('a secret', 'https://pay.example')).rejects.toThrow('Only the sandbox');
});
