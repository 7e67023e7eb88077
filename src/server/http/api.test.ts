import type { RequestFacts } from './log.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loggedBy } from '#src/server/http/testLog.ts';
import {
  startBody,
  awayFrom,
  emptyList,
  fakeService,
  KEY,
  refusalIn,
  signedIn,
  startGateway,
  TEST_MARKS,
} from './testGateway.ts';
import { type GatewayTestAnswer, sendToGateway } from './testRequest.ts';
import { memorySessionRows } from '#src/server/people/testMemorySessions.ts';

// The HTTP side of /api/operations: session, account, origin, the journal's mark, and body sizes.

const created = (_req: IncomingMessage, res: ServerResponse, body: string): void => {
  const object = { id: 'wd_1', ...JSON.parse(body || '{}') };
  res.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(object));
};
const posts = (seen: { method: string }[]) => seen.filter(({ method }) => method === 'POST');
const positionIn = ({ headers }: GatewayTestAnswer): bigint | undefined =>
  TEST_MARKS.read(String(headers['journal']))?.position;
const cookieIn = ({ headers }: GatewayTestAnswer): string | undefined => headers['set-cookie']?.[0]?.split(';')[0];

async function settled(read: () => Promise<GatewayTestAnswer>): Promise<{ state: string }> {
  for (;;) {
    const { operation } = JSON.parse((await read()).text);
    if (operation.state !== 'sending') return operation;
  }
}

describe('an operation', () => {
  test('is recorded, and sent once, under its key and with its exact bytes', async () => {
    const { gateway, call, service } = await signedIn(created);
    const request = startBody();
    const put = await gateway.api(call, 'PUT', '/key-1', request);
    expect([put.status, put.headers['cache-control']]).toEqual([201, 'no-store']);
    expect(await settled(() => gateway.api(call, 'GET', '/key-1'))).toMatchObject({ state: 'succeeded', key: 'key-1' });
    expect((await gateway.api(call, 'PUT', '/key-1', request)).status).toBe(200);
    const [sent] = posts(service.seen);
    expect(posts(service.seen)).toHaveLength(1);
    expect(sent).toMatchObject({ url: '/v1/withdrawals', headers: { 'x-api-key': KEY, 'idempotency-key': 'key-1' } });
    expect(sent).toMatchObject({ body: (request as { body: string }).body });
    expect(put.text).not.toContain(KEY);
  });

  test('carries the name that was given at sign-in', async () => {
    const { gateway, call } = await signedIn(created);
    const body = JSON.stringify({ key: KEY, name: 'Ann' });
    const signed = await gateway.send('/session', { method: 'POST', headers: gateway.json, body });
    const put = await gateway.api({ ...call, Cookie: cookieIn(signed) ?? '' }, 'PUT', '/key-1', startBody());
    expect(JSON.parse(put.text).operation.who).toBe('Ann');
  });
});

