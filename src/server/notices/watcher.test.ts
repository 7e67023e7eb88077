import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import { readNow } from '#src/server/people/sessionAge.ts';
import { FINDING_LISTS } from '#src/server/overview/findings.ts';
import { migrateNotices, NOTICE_MIGRATIONS } from './schema.ts';
import { createWatcher, type WatcherParts, type WatchFinding, type WatchReading } from './watcher.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = 1_790_000_000_000;

let database: Database;
/** The database's clock. */
let time = START;
let raised: NoticeCause[] = [];
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migrateNotices(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  time = START;
  raised = [];
  await database.script('truncate notices.watches, notices.findings');
});

const FAILED: WatchFinding = { event: 'payment.failed', subject: 'withdrawal wd_1', episode: 'failed failed' };
const LATER: WatchFinding = { ...FAILED, subject: 'withdrawal wd_2' };
const WRONG: WatchFinding = { event: 'balance.wrong', subject: 'USDT', episode: null };

const readingOf = (findings: readonly WatchFinding[], more: Partial<WatchReading> = {}): WatchReading => ({
  findings,
  isComplete: true,
  unread: [],
  isKeyAccepted: true,
  problem: null,
  waitMs: 0,
  ...more,
});

const AWAY = readingOf([], { isComplete: false, unread: FINDING_LISTS, problem: 'No connection.' });

/** A server with the readings that it gets in turn; the last one is repeated. */
function serverWith(readings: readonly WatchReading[], more: Partial<WatcherParts> = {}) {
  const reads: number[] = [];
  const watcher = createWatcher({
    database,
    service: 'https://pay.example',
    accounts: async () => [{ account: 'account-1', apiKey: 'sk_1' }],
    read: async () => {
      reads.push(time - START);
      return readings[Math.min(reads.length, readings.length) - 1] ?? readingOf([]);
    },
    raise: async (_, cause) => void raised.push(cause),
    now: async () => time,
    warn: () => undefined,
    ...more,
  });
  return { ...watcher, reads };
}

async function runFor(ms: number, ...servers: { tick: () => Promise<void> }[]): Promise<void> {
  for (const end = time + ms; time < end; time += 20_000) for (const server of servers) await server.tick();
}

test('an existing finding raises no notice, a later one raises one', async () => {
  const server = serverWith([readingOf([FAILED]), readingOf([FAILED, LATER])]);
  await runFor(5 * MINUTE, server);
  expect(server.reads).toEqual([0, 1, 2, 3, 4].map((minute) => minute * MINUTE));
  expect(raised).toEqual([{ service: 'https://pay.example', account: 'account-1', ...LATER }]);
});

test('a restarted or another server raises no notice again', async () => {
  const first = serverWith([readingOf([]), readingOf([LATER])]);
  await runFor(2 * MINUTE, first);
  await first.stop();
  await runFor(2 * MINUTE, serverWith([readingOf([LATER])]));
  expect(raised).toHaveLength(1);
});

test('a payment that failed while no server ran raises a notice when one runs again', async () => {
  const first = serverWith([readingOf([])]);
  await runFor(MINUTE, first);
  await first.stop();
  time += DAY;
  await serverWith([readingOf([LATER])]).tick();
  expect(raised.map(({ subject }) => subject)).toEqual([LATER.subject]);
});

test('a balance raises a second notice if it was right in between, but not if it was only unreadable', async () => {
  const wrong = readingOf([WRONG]);
  const unread = readingOf([], { isComplete: false });
  const server = serverWith([readingOf([]), wrong, wrong, unread, wrong, readingOf([]), wrong]);
  await runFor(7 * MINUTE, server);
  expect(raised.map(({ event, subject }) => [event, subject])).toEqual([
    ['balance.wrong', 'USDT'],
    ['balance.wrong', 'USDT'],
  ]);
  expect(new Set(raised.map(({ episode }) => episode)).size).toBe(2);
});

test('a refused API key raises one notice each time, even at the first reading, until the provider accepts it', async () => {
  const failing = { isComplete: false, isKeyAccepted: false, problem: 'Unauthorized' };
  const refused = readingOf([{ event: 'key.refused', subject: '', episode: null }], failing);
  const away = readingOf([], failing);
  // Accepted again, although not everything can be read.
  const accepted = readingOf([], { isComplete: false });
  const server = serverWith([refused, refused, away, refused, accepted, refused, refused]);
  await runFor(60 * MINUTE, server);
  expect(raised.map(({ event, account }) => [event, account])).toEqual([
    ['key.refused', 'account-1'],
    ['key.refused', 'account-1'],
  ]);
  expect(new Set(raised.map(({ episode }) => episode)).size).toBe(2);
});

test('an incomplete first reading is not the baseline', async () => {
  const server = serverWith([readingOf([], { isComplete: false }), readingOf([FAILED]), readingOf([FAILED, LATER])]);
  await runFor(3 * MINUTE, server);
  expect(raised.map(({ subject }) => subject)).toEqual([LATER.subject]);
});

test('an incomplete reading is the baseline after a quarter of an hour, but not one in which nothing could be read', async () => {
  const partly = (findings: WatchFinding[]) => readingOf(findings, { isComplete: false });
  const server = serverWith([...Array.from({ length: 16 }, () => partly([FAILED])), partly([FAILED, LATER])]);
  await runFor(17 * MINUTE, server);
  expect(raised.map(({ subject }) => subject)).toEqual([LATER.subject]);

  await database.script('truncate notices.watches, notices.findings');
  await runFor(60 * MINUTE, serverWith([AWAY, AWAY, AWAY, AWAY, AWAY, readingOf([FAILED])]));
  expect(raised).toHaveLength(1);
});

