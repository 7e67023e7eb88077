import { createHmac } from 'node:crypto';
import type { Database } from '#src/server/database/sql.ts';
import type { Seals } from './seals.ts';
import { NOW } from './sessionAge.ts';

/** Identifies an API key in the database. The same on every server, as no server secret is part of it. */
export function credentialOf(apiKey: string, service: string): string {
  return createHmac('sha256', apiKey).update(service).digest('hex').slice(0, 32);
}

/** Accounts of one service. An account's id is the credential of its first key; later keys are joined to it. */
export interface Accounts {
  /** The account that the credential was joined to; without a row the credential itself. */
  findAccount: (credential: string) => Promise<string>;
  /** The same, with rows for a new one: the service has accepted the credential's key. */
  findOrCreateAccount: (credential: string) => Promise<string>;
}

/** Why the settings can't give a key under a name. */
export type NameFault =
  /** The key is new, and the name has an account. */
  | 'other-key'
  /** The key belongs to an account, and the name to another one. */
  | 'other-account';

const TABLE = 'people.credentials';

type Columns = { account: string; since: string; seal: string };

export function openAccounts(database: Database, service: string, seals: Seals) {
  async function find(credential: string): Promise<string | null> {
    const [row] = await database.query<Columns>(
      `select account, since::text, seal from ${TABLE} where service = $1 and credential = $2`,
      [service, credential],
    );
    if (row === undefined) return null;
    const { account, since, seal } = row;
    // An account's first key needs no seal. Other rows lose theirs when the secret changes.
    const isProven = account === credential || seals.isSealed(seal, TABLE, service, credential, account, since);
    return isProven ? account : credential;
  }

  async function findOrCreate(credential: string): Promise<string> {
    const found = await find(credential);
    if (found !== null) return found;
    await database.transaction(async (tx) => {
      const [clock] = await tx.query<{ now: string }>(`select ${NOW}::text as now`);
      const since = clock?.now ?? '';
      // Key mode has no names; the id is unique.
      await tx.query('insert into people.accounts (service, id, name) values ($1, $2, $2) on conflict do nothing', [
        service,
        credential,
      ]);
      await tx.query(
        `insert into ${TABLE} (service, credential, account, since, seal) values ($1, $2, $2, $3::bigint, $4)
         on conflict do nothing`,
        [service, credential, since, seals.sealOf(TABLE, service, credential, credential, since)],
      );
    });
    // Another server may have been first.
    return (await find(credential)) ?? credential;
  }

  async function accountNamed(name: string): Promise<string | null> {
    const [row] = await database.query<{ id: string }>(
      'select id from people.accounts where service = $1 and name = $2',
      [service, name],
    );
    return row?.id ?? null;
  }

  return {
    findAccount: async (credential: string) => (await find(credential)) ?? credential,
    findOrCreateAccount: findOrCreate,
    /** Why the settings can't give a key under a name; null if they can. */
    findNameFault: async (credential: string, name: string): Promise<NameFault | null> => {
      const [found, named] = [await find(credential), await accountNamed(name)];
      if (named === null || named === found) return null;
      return found === null ? 'other-key' : 'other-account';
    },
    /** The account of a key that the settings give under a name, which the account has from then on. */
    findOrCreateNamed: async (credential: string, name: string): Promise<string> => {
      const account = await findOrCreate(credential);
      await database.query('update people.accounts set name = $3 where service = $1 and id = $2 and name <> $3', [
        service,
        account,
        name,
      ]);
      return account;
    },
  } satisfies Accounts & Record<string, unknown>;
}
