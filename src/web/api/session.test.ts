import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Permission } from '#src/shared/permissions.ts';
import { attempt, setTransport } from './http.ts';
import { getRequestLog } from './requestLog.ts';
import * as session from './session.ts';

const rights = {
  permissions: ['view', 'prepare'] as Permission[],
  readOnly: false,
  keyRefused: false,
  setBack: false,
  hasKey: true,
};
const A: session.Session = {
  service: 'sandbox',
  account: 'a'.repeat(32),
  accountName: null,
  hasNotices: false,
  accounts: [],
  sandbox: 'acct_1',
  name: null,
  person: null,
  rights,
};
const B = { ...A, account: 'b'.repeat(32) };
/** As the server sends a session. */
const wire = ({ rights: { permissions, readOnly, keyRefused }, ...session }: typeof A) => ({
  ...session,
  permissions: [...permissions, 'a permission of a later version'],
  read_only: readOnly,
  journal_only: keyRefused,
});
const REVOKED = { error: { type: 't', code: 'authentication_error', message: 'no', request_id: 'req_1' } };
const read = () => attempt({ method: 'GET', path: '/v1/balances' });

/** Answers by path; any other path loses the connection. */
function serve(answers: Record<string, () => Response | Promise<Response>>): string[] {
  const requests: string[] = [];
  setTransport(async (path, init) => {
    requests.push(`${init.method} ${path}`);
    const answer = answers[`${init.method} ${path}`];
    if (!answer) throw new TypeError('lost');
    return answer();
  });
  return requests;
}

/** The read that confirms a refused key. */
const CONFIRM = 'GET /v1/balances?limit=1';
const revoked = (): Response => Response.json(REVOKED, { status: 401 });

