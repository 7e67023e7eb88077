import postgres from 'postgres';

import { saysRolledBack, type Param, type Row } from './sql.ts';

/** One session of a PostgreSQL, for one user at a time. */
export interface Connection {
  /** Sends one statement, or several without parameters. */
  run<R extends Row>(text: string, params?: readonly Param[]): Promise<postgres.RowList<R[]>>;
  /** What the server said beside its answers, since somebody last emptied it. */
  readonly notices: postgres.Notice[];
  /** Its session has ended; nothing is sent on it again. */
  lost: boolean;
  prepared: boolean;
  end(): Promise<void>;
}

export interface Pool {
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const SIZE = 12;

function open(databaseUrl: string): Connection {
  const notices: postgres.Notice[] = [];
  const client = postgres(databaseUrl, {
    max: 1,
    fetch_types: false,
    // A session that ends by its age may end in the middle of a transaction.
    max_lifetime: null,
    connect_timeout: 10,
    connection: { application_name: 'countinghouse' },
    onnotice: (notice) => notices.push(notice),
    onclose: () => lose(),
  });
  const lose = () => {
    connection.lost = true;
    // Rejects what still waits: the driver forgets a statement that came between an error and the end of its socket.
    void client.end({ timeout: 0 });
  };
  const connection: Connection = {
    async run<R extends Row>(text: string, params: readonly Param[] = []) {
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
 * Clients of one session each. The driver's own pool hides COMMIT and does not say whose a notice is; and a client that
 * connects again by itself sends the rest of a transaction outside of one, or hangs when it was just about to write.
 */
export function createPool(databaseUrl: string, prepare: (connection: Connection) => Promise<void>): Pool {
  // The last one used first: few sessions stay busy instead of many.
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
    async use(work) {
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
