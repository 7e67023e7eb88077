import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import {
  CommitUnknown,
  DatabaseRefused,
  systemErrorMessage,
  retryOnDeadlock,
  saysRolledBack,
  type Database,
  type Param,
  type Queries,
  type SqlRow,
} from './sql.ts';

const SESSION = `
set search_path to sandbox;
set synchronous_commit to on;
set lock_timeout to '5s';
set idle_in_transaction_session_timeout to '5s'`;

const CONDITION = `select current_setting('fsync') as fsync, pg_is_in_recovery() as replica,
  current_setting('default_transaction_read_only') as read_only`;

type Condition = { fsync: string; replica: boolean; read_only: string };

function queriesOf(connection: Connection, check: () => void = () => undefined): Queries {
  return {
    async query<R extends SqlRow>(text: string, params: readonly Param[] = []): Promise<R[]> {
      check();
      return [...(await connection.run<R>(text, params))];
    },
    async script(text) {
      check();
      await connection.run(text);
    },
  };
}

/** Run for every session, because later ones may reach another server behind the same host name. */
async function prepare(connection: Connection): Promise<void> {
  const session = queriesOf(connection);
  await session.script(SESSION);
  const [condition] = await session.query<Condition>(CONDITION);
  if (condition?.replica !== false)
    throw new DatabaseRefused('DATABASE_URL leads to a replica, which takes no writes: name the primary.');
  if (condition.fsync !== 'on')
    throw new DatabaseRefused(
      'The PostgreSQL of DATABASE_URL runs with fsync off: a power cut would lose what was done.',
    );
  if (condition.read_only !== 'off')
    throw new DatabaseRefused('The PostgreSQL of DATABASE_URL is read only (default_transaction_read_only).');
}

/**
 * Whether a pooler shares one session between two connections, which would mix up search_path and all other settings.
 * Detectable only while the pooler has no other clients, which is the usual case at a start.
 */
export async function shareSession(one: Queries, other: Queries): Promise<boolean> {
  const mark = randomUUID();
  await one.query("select set_config('countinghouse.mark', $1, false)", [mark]);
  await other.script('begin');
  try {
    const [seen] = await other.query<{ mark: string | null }>(
      "select current_setting('countinghouse.mark', true) as mark",
    );
    return seen?.mark === mark;
  } finally {
    await other.script('rollback');
  }
}

async function checkServer(pool: Pool): Promise<void> {
  const shared = await pool.use((one) => pool.use((other) => shareSession(queriesOf(one), queriesOf(other))));
  if (shared)
    throw new DatabaseRefused('DATABASE_URL leads to a pooler of transactions: name the server, or pool sessions.');
  const MAY_CREATE = "select has_database_privilege(current_database(), 'CREATE') as granted";
  const [right] = await pool.use((one) => queriesOf(one).query<{ granted: boolean }>(MAY_CREATE));
  if (!right?.granted)
    throw new DatabaseRefused(
      'The role of DATABASE_URL has no right to make schemas: grant it CREATE on the database.',
    );
}

async function commit(connection: Connection): Promise<void> {
  const { notices } = connection;
  notices.length = 0;
  const answer = await connection.run('commit').catch((error: unknown) => {
    if (saysRolledBack(error)) throw error;
    throw new CommitUnknown(systemErrorMessage(error), error);
  });
  // PostgreSQL's answer to COMMIT if a statement of the transaction failed.
  if (answer.command === 'ROLLBACK') throw new Error('The transaction was rolled back: a statement in it had failed.');
  // For example "canceling wait for synchronous replication": committed here, but perhaps not on any replica.
  const warning = notices.find(({ severity }) => severity === 'WARNING');
  if (warning) throw new CommitUnknown(warning.message ?? 'the database warned of it');
}

async function transact<T>(connection: Connection, work: (tx: Queries) => Promise<T>): Promise<T> {
  let over = false;
  const check = () => {
    if (over) throw new Error('The transaction is over.');
  };
  try {
    await connection.run('begin isolation level read committed');
    const value = await work(queriesOf(connection, check));
    over = true;
    if (connection.lost) throw new Error('The connection to the database was lost before COMMIT.');
    await commit(connection);
    return value;
  } catch (error) {
    // A lost connection has rolled back already.
    if (!over && !connection.lost) await connection.run('rollback').catch(() => undefined);
    over = true;
    throw error;
  }
}

