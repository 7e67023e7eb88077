import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loggedBy } from '#src/server/http/testLog.ts';
import { startBody, awayFrom, emptyList, fakeService, KEY, refusalIn, startGateway } from './testGateway.ts';
import { readTrustedProxies } from './clientAddress.ts';
import { credentialOf } from '#src/server/people/accounts.ts';
import { memorySessionRows } from '#src/server/people/testMemorySessions.ts';

describe('POST /session', () => {
  test('checks the key with one read and answers with the session', async () => {
    const service = await fakeService(emptyList);
    const gateway = await startGateway(service.url);
    const { answer } = await gateway.signIn();
    expect(answer.status).toBe(201);
    const account = credentialOf(KEY, service.url);
    expect(JSON.parse(answer.text)).toEqual({
      service: service.url,
      account,
      account_name: null,
      accounts: [],
      sandbox: null,
      person: null,
      permissions: ['view', 'prepare'],
      read_only: false,
      set_back: false,
      has_notices: false,
      name: null,
      journal_only: false,
    });
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      new RegExp(`^__Host-countinghouse-${gateway.port}=[\\w-]{65}; HttpOnly; SameSite=Strict; Path=/; Secure$`),
    );
    expect(service.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1/balances?limit=1']);
    expect(service.seen[0]?.headers['x-api-key']).toBe(KEY);
    expect(answer.text).not.toContain(KEY);
  });

  test('passes on the service’s own refusal, without the Gateway-Error header', async () => {
    const envelope = { error: { type: 't', code: 'authentication_error', message: 'No.', request_id: 'req_1' } };
    const service = await fakeService((_req, res) => {
      res.writeHead(401, { 'Content-Type': 'application/json', 'Request-Id': 'req_1', 'Gateway-Error': 'session' });
      res.end(JSON.stringify(envelope));
    });
    const { answer } = await (await startGateway(service.url)).signIn();
    expect([answer.status, JSON.parse(answer.text)]).toEqual([401, envelope]);
    expect(answer.headers['request-id']).toBe('req_1');
    expect(answer.headers['gateway-error']).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['HTML', 200, 'text/html', '<h1>Welcome</h1>'],
    ['another JSON', 200, 'application/json', '{"ok":true}'],
    ['an HTML 401', 401, 'text/html', '<h1>Proxy</h1>'],
    ['a redirect', 302, 'text/html', ''],
  ])('reports %s instead of the provider’s response, and doesn’t blame the key', async (_, status, type, body) => {
    const service = await fakeService((_req, res) => {
      res.writeHead(status, { 'Content-Type': type, Location: 'http://elsewhere.example/' });
      res.end(body);
    });
    const { answer } = await (await startGateway(service.url)).signIn();
    expect(answer.status).toBe(502);
    expect(refusalIn(answer)).toMatchObject({ kind: 'upstream', code: 'not_the_payment_service' });
    expect(answer.headers.location).toBeUndefined();
    expect(answer.text.includes('A web page')).toBe(type === 'text/html' && status !== 302);
    expect(answer.text).toContain('The API key was not checked.');
  });

  test('says when there is no service, and when it is silent', async () => {
    const nobody = await (await startGateway('http://127.0.0.1:9')).signIn();
    expect([nobody.answer.status, refusalIn(nobody.answer).code]).toEqual([502, 'service_unreachable']);
    const silent = await fakeService(() => undefined);
    const { answer } = await (await startGateway(silent.url, {}, 50)).signIn();
    expect([answer.status, refusalIn(answer).code]).toEqual([504, 'service_silent']);
  });

  test.each(['', 'with space', 'line\nbreak', 'ключ', 'x'.repeat(1025), 5, null])('refuses the key %j', async (key) => {
    const service = await fakeService(emptyList);
    const gateway = await startGateway(service.url);
    const answer = await gateway.send('/session', {
      method: 'POST',
      headers: gateway.json,
      body: JSON.stringify({ key }),
    });
    expect(answer.status).toBe(400);
    expect(refusalIn(answer)).toMatchObject({ kind: 'not-allowed', code: 'invalid_request_error' });
    expect(service.seen).toEqual([]);
  });

  test('offers no demo key for a real service', async () => {
    const gateway = await startGateway((await fakeService(emptyList)).url);
    const answer = await gateway.send('/session', { method: 'POST', headers: gateway.json, body: '{"demo":true}' });
    expect([answer.status, refusalIn(answer).code]).toEqual([403, 'no_demo_key']);
  });

  test('uses the plain cookie only if just the plain probe came back', async () => {
    const gateway = await startGateway((await fakeService(emptyList)).url);
    const headers = { ...gateway.json, Cookie: `countinghouse-probe-${gateway.port}=1` };
    const answer = await gateway.send('/session', { method: 'POST', headers, body: JSON.stringify({ key: KEY }) });
    const line = answer.headers['set-cookie']?.[0] ?? '';
    expect(line).toMatch(new RegExp(`^countinghouse-${gateway.port}=[\\w-]{65}; HttpOnly; SameSite=Strict; Path=/$`));
    expect((await gateway.get('/session', { Cookie: line.split(';')[0] ?? '' })).status).toBe(200);
  });
});

