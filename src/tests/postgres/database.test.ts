import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DEEP } from '#src/tests/depth.ts';
import { eventually } from '#src/tests/eventually.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { migrate, CommitUnknown, type Database, type Queries } from '#src/server/database/sql.ts';
import { postgresPrograms } from './programs.ts';
import { startPostgres, type PostgresServer } from './server.ts';

let server: PostgresServer;
let sql: Database;
/** Another client of the same server. */
let other: Database;

async function start(options: Parameters<typeof startPostgres>[1] = {}): Promise<PostgresServer> {
  const started = await startPostgres(postgresPrograms() ?? '', options);
  vi.stubEnv('PGHOST', started.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  return started;
}
const databaseUrl = 'postgres:///postgres';
const open = () => openDatabase({ databaseUrl, directory: 'memory' });

beforeAll(async () => {
  server = await start();
  sql = await open();
  other = await open();
  await migrate(sql, 'sandbox', ['create table numbers (n integer primary key deferrable initially deferred)']);
});
afterAll(async () => {
  await sql.close();
  await other.close();
  await server.stop();
  vi.unstubAllEnvs();
});

const insert = (n: number) => (tx: Queries) => tx.query('insert into numbers values ($1)', [n]);
const numbers = async () => (await other.query<{ n: number }>('select n from numbers')).map(({ n }) => n);
const pidOf = async (tx: Queries) => {
  const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
  return row?.pid ?? 0;
};
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'committed',
    (error: unknown) => error,
  );

test('transactions are READ COMMITTED, wait 5 s for a lock and reach the disk, whatever the server’s own settings', async () => {
  const names = ['transaction_isolation', 'lock_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit'];
  const found = await sql.transaction((tx) =>
    tx.query<{ value: string }>(
      `select current_setting(name) as value from unnest(array['${names.join("','")}']) name`,
    ),
  );
  expect(found.map(({ value }) => value)).toEqual(['read committed', '5s', '5s', 'on']);
});

test('a connection that dies before COMMIT has rolled back, and nothing after it runs outside the transaction', async () => {
  const died = await outcome(
    sql.transaction(async (tx) => {
      await insert(1)(tx);
      await other.query('select pg_terminate_backend($1::integer)', [await pidOf(tx)]);
      await outcome(tx.query('select 1'));
      await insert(2)(tx);
    }),
  );
  expect(died).toBeInstanceOf(Error);
  expect(died).not.toBeInstanceOf(CommitUnknown);
  expect(await numbers()).toEqual([]);
  expect(await sql.transaction(insert(3))).toEqual([]);
  expect(await numbers()).toEqual([3]);
});

test('a transaction that COMMIT rejects, and one with an ignored error before it, are rolled back', async () => {
  const deferred = await outcome(sql.transaction(insert(3)));
  expect(deferred).toMatchObject({ code: '23505' });
  expect(deferred).not.toBeInstanceOf(CommitUnknown);
  const minded = await outcome(
    sql.transaction(async (tx) => {
      await insert(4)(tx);
      await outcome(tx.query('select wrong'));
    }),
  );
  expect(minded).toMatchObject({ message: expect.stringContaining('rolled back') as unknown });
  expect(await numbers()).toEqual([3]);
});

test('a query after its transaction has ended is not sent', async () => {
  let endedTransaction: Queries | undefined;
  await sql.transaction((tx) => Promise.resolve((endedTransaction = tx)));
  await expect(endedTransaction?.query('select 1')).rejects.toThrow('over');
});

test('the transaction that a deadlock aborts is retried', async () => {
  await sql.script('create table pairs (n integer primary key, sum integer); insert into pairs values (1, 0), (2, 0)');
  let met = 0;
  const crosswise = (first: number, second: number) =>
    sql.transaction(async (tx) => {
      await tx.query('update pairs set sum = sum + 1 where n = $1', [first]);
      met += 1;
      await eventually(() => expect(met).toBeGreaterThanOrEqual(2));
      await tx.query('update pairs set sum = sum + 1 where n = $1', [second]);
    });
  await Promise.all([crosswise(1, 2), crosswise(2, 1)]);
  // One of them is retried, and may meet the other once more.
  expect(met).toBeGreaterThanOrEqual(3);
  expect(await sql.query('select sum from pairs')).toEqual([{ sum: 2 }, { sum: 2 }]);
});

/** Commits a number without a standby, and interrupts the COMMIT that waits for one. */
async function commitWithoutStandby(n: number, interfere: string): Promise<unknown> {
  await other.script("alter system set synchronous_standby_names = 'nobody'");
  await other.query('select pg_reload_conf()');
  await eventually(async () => {
    const [row] = await other.query("select current_setting('synchronous_standby_names') as names");
    expect(row).toEqual({ names: 'nobody' });
  });
  const work = outcome(sql.transaction(insert(n)));
  await eventually(async () => {
    const found = await other.query(`select ${interfere}(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
    expect(found).toHaveLength(1);
  });
  const error = await work;
  await other.script('alter system reset synchronous_standby_names');
  await other.query('select pg_reload_conf()');
  return error;
}

test('a COMMIT with a warning has an unknown outcome', async () => {
  const error = await commitWithoutStandby(10, 'pg_cancel_backend');
  expect(error).toBeInstanceOf(CommitUnknown);
  expect(error).toMatchObject({ message: expect.stringContaining('synchronous replication') as unknown });
  expect(await numbers()).toEqual([3, 10]);
});

test('a connection that dies during COMMIT leaves it unknown', async () => {
  const error = await commitWithoutStandby(11, 'pg_terminate_backend');
  expect(error).toBeInstanceOf(CommitUnknown);
  expect(await numbers()).toEqual([3, 10, 11]);
  await sql.transaction(insert(12));
});

test('a server that is read only is refused', async () => {
  await other.script('alter database postgres set default_transaction_read_only to on');
  await expect(open()).rejects.toThrow('read only');
  await other.script('alter database postgres set default_transaction_read_only to off');
  await (await open()).close();
});

test('a role that may not create a schema gets an error that says so', async () => {
  await other.script('create role pay login; revoke create on database postgres from public');
  vi.stubEnv('PGUSER', 'pay');
  await expect(open()).rejects.toThrow('grant it CREATE');
  vi.stubEnv('PGUSER', 'postgres');
});

test.runIf(DEEP).each([
  ['runs with fsync off', { settings: ['fsync=off'] }, 'fsync off'],
  ['is a replica', { standby: true }, 'replica'],
])('a server that %s is refused in one line', async (_, options, words) => {
  const host = process.env['PGHOST'];
  const refused = await start(options);
  try {
    const error = await outcome(open());
    expect(error).toMatchObject({ name: 'DatabaseRefused', message: expect.stringContaining(words) as unknown });
  } finally {
    await refused.stop();
    vi.stubEnv('PGHOST', host);
  }
});

test('a server that is not there is named without its password', async () => {
  const error = await outcome(openDatabase({ databaseUrl: 'postgres://u:secret@127.0.0.1:1/x', directory: 'memory' }));
  expect(error).toMatchObject({ name: 'DatabaseRefused' });
  expect(String(error)).not.toContain('secret');
});