/** PostgreSQL 15 or later. The tables are in their own schemas, so the database may hold other data. */
export async function openPostgres(databaseUrl: string): Promise<Database> {
  const pool = await checkedPool(databaseUrl);
  return {
    query: (text, params) => pool.use((connection) => queriesOf(connection).query(text, params)),
    script: (text) => pool.use((connection) => queriesOf(connection).script(text)),
    engine: 'PostgreSQL',
    durable: true,
    transaction: (work) => retryOnDeadlock(() => pool.use((connection) => transact(connection, work))),
    close: () => pool.close(),
  };
}

async function checkedPool(databaseUrl: string): Promise<Pool> {
  let pool: Pool | null = null;
  try {
    pool = createPool(databaseUrl);
    await checkServer(pool);
    return pool;
  } catch (error) {
    await pool?.close();
    if (error instanceof DatabaseRefused) throw error;
    // Only the message: the rest of the driver's error for a malformed address contains the password.
    throw new DatabaseRefused(`The PostgreSQL of DATABASE_URL cannot be used: ${systemErrorMessage(error)}`);
  }
}

/** One PostgreSQL session, for one user at a time. */
interface Connection {
  run<R extends SqlRow>(text: string, params?: readonly Param[]): Promise<postgres.RowList<R[]>>;
  /** The server's notices since this list was last emptied. */
  readonly notices: postgres.Notice[];
  /** The session has ended and must not be used again. */
  lost: boolean;
  prepared: boolean;
  end(): Promise<void>;
}

type Pool = ReturnType<typeof createPool>;

const SIZE = 12;

function open(databaseUrl: string): Connection {
  const notices: postgres.Notice[] = [];
  const client = postgres(databaseUrl, {
    max: 1,
    fetch_types: false,
    // No age limit: it could close a session in the middle of a transaction.
    max_lifetime: null,
    connect_timeout: 10,
    connection: { application_name: 'countinghouse' },
    onnotice: (notice) => notices.push(notice),
    onclose: () => lose(),
  });
  const lose = () => {
    connection.lost = true;
    // Reject pending statements: the driver forgets those sent between an error and the end of the socket.
    void client.end({ timeout: 0 });
  };
  const connection: Connection = {
    async run<R extends SqlRow>(text: string, params: readonly Param[] = []) {
      if (connection.lost) throw new Error('The connection to the database was lost.');
      try {
        return await client.unsafe<R[]>(text, [...params]);
      } catch (error) {
        if (!saysRolledBack(error)) lose();
        throw error;
      }
    },
    notices,
    lost: false,
    prepared: false,
    end: () => client.end({ timeout: 5 }),
  };
  return connection;
}

/**
 * Clients with one session each. The driver's own pool hides COMMIT and doesn't say which session a notice belongs to. A
 * client that reconnects by itself sends the rest of a transaction outside of it, or hangs if it was about to write.
 */
function createPool(databaseUrl: string) {
  // Reuse the most recently used session first, so that only a few are busy.
  const idle = Array.from({ length: SIZE }, () => open(databaseUrl));
  const all = new Set(idle);
  const waiting: ((connection: Connection) => void)[] = [];
  let closing = false;

  const take = () => {
    const connection = idle.pop();
    return connection ?? new Promise<Connection>((resolve) => waiting.push(resolve));
  };
  const give = (connection: Connection) => {
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  };
  const renewed = (connection: Connection) => {
    if (!connection.lost || closing) return connection;
    const fresh = open(databaseUrl);
    all.delete(connection);
    all.add(fresh);
    return fresh;
  };

  return {
    async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
      const connection = renewed(await take());
      try {
        connection.notices.length = 0;
        if (!connection.prepared) {
          await prepare(connection);
          connection.prepared = true;
        }
        return await work(connection);
      } finally {
        give(connection);
      }
    },
    async close() {
      closing = true;
      await Promise.all([...all].map((connection) => connection.end()));
    },
  };
}