describe('the account of a sign-in', () => {
  const JOINED = 'f'.repeat(32);
  const accounts = {
    findAccount: async () => JOINED,
    findOrCreateAccount: async () => JOINED,
    findKnownAccount: async () => JOINED,
    sealOf: () => '',
  };

  test('is the one that the key was joined to; a new key is recorded', async () => {
    const { url } = await fakeService(emptyList);
    const enrolled: string[] = [];
    const findOrCreateAccount = async (credential: string) => (enrolled.push(credential), JOINED);
    const gateway = await startGateway(url, { accounts: { ...accounts, findOrCreateAccount } });
    const { answer, cookie } = await gateway.signIn();
    expect(JSON.parse(answer.text).account).toBe(JOINED);
    expect(enrolled).toEqual([credentialOf(KEY, url)]);
    expect(JSON.parse((await gateway.get('/session', { Cookie: cookie })).text).account).toBe(JOINED);
  });

  test('can’t be recorded while the database is away', async () => {
    const findOrCreateAccount = () => Promise.reject(new Error('away'));
    const gateway = await startGateway((await fakeService(emptyList)).url, {
      accounts: { ...accounts, findOrCreateAccount },
    });
    const { answer } = await gateway.signIn();
    expect([answer.status, answer.headers['set-cookie']]).toEqual([503, undefined]);
  });

  test('of a refused key is the one it was joined to, and no new one is recorded', async () => {
    let status = 200;
    const { url } = await fakeService((req, res) => {
      if (status === 200) return emptyList(req, res);
      const envelope = { error: { type: 't', code: 'authentication_error', message: 'No.', request_id: 'r' } };
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(envelope));
    });
    const enrol = vi.fn<() => Promise<string>>(async () => JOINED);
    const gateway = await startGateway(url, {
      journalOnly: true,
      accounts: { ...accounts, findOrCreateAccount: enrol },
    });
    const { call } = await gateway.signIn();
    await gateway.api({ ...call, 'X-Account': JOINED }, 'PUT', '/key-1', startBody());
    enrol.mockClear();
    status = 401;
    const { answer, cookie } = await gateway.signIn('sk_second_key_of_the_account');
    expect(JSON.parse(answer.text)).toMatchObject({ account: JOINED, journal_only: true });
    const list = await gateway.api({ Cookie: cookie, 'X-Account': JOINED }, 'GET', '');
    expect(JSON.parse(list.text).data).toHaveLength(1);
    expect(enrol).not.toHaveBeenCalled();
  });
});

test('another sign-in of the same browser replaces its session', async () => {
  const endings: string[] = [];
  const rows = memorySessionRows(Date.now);
  const end: typeof rows.end = (hash, why) => (endings.push(why), rows.end(hash, why));
  const gateway = await startGateway((await fakeService(emptyList)).url, { sessionRows: { ...rows, end } });
  const { cookie: first } = await gateway.signIn();
  const headers = { ...gateway.json, Cookie: first };
  const answer = await gateway.send('/session', { method: 'POST', headers, body: JSON.stringify({ key: KEY }) });
  const second = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  expect(endings).toEqual(['replaced']);
  expect((await gateway.get('/session', { Cookie: first })).status).toBe(401);
  expect((await gateway.get('/session', { Cookie: second })).status).toBe(200);
});

