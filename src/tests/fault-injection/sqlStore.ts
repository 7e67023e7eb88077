import { openDatabase } from '#src/server/database/openDatabase.ts';
import { timed } from '#src/server/database/testTimedDatabase.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import type { JournalStore } from './store.ts';

const TABLES = [
  'attempts',
  'operations',
  'batches',
  'tombstones',
  'shown',
  'closed_unreadable',
  'set_backs',
  'marks',
  'journal',
] as const;

/** Journals in one in-memory database, one after the other. */
export async function openSqlStores(): Promise<{
  open: (id: string, now: () => number) => Promise<JournalStore>;
  stop: () => Promise<void>;
}> {
  const database = await openDatabase({ directory: 'memory' });
  let clock = (): number => 0;
  const rows = await openSqlRows(timed(database, () => clock()));
  // A copy of the tables is brought back by deleting and inserting; the rules on changes stay.
  await database.script('alter table operations.operations disable trigger check_insert, disable trigger check_delete');
  await database.script(
    `create schema kept; ${TABLES.map((name) => `create table kept.${name} as table operations.${name};`).join('\n')}`,
  );

  async function copy(from: string, to: string): Promise<void> {
    const emptied = TABLES.map((name) => `delete from ${to}.${name};`);
    const filled = TABLES.toReversed().map((name) => `insert into ${to}.${name} select * from ${from}.${name};`);
    // Attempts reference operations, and those reference batches.
    await database.script(['begin;', ...emptied, ...filled, 'commit;'].join('\n'));
  }

  return {
    open: async (id, now) => {
      clock = now;
      const emptied = TABLES.filter((name) => name !== 'journal').map((name) => `delete from operations.${name};`);
      await database.script(
        `begin; ${emptied.join(' ')} insert into operations.marks values (0, 'n0');
          update operations.journal set id = '${id}', position = 0, set_back_at = null, set_back_position = null; commit;`,
      );
      return {
        rows,
        backUp: () => copy('operations', 'kept'),
        restore: () => copy('kept', 'operations'),
        damage: async (key) => {
          await database.query(`update operations.operations set body_sha256 = 'damaged' where key = $1`, [key]);
        },
      };
    },
    stop: () => database.close(),
  };
}
