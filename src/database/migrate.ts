import { DatabaseRefused, type Queries, type Sql } from './sql.ts';

/** Held for a whole transaction by whoever creates tables or first rows; starts on one database take turns. */
export async function takeStartTurn(tx: Queries): Promise<void> {
  // Another start may fill a large account meanwhile.
  await tx.script('set local lock_timeout = 0');
  await tx.query('select pg_advisory_xact_lock(4173, 4174)');
}

/**
 * Brings a schema forward to its last step, each in a transaction of its own, in which unqualified names are the
 * schema's. Steps that have run are never changed or removed: a new version adds one. `pause` runs within each.
 */
export async function migrate(
  sql: Sql,
  schema: string,
  steps: readonly string[],
  pause: () => void = () => undefined,
): Promise<void> {
  const forward = () =>
    sql.transaction(async (tx) => {
      await takeStartTurn(tx);
      await tx.script(`create schema if not exists ${schema}; set local search_path to ${schema};
        create table if not exists ${schema}.migrations (version integer primary key)`);
      const [at] = await tx.query<{ version: number }>(
        `select coalesce(max(version), 0) as version from ${schema}.migrations`,
      );
      const version = at?.version ?? 0;
      if (version > steps.length)
        throw new DatabaseRefused(
          `This database was made by a newer version (${schema} ${version}; this one knows ${steps.length}).`,
        );
      const step = steps[version];
      if (step !== undefined) {
        await tx.script(step);
        await tx.query(`insert into ${schema}.migrations (version) values ($1)`, [version + 1]);
      }
      pause();
      return version + 1 < steps.length;
    });
  while (await forward());
}