describe('nothing is recorded', () => {
  const METHODS = [
    ['PUT', '/key-1'],
    ['DELETE', '/key-1'],
    ['POST', '/key-1/send'],
    ['POST', '/review'],
  ] as const;

  test.each(METHODS)('by %s %s without a session or account, or from another origin', async (method, path) => {
    const { gateway, call, service } = await signedIn(created);
    const bodies = method === 'DELETE' ? undefined : startBody();
    const nobody = await gateway.api({ 'X-Account': call['X-Account'] }, method, path, bodies);
    expect([nobody.status, refusalIn(nobody).kind]).toEqual([401, 'session']);
    for (const account of ['', 'f'.repeat(32)]) {
      const other = await gateway.api({ ...call, 'X-Account': account }, method, path, bodies);
      expect([other.status, refusalIn(other).kind]).toEqual([409, 'account']);
    }
    for (const origin of ['http://127.0.0.1:1', 'null', `${gateway.origin}.example`]) {
      const foreign = await gateway.api(call, method, path, bodies, { Origin: origin });
      expect([foreign.status, refusalIn(foreign).code]).toEqual([403, 'origin_not_allowed']);
    }
    const { Origin: _, ...unsaid } = gateway.json;
    const headers = { ...unsaid, ...call };
    expect((await gateway.send(`/api/operations${path}`, { method, headers })).status).toBe(403);
    expect([service.seen, gateway.journal.entries.size, gateway.journal.tombstones.size]).toEqual([[], 0, 0]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'from a body of %s',
    async (type) => {
      const { gateway, call } = await signedIn(created);
      const put = await gateway.api(call, 'PUT', '/key-1', startBody(), { 'Content-Type': type });
      expect([put.status, refusalIn(put).code]).toEqual([403, 'content_type_not_allowed']);
      expect(gateway.journal.tombstones.size).toBe(0);
    },
  );

  test('from an endless body, or one that breaks off', async () => {
    const { gateway, call, service } = await signedIn(created);
    const large = await gateway.api(call, 'PUT', '/key-1', startBody({ more: 'x'.repeat(1_000_000) }));
    expect([large.status, refusalIn(large).code]).toEqual([413, 'body_too_large']);
    const headers = { ...gateway.json, ...call, 'Content-Length': '5000' };
    const cut = fetch(`${gateway.origin}/api/operations/key-1`, { method: 'PUT', headers, body: '{}' });
    await expect(cut).rejects.toThrow('fetch failed');
    expect([service.seen, gateway.journal.entries.size, gateway.journal.tombstones.size]).toEqual([[], 0, 0]);
  });

  test('from a body of more than 16 kB: its key is spent', async () => {
    const { gateway, call, service } = await signedIn(created);
    const body = JSON.stringify({ note: 'x'.repeat(16_000) });
    const put = await gateway.api(call, 'PUT', '/key-1', startBody({ kind: 'charge', path: '/v1/charges', body }));
    expect([put.status, JSON.parse(put.text).not_sent.why]).toEqual([422, 'invalid']);
    expect((await gateway.api(call, 'PUT', '/key-1', startBody())).status).toBe(410);
    expect(posts(service.seen)).toEqual([]);
  });

  test('by a read-only gateway', async () => {
    const { gateway, call, service } = await signedIn(created, { readOnly: true });
    expect((await gateway.api(call, 'PUT', '/key-1', startBody())).status).toBe(403);
    expect((await gateway.api(call, 'GET', '')).status).toBe(200);
    expect([posts(service.seen), gateway.journal.entries.size]).toEqual([[], 0]);
  });

  test('under a key that could change the path, or that a header can’t contain', async () => {
    const { gateway, call } = await signedIn(created);
    for (const key of ['/', '/%2e%2e', '/a%20b', '/%00', `/${'k'.repeat(256)}`, '/k/more', '/k/send/more'])
      expect([key, (await gateway.api(call, 'PUT', key, startBody())).status]).not.toEqual([key, 201]);
    expect(gateway.journal.entries.size).toBe(0);
  });
});

describe('the journal’s mark', () => {
  test('is in every answer, and set as a cookie if the browser doesn’t have it yet', async () => {
    const { gateway, call } = await signedIn(created);
    const first = await gateway.api(call, 'GET', '');
    expect(positionIn(first)).toBe(0n);
    const callWithMark = { ...call, Cookie: `${call.Cookie}; ${cookieIn(first) ?? ''}` };
    expect((await gateway.api(callWithMark, 'GET', '')).headers['set-cookie']).toBeUndefined();
    const deleted = await gateway.api(callWithMark, 'DELETE', '/key-1');
    expect(positionIn(deleted)).toBe(1n);
    expect(cookieIn(deleted)).toBeDefined();
    expect(positionIn(await gateway.api(callWithMark, 'GET', '/nothing'))).toBe(1n);
  });

  test.each(['cookie', 'header'])('brought by the %s shows that the journal was set back', async (by) => {
    const { gateway, call } = await signedIn(created);
    const { journal } = gateway;
    const lost = TEST_MARKS.write({ id: journal.id, position: 0n, nonce: 'lost' });
    const planted = 'countinghouse-journal-80=x%201';
    const bring =
      by === 'cookie'
        ? { Cookie: `${planted}; ${call.Cookie}; ${cookieIn(await gateway.api(call, 'DELETE', '/key-1')) ?? ''}` }
        : { Journal: lost };
    if (by === 'cookie') journal.marks.set(1n, 'another history');
    // The server that wrote the mark would notice on its own, but this request comes first.
    expect(JSON.parse((await gateway.api({ ...call, ...bring }, 'GET', '/key-2')).text).error.code).toMatch(
      'nobody_knows',
    );
    expect(JSON.parse((await gateway.api(call, 'GET', '')).text).set_back).toBe(true);
  });

  test.each(['', 'jnl_0', 'x 1', 'jnl_1 999999999999999', `jnl_1 1 n ${'A'.repeat(22)}`, `${'j'.repeat(65)} 1`])(
    'that this server did not sign changes nothing: %s',
    async (mark) => {
      const { gateway, call } = await signedIn(created);
      const before = await gateway.api(call, 'GET', '');
      const brought = {
        ...call,
        Journal: mark,
        Cookie: `${call.Cookie}; countinghouse-journal-80=${encodeURIComponent(mark)}`,
      };
      const list = await gateway.api(brought, 'GET', '');
      expect(JSON.parse(list.text).set_back).toBe(false);
      expect(list.headers['journal']).toBe(before.headers['journal']);
    },
  );
});

test('somebody who uses the journal stays signed in', async () => {
  let now = Date.now();
  const { gateway, call } = await signedIn(emptyList, { now: () => now });
  for (let minutes = 0; minutes < 40; minutes += 10) {
    now += 10 * 60_000;
    const answer = await gateway.api({ ...call, 'Person-Active': '1' }, 'DELETE', `/key-${minutes}`);
    expect(answer.status).toBe(200);
  }
});

test('a sign-out on another server applies to the next write: nothing is recorded or sent', async () => {
  const { service, gateway, call } = await signedIn(created);
  const read = async () => (await gateway.api(call, 'GET', '')).status;
  expect(await read()).toBe(200);
  await gateway.sessionRows.endAll();
  // This server has just read the session, so a read may still use it.
  expect(await read()).toBe(200);
  for (const [method, path, body] of [
    ['PUT', '/key-1', startBody()],
    ['PUT', '/key-2', { kind: 'no operation' }],
    ['DELETE', '/key-3', undefined],
  ] as const) {
    const answer = await gateway.api(call, method, path, body);
    expect([answer.status, refusalIn(answer)]).toEqual([401, { kind: 'session', code: 'session_required' }]);
  }
  expect([gateway.journal.entries.size, gateway.journal.tombstones.size, posts(service.seen)]).toEqual([0, 0, []]);
});

test('an unavailable session database is never reported as a sign-out', async () => {
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errorLog.mockRestore());
  const { url } = await fakeService(emptyList);
  const away = { ...memorySessionRows(Date.now), find: () => Promise.reject(new Error('connect ECONNREFUSED')) };
  let now = Date.now();
  const gateway = await startGateway(url, { sessionRows: away, now: () => now });
  const { call } = await gateway.signIn();
  // Longer than the server's cached session may serve reads.
  now += 6 * 60_000;
  for (const path of ['/session', '/v1/balances', '/api/operations']) {
    const answer = await gateway.get(path, call);
    expect([answer.status, refusalIn(answer)]).toEqual([503, { kind: 'not-ready', code: 'not_ready' }]);
  }
  const page = await gateway.get('/deposits', call);
  expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=UTF-8']);
  expect(page.text).toContain('can’t reach its database');
});

describe('an unavailable journal', () => {
  test('is reported to a health check under any host name, and logged with the request id', async () => {
    const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => errorLog.mockRestore());
    const { url } = await fakeService(emptyList);
    const gateway = await startGateway(url, { operations: awayFrom(url) });
    const { call } = await gateway.signIn();
    const health = await gateway.get('/healthz', { Host: '10.0.0.7:4173' });
    expect([health.status, health.text]).toEqual([503, '{"ok":false}']);
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', '/secret-key'],
    ] as const) {
      errorLog.mockClear();
      const answer = await gateway.api(call, method, path, method === 'PUT' ? startBody() : undefined);
      expect(answer.status).toBe(503);
      const id: string = JSON.parse(answer.text).error.request_id;
      expect(loggedBy(errorLog)).toEqual([
        [expect.stringMatching(new RegExp(`^\\S+Z ${id}: no journal: ECONNREFUSED$`))],
      ]);
    }
  });

  test('is read once for concurrent health checks, which report ok again when it is back', async () => {
    const { gateway } = await signedIn(emptyList);
    const answers = await Promise.all([1, 2, 3].map(() => gateway.get('/healthz', { Host: '10.0.0.7' })));
    expect(answers.map(({ status, text }) => `${status} ${text}`)).toEqual(Array(3).fill('200 {"ok":true}'));
  });
});

