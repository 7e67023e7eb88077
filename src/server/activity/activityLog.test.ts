import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { createActivityLog } from './activityLog.ts';
import { migrateActivity } from './schema.ts';

const BY = { service: 'sandbox', account: 'a', person: 'p1', who: 'Ada' };

let database: Database;
beforeEach(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migrateActivity(database);
});
afterEach(() => database.close());

const log = createActivityLog(new Uint8Array(32));

async function write(number: number): Promise<void> {
  for (let at = 1; at <= number; at += 1)
    await database.transaction((tx) =>
      log.append(tx, BY, { kind: 'operation.sent', subject: `key-${at}`, facts: { amount: '1' } }, 1_000 + at),
    );
}

/** As somebody who owns the database can do it. */
async function tamper(sql: string): Promise<void> {
  await database.script('alter table activity.lines disable trigger append_only');
  await database.script(sql);
}

test('all lines are as written, and another secret finds none of them so', async () => {
  await write(3);
  expect(await log.check(database)).toEqual({ lines: 3, broken: null });
  const other = createActivityLog(Uint8Array.of(1, ...new Uint8Array(31)));
  expect(await other.check(database)).toEqual({ lines: 0, broken: '1' });
});

test('the database refuses to change or delete a line', async () => {
  await write(1);
  await expect(database.query(`update activity.lines set who = 'Bo'`)).rejects.toThrow('never changed');
  await expect(database.query('delete from activity.lines')).rejects.toThrow('never changed');
});

test.each([
  ['another name', `update activity.lines set who = 'Bo' where number = 2`],
  ['nobody in place of a person', `update activity.lines set person = null where number = 2`],
  ['other facts', `update activity.lines set facts = '{"amount":"9"}' where number = 2`],
  ['another time', `update activity.lines set at = at - 1 where number = 2`],
  ['a missing line', `delete from activity.lines where number = 2`],
  [
    'two lines that changed places',
    `update activity.lines set number = -2 where number = 2; update activity.lines set number = 2 where number = 3;
     update activity.lines set number = 3 where number = -2`,
  ],
  [
    'an added line',
    `update activity.lines set number = number + 10 where number >= 2; update activity.lines set number = number - 9 where number > 10;
     insert into activity.lines select 2, at, service, account, person, who, kind, subject, facts, mac from activity.lines where number = 1`,
  ],
])('the check names the line: %s', async (_, sql) => {
  await write(3);
  await tamper(sql);
  expect(await log.check(database)).toEqual({ lines: 1, broken: '2' });
});
