import type { Database, Queries } from '#src/server/database/sql.ts';
import { IS_OPEN, NOW_MS, readNow } from './sessionAge.ts';
import type { Grants } from './grants.ts';
import { type ReadSessionRights, rightsInKeyMode, type SessionRights } from './actor.ts';

/**
 * Why a session ended. `replaced`: another sign-in of the same browser. `key-refused`: the provider no longer takes its API
 * key. `idle`, `too-old`: 30 minutes without a person, 12 hours (8 from an identity provider). `set-back`: the database was
 * restored from an older copy, or the dashboard moved. `key-joined`: its API key was added to another account.
 * `account-switched`: it went on with another account. `mode-changed`: SIGN_IN is another one. `secret-changed`: --reseal.
 */
export type SessionEnding =
  | 'signed-out'
  | 'signed-out-everywhere'
  | 'replaced'
  | 'key-refused'
  | 'blocked'
  | 'passkey-lost'
  | 'idle'
  | 'too-old'
  | 'set-back'
  | 'key-joined'
  | 'account-switched'
  | 'mode-changed'
  | 'secret-changed';

/** The columns that a sign-in fills. */
export interface NewSession {
  id: string;
  account: string;
  /** Derived from the API key. */
  credential: string;
  /** The sandbox's own account id; null behind a forwarding gateway. */
  sandbox: string | null;
  /** The name typed at sign-in, unverified. */
  name: string | null;
  /** The service refused the key at sign-in, and the journal knows its account. */
  journalOnly: boolean;
  /** The encrypted API key; null for a journal-only session and in people mode. */
  keyBox: string | null;
  /** The id of the person who signed in; null in key mode. */
  person: string | null;
  /** The session's maximum age, in ms. */
  longestMs: number;
}

/** An open session. Times are milliseconds by the database's clock. */
export interface SessionRow extends NewSession {
  rights: SessionRights;
  /** The accounts on which the person has permissions; none in key mode. */
  accounts: string[];
  createdAt: number;
  seenAt: number;
  /** When it was read. */
  readAt: number;
}

/** The sessions of one service. Two implementations: SQL, and a map in memory for tests. Any call may throw when the database is away. */
export interface SessionRows {
  insert: (tokenSha256: string, session: NewSession) => Promise<SessionRow>;
  /** Null if no such session exists or it was ended. The caller checks its age. */
  find: (tokenSha256: string) => Promise<SessionRow | null>;
  /**
   * Ends the old session of a person and begins one on another account, which ends when the old one would have. Changes nothing
   * if the old session has ended, or the person has no permission on the other account.
   */
  replace: (
    oldTokenSha256: string,
    tokenSha256: string,
    session: Omit<NewSession, 'longestMs'>,
  ) => Promise<SessionRow | 'ended' | 'not-permitted'>;
  /** Records activity by a person, so that the session doesn't become idle. */
  noteSeen: (id: string) => Promise<void>;
  end: (tokenSha256: string, why: SessionEnding) => Promise<void>;
  /** Ends sessions of every service that are idle or too old, so that their API keys don't stay in the database. */
  endOld: () => Promise<void>;
  /** The database's clock, ms. */
  now: () => Promise<number>;
}

type Columns = Record<
  | 'id'
  | 'account'
  | 'credential'
  | 'sandbox'
  | 'name'
  | 'key_box'
  | 'person'
  | 'seal'
  | 'created_at'
  | 'seen_at'
  | 'longest_ms'
  | 'now',
  string | null
> & { journal_only: boolean };

