import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { migrateJobs } from '#src/server/jobs/schema.ts';
import { insertNotices } from '#src/server/notices/outbox.ts';
import { migrateNotices } from '#src/server/notices/schema.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { createMetrics } from './metrics.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'key', ...OWN_PARTS });
  await migrateJobs(database);
  await migrateNotices(database);
});
afterAll(() => database.close());

const SERVICE = 'https://pay.example';

test('counts requests by route, and this service’s rows in the database', async () => {
  for (const [id, service, age] of [
    ['1', SERVICE, 0],
    ['2', SERVICE, 48 * 60 * 60 * 1_000],
    ['3', 'https://other.example', 0],
  ] as const)
    await database.query(
      `insert into people.sessions (token_sha256, id, service, account, credential, name, journal_only, created_at, seen_at)
       values ($1, $1, $2, 'a', 'a', 'Ben', false, $3, $3)`,
      [id, service, String(Date.now() - age)],
    );
  const cause = { service: SERVICE, account: 'a', event: 'operation.unconfirmed', subject: 'k', episode: '1' } as const;
  await insertNotices(database, [{ channel: 'webhook' }], cause, Date.now());
  const metrics = createMetrics(database, SERVICE);
  const request = { method: 'GET', route: '/v1/*', status: 200, id: 'req_1', person: 'p1' };
  metrics.observe({ ...request, seconds: 0.02 });
  metrics.observe({ ...request, seconds: 0.2 });
  metrics.observe({ ...request, method: 'MADE-UP', seconds: 0.2 });
  const text = await metrics.render();
  expect(text).toContain('countinghouse_request_seconds_count{method="GET",route="/v1/*",status="200"} 2');
  expect(text).toContain('countinghouse_request_seconds_count{method="other",route="/v1/*",status="200"} 1');
  expect(text).toContain('countinghouse_sign_ins 2\n');
  expect(text).toContain('countinghouse_open_sessions 1\n');
  expect(text).toContain('countinghouse_operations{kind="withdrawal",state="unconfirmed"} 0');
  expect(text).toContain('countinghouse_journal_position 0');
  expect(text).toContain('countinghouse_jobs{state="running"} 0');
  expect(text).toContain('countinghouse_notices{state="waiting"} 1');
  expect(text).toContain('countinghouse_notices{state="dead"} 0');
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toMatch(/Ben|req_1|p1/);
});

test('tells how long ago the watched accounts were read, but not of accounts that are no longer watched', async () => {
  const text = () => createMetrics(database, SERVICE).render();
  expect(await text()).not.toMatch(/^countinghouse_watch_age_seconds /m);
  const now = Date.now();
  const minutes = (n: number) => String(now - n * 60_000);
  for (const [account, next, read] of [
    ['fine', 0, 1],
    ['failing', 0, 20],
    ['removed', 2 * 24 * 60, 2 * 24 * 60],
  ] as const)
    await database.query(
      'insert into notices.watches (service, account, next_at, created_at, read_at) values ($1, $2, $3, 0, $4)',
      [SERVICE, account, minutes(next), minutes(read)],
    );
  const age = Number(/^countinghouse_watch_age_seconds (\d+)$/m.exec(await text())?.[1]);
  expect(age).toBeGreaterThanOrEqual(20 * 60);
  expect(age).toBeLessThan(21 * 60);
});

test('leaves out values that it can’t read, and counts the failures', async () => {
  const away = { query: () => Promise.reject(new Error('away')), script: () => Promise.reject(new Error('away')) };
  const metrics = createMetrics(away, SERVICE);
  const text = await metrics.render();
  expect(text).toContain('countinghouse_scrape_errors_total 1');
  expect(text).not.toMatch(/^countinghouse_(operations|attempts|journal_position|sign_ins|open_sessions)\b/m);
});
