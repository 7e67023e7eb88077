import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { type MadeAddresses, openTeam } from '#src/server/team/team.ts';

/** The tables of people, of the journal, of the activity and of the team's lists, with backup and restore. */
export interface PeopleTables {
  database: Database;
  /** Resets the tables to what they are after the first start. */
  empty: () => Promise<void>;
  backUp: () => Promise<void>;
  restore: () => Promise<void>;
  /** Every row of every table, as text. */
  dump: () => Promise<string>;
  close: () => Promise<void>;
}

/** No deposit addresses are created in these runs. */
export const NOTHING_MADE: MadeAddresses = { list: async () => ({ data: [], next: null }), find: async () => null };

let opened: Promise<PeopleTables> | null = null;

/** One database in memory for all runs of this process, which take place one after the other. */
export function openPeopleTables(): Promise<PeopleTables> {
  return (opened ??= open());
}

export async function closePeopleTables(): Promise<void> {
  const tables = opened;
  opened = null;
  await (await tables)?.close();
}

async function open(): Promise<PeopleTables> {
  const database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
  await openTeam(database, NOTHING_MADE);
  const rows = await database.query<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables
     where schemaname in ('people', 'operations', 'activity', 'team') and tablename <> 'migrations'`,
  );
  const names = rows.map(({ schema, name }) => ({ table: `${schema}.${name}`, copy: `${schema}_${name}` }));
  for (const schema of ['first', 'kept'])
    await database.script(
      [
        `create schema ${schema};`,
        ...names.map(({ table, copy }) => `create table ${schema}.${copy} as table ${table};`),
      ].join('\n'),
    );

  /** Runs without triggers and foreign keys, since the activity refuses changes. */
  async function replaceAll(pairs: readonly { from: string; to: string }[]): Promise<void> {
    const statements = pairs.map(({ from, to }) => `delete from ${to}; insert into ${to} select * from ${from};`);
    await database.script(
      ['set session_replication_role = replica;', ...statements, 'set session_replication_role = origin;'].join('\n'),
    );
  }

  const fromCopy = (schema: string) => names.map(({ table, copy }) => ({ from: `${schema}.${copy}`, to: table }));
  return {
    database,
    empty: () => replaceAll(fromCopy('first')),
    backUp: () => replaceAll(names.map(({ table, copy }) => ({ from: table, to: `kept.${copy}` }))),
    restore: () => replaceAll(fromCopy('kept')),
    dump: async () => {
      const each = names.map(({ table }) => `select coalesce(string_agg(t::text, ' '), '') as rows from ${table} t`);
      const dumped = await database.query<{ rows: string }>(each.join(' union all '));
      return dumped.map(({ rows: text }) => text).join('\n');
    },
    close: () => database.close(),
  };
}
