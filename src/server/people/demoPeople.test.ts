import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { openSqlRows, createActivityWriter } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { NO_RECIPIENT_RULES } from '#src/shared/policy/policy.ts';
import { policyWords } from '#src/shared/policy/policyWords.ts';
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
  const people = openPeople({
    database,
    service,
    seals,
    activityWriter: createActivityWriter('people'),
    rpId: 'localhost',
    issuer: null,
  });
  const { list, has } = await openDemoPeople(people, account, () =>
    Promise.reject(new Error('No accounts for tests here.')),
  );
  const permissions = await Promise.all(
    list.map(async ({ id }) => (await people.findPerson(account, id))?.permissions),
  );
  return { list, has, permissions, people, account };
}

test('the sandbox has four people with one role each, the same at every start, even with another secret', async () => {
  const first = await open('a secret');
  expect(first.list.map(({ name }) => name)).toEqual(['Ada', 'Bo', 'Cy', 'Di']);
  expect(first.permissions).toEqual([['view', 'prepare'], ['view', 'approve'], ['view', 'admin'], ['view']]);
  expect(first.has(first.list[0]?.id ?? '')).toBe(true);
  expect(first.has('somebody')).toBe(false);
  expect(await open('a secret')).toMatchObject({ list: first.list, permissions: first.permissions });
  expect(await open('another secret')).toMatchObject({ list: first.list, permissions: first.permissions });
});

test('resetting roles writes one activity line by the server per person whose roles changed, and none otherwise', async () => {
  const lines = () =>
    database.query(
      `select kind, who, person, subject, facts from activity.lines
       where service = 'sandbox' and account is not null order by number`,
    );
  const before = (await lines()).length;
  const { list } = await open('a third secret');
  const line = (index: number, roles: string) => ({
    kind: 'person.changed',
    who: null,
    person: null,
    subject: list[index]?.id,
    facts: JSON.stringify({ roles }),
  });
  const made = [line(0, 'operator'), line(1, 'approver'), line(2, 'admin'), line(3, 'viewer')];
  expect((await lines()).slice(before)).toEqual(made);
  await open('a third secret');
  expect((await lines()).slice(before)).toEqual(made);
  await database.query(
    `update people.grants set ended_at = 1 where person = $1 and permission = 'prepare' and ended_at is null`,
    [list[0]?.id ?? ''],
  );
  await open('a third secret');
  expect((await lines()).slice(before)).toEqual([...made, line(0, 'operator')]);
  await database.query(
    `insert into people.grants (id, person, account, permission, granted_by, counts_from, ended_at, ended_by, seal)
     select 'added', person, account, 'approve', granted_by, counts_from, ended_at, ended_by, seal
     from people.grants where person = $1 and ended_at is null`,
    [list[3]?.id ?? ''],
  );
  await open('a third secret');
  expect((await lines()).slice(before)).toEqual([...made, line(0, 'operator'), line(3, 'viewer')]);
});

test('the demo policy is in force from the first start on, and later starts don’t change it', async () => {
  const policyOf = async (secret: string) => {
    const { people, account } = await open(secret);
    const { in_force: inForce, newest } = await people.readPolicy(account, null);
    return { newest, inForce };
  };
  const { newest, inForce } = await policyOf('a secret');
  expect(newest).toBe(1);
  expect(inForce).toMatchObject({ proposed_by: null, policy: { other_assets: 1, recipients: NO_RECIPIENT_RULES } });
  expect(inForce && policyWords(inForce.policy)[0]).toBe(
    'Up to 1,000 USDT a payment, 5,000 USDT and 20 payments in 24 hours: no approval. Above: 1 approval.',
  );
  expect(await policyOf('a secret')).toEqual({ newest, inForce });
  // Like the people, the policy is sealed again when the server's secret has changed.
  expect(await policyOf('another secret')).toEqual({ newest, inForce });
});

test('another service has no people without a passkey', async () => {
  await expect(open('a secret', 'https://pay.example')).rejects.toThrow('Only the sandbox');
});
