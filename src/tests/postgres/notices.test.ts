import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { createDelivery } from '#src/server/notices/delivery.ts';
import { createRaise, insertNotices } from '#src/server/notices/outbox.ts';
import { readNow } from '#src/server/people/sessionAge.ts';
import { migrateNotices } from '#src/server/notices/schema.ts';
import { createWatcher } from '#src/server/notices/watcher.ts';
import { postgresPrograms } from './programs.ts';
import { startPostgres, type PostgresServer } from './server.ts';

// Two servers on one database, which PGlite with its one connection cannot show.

let server: PostgresServer;
let databases: Database[];

beforeAll(async () => {
  server = await startPostgres(postgresPrograms() ?? '');
  vi.stubEnv('PGHOST', server.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  const open = () => openDatabase({ databaseUrl: 'postgres:///postgres', directory: 'memory' });
  databases = await Promise.all([open(), open()]);
  // Both migrate at once.
  await Promise.all(databases.map(migrateNotices));
});
afterAll(async () => {
  for (const sql of databases) await sql.close();
  await server.stop();
  vi.unstubAllEnvs();
});

const SERVICE = 'https://pay.example';
const warn = (line: string): void => {
  throw new Error(line);
};

test('each notice is sent by only one of two servers', async () => {
  const [first] = databases;
  if (!first) throw new Error('A database.');
  const raise = createRaise(['webhook'], warn);
  const NOTICES = 40;
  for (let n = 0; n < NOTICES; n += 1) {
    const cause = {
      service: SERVICE,
      account: `account-${n}`,
      event: 'operation.unconfirmed',
      subject: 'key',
      episode: '1',
    } as const;
    await first.transaction(async (tx) => raise(tx, cause, await readNow(tx)));
  }
  const sent: string[] = [];
  const servers = databases.map((database) =>
    createDelivery({
      database,
      service: SERVICE,
      channels: [
        {
          name: 'webhook',
          host: 'hooks.example',
          address: 'https://hooks.example',
          send: async ({ id }) => {
            sent.push(id);
            return { kind: 'sent' };
          },
        },
      ],
      origin: 'https://money.example',
      recipients: null,
      noteRoleNotice: null,
      namesOf: async () => ({}),
      accountName: () => null,
      macOf: (address) => address,
      now: readNow,
      random: () => 0,
      warn,
    }),
  );
  for (let n = 0; n < NOTICES; n += 1) await Promise.all(servers.map(({ tick }) => tick()));
  expect(sent).toHaveLength(NOTICES);
  expect(new Set(sent).size).toBe(NOTICES);
});

test('a flood that two servers raise and gather at once is reported completely, each payment once', async () => {
  const PAYMENTS = 60;
  const raise = createRaise(['other'], warn);
  await Promise.all(
    databases.map(async (database, at) => {
      for (let n = at; n < PAYMENTS; n += 2) {
        const cause = {
          service: SERVICE,
          account: 'a',
          event: 'payment.failed',
          subject: `withdrawal wd_${n}`,
          episode: '1',
        } as const;
        await database.transaction(async (tx) => raise(tx, cause, await readNow(tx)));
      }
    }),
  );
  const sentCounts: number[] = [];
  const servers = databases.map((database) =>
    createDelivery({
      database,
      service: SERVICE,
      channels: [
        {
          name: 'other',
          host: 'hooks.example',
          address: 'https://hooks.example',
          send: async ({ count }) => {
            sentCounts.push(count);
            return { kind: 'sent' };
          },
        },
      ],
      origin: 'https://money.example',
      recipients: null,
      noteRoleNotice: null,
      namesOf: async () => ({}),
      accountName: () => null,
      macOf: (address) => address,
      now: readNow,
      random: () => 0,
      warn,
    }),
  );
  for (let n = 0; n < PAYMENTS; n += 1) await Promise.all(servers.map(({ tick }) => tick()));
  expect(sentCounts.reduce((sum, count) => sum + count, 0)).toBe(PAYMENTS);
  expect(sentCounts.length).toBeLessThan(12);
});

test('only one of two servers watches an account, and a finding is reported once', async () => {
  let time = 1_790_000_000_000;
  let isFailed = false;
  const reads = [0, 0];
  const watchers = databases.map((database, at) =>
    createWatcher({
      database,
      service: SERVICE,
      accounts: async () => [{ account: 'watched', apiKey: 'sk_1' }],
      read: async () => {
        reads[at] = (reads[at] ?? 0) + 1;
        const found = { event: 'payment.failed', subject: 'withdrawal wd_1', episode: 'failed' } as const;
        return {
          findings: isFailed ? [found] : [],
          isComplete: true,
          isKeyAccepted: true,
          unread: [],
          problem: null,
          waitMs: 0,
        };
      },
      raise: async (tx, cause, now) => void (await insertNotices(tx, [{ channel: 'watched' }], cause, now)),
      now: async () => time,
      warn,
    }),
  );
  for (let minute = 0; minute < 10; minute += 1) {
    await Promise.all(watchers.map(({ tick }) => tick()));
    isFailed = true;
    time += 60_000;
  }
  expect(reads.toSorted((a, b) => a - b)).toEqual([0, 10]);
  // When the watching server stops, the other one takes over at once.
  const [holder, other] = reads[0] === 10 ? watchers : watchers.toReversed();
  await holder?.stop();
  await other?.tick();
  expect(reads.toSorted((a, b) => a - b)).toEqual([1, 10]);
  const rows = await databases[0]?.query(`select subject from notices.outbox where channel = 'watched'`);
  expect(rows).toEqual([{ subject: 'withdrawal wd_1' }]);
});
