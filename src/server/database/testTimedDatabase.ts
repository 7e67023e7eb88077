import type { Database, Queries } from './sql.ts';

/** The database, with clock_timestamp() replaced by a test's clock, in ms. */
export function timed(database: Database, now: () => number): Database {
  const withTestClock = (text: string): string =>
    text.replaceAll('clock_timestamp()', `timestamptz '${new Date(now()).toISOString()}'`);
  const queries = (on: Queries): Queries => ({
    query: (text, params) => on.query(withTestClock(text), params),
    script: (text) => on.script(withTestClock(text)),
  });
  return {
    ...database,
    ...queries(database),
    transaction: (work) => database.transaction((tx) => work(queries(tx))),
  };
}
