import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { subtract } from '#src/shared/money.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import {
  createMonthsProvider,
  fillFirstMonth,
  MONTH_STARTS,
  type MonthsProvider,
} from '#src/shared/statement/testMonths.ts';
import { closedPeriod } from '#src/server/team/testRoutes.ts';
import { createJobs, type JobsParts } from './jobs.ts';
import { createPreparing, preparedAt } from './preparing.ts';
import { migrateJobs } from './schema.ts';
import { answerOf, NOTHING_CLOSED, quickClock } from './testProvider.ts';

let database: Database;
let accounts = 0;
let account = '';
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migratePeople(database);
  await migrateJobs(database);
}, 60_000);
afterAll(() => database.close());
beforeEach(() => void (account = `account-${(accounts += 1)}`));

const SERVICE = 'https://pay.example';
const [FIRST, SECOND, THIRD] = MONTH_STARTS;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const AUGUST = { from: FIRST, to: SECOND };

/** A month in which everything is settled and adds up. */
function settledMonth(): MonthsProvider {
  const provider = createMonthsProvider();
  fillFirstMonth(provider);
  for (const row of provider.rows.deposits) if (row['status'] === 'under-review') row['status'] = 'failed';
  provider.rows.deposits = provider.rows.deposits.filter(({ id }) => !id.startsWith('=') && id !== 'dep_x');
  provider.rows['ledger-entries'] = provider.rows['ledger-entries'].filter(({ asset }) => asset !== null);
  return provider;
}

/** A server in people mode whose clock a test sets. `events`: the notices that it would raise. */
function serverOf(provider: MonthsProvider, closed: readonly ClosedPeriod[] = []) {
  const events: string[] = [];
  const note =
    (kind: string) =>
    async (tx: { query: unknown }, { from, to }: { from: number; to: number }) => {
      expect(tx).not.toBe(database);
      events.push(`${kind} ${from === FIRST && to === SECOND ? 'August' : `${from} to ${to}`}`);
    };
  const clock = { ...quickClock(), wall: () => provider.now * 1_000 };
  const parts: JobsParts = {
    database,
    service: {
      name: SERVICE,
      read: async (_, target) => {
        const { pathname, searchParams } = new URL(target, SERVICE);
        const { status, body } = provider.answer(pathname, searchParams);
        return { ...answerOf(status, body), date: provider.now };
      },
    },
    readSessionRights: async () => ({ permissions: ['view'], keyRefused: false }),
    people: {
      accounts: {
        list: () => [{ name: 'main', account, credential: account, apiKey: 'sk_1' }],
        find: () => ({ name: 'main', account, credential: account, apiKey: 'sk_1' }),
      },
      grants: { readPerson: async () => null },
    },
    loadTeamColumns: async () => [],
    ...NOTHING_CLOSED,
    statements: { ...NOTHING_CLOSED.statements, list: async () => [...closed] },
    monthEvents: { onPrepared: note('prepared'), onReminder: note('reminder') },
    clock,
    warn: (line) => {
      throw new Error(line);
    },
  };
  const jobs = createJobs(parts);
  return {
    jobs,
    events,
    /** Sets the time and runs until nothing is left to do. */
    at: async (unix: number): Promise<void> => {
      provider.now = unix;
      // A step happens at each clean-up, a minute apart.
      for (let n = 0; n < 3; n += 1) {
        await clock.sleep(60_000, new AbortController().signal);
        await jobs.runner.idle();
      }
    },
    prepared: () => preparedAt(database, { service: SERVICE, account }, AUGUST),
    readings: async () => {
      const rows = await database.query('select id from jobs.runs where account = $1', [account]);
      return rows.length;
    },
  };
}