describe('refused keys', () => {
  /** A gateway with timers controlled by the test, to a service that accepts only KEY. */
  async function guessed(trusted = '') {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => log.mockRestore());
    const waits: { ms: number; end: () => void }[] = [];
    const clock = {
      mono: () => 0,
      later: (act: () => void, ms: number) => {
        waits.push({ ms, end: act });
        return () => undefined;
      },
    };
    const service = await fakeService((req, res) => {
      if (req.headers['x-api-key'] === KEY) return emptyList(req, res);
      res.writeHead(401, { 'Content-Type': 'application/json' });
      res.end('{"error":{"type":"t","code":"authentication_error","message":"No.","request_id":"req_1"}}');
    });
    const read = readTrustedProxies(trusted);
    const gateway = await startGateway(service.url, {
      clock,
      trustedProxies: 'proxies' in read ? read.proxies : [],
    });
    const signIn = async (key: string, headers: Record<string, string> = {}) => {
      const body = JSON.stringify({ key });
      return (await gateway.send('/session', { method: 'POST', headers: { ...gateway.json, ...headers }, body }))
        .status;
    };
    return { waits, signIn, service };
  }

  test('are answered late from the eleventh on; a valid key from the same address isn’t', async () => {
    const { waits, signIn, service } = await guessed();
    for (let count = 0; count < 10; count += 1) expect(await signIn(`wrong-${count}`)).toBe(401);
    expect(waits).toEqual([]);
    let answered = 0;
    const late = [signIn('wrong'), signIn('wrong')].map((each) => each.finally(() => (answered += 1)));
    await expect.poll(() => waits.map(({ ms }) => ms)).toEqual([1_000, 2_000]);
    expect(await signIn(KEY)).toBe(201);
    expect(answered).toBe(0);
    for (const { end } of waits) end();
    expect(await Promise.all(late)).toEqual([401, 401]);
    expect(service.seen).toHaveLength(13);
  });

  test('are counted by X-Forwarded-For behind a trusted proxy, and otherwise by nothing that a client can send', async () => {
    const behind = await guessed('127.0.0.1');
    const plain = await guessed();
    for (let count = 0; count < 10; count += 1) {
      const from = { 'X-Forwarded-For': `198.51.100.${count}, 203.0.113.7` };
      expect([await behind.signIn('wrong', from), await plain.signIn('wrong', from)]).toEqual([401, 401]);
    }
    expect(await behind.signIn('wrong', { 'X-Forwarded-For': '203.0.113.8' })).toBe(401);
    const late = [
      behind.signIn('wrong', { 'X-Forwarded-For': '203.0.113.7' }),
      plain.signIn('wrong', { 'X-Forwarded-For': '203.0.113.8' }),
    ];
    await expect.poll(() => [behind.waits.length, plain.waits.length]).toEqual([1, 1]);
    for (const { end } of [...behind.waits, ...plain.waits]) end();
    expect(await Promise.all(late)).toEqual([401, 401]);
  });

  test('don’t include errors of a service that is away or limits the rate', async () => {
    let status = 429;
    const service = await fakeService((_req, res) => {
      res.writeHead(status, { 'Content-Type': 'application/json' });
      res.end('{"error":{"type":"t","code":"rate_limited","message":"No.","request_id":"req_1"}}');
    });
    const later = vi.fn<() => () => void>(() => () => undefined);
    const gateway = await startGateway(service.url, { clock: { mono: () => 0, later } });
    for (let count = 0; count < 12; count += 1) expect((await gateway.signIn()).answer.status).toBe(429);
    status = 500;
    for (let count = 0; count < 12; count += 1) expect((await gateway.signIn()).answer.status).toBe(500);
    expect(later).not.toHaveBeenCalled();
  });
});

describe('the name', () => {
  test.each([
    ['Ann', 'Ann'],
    ['  Ann  ', 'Ann'],
    ['', null],
    [' ', null],
    [7, null],
    [undefined, null],
    ['A\0nn\n\uD800', 'Ann'],
    ['😀'.repeat(61), '😀'.repeat(60)],
  ])('%j is stored with the session as %j', async (name, kept) => {
    const gateway = await startGateway((await fakeService(emptyList)).url);
    const body = JSON.stringify({ key: KEY, name });
    const answer = await gateway.send('/session', { method: 'POST', headers: gateway.json, body });
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const mine = await gateway.get('/session', { Cookie: cookie });
    expect([JSON.parse(answer.text).name, JSON.parse(mine.text).name]).toEqual([kept, kept]);
  });
});

