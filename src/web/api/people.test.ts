import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { actStatement } from '#src/shared/contract/peopleContract.ts';
import { setTransport } from './http.ts';
import { askPasskey, createPasskey } from './passkeys.ts';
import { confirmCode, invitePerson, joinWithPasskey, removePasskey, signInWithPasskey } from './people.ts';
import { getRequestLog } from './requestLog.ts';
import { getSession } from './session.ts';

vi.mock('./passkeys.ts', () => ({ askPasskey: vi.fn<() => unknown>(), createPasskey: vi.fn<() => unknown>() }));

interface Sent {
  route: string;
  body: Record<string, unknown>;
}

const VIEW = {
  service: 'https://api.example',
  account: 'a'.repeat(32),
  sandbox: null,
  permissions: ['view', 'admin'],
  read_only: false,
  name: 'Ada',
  person: 'person_ada',
};
const RESPONSE = { id: 'cred_1', type: 'public-key' };

let sent: Sent[] = [];

/** Answers by route; POST /session/ticket always gives a ticket. */
function serve(answers: Record<string, () => Response>): void {
  sent = [];
  setTransport(async (path, init) => {
    const route = `${init.method} ${path}`;
    sent.push({ route, body: JSON.parse(typeof init.body === 'string' ? init.body : '{}') });
    if (route === 'POST /session/ticket') return Response.json({ ticket: 'ticket_1', options: { challenge: 'AA' } });
    return answers[route]?.() ?? new Response(null, { status: 404 });
  });
}

const done = () => new Response(null, { status: 204 });
const bodyOf = (route: string) => sent.find((request) => request.route === route)?.body;

beforeEach(() => {
  vi.mocked(askPasskey).mockResolvedValue(RESPONSE);
  vi.mocked(createPasskey).mockResolvedValue(RESPONSE);
});
afterEach(() => {
  setTransport(null);
  vi.resetAllMocks();
});

test('a passkey signs in, and the session has the person', async () => {
  serve({ 'POST /session/passkey': () => Response.json(VIEW, { status: 201 }) });
  expect(await signInWithPasskey()).toBe(true);
  expect(bodyOf('POST /session/passkey')).toEqual({ ticket: 'ticket_1', response: RESPONSE });
  expect(getSession()).toMatchObject({ person: { id: 'person_ada', name: 'Ada' } });
});

test('an act is signed over exactly the request that is sent', async () => {
  const invited = { person: 'person_bo', token: 'token_1', expires_at: 1 };
  serve({ 'POST /api/invites': () => Response.json(invited, { status: 201 }) });
  const of = { name: 'Bo', permissions: ['view' as const] };
  expect(await invitePerson(VIEW.account, of)).toEqual(invited);
  const body = bodyOf('POST /api/invites') ?? {};
  expect(bodyOf('POST /session/ticket')).toEqual({
    purpose: 'act',
    statement: actStatement('POST', '/api/invites', body),
  });
  expect(body).toEqual({ ...of, proof: { ticket: 'ticket_1', response: RESPONSE } });
});

test('removing a passkey is signed, too', async () => {
  serve({ 'DELETE /api/passkeys/cred_2': done });
  expect(await removePasskey(VIEW.account, 'cred_2')).toBe(true);
  expect(bodyOf('POST /session/ticket')).toMatchObject({
    statement: actStatement('DELETE', '/api/passkeys/cred_2', {}),
  });
});

test('cancelling sends nothing', async () => {
  vi.mocked(askPasskey).mockResolvedValue(null);
  vi.mocked(createPasskey).mockResolvedValue(null);
  serve({});
  expect(await signInWithPasskey()).toBe(false);
  expect(await confirmCode(VIEW.account, { person: 'person_bo', code: '123456' })).toBeNull();
  expect(await joinWithPasskey({ token: 'token_1' })).toBeNull();
  expect(sent.map(({ route }) => route)).toEqual(Array.from({ length: 3 }, () => 'POST /session/ticket'));
});

test('a web page in place of the server’s answer is no success', async () => {
  const page = () => new Response('<h1>Sign in to the network</h1>', { headers: { 'Content-Type': 'text/html' } });
  serve({ 'POST /api/people/person_bo/confirm': page });
  await expect(confirmCode(VIEW.account, { person: 'person_bo', code: '123456' })).rejects.toMatchObject({
    kind: 'web-page',
  });
});

test('an invite’s token is not in the log of requests', async () => {
  serve({ 'POST /api/join': () => Response.json({ code: '123456' }, { status: 201 }) });
  expect(await joinWithPasskey({ token: 'token_secret', name: 'Ada' })).toEqual({ code: '123456' });
  expect(bodyOf('POST /api/join')).toEqual({
    token: 'token_secret',
    name: 'Ada',
    ticket: 'ticket_1',
    response: RESPONSE,
  });
  expect(JSON.stringify(getRequestLog())).not.toContain('token_secret');
});

test('without a code to confirm, joining begins the session', async () => {
  serve({
    'POST /api/join': () => Response.json({ code: null }, { status: 201 }),
    'GET /session': () => Response.json({ ...VIEW, person: 'person_new', name: 'Cy' }),
  });
  expect(await joinWithPasskey({ token: 'token_1' })).toEqual({ code: null });
  expect(getSession()).toMatchObject({ person: { id: 'person_new' } });
});
