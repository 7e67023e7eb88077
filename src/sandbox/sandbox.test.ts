import { afterAll, beforeAll, expect, test } from 'vitest';

import { openDatabase } from '#src/server/database/openDatabase.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { bodyText } from './outcome.ts';
import type { Sql } from '#src/server/database/sql.ts';

// Tests that need a fake clock: rows 78, 79, 86 and 87 of the fault list. One in-memory database for all.
const DAY = 24 * 60 * 60 * 1000;
let wall = Date.UTC(2026, 0, 15, 12);
let sql: Sql;
let sandbox: Sandbox;

/** Simulates a restart by a second sandbox on the same database. */
async function start(): Promise<void> {
  sandbox = await createSandbox({ sql, now: () => wall });
}

async function call(path: string, init?: RequestInit): Promise<Response> {
  const { status, headers, body, act } = await sandbox.handle(new Request(`http://sandbox${path}`, init));
  if (act?.drop) throw new TypeError('fetch failed');
  return new Response(bodyText(body), { status, headers });
}

beforeAll(async () => {
  sql = await openDatabase({ directory: 'memory' });
  await start();
}, 60_000);

afterAll(async () => {
  await sandbox.stop();
  await sql.close();
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function account(given: object = { deposits: 0, assets: 7 }): Promise<{ account: string; key: string }> {
  const made: unknown = await (await post('/sandbox/accounts', given)).json();
  if (typeof made !== 'object' || made === null || !('account' in made) || !('key' in made))
    throw new Error('no account');
  return { account: String(made.account), key: String(made.key) };
}

const payout = { asset: 'BTC', chain: 'bitcoin', amount: '0.5', address: 'bc1qexample' };
const pay = (key: string, idempotencyKey: string, body: unknown = payout) =>
  post('/v1/withdrawals', body, { 'x-api-key': key, 'Idempotency-Key': idempotencyKey });

async function executed(id: string): Promise<unknown> {
  const report: unknown = await (await call(`/sandbox/ledger?account=${id}`)).json();
  expect(report).toMatchObject({ sums: { BTC: '0' }, unbalanced: 0, drifted: [] });
  return typeof report === 'object' && report !== null && 'executed' in report ? report.executed : null;
}

test('a key replays one millisecond before 24 hours and is new at 24 hours', { timeout: 60_000 }, async () => {
  const { account: id, key } = await account();
  const first = await pay(key, 'k');
  const bytes = await first.text();
  expect(first.status).toBe(201);
  expect(first.headers.get('Idempotency-Replayed')).toBeNull();

  wall += DAY - 1;
  const replay = await pay(key, 'k');
  expect(replay.headers.get('Idempotency-Replayed')).toBe('true');
  expect(replay.headers.get('Request-Id')).toBe(first.headers.get('Request-Id'));
  expect(await replay.text()).toBe(bytes);
  expect((await pay(key, 'k', { ...payout, amount: '0.6' })).status).toBe(409);

  wall += 1;
  const fresh = await pay(key, 'k', { ...payout, amount: '0.6' });
  expect(fresh.status).toBe(201);
  expect(fresh.headers.get('Idempotency-Replayed')).toBeNull();
  expect(await executed(id)).toMatchObject({ withdrawals: 2 });
});

test.each(['/sandbox/accounts/%00', '/sandbox/ledger?account=a%00b', '/sandbox/requests?account=%00%FF'])(
  'NUL in the address of a control is refused in the error envelope: %s',
  async (path) => {
    const answer = await call(path);
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: { code: 'invalid_request_error' } }]);
  },
);

test('NUL in a path under /v1 and thousands of nested lists give a 4xx', async () => {
  const { account: id, key } = await account();
  const headers = { 'x-api-key': key, 'Idempotency-Key': 'k' };
  expect((await post('/v1/webhook-deliveries/a%00b/replay', {}, headers)).status).toBe(404);
  const body = `{"account":"${id}","path":"/nowhere","body":${'['.repeat(9_000)}${']'.repeat(9_000)}}`;
  const asJson = { 'Content-Type': 'application/json' };
  expect((await call('/sandbox/faults', { method: 'POST', headers: asJson, body })).status).toBe(400);
});

