import postgres from 'postgres';

/** One session of a PostgreSQL, for one user at a time. */
export interface Connection {
  readonly client: postgres.Sql;
  /** What the server said beside its answers, since somebody last emptied it. */
  readonly notices: postgres.Notice[];
  /** Counts the sessions: postgres.js connects again by itself, and a new session knows nothing of a transaction. */
  session: number;
  /** The session that was prepared last. */
  prepared: number;
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
    // Somebody is waiting: a database that is back is found at once.
    backoff: () => 0.2,
    connection: { application_name: 'countinghouse' },
    onnotice: (notice) => notices.push(notice),
    onclose: () => (connection.session += 1),
  });
  const connection: Connection = { client, notices, session: 0, prepared: -1 };
  return connection;
}

/**
 * Connections of one client each. The driver's own pool hides COMMIT, does not say whose a notice is, and sends what
 * follows a lost connection on a new one, outside the transaction.
 */
export function createPool(databaseUrl: string, prepare: (connection: Connection) => Promise<void>): Pool {
  const all = Array.from({ length: SIZE }, () => open(databaseUrl));
  // The last one used first: few sessions stay busy instead of many.
  const idle = all.toReversed();
  const waiting: ((connection: Connection) => void)[] = [];

  const take = () => {
    const connection = idle.pop();
    return connection ?? new Promise<Connection>((resolve) => waiting.push(resolve));
  };
  const give = (connection: Connection) => {
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  };

  return {
    async use(work) {
      const connection = await take();
      try {
        connection.notices.length = 0;
        const { session } = connection;
        if (connection.prepared !== session) {
          await prepare(connection);
          connection.prepared = session;
        }
        return await work(connection);
      } finally {
        give(connection);
      }
    },
    async close() {
      await Promise.all(all.map(({ client }) => client.end({ timeout: 5 })));
    },
  };
}