/** The sessions in this server's database, after migratePeople(). With `grants`: sessions of people; without: of key mode. */
export function sessionRowsOf(database: Database, service: string, grants: Grants | null = null): SessionRows {
  return {
    insert: async (tokenSha256, session) => {
      const found = await readRights(database, session);
      if (found === null) throw new TypeError('No such person, or a key session in people mode.');
      return insertIn(database, tokenSha256, { ...session, ...found }, null);
    },
    replace: async (oldTokenSha256, tokenSha256, session) =>
      database.transaction(async (tx) => {
        // Lock the accounts, so that a concurrent block or sign-out everywhere can't miss the new session.
        await lockAccountsIn(tx, service);
        const found = await readRights(tx, session);
        if (found === null || found.rights.permissions.length === 0) return 'not-permitted';
        const [old] = await tx.query<Record<'created_at' | 'longest_ms', string>>(
          `update people.sessions set ended_at = ${NOW_MS}, ended_why = 'account-switched'
           where token_sha256 = $1 and service = $2 and person = $3 and ${IS_OPEN}
           returning created_at::text, longest_ms::text`,
          [oldTokenSha256, service, session.person],
        );
        if (old === undefined) return 'ended';
        const next = { ...session, ...found, longestMs: Number(old.longest_ms) };
        return insertIn(tx, tokenSha256, next, old.created_at);
      }),
    find: async (tokenSha256) => {
      const [row] = await database.query<Columns>(
        `select id, account, credential, sandbox, name, journal_only, key_box, person, seal, created_at::text, seen_at::text,
           longest_ms::text, ${NOW_MS}::text as now
         from people.sessions where token_sha256 = $1 and service = $2 and ended_at is null`,
        [tokenSha256, service],
      );
      if (row === undefined) return null;
      const session = sessionOf(row);
      const { id, account, person } = session;
      if (person !== null && !grants?.isSessionSealed(row.seal ?? '', { id, account, person, tokenSha256 }))
        return null;
      const found = await readRights(database, session);
      // Overwrites the session's copy of the name, which isn't sealed, with the person's, which is.
      return found && { ...session, ...found };
    },
    noteSeen: async (id) => {
      await database.query(
        `update people.sessions set seen_at = greatest(seen_at, ${NOW_MS}) where id = $1 and service = $2 and ${IS_OPEN}`,
        [id, service],
      );
    },
    end: async (tokenSha256, why) => {
      await database.query(
        `update people.sessions set ended_at = ${NOW_MS}, ended_why = $3, key_box = null
         where token_sha256 = $1 and service = $2 and ended_at is null`,
        [tokenSha256, service, why],
      );
    },
    endOld: async () => {
      await database.query(
        `update people.sessions set ended_at = ${NOW_MS}, key_box = null,
           ended_why = case when created_at > ${NOW_MS} - longest_ms then 'idle' else 'too-old' end
         where ended_at is null and not (${IS_OPEN})`,
      );
    },
    now: () => readNow(database),
  };

  /** `createdAt`: when the session that this one continues began; null for a new sign-in. */
  async function insertIn(
    queries: Queries,
    tokenSha256: string,
    session: NewSession & Pick<SessionRow, 'rights' | 'accounts'>,
    createdAt: string | null,
  ): Promise<SessionRow> {
    const { id, account, credential, sandbox, name, journalOnly, keyBox, person, longestMs } = session;
    const seal = person === null ? null : (grants?.sealOfSession({ id, account, person, tokenSha256 }) ?? null);
    const [row] = await queries.query<Record<'created_at' | 'now', string>>(
      `insert into people.sessions
         (token_sha256, id, service, account, credential, sandbox, name, journal_only, key_box, person, seal, created_at, seen_at, longest_ms, opened_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, coalesce($12::bigint, ${NOW_MS}), ${NOW_MS}, $13::bigint,
         case when $12::bigint is not null then ${NOW_MS} end)
       returning created_at::text, seen_at::text as now`,
      [
        tokenSha256,
        id,
        service,
        account,
        credential,
        sandbox,
        name,
        journalOnly,
        keyBox,
        person,
        seal,
        createdAt,
        String(longestMs),
      ],
    );
    const now = Number(row?.now);
    return { ...session, createdAt: Number(row?.created_at), seenAt: now, readAt: now };
  }

  async function readRights(
    queries: Queries,
    { person, account, journalOnly, name }: Pick<NewSession, 'person' | 'account' | 'journalOnly' | 'name'>,
  ): Promise<Pick<SessionRow, 'name' | 'rights' | 'accounts'> | null> {
    if (person === null)
      return grants === null ? { name, rights: rightsInKeyMode({ journalOnly }), accounts: [] } : null;
    const found = (await grants?.readPerson(queries, { person, account })) ?? null;
    const accounts = (await grants?.accountsOf(queries, person)) ?? [];
    if (found === null) return null;
    const { permissions, setBack } = found;
    return { name: found.name, rights: { permissions, keyRefused: false, setBack }, accounts };
  }
}

/** Serializes changes of people across all accounts, because a person with roles on several can be changed on each. */
export async function lockAccountsIn(transaction: Queries, service: string): Promise<void> {
  await transaction.query('select id from people.accounts where service = $1 order by id for update', [service]);
}

function sessionOf(row: Columns): Omit<SessionRow, 'rights' | 'accounts'> {
  return {
    id: String(row.id),
    account: String(row.account),
    credential: String(row.credential),
    sandbox: row.sandbox,
    name: row.name,
    journalOnly: row.journal_only,
    keyBox: row.key_box,
    person: row.person,
    createdAt: Number(row.created_at),
    seenAt: Number(row.seen_at),
    longestMs: Number(row.longest_ms),
    readAt: Number(row.now),
  };
}

/** Session rights in key mode. A sign-out waits until the transaction ends. */
export const keySessionRights: ReadSessionRights = async (transaction, id) => {
  const [row] = await transaction.query<{ journal_only: boolean }>(
    // A session that began before its key was joined to another account must not write to the former one.
    `select journal_only from people.sessions s where id = $1 and person is null and ${IS_OPEN}
       and not exists (select 1 from people.credentials c
         where c.service = s.service and c.credential = s.credential and c.account <> s.account) for share of s`,
    [id],
  );
  return row === undefined ? null : rightsInKeyMode({ journalOnly: row.journal_only });
};

/** Ends the person's open sessions, on every server. `but`: the id of a session to keep. */
export async function endSessionsOfIn(
  transaction: Queries,
  person: string,
  why: SessionEnding,
  but: string | null = null,
): Promise<void> {
  await transaction.query(
    `update people.sessions set ended_at = ${NOW_MS}, ended_why = $2, key_box = null
     where person = $1 and ended_at is null and id is distinct from $3`,
    [person, why, but],
  );
}

/** Ends the sessions of an API key on any account but this one. Waits for their writes. */
export async function endSessionsOfCredentialIn(
  transaction: Queries,
  { service, credential, account }: { service: string; credential: string; account: string },
): Promise<void> {
  await transaction.query(
    `update people.sessions set ended_at = ${NOW_MS}, ended_why = 'key-joined', key_box = null
     where service = $1 and credential = $2 and account <> $3 and ended_at is null`,
    [service, credential, account],
  );
}

/** Ends every session of every service. Needed after a restore: sessions that were ended in the lost part are open again. */
export async function endAllSessionsIn(transaction: Queries, why: SessionEnding): Promise<void> {
  await transaction.query(
    `update people.sessions set ended_at = ${NOW_MS}, ended_why = $1, key_box = null where ended_at is null`,
    [why],
  );
}
