import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createActivityLog } from '#src/server/activity/activityLog.ts';
import { ACTIVITY_MIGRATIONS } from '#src/server/activity/schema.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import { OWN_PARTS } from './sqlTransaction.ts';
import { endPeople, JOURNAL_MIGRATIONS, JOURNAL_VERSION, openSqlRows } from './sqlRows.ts';

// A database of the previous version, which stored the activity's lines without a sealed end.

const SECRET = new Uint8Array(32);
const PARTS = { ...OWN_PARTS, activity: createActivityLog(SECRET) };

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
}, 60_000);
afterAll(() => database.close());
beforeEach(async () => {
  await database.script('drop schema if exists activity, operations, people cascade');
  await migrate(database, 'activity', ACTIVITY_MIGRATIONS.slice(0, 1));
  await migrate(database, 'operations', JOURNAL_MIGRATIONS);
  await database.script(
    `insert into operations.journal (id, position, version, service) values ('jnl_old', 7, 5, 'https://pay.example')`,
  );
  await writtenBefore(3);
});

/** Lines as that version wrote them. */
async function writtenBefore(count: number): Promise<void> {
  let before = '';
  for (let number = 1; number <= count; number += 1) {
    const line = [String(number), '1000', 'https://pay.example', 'a', null, 'Ada', 'operation.sent', 'key', '{}'];
    before = createHmac('sha256', SECRET)
      .update(JSON.stringify([before, ...line]))
      .digest('base64url');
    await database.query('insert into activity.lines values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', [
      ...line,
      before,
    ]);
  }
}

const open = () => openSqlRows(database, { mode: 'key', ...PARTS });
const check = () => PARTS.activity.check(database);

async function cut(from: number): Promise<void> {
  await database.script(`alter table activity.lines disable trigger append_only;
    delete from activity.lines where number >= ${from};
    alter table activity.lines enable trigger append_only`);
}

it('its lines are adopted with a line that says so, and lines cut off later are noticed', async () => {
  await open();
  expect(await check()).toEqual({ lines: 4, unchecked: 0, fault: null });
  const [last] = await database.query('select kind, service, account, who from activity.lines where number = 4');
  expect(last).toEqual({ kind: 'activity.sealed', service: 'https://pay.example', account: null, who: null });
  await open();
  expect(await check()).toEqual({ lines: 4, unchecked: 0, fault: null });
  await cut(3);
  await open();
  expect(await check()).toEqual({ lines: 2, unchecked: 0, fault: { kind: 'missing', count: '2' } });
});

it('servers of the previous version stop writing', async () => {
  await open();
  // The condition of that version's every write.
  expect(await database.query('select 1 as one from operations.journal where version = 5')).toEqual([]);
  expect(await database.query('select version from operations.journal')).toEqual([{ version: JOURNAL_VERSION }]);
});

it('a start doesn’t adopt lines whose sealed end was removed', async () => {
  await open();
  await cut(3);
  await database.script('delete from activity.last_line');
  await open();
  expect(await check()).toEqual({ lines: 2, unchecked: 0, fault: { kind: 'end-changed' } });
  // Nor after the tables were dropped.
  await database.script('drop schema activity cascade');
  await open();
  expect(await check()).toEqual({ lines: 0, unchecked: 0, fault: { kind: 'end-changed' } });
});

it('a database that was made to look like the previous version again gets a new line that says so', async () => {
  await open();
  await cut(3);
  await database.script('delete from activity.last_line; update operations.journal set version = 5');
  await open();
  expect(await check()).toEqual({ lines: 3, unchecked: 0, fault: null });
  expect(await database.query(`select number::text from activity.lines where kind = 'activity.sealed'`)).toEqual([
    { number: '3' },
  ]);
});

it('ending people mode on the console migrates the database first', async () => {
  await database.script(`update operations.journal set mode = 'people'`);
  await endPeople(database, 'a trial', PARTS);
  expect(await check()).toEqual({ lines: 5, unchecked: 0, fault: null });
});

it('a new journal doesn’t adopt existing lines', async () => {
  await database.script('delete from operations.journal');
  await open();
  expect(await check()).toEqual({ lines: 3, unchecked: 0, fault: { kind: 'end-changed' } });
});
