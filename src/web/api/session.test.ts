import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attempt, setTransport } from './http.ts';
import { getRequestLog } from './requestLog.ts';
import * as session from './session.ts';

const A = {
  service: 'sandbox',
  account: 'a'.repeat(32),
  sandbox: 'acct_1',
  read_only: false,
  name: null,
  journal_only: false,
};
const B = { ...A, account: 'b'.repeat(32) };
const REVOKED = { error: { type: 't', code: 'authentication_error', message: 'no', request_id: 'req_1' } };
const read = () => attempt({ method: 'GET', path: '/v1/balances' });

/** Answers by path; a path that is not named is a lost connection. */
function serve(answers: Record<string, () => Response | Promise<Response>>): string[] {
  const asked: string[] = [];
  setTransport(async (path, init) => {
    asked.push(`${init.method} ${path}`);
    const answer = answers[`${init.method} ${path}`];
    if (!answer) throw new TypeError('lost');
    return answer();
  });
  return asked;
}

const revoked = (): Response => Response.json(REVOKED, { status: 401 });

beforeEach(async () => {
  serve({ 'POST /session': () => Response.json(A, { status: 201 }) });
  await session.signIn({ key: 'sk_1' });
});
afterEach(() => {
  setTransport(null);
  vi.unstubAllGlobals();
});

test('signing in gives the session, and its account goes with every request', async () => {
  expect(session.getSession()).toEqual(A);
  const sent: (string | null)[] = [];
  setTransport(async (_path, init) => {
    sent.push(new Headers(init.headers).get('X-Account'));
    return Response.json({});
  });
  await read();
  await attempt({ method: 'GET', path: '/v1/balances', account: 'other' });
  expect(sent).toEqual([A.account, 'other']);
});

test('a wrong key is an error and ends nothing', async () => {
  serve({ 'POST /session': revoked });
  await expect(session.signIn({ key: 'wrong' })).rejects.toMatchObject({ status: 401, code: 'authentication_error' });
  expect(session.getSession()).toEqual(A);
});

test('a revoked key and an ended session end it once', async () => {
  const heard = vi.fn<() => void>();
  const stop = session.subscribeSession(heard);
  const asked = serve({ 'GET /v1/balances': revoked });
  await Promise.all([read(), read(), read()]);
  expect(session.getSession()).toBeNull();
  expect(session.getSessionEnd()).toBe('expired');
  expect(heard).toHaveBeenCalledTimes(1);
  // The gateway is told once, so that the other tabs find it ended.
  expect(asked.slice(3)).toEqual([`DELETE /session?account=${A.account}`]);
  stop();
});

test('a 401 that is neither the gateway nor the envelope ends nothing', async () => {
  serve({ 'GET /v1/balances': () => new Response('<h1>Proxy</h1>', { status: 401 }) });
  await read();
  expect(session.getSession()).toEqual(A);
});

test('the late answer to an earlier session ends nothing', async () => {
  const other = vi.fn<() => Promise<Response>>();
  serve({ 'GET /v1/balances': other, 'POST /session': () => Response.json(B) });
  other.mockImplementation(async () => {
    await session.signIn({ key: 'sk_2' });
    return revoked();
  });
  await read();
  expect(session.getSession()).toEqual(B);
});

const refused = (): Response => Response.json(REVOKED, { status: 409, headers: { 'Gateway-Error': 'account' } });

test('another account in another tab: the gateway says so, and this tab follows', async () => {
  serve({ 'GET /v1/balances': refused, 'GET /session': () => Response.json(B) });
  await read();
  await vi.waitFor(() => expect(session.getSession()).toEqual(B));
  expect(getRequestLog().length).toBeLessThanOrEqual(1);
});

test('a session that the server’s own interface finds ended is ended, and its 401 says nothing of the key', async () => {
  const ask = () => attempt({ method: 'GET', path: '/api/operations' });
  serve({ 'GET /api/operations': revoked });
  await ask();
  expect(session.getSession()).toEqual(A);
  serve({ 'GET /api/operations': () => Response.json({}, { status: 401, headers: { 'Gateway-Error': 'session' } }) });
  await ask();
  expect(session.getSessionEnd()).toBe('expired');
});

