import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database, Param, Queries, SqlRow } from '#src/server/database/sql.ts';
import { createActivityLog } from './activityLog.ts';
import { migrateActivity } from './schema.ts';

const BY = { service: 'sandbox', account: 'a', person: 'p1', who: 'Ada' };

const log = createActivityLog(new Uint8Array(32));

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
}, 60_000);
afterAll(() => database.close());
beforeEach(async () => {
  await database.script('drop schema if exists activity cascade');
  await migrateActivity(database);
  await log.begin(database);
});

async function write(number: number): Promise<void> {
  for (let at = 1; at <= number; at += 1)
    await database.transaction((tx) =>
      log.append(tx, BY, { kind: 'operation.sent', subject: `key-${at}`, facts: { amount: '1' } }, 1_000 + at),
    );
}

/** Changes lines as somebody who owns the database could. */
async function tamper(sql: string): Promise<void> {
  await database.script('alter table activity.lines disable trigger append_only');
  await database.script(sql);
}

test('the check passes for all lines as written, and fails with another secret', async () => {
  expect(await log.check(database)).toEqual({ lines: 0, unchecked: 0, fault: null });
  await write(3);
  expect(await log.check(database)).toEqual({ lines: 3, unchecked: 0, fault: null });
  const other = createActivityLog(Uint8Array.of(1, ...new Uint8Array(31)));
  expect(await other.check(database)).toEqual({ lines: 0, unchecked: 0, fault: { kind: 'changed', number: '1' } });
});

test('after a change of the secret, only later lines are checked', async () => {
  await write(2);
  const later = createActivityLog(new Uint8Array(32).fill(1));
  await database.transaction(async (tx) => {
    await later.goOnWithNewSecret(tx);
    await later.append(tx, BY, { kind: 'people.resealed', subject: null, facts: {} }, 2_000);
    await later.append(tx, BY, { kind: 'operation.sent', subject: 'key', facts: {} }, 2_001);
  });
  expect(await later.check(database)).toEqual({ lines: 4, unchecked: 2, fault: null });
  await tamper(`update activity.lines set who = 'Bo' where number = 4`);
  expect(await later.check(database)).toMatchObject({ unchecked: 2, fault: { kind: 'changed', number: '4' } });
  // Without the secret, nobody can forge the line that marks its change.
  await tamper(`update activity.lines set who = 'Bo' where number = 3`);
  expect(await later.check(database)).toMatchObject({ unchecked: 0, fault: { kind: 'changed', number: '1' } });
});

test.each([`update activity.lines set who = 'Bo'`, 'delete from activity.lines', 'truncate activity.lines'])(
  'the database refuses to change or delete a line: %s',
  async (sql) => {
    await write(1);
    await expect(database.query(sql)).rejects.toThrow('never changed');
    expect(await log.check(database)).toEqual({ lines: 1, unchecked: 0, fault: null });
  },
);

test.each([
  ['another name', `update activity.lines set who = 'Bo' where number = 2`],
  ['nobody in place of a person', `update activity.lines set person = null where number = 2`],
  ['other facts', `update activity.lines set facts = '{"amount":"9"}' where number = 2`],
  ['another time', `update activity.lines set at = at - 1 where number = 2`],
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
  expect(await log.check(database)).toEqual({ lines: 1, unchecked: 0, fault: { kind: 'changed', number: '2' } });
});

test('the check names a line that was added before the first', async () => {
  await write(1);
  await tamper(
    `insert into activity.lines select -1, at, service, account, person, who, kind, subject, facts, mac from activity.lines`,
  );
  expect(await log.check(database)).toEqual({ lines: 0, unchecked: 0, fault: { kind: 'changed', number: '-1' } });
});

test.each([
  ['in the middle', 'delete from activity.lines where number in (2, 3)', { lines: 1, count: '2' }],
  ['at the end', 'delete from activity.lines where number > 2', { lines: 2, count: '3' }],
  ['everywhere', 'delete from activity.lines', { lines: 0, count: '5' }],
])('the check says after which line lines are missing, and how many: %s', async (_, sql, { lines, count }) => {
  await write(5);
  await tamper(sql);
  expect(await log.check(database)).toEqual({ lines, unchecked: 0, fault: { kind: 'missing', count } });
});