test('the 24 hours pass by the account’s clock', { timeout: 60_000 }, async () => {
  const { account: id, key } = await account();
  await pay(key, 'k');
  await post('/sandbox/clock', { account: id, advance: 86_399.999 });
  expect((await pay(key, 'k')).headers.get('Idempotency-Replayed')).toBe('true');
  await post('/sandbox/clock', { account: id, advance: 0.001 });
  expect((await pay(key, 'k')).headers.get('Idempotency-Replayed')).toBeNull();
});

test('a retry that races the sweep executes once', { timeout: 60_000 }, async () => {
  const { account: id, key } = await account();
  await pay(key, 'k');
  wall += DAY;
  const answers = await Promise.all([
    pay(key, 'k'),
    post('/sandbox/clock', { account: id, advance: 0 }),
    pay(key, 'k'),
    post('/sandbox/clock', { account: id, advance: 0 }),
    pay(key, 'k'),
  ]);
  const marks = answers.filter((answer) => answer.headers.get('Idempotency-Replayed') === 'true');
  expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201, 201, 201]);
  expect(marks).toHaveLength(2);
  expect(await executed(id)).toMatchObject({ withdrawals: 2 });
});

test(
  'records, Request-Ids and cursors hold when the clock runs backwards and across a restart',
  { timeout: 60_000 },
  async () => {
    const { account: id, key } = await account({ deposits: 40, assets: 7 });
    const first = await pay(key, 'k');
    const headers = { 'x-api-key': key };
    const page: unknown = await (await call('/v1/deposits?limit=5', { headers })).json();
    const cursor = typeof page === 'object' && page !== null && 'next_cursor' in page ? String(page.next_cursor) : '';
    const next = () =>
      call(`/v1/deposits?limit=5&starting_after=${cursor}`, { headers }).then((answer) => answer.text());
    const before = await next();

    await post('/sandbox/clock', { account: id, advance: -2 * 86_400 });
    wall -= 3600_000;
    await sandbox.stop();
    await start();
    const replay = await pay(key, 'k');
    expect(replay.headers.get('Idempotency-Replayed')).toBe('true');
    expect(replay.headers.get('Request-Id')).toBe(first.headers.get('Request-Id'));
    expect(await next()).toBe(before);
  },
);

test('one hundred concurrent requests with one key move the money once', { timeout: 60_000 }, async () => {
  const { account: id, key } = await account();
  const answers = await Promise.all(Array.from({ length: 100 }, () => pay(key, 'same')));
  expect(answers.filter((answer) => answer.headers.get('Idempotency-Replayed') === null)).toHaveLength(1);
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(await executed(id)).toMatchObject({ withdrawals: 1 });
});

test('a refusal is stored, and a response lost after the commit is replayed', { timeout: 60_000 }, async () => {
  const { account: id, key } = await account({ deposits: 0, assets: 0 });
  const first = await pay(key, 'poor');
  expect(first.status).toBe(400);
  await post('/sandbox/deposits', { account: id, asset: 'BTC', chain: 'bitcoin', amount: '2' });
  const again = await pay(key, 'poor');
  expect([again.status, await again.text()]).toEqual([400, await first.text()]);

  await post('/sandbox/faults', { account: id, method: 'POST', path: '/v1/withdrawals', when: 'after', drop: true });
  await expect(pay(key, 'rich')).rejects.toThrow('fetch failed');
  const replay = await pay(key, 'rich');
  expect([replay.status, replay.headers.get('Idempotency-Replayed')]).toEqual([201, 'true']);
  expect(await executed(id)).toMatchObject({ withdrawals: 1 });
});

test('a control without required fields needs no body, and a missing field is named', async () => {
  const { account: id } = await account();
  const more = await call(`/sandbox/accounts/${id}/keys`, { method: 'POST' });
  expect(more.status).toBe(201);
  const { key } = (await more.json()) as { key: string };
  expect((await call('/v1/balances', { headers: { 'x-api-key': key } })).status).toBe(200);
  const refused = await call('/sandbox/clock', { method: 'POST' });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('advance');
});
