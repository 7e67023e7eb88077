import postgres from 'postgres';

import { repeated, type Param, type Queries, type Row, type Sql } from './sql.ts';

const SCHEMA = 'sandbox';

function queriesOf(connection: postgres.Sql | postgres.TransactionSql): Queries {
  return {
    async query<R extends Row>(text: string, params: readonly Param[] = []): Promise<R[]> {
      const rows = await connection.unsafe<R[]>(text, [...params]);
      return [...rows];
    },
    async script(text) {
      await connection.unsafe(text);
    },
  };
}

/** Any PostgreSQL from 15 on; the tables live in a schema of their own, beside whatever else the database holds. */
export function openPostgres(databaseUrl: string): Sql {
  const connection = postgres(databaseUrl, {
    max: 12,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { search_path: SCHEMA, application_name: 'countinghouse-sandbox' },
  });
  return {
    ...queriesOf(connection),
    engine: 'PostgreSQL',
    async transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
      const done = await repeated(() => connection.begin(async (tx) => ({ value: await work(queriesOf(tx)) })));
      return done.value;
    },
    close: () => connection.end({ timeout: 5 }),
  };
}