test('a list that always fails doesn’t silence the others, and its first reading raises no notice', async () => {
  const without = (findings: WatchFinding[]) =>
    readingOf(findings, { isComplete: false, unread: ['balances'], problem: 'The provider responded with 403.' });
  const old = Array.from({ length: 5 }, () => without([FAILED]));
  await runFor(60 * MINUTE, serverWith([...old, without([FAILED, LATER])]));
  expect(raised.map(({ subject }) => subject)).toEqual([LATER.subject]);

  const usdc = { ...WRONG, subject: 'USDC' };
  await runFor(60 * MINUTE, serverWith([readingOf([FAILED, LATER, WRONG]), readingOf([FAILED, LATER, WRONG, usdc])]));
  expect(raised.map(({ subject }) => subject)).toEqual([LATER.subject, 'USDC']);
});

test('after failures it waits up to a quarter of an hour between readings, then reads every minute again', async () => {
  const server = serverWith([readingOf([]), AWAY, AWAY, AWAY, AWAY, AWAY, readingOf([])]);
  await runFor(60 * MINUTE, server);
  const minutes = server.reads.map((at) => Math.floor(at / MINUTE));
  expect(minutes.slice(0, 9)).toEqual([0, 1, 3, 7, 15, 30, 45, 46, 47]);
});

test('it waits as long as the provider asks', async () => {
  const limited = readingOf([], { isComplete: false, problem: 'Too many requests.', waitMs: 10 * MINUTE });
  const server = serverWith([limited, readingOf([])]);
  await runFor(12 * MINUTE, server);
  expect(server.reads).toEqual([0, 10 * MINUTE, 11 * MINUTE]);
});

test.each([99_999_999_000, 1e23, Infinity])(
  'it waits no longer than a quarter of an hour, even if the provider asks for %d ms',
  async (waitMs) => {
    const limited = readingOf([], { isComplete: false, problem: 'Too many requests.', waitMs });
    const server = serverWith([limited, readingOf([])]);
    await runFor(17 * MINUTE, server);
    expect(server.reads).toEqual([0, 15 * MINUTE, 16 * MINUTE]);
  },
);

test('a failure of the database is logged once and retried', async () => {
  const lines: string[] = [];
  const server = serverWith([], {
    read: async () => {
      throw new Error('The database is away.');
    },
    warn: (line) => lines.push(line),
  });
  await runFor(MINUTE, server);
  expect(lines).toEqual(['Watcher: The database is away.']);
});

test('one of two servers watches an account, and the other takes over when it falls silent', async () => {
  const [first, second] = [serverWith([readingOf([]), readingOf([LATER])]), serverWith([readingOf([LATER])])];
  await runFor(10 * MINUTE, first, second);
  expect([first.reads.length, second.reads.length]).toEqual([10, 0]);
  await runFor(10 * MINUTE, second);
  expect(second.reads.length).toBeGreaterThan(5);
  expect(raised).toHaveLength(1);
});

test('a server that lost its lease raises no notice for its reading', async () => {
  await serverWith([readingOf([])]).tick();
  time += 10 * MINUTE;
  let answer = (): void => undefined;
  let reached = (): void => undefined;
  const reading = new Promise<void>((resolve) => (reached = resolve));
  const held = new Promise<void>((resolve) => (answer = resolve));
  const frozen = serverWith([], {
    read: async () => {
      reached();
      await held;
      return readingOf([LATER]);
    },
  });
  const late = frozen.tick();
  await reading;
  time += 10 * MINUTE;
  await serverWith([readingOf([])]).tick();
  answer();
  await late;
  expect(raised).toEqual([]);
});

test('a reading ends with the database’s own clock on PGlite’s one connection', async () => {
  const server = serverWith([readingOf([FAILED])], { now: readNow });
  await server.tick();
  expect(await database.query('select failures, baseline_at is null as never from notices.watches')).toEqual([
    { failures: 0, never: false },
  ]);
});

test('a finding stays new if its notice can’t be written', async () => {
  let isBroken = true;
  const server = serverWith([readingOf([]), readingOf([LATER])], {
    raise: async (_, cause) => {
      if (isBroken) throw new Error('The disk is full.');
      raised.push(cause);
    },
  });
  await runFor(2 * MINUTE, server);
  isBroken = false;
  await runFor(5 * MINUTE, server);
  expect(raised).toHaveLength(1);
});

test('a database of the previous version keeps its notices', async () => {
  const old = await openDatabase({ directory: 'memory' });
  await migrate(old, 'notices', NOTICE_MIGRATIONS.slice(0, 1));
  await old.query(
    `insert into notices.outbox (id, service, event, subject, episode, channel, state, at, next_at)
     values ('msg_1', 's', 'test', '', '1', 'webhook', 'dead', 1, 1)`,
  );
  await migrateNotices(old);
  expect(await old.query('select id, state from notices.outbox')).toEqual([{ id: 'msg_1', state: 'dead' }]);
  expect(await old.query('select * from notices.watches')).toEqual([]);
  await old.close();
});

test('a database of the previous version keeps the baseline of its accounts', async () => {
  const old = await openDatabase({ directory: 'memory' });
  await migrate(old, 'notices', NOTICE_MIGRATIONS.slice(0, 3));
  await old.query(
    `insert into notices.watches (service, account, next_at, created_at, baseline_at) values ('s', 'a', 0, 1, 2)`,
  );
  await migrateNotices(old);
  expect(await old.query('select baseline_at::text, baseline_lacks from notices.watches')).toEqual([
    { baseline_at: '2', baseline_lacks: '' },
  ]);
  await old.close();
});