test('from the 3rd on, two equal readings an hour apart prepare last month', async () => {
  const { at, events, prepared, readings } = serverOf(settledMonth());
  await at(SECOND + 2 * DAY - 60);
  expect(await readings()).toBe(0);
  const third = SECOND + 2 * DAY;
  await at(third);
  await at(third + HOUR - 60);
  expect([await readings(), await prepared(), events]).toEqual([1, null, []]);
  await at(third + HOUR + 60);
  expect([await readings(), await prepared(), events]).toEqual([2, (third + HOUR + 60) * 1_000, ['prepared August']]);
  await at(third + 4 * HOUR);
  expect([await readings(), events]).toEqual([2, ['prepared August']]);
  // Nothing arrived late, so it stays prepared.
  await at(third + 8 * HOUR);
  expect([await readings(), await prepared()]).toEqual([3, (third + HOUR + 60) * 1_000]);
});

test('a deposit that arrives after the month was prepared makes the server prepare it again', async () => {
  const provider = settledMonth();
  const { at, events, prepared } = serverOf(provider);
  const third = SECOND + 2 * DAY;
  for (const hours of [0, 2]) await at(third + hours * HOUR);
  expect(events).toEqual(['prepared August']);
  provider.deposit('dep_late', FIRST + DAY, ['BTC', '777']);
  await at(third + 9 * HOUR);
  expect([await prepared(), events]).toEqual([null, ['prepared August']]);
  await at(third + 11 * HOUR);
  expect([await prepared(), events]).toEqual([(third + 11 * HOUR) * 1_000, ['prepared August', 'prepared August']]);
});

test('a month is not prepared while a payment is open, a row fits in no period or a sum differs', async () => {
  const spoil: Record<string, (provider: MonthsProvider) => void> = {
    open: (provider) => provider.deposit('dep_open', FIRST + DAY, ['BTC', '1'], 'pending'),
    unplaced: (provider) => provider.put('deposits', { id: 'dep_x', asset: 'BTC', created_at: 'today' }),
    differs: (provider) => (provider.balances = (rows) => rows.map((row) => ({ ...row, total: '1' }))),
  };
  for (const [name, change] of Object.entries(spoil)) {
    account = `account-${name}`;
    const provider = settledMonth();
    change(provider);
    const { at, events, readings } = serverOf(provider);
    for (const hours of [0, 2, 4]) await at(SECOND + 2 * DAY + hours * HOUR);
    expect([name, events, await readings()]).toEqual([name, [], 3]);
  }
});

test('a month that can’t be prepared is read less and less often, down to once a day', async () => {
  const provider = settledMonth();
  provider.deposit('dep_open', FIRST + DAY, ['BTC', '1'], 'pending');
  const { at, events, readings } = serverOf(provider);
  const third = SECOND + 2 * DAY;
  const readAt: number[] = [];
  for (const hour of [0, 1, 2, 3, 6, 7, 14, 15, 30, 31, 54, 55, 78, 79]) {
    await at(third + hour * HOUR);
    if ((await readings()) > readAt.length) readAt.push(hour);
  }
  expect(readAt).toEqual([0, 1, 3, 7, 15, 31, 55, 79]);
  for (const row of provider.rows.deposits) if (row['status'] === 'pending') row['status'] = 'failed';
  for (const hours of [103, 104]) await at(third + hours * HOUR);
  expect(events).toEqual(['prepared August']);
});

type TestBalance = { asset: string; total: string; updated_at: number };

test('a balance that is missing, lags the ledger or changes between the readings keeps no month open', async () => {
  const provider = settledMonth();
  provider.deposit('dep_september', SECOND + DAY, ['BTC', '1']);
  const { at, events } = serverOf(provider);
  const lagging = (row: TestBalance) =>
    row.asset === 'BTC' ? { ...row, total: subtract(row.total, '1'), updated_at: SECOND + DAY } : row;
  const third = SECOND + 2 * DAY;
  provider.balances = (rows) => [...(rows as TestBalance[]).map(lagging), { asset: 'NEW', total: '0' }];
  await at(third);
  provider.balances = (rows) => (rows as TestBalance[]).filter(({ asset }) => asset !== 'BTC');
  await at(third + 2 * HOUR);
  expect(events).toEqual(['prepared August']);
});

