import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { createSandbox, type Sandbox } from '#src/sandbox/sandbox.ts';
import type { Sql } from '#src/server/database/sql.ts';
import { embed } from './embedded.ts';
import type { RecordedPost } from '#src/server/operations/ports.ts';
import { startGateway } from './testGateway.ts';
import { credentialOf } from '#src/server/people/accounts.ts';
import { SANDBOX_SERVICE, type Service } from './upstream/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const BODY = JSON.stringify({ asset: 'BTC', chain: 'bitcoin', amount: '0.5', address: 'bc1qexample' });
let sql: Sql;
let sandbox: Sandbox;
let service: Service;
let account: string;
let apiKey: string;

async function control(path: string, body: object): Promise<Record<string, unknown>> {
  const request = new Request(`http://sandbox${path}`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  });
  const { body: text } = await sandbox.handle(request);
  return JSON.parse(String(text));
}

const advance = (seconds: number) => control('/sandbox/clock', { account, advance: seconds });
const fault = (options: object) => control('/sandbox/faults', { account, path: '/v1/withdrawals', ...options });

let keys = 0;
function sent(): RecordedPost {
  keys += 1;
  return { path: '/v1/withdrawals', body: BODY, key: `k${keys}`, attempt: `a${keys}` };
}

async function post(what = sent()) {
  return (await service.connect(apiKey)).post(what);
}

async function report(path: string): Promise<Record<string, unknown>> {
  const { body } = await sandbox.handle(new Request(`http://sandbox${path}?account=${account}`));
  return JSON.parse(String(body));
}

async function executed(): Promise<number> {
  const { executed: counts } = await report('/sandbox/ledger');
  return Number(typeof counts === 'object' && counts !== null && 'withdrawals' in counts && counts.withdrawals);
}

beforeAll(async () => {
  sql = await openDatabase({ directory: 'memory' });
  sandbox = await createSandbox({ sql });
  service = embed(sandbox);
  const made = await control('/sandbox/accounts', { deposits: 0, assets: 7 });
  account = String(made['account']);
  apiKey = String(made['key']);
}, 60_000);

afterAll(() => sandbox.stop());

describe('a POST to the embedded sandbox', () => {
  test('is answered, and replayed under its key', async () => {
    const what = sent();
    const first = await post(what);
    expect(first).toMatchObject({ kind: 'answer', status: 201, replayed: false, complete: true });
    expect(first).toMatchObject({ requestId: expect.stringMatching(/^req_/), contentType: 'application/json' });
    expect(first.kind === 'answer' && Math.abs((first.date ?? 0) - Date.now() / 1000)).toBeLessThan(5);
    expect(await post(what)).toMatchObject({ status: 201, replayed: true });
    expect((await report('/sandbox/requests'))['data']).toContainEqual(
      expect.objectContaining({ attempt: what.attempt, idempotency_key: what.key, body: BODY }),
    );
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ])('that is dropped %s it is executed is a network failure', async (when, times) => {
    const before = await executed();
    await fault({ drop: true, when });
    expect(await post()).toMatchObject({ kind: 'no-answer', reason: 'network' });
    expect(await executed()).toBe(before + times);
  });

  test('whose response is cut off returns the part that arrived, marked as incomplete', async () => {
    await fault({ cutAt: 7 });
    const cut = await post();
    expect(cut).toMatchObject({ status: 201, complete: false });
    expect(cut.kind === 'answer' && cut.text).toHaveLength(7);
    await fault({ cutAt: 100_000 });
    expect(await post()).toMatchObject({ status: 201, complete: true });
  });

  test('that is sent twice is executed once', async () => {
    const before = await executed();
    await fault({ duplicate: true });
    expect(await post()).toMatchObject({ kind: 'answer', status: 201 });
    expect(await executed()).toBe(before + 1);
  });

  test('that stalls ends after 30 s on the account’s clock, and not before', async () => {
    await fault({ stall: true });
    let ended = false;
    const attempt = post().finally(() => (ended = true));
    await vi.waitFor(async () => expect(await report('/sandbox/faults')).toEqual({ data: [] }));
    await advance(29);
    await advance(-3600);
    expect(ended).toBe(false);
    await advance(2);
    const came = await attempt;
    expect(came).toMatchObject({ kind: 'no-answer', reason: 'timeout' });
    expect(came.ms).toBeGreaterThanOrEqual(31_000);
  });

  test.each([
    ['a redirect', { status: 302, headers: { Location: '/elsewhere' } }, { kind: 'no-answer', reason: 'redirect' }],
    ['an error', { status: 503 }, { kind: 'answer', status: 503, complete: true }],
    ['a page', { status: 200, body: '<html>' }, { contentType: 'text/html; charset=utf-8', text: '<html>' }],
    ['no Date', { removeHeaders: ['Date'] }, { date: null }],
    ['junk for a Date', { headers: { Date: 'junk' } }, { date: null }],
    ['a length that is too long', { headers: { 'Content-Length': '9000' } }, { complete: false }],
    ['more than 64 kB', { body: 'x'.repeat(70_000) }, { text: 'x'.repeat(65_536), complete: false }],
    ['a delay', { delay: 1 }, { status: 201, complete: true }],
  ])('answered with %s', async (_, given, attempt) => {
    await fault(given);
    expect(await post()).toMatchObject(attempt);
  });

  test('is sent once by a connection, and not at all by a closed one', async () => {
    const before = await executed();
    const connection = await service.connect(apiKey);
    connection.destroy();
    expect(await connection.post(sent())).toMatchObject({ kind: 'no-answer', reason: 'network' });
    expect(await executed()).toBe(before);
    const other = await service.connect(apiKey);
    await other.post(sent());
    expect(await other.post(sent())).toMatchObject({ kind: 'no-answer', reason: 'network' });
    expect(await executed()).toBe(before + 1);
  });

  test('ends at once if its connection is closed while it stalls', async () => {
    await fault({ stall: true });
    const connection = await service.connect(apiKey);
    const attempt = connection.post(sent());
    connection.destroy();
    expect(await attempt).toMatchObject({ kind: 'no-answer', reason: 'network' });
  });
});