describe('a key that the service refuses', () => {
  const refuses = { status: 401 };
  const service = () =>
    fakeService((req, res) => {
      if (refuses.status === 200 || req.headers['x-api-key'] !== KEY) return emptyList(req, res);
      const envelope = { error: { type: 't', code: 'authentication_error', message: 'No.', request_id: 'r' } };
      res.writeHead(refuses.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(envelope));
    });

  test.each([
    [401, true, true, 201],
    [401, false, true, 401],
    [401, true, false, 401],
    [403, true, true, 403],
    [500, true, true, 500],
  ])('with %i (records: %s, JOURNAL_ONLY: %s) ends in %i', async (status, hasRecords, journalOnly, expected) => {
    const { url } = await service();
    const gateway = await startGateway(url, { journalOnly });
    refuses.status = 200;
    const { call } = await gateway.signIn();
    if (hasRecords) await gateway.api(call, 'PUT', '/key-1', startBody());
    refuses.status = status;
    const { answer, call: again } = await gateway.signIn();
    expect(answer.status).toBe(expected);
    if (expected !== 201) return;
    expect(JSON.parse(answer.text)).toMatchObject({ journal_only: true, sandbox: null });
    const list = await gateway.api(again, 'GET', '');
    expect([list.status, JSON.parse(list.text).data.length]).toEqual([200, 1]);
    expect(refusalIn(await gateway.get('/v1/balances', again)).code).toBe('key_refused');
    expect((await gateway.api(again, 'PUT', '/key-2', startBody())).status).toBe(403);
  });
});

test('a key that the service refuses gets that error while the journal is away', async () => {
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errorLog.mockRestore());
  const { url } = await fakeService((_req, res) => {
    const envelope = { error: { type: 't', code: 'authentication_error', message: 'No.', request_id: 'r' } };
    res.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify(envelope));
  });
  const { answer } = await (await startGateway(url, { journalOnly: true, operations: awayFrom(url) })).signIn();
  expect([answer.status, JSON.parse(answer.text).error.code]).toEqual([401, 'authentication_error']);
  expect(loggedBy(errorLog)).toEqual([[expect.stringContaining('ECONNREFUSED')]]);
});

describe('GET and DELETE /session', () => {
  test('return the session, and end it for good', async () => {
    const gateway = await startGateway((await fakeService(emptyList)).url);
    const { cookie, answer } = await gateway.signIn();
    const mine = await gateway.get('/session', { Cookie: cookie });
    expect([mine.status, mine.text]).toEqual([200, answer.text]);

    const nobody = await gateway.get('/session');
    expect([nobody.status, refusalIn(nobody).kind]).toEqual([401, 'session']);

    const out = await gateway.send('/session', {
      method: 'DELETE',
      headers: { Origin: gateway.origin, Cookie: cookie },
    });
    expect(out.status).toBe(204);
    expect(out.headers['set-cookie']).toHaveLength(2);
    expect((await gateway.get('/session', { Cookie: cookie })).status).toBe(401);
  });

  test('end the session only for the account that a late tab names', async () => {
    const gateway = await startGateway((await fakeService(emptyList)).url);
    const { cookie, answer } = await gateway.signIn();
    const { account } = JSON.parse(answer.text);
    const headers = { Origin: gateway.origin, Cookie: cookie };
    await gateway.send('/session?account=another', { method: 'DELETE', headers });
    expect((await gateway.get('/session', { Cookie: cookie })).status).toBe(200);
    const out = await gateway.send(`/session?account=${account}`, { method: 'DELETE', headers });
    // The answer must not clear the cookie of a later sign-in.
    expect([out.status, out.headers['set-cookie']]).toEqual([204, undefined]);
    expect((await gateway.get('/session', { Cookie: cookie })).status).toBe(401);
  });

  test.each([
    ['a request while somebody uses the page', '/session', { 'Person-Active': '1' }, 200],
    ['a page that somebody opens', '/deposits', {}, 200],
    ['a request that the page makes by itself', '/session', {}, 401],
  ])('%s decides whether the session becomes idle', async (_, path, more, status) => {
    let now = Date.now();
    const gateway = await startGateway((await fakeService(emptyList)).url, { now: () => now });
    const { cookie } = await gateway.signIn();
    now += 20 * 60_000;
    expect((await gateway.get(path, { Cookie: cookie, ...more })).status).toBe(200);
    now += 20 * 60_000;
    expect((await gateway.get('/session', { Cookie: cookie })).status).toBe(status);
  });
});