test('a session for what was recorded alone reads only, and outlives the service’s refusal of its key', async () => {
  serve({
    'POST /session': () => Response.json({ ...B, journal_only: true }, { status: 201 }),
    'GET /v1/balances': revoked,
  });
  expect(await session.signIn({ key: 'sk_old', name: 'Ana' })).toMatchObject({ journal_only: true, read_only: true });
  await read();
  expect(session.getSession()).toMatchObject({ account: B.account });
});

test('a server that says nothing of names and journals opens a plain session', async () => {
  const { name: _name, journal_only: _only, ...bare } = B;
  serve({ 'POST /session': () => Response.json(bare, { status: 201 }) });
  expect(await session.signIn({ key: 'sk_2' })).toEqual(B);
});

test('the gateway out of reach leaves the session as it was', async () => {
  serve({});
  await expect(session.refreshSession()).rejects.toMatchObject({ kind: 'network' });
  await expect(session.signOut()).rejects.toMatchObject({ kind: 'network' });
  expect(session.getSession()).toEqual(A);
});

test('a refresh that finds the same session changes nothing, one that finds none says expired', async () => {
  const before = session.getSession();
  serve({ 'GET /session': () => Response.json({ ...A }) });
  await session.refreshSession();
  expect(session.getSession()).toBe(before);
  serve({ 'GET /session': revoked });
  expect(await session.refreshSession()).toBeNull();
  expect(session.getSessionEnd()).toBe('expired');
});

test.each([401, 403, 200])('a web page in place of the server signs nobody out: %i', async (status) => {
  const page = () =>
    new Response('<h1>Sign in to Example Inc.</h1>', { status, headers: { 'Content-Type': 'text/html' } });
  serve({ 'GET /session': page, 'DELETE /session': page, 'GET /v1/balances': page, 'GET /api/operations': page });
  await expect(session.refreshSession()).rejects.toMatchObject({ kind: 'web-page', status });
  await expect(session.signOut()).rejects.toMatchObject({ kind: 'web-page', status });
  await read();
  await attempt({ method: 'GET', path: '/api/operations' });
  expect(session.getSession()).toEqual(A);
});

test('refreshes at the same time are one request', async () => {
  const asked = serve({ 'GET /session': () => Response.json(A) });
  await Promise.all([session.refreshSession(), session.refreshSession()]);
  expect(asked).toEqual(['GET /session']);
});

test('signing out empties the request log', async () => {
  serve({ 'GET /v1/balances': () => Response.json({}), 'DELETE /session': () => new Response(null, { status: 204 }) });
  await read();
  await session.signOut();
  expect(session.getSession()).toBeNull();
  session.sessionEnded();
  expect(session.getSessionEnd()).toBe('signed-out');
  expect(getRequestLog()).toEqual([]);
});

test('an answer that is no session signs nobody in', async () => {
  for (const body of ['<h1>Hotel</h1>', '{}', '{"service":"x"}', '']) {
    serve({ 'POST /session': () => new Response(body) });
    await expect(session.signIn({ demo: true })).rejects.toThrow(Error);
  }
});

test('the session embedded in the page is taken, and other tabs are listened to', async () => {
  const channel = new EventTarget();
  vi.stubGlobal('BroadcastChannel', function BroadcastChannel() {
    return Object.assign(channel, { postMessage: () => undefined });
  });
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(B) }) });
  expect(session.readEmbeddedSession()).toEqual(B);
  channel.dispatchEvent(Object.assign(new Event('message'), { data: { __proto__: null } }));
  expect(session.getSession()).toEqual(B);
  channel.dispatchEvent(Object.assign(new Event('message'), { data: 'signed-out' }));
  expect(session.getSession()).toBeNull();
  serve({ 'GET /session': () => Response.json(A) });
  channel.dispatchEvent(Object.assign(new Event('message'), { data: 'signed-in' }));
  await vi.waitFor(() => expect(session.getSession()).toEqual(A));

  vi.stubGlobal('document', { getElementById: () => null });
  expect(session.readEmbeddedSession()).toBeNull();
});

test('people see which money it is', () => {
  expect(session.serviceHost(A)).toBe('Sandbox');
  expect(session.serviceHost({ ...A, service: 'https://pay.example:8443/api' })).toBe('pay.example:8443');
  expect(session.serviceHost({ ...A, service: 'what' })).toBe('what');
});