describe('a read of the embedded sandbox', () => {
  const read = (key = apiKey) => service.read(key, '/v1/balances?limit=1');

  test('is complete; an unknown key gets a 401', async () => {
    expect(await read()).toMatchObject({ status: 200, complete: true, text: expect.stringContaining('"list"') });
    expect(await read('sk_unknown')).toMatchObject({ status: 401 });
  });

  test('that stalls ends after 10 s on the account’s clock', async () => {
    await fault({ stall: true, path: '/v1/balances' });
    const attempt = read();
    await vi.waitFor(async () => expect(await report('/sandbox/faults')).toEqual({ data: [] }));
    await advance(11);
    expect(await attempt).toMatchObject({ kind: 'no-answer', reason: 'timeout' });
  });
});

test('a relayed read masks an API key that the sandbox repeats in its response', async () => {
  const gateway = await startGateway('http://127.0.0.1:9', { service });
  const { cookie } = await gateway.signIn(apiKey);
  await fault({ path: '/v1/deposits', body: { echo: apiKey }, headers: { 'Request-Id': `req of ${apiKey}` } });
  const call = { Cookie: cookie, 'X-Account': credentialOf(apiKey, SANDBOX_SERVICE) };
  const { text, headers } = await gateway.get('/v1/deposits', call);
  expect(text).toBe(JSON.stringify({ echo: '*'.repeat(apiKey.length) }));
  expect(headers['request-id']).toBe('req of [API key]');
});

describe('the clock of an account', () => {
  test('moves with the account’s, and its monotonic one ahead alone', async () => {
    const clock = await service.clock(apiKey);
    const [wall, mono] = [clock.wall(), clock.mono()];
    await advance(3600);
    expect(clock.wall() - wall).toBeGreaterThanOrEqual(3_600_000);
    expect(clock.mono() - mono).toBeGreaterThanOrEqual(3_600_000);
    const ahead = clock.mono();
    await advance(-7200);
    expect(clock.wall() - wall).toBeLessThan(-3_500_000);
    expect(clock.mono() - ahead).toBeLessThan(100_000);
    expect(clock.mono()).toBeGreaterThanOrEqual(ahead);
    const second = await service.clock(apiKey);
    expect(Math.abs(second.wall() - clock.wall())).toBeLessThan(1000);
  });

  test('that was moved before this process began stands where it was', async () => {
    await advance(500_000);
    const clock = await service.clock(apiKey);
    const restarted = await createSandbox({ sql: { ...sql, close: () => Promise.resolve() } });
    const later = await embed(restarted).clock(apiKey);
    expect(Math.abs(later.wall() - clock.wall())).toBeLessThan(1000);
    await restarted.stop();
  });

  test('fires a timer that a move has passed, and none that was cancelled or belongs to another account', async () => {
    const clock = await service.clock(apiKey);
    const strange = await service.clock('sk_unknown');
    const fired: string[] = [];
    const stranger = strange.later(() => fired.push('stranger'), 60_000);
    const cancel = clock.later(() => fired.push('cancelled'), 60_000);
    clock.later(() => fired.push('hour'), 3_600_000);
    clock.later(() => fired.push('minute'), 60_000);
    cancel();
    await advance(59);
    await advance(2);
    await vi.waitFor(() => expect(fired).toEqual(['minute']));
    await advance(3600);
    await vi.waitFor(() => expect(fired).toEqual(['minute', 'hour']));
    stranger();
  });
});