describe('health and logging', () => {
  test('/readyz answers 503 from the moment it stops, while requests still work', async () => {
    let isStopping = false;
    const { gateway, call } = await signedIn(emptyList, { isStopping: () => isStopping });
    const ready = async () => (await gateway.get('/readyz', { Host: '10.0.0.7' })).status;
    expect(await ready()).toBe(200);
    isStopping = true;
    expect(await ready()).toBe(503);
    expect((await gateway.get('/healthz', { Host: '10.0.0.7' })).status).toBe(200);
    expect((await gateway.get('/v1/deposits', call)).status).toBe(200);
  });

  test('observe gets every answered request, without ids and query strings', async () => {
    const facts: RequestFacts[] = [];
    const { gateway, call } = await signedIn(emptyList, { observe: (one) => facts.push(one) });
    facts.length = 0;
    await gateway.get('/v1/deposits?cursor=secret', call);
    await gateway.get('/v1/deposits', {});
    await gateway.get('/deposits/dep_secret?search=alice', call);
    await gateway.api(call, 'PUT', '/secret-key', 'junk');
    expect(facts).toMatchObject([
      { method: 'GET', route: '/v1/*', status: 200, person: null },
      { method: 'GET', route: '/v1/*', status: 401, person: null, id: expect.stringMatching(/^req_/) },
      { method: 'GET', route: '/*', status: 200 },
      { method: 'PUT', route: '/api/operations/:key', status: 422 },
    ]);
    for (const { seconds } of facts) expect(seconds).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(facts)).not.toMatch(/secret|alice/);
  });

  test('an https origin is remembered as https by browsers, an http one isn’t', async () => {
    const header = 'strict-transport-security';
    const plain = await signedIn(emptyList);
    expect((await plain.gateway.get('/', {})).headers[header]).toBeUndefined();
    const { url } = await fakeService(emptyList);
    const gateway = await startGateway(url, { origin: 'https://money.example' });
    expect((await gateway.get('/', { Host: 'money.example' })).headers[header]).toBe('max-age=31536000');
  });
});

test('a body that breaks off is not logged as our error', async () => {
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errorLog.mockRestore());
  const { gateway, call } = await signedIn(created);
  const begun = new Promise<ServerResponse>((resolve) => {
    gateway.server.once('request', (_req, res) => resolve(res));
  });
  const socket = connect(gateway.port, '127.0.0.1');
  const lines = Object.entries({
    Host: `127.0.0.1:${gateway.port}`,
    ...gateway.json,
    ...call,
    'Content-Length': '900',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`PUT /api/operations/key-1 HTTP/1.1\r\n${head}\r\n{"kind"`);
  const answer = await begun;
  socket.destroy();
  await once(answer, 'close');
  await new Promise(setImmediate);
  expect(loggedBy(errorLog)).toEqual([]);
});

test('requests under another host name don’t reach the journal', async () => {
  const { gateway, call } = await signedIn(created);
  const headers = { ...call, Host: 'evil.example' };
  expect((await sendToGateway(gateway.origin, '/api/operations', { headers })).status).toBe(421);
});