test('from the 10th on people are reminded once of a month that isn’t closed; the server never closes it', async () => {
  const { at, events } = serverOf(settledMonth());
  await at(SECOND + 9 * DAY);
  await at(SECOND + 10 * DAY);
  expect(events).toEqual(['reminder August', 'prepared August']);
  account = 'account-closed';
  const period = { ...closedPeriod(1, 'closing_1'), name: 'August 2026, UTC', from: FIRST, to: SECOND };
  const closed = serverOf(settledMonth(), [period]);
  await closed.at(SECOND + 10 * DAY);
  expect([closed.events, await closed.readings()]).toEqual([[], 0]);
});

test('an earlier open month is prepared first, and people are reminded of it once a month', async () => {
  const july = { ...closedPeriod(1, 'closing_1'), name: 'July 2026, UTC', from: FIRST - 31 * DAY, to: FIRST };
  const reminders: string[] = [];
  let now = THIRD + 2 * DAY;
  const step = createPreparing({
    database,
    statements: { list: async () => [july] },
    events: {
      onPrepared: async () => undefined,
      onReminder: async (_, { from }) => void reminders.push(`${from === FIRST ? 'August' : from} at ${now}`),
    },
    wall: () => now * 1_000,
  });
  const [tenth, nextTenth] = [THIRD + 9 * DAY, THIRD + 40 * DAY];
  for (now of [now, tenth, tenth + DAY, nextTenth - DAY, nextTenth, nextTenth + DAY])
    await step({ service: SERVICE, account });
  const readings = await database.query<{ arguments: string }>('select arguments from jobs.runs where account = $1', [
    account,
  ]);
  expect(readings.map((row) => JSON.parse(row.arguments))).toMatchObject([{ task: 'prepare', ...AUGUST, closed: 1 }]);
  expect(reminders).toEqual([`August at ${tenth}`, `August at ${nextTenth}`]);
});

test('two servers read a month once', async () => {
  const [one, other] = [serverOf(settledMonth()), serverOf(settledMonth())];
  await Promise.all([one.at(SECOND + 3 * DAY), other.at(SECOND + 3 * DAY)]);
  expect(await one.readings()).toBe(1);
});

test('a reading under way is waited for, however long it takes', async () => {
  const { at, readings } = serverOf(settledMonth());
  await at(SECOND + 2 * DAY);
  const [reading] = await database.query<{ id: string }>(
    `update jobs.runs set state = 'running', run = 'r', lease_until = 9e15, ended_at = null, dropped_at = null where account = $1
     returning id`,
    [account],
  );
  await database.query('update jobs.prepared set job = $2 where account = $1', [account, reading?.id ?? '']);
  await at(SECOND + 3 * DAY);
  const [row] = await database.query('select state, dropped_at from jobs.runs where account = $1', [account]);
  expect([row, await readings()]).toEqual([{ state: 'running', dropped_at: null }, 1]);
});

test('a server that ends leaves its reading to the others; people can neither see nor stop it', async () => {
  const provider = settledMonth();
  const { jobs, at } = serverOf(provider);
  await at(SECOND + 2 * DAY);
  const [row] = await database.query<{ id: string }>('select id from jobs.runs where account = $1', [account]);
  const ada = { service: SERVICE, account, session: 's', who: 'Ada', person: 'ada', rights: KEY_RIGHTS };
  expect(await jobs.find(ada, row?.id ?? '')).toBeNull();
  expect(await jobs.cancel(ada, row?.id ?? '')).toEqual({ kind: 'not-found' });
  await database.query(`update jobs.runs set state = 'waiting', ended_at = null, sha256 = null where id = $1`, [
    row?.id ?? '',
  ]);
  await jobs.runner.stop();
  const [left] = await database.query('select state from jobs.runs where account = $1', [account]);
  expect(left).toEqual({ state: 'waiting' });
  const next = serverOf(provider);
  await next.at(SECOND + 2 * DAY + 60);
  const [after] = await database.query('select state from jobs.runs where account = $1', [account]);
  expect(after).toEqual({ state: 'done' });
});
