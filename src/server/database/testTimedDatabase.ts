import type { Database, Queries } from './sql.ts';

/** The database with the clock of a test, in milliseconds. */
export function timed(database: Database, now: () => number): Database {
  const told = (text: string): string =>
    text.replaceAll('clock_timestamp()', `timestamptz '${new Date(now()).toISOString()}'`);
  const queries = (on: Queries): Queries => ({
    query: (text, params) => on.query(told(text), params),
    script: (text) => on.script(told(text)),
  });
  return {
    ...database,
    ...queries(database),
    transaction: (work) => database.transaction((tx) => work(queries(tx))),
  };
}
