import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { credentialOf, openAccounts } from './accounts.ts';
import { migratePeople } from './schema.ts';
import { createSeals } from './seals.ts';

const SERVICE = 'https://pay.example';
const seals = createSeals(new Uint8Array(32));
const [OLD, NEW] = ['a'.repeat(32), 'b'.repeat(32)];

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migratePeople(database);
}, 60_000);
afterAll(() => database.close());

async function join(credential: string, account: string, seal: string): Promise<void> {
  await database.query(
    `insert into people.credentials (service, credential, account, since, seal) values ($1, $2, $3, 7, $4)
     on conflict (service, credential) do update set account = excluded.account, since = 7, seal = excluded.seal`,
    [SERVICE, credential, account, seal],
  );
}

test('a credential depends on the key and the service only', () => {
  // printf sandbox | openssl dgst -sha256 -hmac sk_1
  expect(credentialOf('sk_1', 'sandbox')).toBe('4bfa98ba99f837a05985ec14b2f16ed6');
  expect(credentialOf('sk_1', 'sandbox')).not.toBe(credentialOf('sk_2', 'sandbox'));
  expect(credentialOf('sk_1', 'sandbox')).not.toBe(credentialOf('sk_1', 'https://pay.example'));
});

test('an account’s id is the credential of its first key, recorded once even if several servers ask at once', async () => {
  const accounts = openAccounts(database, SERVICE, seals);
  expect(await accounts.findAccount(OLD)).toBe(OLD);
  expect(await database.query('select 1 as one from people.accounts')).toEqual([]);
  expect(await Promise.all([accounts.findOrCreateAccount(OLD), accounts.findOrCreateAccount(OLD)])).toEqual([OLD, OLD]);
  expect(await accounts.findOrCreateAccount(OLD)).toBe(OLD);
  expect(await database.query('select service, id from people.accounts')).toEqual([{ service: SERVICE, id: OLD }]);
  expect(await openAccounts(database, 'https://other.example', seals).findAccount(OLD)).toBe(OLD);
});

test('a joined key uses its account, and a row without a valid seal is ignored', async () => {
  const accounts = openAccounts(database, SERVICE, seals);
  await accounts.findOrCreateAccount(OLD);
  await join(NEW, OLD, seals.sealOf('people.credentials', SERVICE, NEW, OLD, '7'));
  expect([await accounts.findAccount(NEW), await accounts.findOrCreateAccount(NEW)]).toEqual([OLD, OLD]);
  for (const forged of [
    'x',
    '',
    seals.sealOf('people.credentials', SERVICE, NEW, NEW, '7'),
    seals.sealOf('people.credentials', 'https://other.example', NEW, OLD, '7'),
    createSeals(new Uint8Array(32).fill(1)).sealOf('people.credentials', SERVICE, NEW, OLD, '7'),
  ]) {
    await join(NEW, OLD, forged);
    expect(await accounts.findAccount(NEW)).toBe(NEW);
  }
});