test('lines that are written after the end was cut off leave the gap', async () => {
  await write(5);
  await tamper('delete from activity.lines where number > 2');
  await write(2);
  expect(await log.check(database)).toEqual({ lines: 2, unchecked: 0, fault: { kind: 'missing', count: '3' } });
});

const LAST_LINES = [
  ['is missing', 'delete from activity.last_line'],
  [
    'names the line before those that were cut off',
    'update activity.last_line set number = 2, mac = (select mac from activity.lines where number = 2)',
  ],
  ['has another mac', `update activity.last_line set mac = 'mac'`],
] as const;

test.each(LAST_LINES)('where the row of the last line %s, the end is unknown', async (_, sql) => {
  await write(3);
  await tamper(`delete from activity.lines where number = 3; ${sql}`);
  expect(await log.check(database)).toEqual({ lines: 2, unchecked: 0, fault: { kind: 'end-changed' } });
});

test.each(LAST_LINES)('where the row of the last line %s, what is written later breaks the chain', async (_, sql) => {
  await write(3);
  await tamper(`delete from activity.lines where number = 3; ${sql}`);
  await write(2);
  const { fault } = await log.check(database);
  expect(fault).not.toBeNull();
  await write(1);
  expect(await log.check(database)).toMatchObject({ lines: 2, fault });
});

const PUT_BACK = `update activity.last_line l set number = c.number, mac = c.mac, seal = c.seal from activity.copy c`;

test('if the row of the last line is set back to an earlier one, the end is unknown and later lines break the chain', async () => {
  await write(2);
  await database.script('create table activity.copy as select * from activity.last_line');
  await write(2);
  await database.script(PUT_BACK);
  expect(await log.check(database)).toEqual({ lines: 4, unchecked: 0, fault: { kind: 'end-changed' } });
  await write(1);
  expect(await log.check(database)).toEqual({ lines: 4, unchecked: 0, fault: { kind: 'changed', number: '5' } });
});

test('a row that names another line with the number of the last one is found, and later lines break the chain', async () => {
  await write(1);
  await database.script('create table activity.copy as select * from activity.last_line');
  await write(1);
  await database.script('create table activity.another as select * from activity.last_line');
  await tamper(`delete from activity.lines where number = 2; ${PUT_BACK}`);
  await database.transaction((tx) =>
    log.append(tx, BY, { kind: 'operation.closed', subject: 'key', facts: {} }, 1_000),
  );
  expect(await log.check(database)).toEqual({ lines: 2, unchecked: 0, fault: null });
  await database.script(PUT_BACK.replace('copy', 'another'));
  expect(await log.check(database)).toEqual({ lines: 2, unchecked: 0, fault: { kind: 'end-changed' } });
  await write(1);
  expect(await log.check(database)).toEqual({ lines: 2, unchecked: 0, fault: { kind: 'changed', number: '3' } });
});

test('if all lines and the row of the last line are removed, later lines don’t count as a new beginning', async () => {
  await write(2);
  await tamper('delete from activity.lines; delete from activity.last_line');
  expect(await log.check(database)).toEqual({ lines: 0, unchecked: 0, fault: { kind: 'end-changed' } });
  await write(1);
  expect(await log.check(database)).toEqual({ lines: 0, unchecked: 0, fault: { kind: 'changed', number: '1' } });
});

test('lines that are written during the check don’t count as a fault', async () => {
  await write(3);
  let reads = 0;
  const whileWriting: Queries = {
    ...database,
    query: async <R extends SqlRow>(sql: string, params?: readonly Param[]) => {
      const rows = await database.query<R>(sql, params);
      if ((reads += 1) <= 3) await write(1);
      return rows;
    },
  };
  expect(await log.check(whileWriting)).toEqual({ lines: 6, unchecked: 0, fault: null });
});