beforeEach(async () => {
  serve({ 'POST /session': () => Response.json(wire(A), { status: 201 }) });
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

test('a wrong key is an error and doesn’t end the session', async () => {
  serve({ 'POST /session': revoked });
  await expect(session.signIn({ key: 'wrong' })).rejects.toMatchObject({ status: 401, code: 'authentication_error' });
  expect(session.getSession()).toEqual(A);
});

test('a revoked key ends the session once, after a second read confirms it', async () => {
  const heard = vi.fn<() => void>();
  const stop = session.subscribeSession(heard);
  const requests = serve({ 'GET /v1/balances': revoked, [CONFIRM]: revoked });
  await Promise.all([read(), read(), read()]);
  await vi.waitFor(() => expect(session.getSession()).toBeNull());
  expect(session.getSessionEnd()).toBe('key-refused');
  expect(heard).toHaveBeenCalledTimes(1);
  // The gateway is informed once, so that other tabs find the session ended.
  expect(requests.slice(3)).toEqual([CONFIRM, `DELETE /session?account=${A.account}`]);
  stop();
});

test('a key refused in a read that the server made ends nothing if this session’s own read succeeds', async () => {
  const refused = { status: 401, code: 'authentication_error' };
  const requests = serve({ [CONFIRM]: () => Response.json({}) });
  session.noteServerRead(null);
  session.noteServerRead({ status: 500, code: 'internal_error' });
  expect(requests).toEqual([]);
  // It may have been a colleague's key.
  session.noteServerRead(refused);
  await vi.waitFor(() => expect(requests).toEqual([CONFIRM]));
  await attempt({ method: 'GET', path: '/api/operations' });
  expect(session.getSession()).toEqual(A);
});

test('a key refused in a read that the server made, and in this session’s own, ends the session', async () => {
  serve({ [CONFIRM]: revoked });
  session.noteServerRead({ status: 401, code: 'authentication_error' });
  await vi.waitFor(() => expect(session.getSessionEnd()).toBe('key-refused'));
});

test.each([
  ['succeeds', () => Response.json({})],
  ['gets no answer', () => Promise.reject(new TypeError('lost'))],
])('one refused read ends nothing if the second %s', async (_, second) => {
  const requests = serve({ 'GET /v1/balances': revoked, [CONFIRM]: second });
  await read();
  await vi.waitFor(() => expect(requests).toContain(CONFIRM));
  await attempt({ method: 'GET', path: '/api/operations' });
  expect(session.getSession()).toEqual(A);
  expect(requests.filter((call) => call.startsWith('DELETE'))).toEqual([]);
});

test('a 401 without an envelope, not from the gateway, does not end the session', async () => {
  serve({ 'GET /v1/balances': () => new Response('<h1>Proxy</h1>', { status: 401 }) });
  await read();
  expect(session.getSession()).toEqual(A);
});

test('a late answer to an earlier session does not end the present one', async () => {
  const other = vi.fn<() => Promise<Response>>();
  serve({ 'GET /v1/balances': other, 'POST /session': () => Response.json(wire(B)) });
  other.mockImplementation(async () => {
    await session.signIn({ key: 'sk_2' });
    return revoked();
  });
  await read();
  expect(session.getSession()).toEqual(B);
});

const refused = (): Response => Response.json(REVOKED, { status: 409, headers: { 'Gateway-Error': 'account' } });

test('when another tab changes the account, this tab follows', async () => {
  serve({ 'GET /v1/balances': refused, 'GET /session': () => Response.json(wire(B)) });
  await read();
  await vi.waitFor(() => expect(session.getSession()).toEqual(B));
  expect(getRequestLog().length).toBeLessThanOrEqual(1);
});

test('a 401 of /api ends the session, and is not taken for a refused key', async () => {
  const ask = () => attempt({ method: 'GET', path: '/api/operations' });
  serve({ 'GET /api/operations': revoked });
  await ask();
  expect(session.getSession()).toEqual(A);
  serve({ 'GET /api/operations': () => Response.json({}, { status: 401, headers: { 'Gateway-Error': 'session' } }) });
  await ask();
  expect(session.getSessionEnd()).toBe('expired');
});

test('a journal-only session stays after the service refuses its key', async () => {
  serve({
    'POST /session': () => Response.json({ ...wire(B), journal_only: true }, { status: 201 }),
    'GET /v1/balances': revoked,
    [CONFIRM]: revoked,
  });
  expect(await session.signIn({ key: 'sk_old', name: 'Ana' })).toMatchObject({ rights: { keyRefused: true } });
  await read();
  expect(session.getSession()).toMatchObject({ account: B.account });
});

describe('with passkeys', () => {
  const proof = { ticket: 'ticket_1', response: {} };
  const view = { ...wire(A), name: 'Ada', person: 'person_ada' };
  const signedIn = async (answers: Parameters<typeof serve>[0]) => {
    serve({ 'POST /session/passkey': () => Response.json(view, { status: 201 }) });
    await session.signInByPasskey(proof);
    return serve(answers);
  };

  test('a key that the provider refuses signs nobody out, and is noted until it works', async () => {
    const requests = await signedIn({ 'GET /v1/balances': revoked });
    await read();
    await attempt({ method: 'GET', path: '/api/operations' });
    expect(session.getSession()).toMatchObject({ person: { id: 'person_ada', name: 'Ada' } });
    expect(requests).toEqual(['GET /v1/balances', 'GET /api/operations']);
    expect(session.isServerKeyRefused()).toBe(true);
    serve({ 'GET /v1/balances': () => Response.json({}) });
    await read();
    expect(session.isServerKeyRefused()).toBe(false);
  });

  test('a ticket refused because there is no session ends the session', async () => {
    const over = () => Response.json({}, { status: 401, headers: { 'Gateway-Error': 'session' } });
    await signedIn({ 'POST /session/ticket': over });
    await attempt({ method: 'POST', path: '/session/ticket', body: '{}' });
    expect(session.getSessionEnd()).toBe('expired');
  });

  test('roles that an admin took away are read again once the server refuses something', async () => {
    const error = { ...REVOKED.error, code: 'not_permitted' };
    await signedIn({
      'POST /api/team/notes': () => Response.json({ error }, { status: 403 }),
      'GET /session': () => Response.json({ ...view, permissions: ['view'] }),
    });
    await attempt({ method: 'POST', path: '/api/team/notes', body: '{}' });
    await vi.waitFor(() => expect(session.getSession()?.rights.permissions).toEqual(['view']));
  });

  test('the requests of one person are not in the log of the next', async () => {
    await signedIn({ 'GET /v1/balances': () => Response.json({}) });
    await read();
    serve({ 'POST /session/passkey': () => Response.json({ ...view, person: 'person_bo' }, { status: 201 }) });
    await session.signInByPasskey(proof);
    expect(getRequestLog()).toEqual([]);
  });
});

test('a session without name and journal_only is a plain one', async () => {
  const { name: _name, journal_only: _only, ...bare } = wire(B);
  serve({ 'POST /session': () => Response.json(bare, { status: 201 }) });
  expect(await session.signIn({ key: 'sk_2' })).toEqual(B);
});

test('an unreachable gateway leaves the session as it was', async () => {
  serve({});
  await expect(session.refreshSession()).rejects.toMatchObject({ kind: 'network' });
  await expect(session.signOut()).rejects.toMatchObject({ kind: 'network' });
  expect(session.getSession()).toEqual(A);
});

test('a refresh that finds the same session changes nothing, one that finds none says expired', async () => {
  const before = session.getSession();
  serve({ 'GET /session': () => Response.json(wire(A)) });
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
  const requests = serve({ 'GET /session': () => Response.json(wire(A)) });
  await Promise.all([session.refreshSession(), session.refreshSession()]);
  expect(requests).toEqual(['GET /session']);
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
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(wire(B)) }) });
  expect(session.readEmbeddedSession()).toEqual(B);
  channel.dispatchEvent(Object.assign(new Event('message'), { data: { __proto__: null } }));
  expect(session.getSession()).toEqual(B);
  channel.dispatchEvent(Object.assign(new Event('message'), { data: 'signed-out' }));
  expect(session.getSession()).toBeNull();
  serve({ 'GET /session': () => Response.json(wire(A)) });
  channel.dispatchEvent(Object.assign(new Event('message'), { data: 'signed-in' }));
  await vi.waitFor(() => expect(session.getSession()).toEqual(A));

  vi.stubGlobal('document', { getElementById: () => null });
  expect(session.readEmbeddedSession()).toBeNull();
});

test('the service is shown by its host, or as the sandbox', () => {
  expect(session.serviceHost(A)).toBe('Sandbox');
  expect(session.serviceHost({ ...A, service: 'https://pay.example:8443/api' })).toBe('pay.example:8443');
  expect(session.serviceHost({ ...A, service: 'what' })).toBe('what');
});
