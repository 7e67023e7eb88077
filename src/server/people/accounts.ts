import { createHmac } from 'node:crypto';
import type { Database, Queries } from '#src/server/database/sql.ts';
import { columnsToSeal } from './peopleRows.ts';
import type { Seals } from './seals.ts';
import { readNow } from './sessionAge.ts';

/** Identifies an API key in the database. The same on every server, as no server secret is part of it. */
export function credentialOf(apiKey: string, service: string): string {
  return createHmac('sha256', apiKey).update(service).digest('hex').slice(0, 32);
}

/** Accounts of one service. An account's id is the credential of its first key; later keys are joined to it. */
export interface Accounts {
  /** The account that the credential was joined to; without a row the credential itself. */
  findAccount: (credential: string) => Promise<string>;
  /** The same, but creates the rows of a new account. Call it only once the service has accepted the credential's key. */
  findOrCreateAccount: (credential: string) => Promise<string>;
  /** Null for a key without an account: nothing is recorded under it, and no person has decided to keep it separate. */
  findKnownAccount: (credential: string) => Promise<string | null>;
  /** The seal of a key that is added to an account; `since`: the database's clock, ms. */
  sealOf: (joined: { credential: string; account: string; since: number }) => string;
}

export type OpenAccounts = ReturnType<typeof openAccounts>;

const TABLE = 'people.credentials';

type Columns = { account: string; since: string; seal: string };

/** Whether anything is stored for the account: operations, the team's items, or permissions of people. */
export async function hasRecords(
  queries: Queries,
  { service, account }: { service: string; account: string },
): Promise<boolean> {
  const [row] = await queries.query<{ found: boolean }>(
    `select exists (select 1 from operations.operations where service = $1 and account_id = $2)
       or exists (select 1 from operations.tombstones where service = $1 and account = $2)
       or exists (select 1 from team.accounts where service = $1 and account = $2)
       or exists (select 1 from people.grants g join people.people p on p.id = g.person
         where p.service = $1 and g.account = $2) as found`,
    [service, account],
  );
  return row?.found === true;
}

export function openAccounts(database: Database, service: string, seals: Seals) {
  async function read(credential: string): Promise<(Columns & { isProven: boolean }) | null> {
    const [row] = await database.query<Columns>(
      `select account, since::text, seal from ${TABLE} where service = $1 and credential = $2`,
      [service, credential],
    );
    if (row === undefined) return null;
    const { account, since, seal } = row;
    // An account's first key needs no seal. Other rows lose theirs when the secret changes.
    const isProven =
      account === credential ||
      seals.isSealed(seal, ...columnsToSeal.credential({ service, credential, account, since }));
    return { ...row, isProven };
  }

  async function find(credential: string): Promise<string | null> {
    const row = await read(credential);
    return row?.isProven === true ? row.account : null;
  }

  async function findOrCreateAccount(credential: string): Promise<string> {
    const before = await read(credential);
    if (before?.isProven === true) return before.account;
    await database.transaction(async (tx) => {
      const since = String(await readNow(tx));
      // Key mode has no names; the id is unique.
      await tx.query('insert into people.accounts (service, id, name) values ($1, $2, $2) on conflict do nothing', [
        service,
        credential,
      ]);
      const seal = seals.sealOf(...columnsToSeal.credential({ service, credential, account: credential, since }));
      // A row without a valid seal doesn't count, unless another server has just written a new one.
      await tx.query(
        `insert into ${TABLE} as c (service, credential, account, since, seal) values ($1, $2, $2, $3::bigint, $4)
         on conflict (service, credential) do update
         set account = excluded.account, since = excluded.since, seal = excluded.seal where c.seal = $5`,
        [service, credential, since, seal, before?.seal ?? null],
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
    findKnownAccount: async (credential: string) => {
      const found = await find(credential);
      if (found !== null) return found;
      // Versions before this table recorded operations without a row here.
      return (await hasRecords(database, { service, account: credential })) ? credential : null;
    },
    sealOf: ({ credential, account, since }: { credential: string; account: string; since: number }) =>
      seals.sealOf(...columnsToSeal.credential({ service, credential, account, since: String(since) })),
    findOrCreateAccount,
    /** Whether the account name belongs to a different account than the key does. */
    isOtherAccount: async (credential: string, name: string): Promise<boolean> => {
      const [found, named] = [await find(credential), await accountNamed(name)];
      return found !== null && named !== null && named !== found;
    },
    hasName: async (name: string): Promise<boolean> => (await accountNamed(name)) !== null,
    /** Gives the account the name that the settings have for its key. */
    rename: async (account: string, name: string): Promise<void> => {
      await database.query('update people.accounts set name = $3 where service = $1 and id = $2 and name <> $3', [
        service,
        account,
        name,
      ]);
    },
  } satisfies Accounts & Record<string, unknown>;
}
