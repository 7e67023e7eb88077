import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { DemoPerson } from '#src/server/people/demoPeople.ts';
import type { Database } from '#src/server/database/sql.ts';
import { openSqlRows, turnsOf } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { openPeople } from '#src/server/people/people.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { createServerAccounts } from '#src/server/people/serverAccounts.ts';
import { createSessions } from '#src/server/people/sessions.ts';
import { createAuthenticator } from '#src/server/people/testAuthenticator.ts';
import { createTickets } from '#src/server/people/tickets.ts';
import { actStatement, sessionItemsSchema } from '#src/shared/contract/peopleContract.ts';
import { PERMISSIONS, type Permission, ROUTES, isAllowed } from '#src/shared/permissions.ts';
import { emptyList, fakeService, KEY, startGateway } from './testGateway.ts';

const ORIGIN = 'https://money.example';
const RP_ID = 'money.example';
const SECRET = 'a secret of the tests';
const OTHER_KEY = 'sk_of_the_other_account';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
});
afterAll(() => database.close());

interface Reply {
  status: number;
  body: { error?: { code: string; message: string }; [name: string]: unknown };
}

/** A gateway where people sign in with passkeys, on an account of its own. */
async function createWorld({ readOnly = false, hasDemo = false } = {}) {
  const { url, seen } = await fakeService(emptyList);
  const account = `account of ${url}`;
  const other = `other account of ${url}`;
  for (const id of [account, other])
    await database.query('insert into people.accounts (service, id, name) values ($1, $2, $2)', [url, id]);
  const people = openPeople(database, url, createSeals(Buffer.from('a key of the tests')), turnsOf('people'));
  const clock = { now: Date.now() };
  const accounts = createServerAccounts([
    { name: 'eu', account, credential: account, apiKey: KEY },
    { name: 'us', account: other, credential: other, apiKey: OTHER_KEY },
  ]);
  const sessions = createSessions(
    sessionRowsOf(database, url, people.grants),
    SECRET,
    { wall: Date.now, mono: () => performance.now() },
    { serverAccounts: accounts },
  );
  const tickets = createTickets(Buffer.from(SECRET), () => clock.now);
  const demoPeople: DemoPerson[] = [];
  const demo = { list: demoPeople, has: (person: string) => demoPeople.some(({ id }) => id === person) };
  const parts = { people, tickets, accounts, oidc: null, demo: hasDemo ? demo : null };
  const gateway = await startGateway(url, { origin: ORIGIN, people: parts, sessions, readOnly });

  /** One browser: its cookies, and one passkey. */
  function browser() {
    const cookies = new Map<string, string>();
    const authenticator = createAuthenticator();

    async function call(method: string, path: string, body?: unknown, at = account): Promise<Reply> {
      const headers: Record<string, string> = {
        Host: RP_ID,
        Origin: ORIGIN,
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'X-Account': at,
      };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      if (body !== undefined) {
        headers['Content-Type'] = 'application/json';
        // Node doesn't state it by itself with a DELETE.
        headers['Content-Length'] = String(Buffer.byteLength(text));
      }
      const answer = await gateway.send(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: text }),
      });
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      return { status: answer.status, body: answer.text === '' ? {} : JSON.parse(answer.text) };
    }

    async function ticketFor(request: Record<string, unknown>) {
      const { status, body } = await call('POST', '/session/ticket', request);
      expect(status).toBe(200);
      const { challenge } = v.parse(v.object({ challenge: v.string() }), body['options']);
      return { ticket: String(body['ticket']), here: { challenge, origin: ORIGIN, rpId: RP_ID }, body };
    }

    async function proofOf(method: string, path: string, body: Record<string, unknown>, signer = authenticator) {
      const { ticket, here } = await ticketFor({ purpose: 'act', statement: actStatement(method, path, body) });
      return { ticket, response: signer.sign(here) };
    }

    return {
      authenticator,
      call,
      ticketFor,
      proofOf,
      cookies,
      switchTo: (to: string, from = account) => call('POST', '/session/account', { account: to }, from),
      async join(token: string, name?: string): Promise<Reply> {
        const { ticket, here } = await ticketFor({ purpose: 'join', token });
        const response = authenticator.register(here);
        return call('POST', '/api/join', { token, ticket, response, ...(name === undefined ? {} : { name }) });
      },
      async signIn(): Promise<Reply> {
        const { ticket, here } = await ticketFor({ purpose: 'sign-in' });
        return call('POST', '/session/passkey', { ticket, response: authenticator.sign(here) });
      },
      /** An act that is signed with a passkey. */
      async act(path: string, body: Record<string, unknown>, method = 'POST'): Promise<Reply> {
        return call(method, path, { ...body, proof: await proofOf(method, path, body) });
      },
    };
  }

  type Browser = ReturnType<typeof browser>;

  async function firstAdmin(): Promise<Browser> {
    const { token } = await people.inviteFromConsole(account, ['view', 'prepare', 'admin'], 'first');
    const admin = browser();
    expect(await admin.join(token, 'Ada')).toMatchObject({ status: 201, body: { code: null } });
    return admin;
  }

  async function invite(admin: Browser, name: string, permissions: readonly Permission[]) {
    const { status, body } = await admin.act('/api/invites', { name, permissions });
    expect(status).toBe(201);
    return { token: String(body['token']), person: String(body['person']) };
  }

  /** A colleague who is signed in. */
  async function colleague(admin: Browser, name: string, permissions: readonly Permission[]) {
    const { token, person } = await invite(admin, name, permissions);
    const own = browser();
    const { body } = await own.join(token);
    expect((await admin.act(`/api/people/${person}/confirm`, { code: body['code'] })).status).toBe(204);
    expect((await own.signIn()).status).toBe(201);
    return { ...own, person };
  }

  return {
    account,
    other,
    people,
    demoPeople,
    clock,
    gateway,
    service: { seen },
    browser,
    firstAdmin,
    invite,
    colleague,
  };
}

const codeOf = ({ status, body }: Reply) => [status, body.error?.code];

test('the first admin joins by the console’s link, invites a colleague, and types the code', async () => {
  const { account, firstAdmin, invite, browser, service } = await createWorld();
  const admin = await firstAdmin();
  expect(await admin.call('GET', '/session')).toMatchObject({
    status: 200,
    body: { account, name: 'Ada', permissions: ['view', 'prepare', 'admin'], person: expect.any(String) },
  });
  const { token, person } = await invite(admin, 'Bo', ['view']);
  const bo = browser();
  const { body: shown } = await bo.ticketFor({ purpose: 'join', token });
  expect(shown['invite']).toMatchObject({ name: 'Bo', invited_by: 'Ada', permissions: ['view'], signed_in: null });
  const joined = await bo.join(token);
  expect(joined).toMatchObject({ status: 201, body: { code: expect.stringMatching(/^\d{6}$/) } });
  expect(codeOf(await bo.signIn())).toEqual([403, 'not_confirmed']);
  const wrong = joined.body['code'] === '123456' ? '654321' : '123456';
  const path = `/api/people/${person}/confirm`;
  expect(codeOf(await admin.act(path, { code: wrong }))).toEqual([422, 'wrong_code']);
  expect((await admin.act(path, { code: joined.body['code'] })).status).toBe(204);
  expect((await bo.signIn()).status).toBe(201);
  expect((await bo.call('GET', '/api/people')).body['data']).toMatchObject([
    { name: 'Ada', state: 'active', permissions: ['view', 'prepare', 'admin'] },
    { name: 'Bo', state: 'active', permissions: ['view'], invited_by: 'Ada' },
  ]);
  // The service gets the server's key, which no browser ever sent.
  expect((await bo.call('GET', '/v1/balances')).status).toBe(200);
  expect(service.seen.at(-1)?.headers['x-api-key']).toBe(KEY);
});

test('no request can carry an API key', async () => {
  const { browser } = await createWorld();
  expect((await browser().call('POST', '/session', { key: KEY })).status).toBe(405);
});

describe('a passkey is refused', () => {
  test('that is unknown, belongs to a blocked person, or answers another browser’s ticket', async () => {
    const { firstAdmin, colleague, browser } = await createWorld();
    const admin = await firstAdmin();
    const bo = await colleague(admin, 'Bo', ['view']);
    expect(codeOf(await browser().signIn())).toEqual([403, 'passkey_refused']);
    const { ticket, here } = await bo.ticketFor({ purpose: 'sign-in' });
    const stolen = { ticket, response: bo.authenticator.sign(here) };
    expect(codeOf(await browser().call('POST', '/session/passkey', stolen))).toEqual([403, 'passkey_refused']);
    expect((await admin.call('POST', `/api/people/${bo.person}/block`, {})).status).toBe(204);
    expect(codeOf(await bo.signIn())).toEqual([403, 'not_permitted']);
  });

  test('more than five minutes after the ticket', async () => {
    const { firstAdmin, clock } = await createWorld();
    const admin = await firstAdmin();
    const { ticket, here } = await admin.ticketFor({ purpose: 'sign-in' });
    const response = admin.authenticator.sign(here);
    clock.now += 5 * 60_000 + 1;
    expect(codeOf(await admin.call('POST', '/session/passkey', { ticket, response }))).toEqual([
      403,
      'passkey_refused',
    ]);
  });

  test('for an act that it didn’t sign, of another person, or by a sign-in’s signature', async () => {
    const { firstAdmin, colleague } = await createWorld();
    const admin = await firstAdmin();
    const bo = await colleague(admin, 'Bo', ['view', 'admin']);
    const asked = { name: 'Cy', permissions: ['view'] };
    const more = { name: 'Cy', permissions: ['view', 'admin'] };
    const proof = await admin.proofOf('POST', '/api/invites', asked);
    expect(codeOf(await admin.call('POST', '/api/invites', { ...more, proof }))).toEqual([403, 'passkey_refused']);
    const others = await admin.proofOf('POST', '/api/invites', asked, bo.authenticator);
    expect(codeOf(await admin.call('POST', '/api/invites', { ...asked, proof: others }))).toEqual([
      403,
      'passkey_refused',
    ]);
    const { ticket, here } = await admin.ticketFor({ purpose: 'sign-in' });
    const signedIn = { ticket, response: admin.authenticator.sign(here) };
    expect(codeOf(await admin.call('POST', '/api/invites', { ...asked, proof: signedIn }))).toEqual([
      403,
      'passkey_refused',
    ]);
    expect((await admin.call('POST', '/api/invites', { ...asked, proof })).status).toBe(201);
  });
});

describe('an invite is refused', () => {
  test('that was used, revoked, or never existed', async () => {
    const { firstAdmin, invite, browser, people, account } = await createWorld();
    const admin = await firstAdmin();
    const { token } = await invite(admin, 'Bo', ['view']);
    await browser().join(token);
    const ask = async (link: string) =>
      codeOf(await browser().call('POST', '/session/ticket', { purpose: 'join', token: link }));
    expect(await ask(token)).toEqual([404, 'invite_used']);
    expect(await ask('made-up')).toEqual([404, 'invite_unknown']);
    const second = await invite(admin, 'Cy', ['view']);
    expect((await admin.call('DELETE', `/api/invites/${second.person}`)).status).toBe(204);
    expect(await ask(second.token)).toEqual([404, 'invite_expired']);
    const console = await people.inviteFromConsole(account, ['view'], 'first');
    expect(codeOf(await browser().join(console.token))).toEqual([400, 'invalid_request_error']);
    expect(codeOf(await browser().join(console.token, 'aDA'))).toEqual([409, 'name_taken']);
  });

  test('with the passkey made for another one', async () => {
    const { firstAdmin, invite, browser } = await createWorld();
    const admin = await firstAdmin();
    const [one, other] = [await invite(admin, 'Bo', ['view']), await invite(admin, 'Cy', ['view', 'admin'])];
    const eve = browser();
    const { ticket, here } = await eve.ticketFor({ purpose: 'join', token: one.token });
    const response = eve.authenticator.register(here);
    const joined = await eve.call('POST', '/api/join', { token: other.token, ticket, response });
    expect(codeOf(joined)).toEqual([403, 'passkey_refused']);
  });
});

test('one’s own account: passkeys and sessions', async () => {
  const { firstAdmin, browser, people } = await createWorld();
  const admin = await firstAdmin();
  const other = browser();
  expect((await admin.call('GET', '/api/passkeys')).body['data']).toMatchObject([{ id: admin.authenticator.id }]);
  const { ticket, here } = await admin.ticketFor({ purpose: 'register' });
  const added = { ticket, response: other.authenticator.register(here) };
  expect((await admin.act('/api/passkeys', added)).status).toBe(204);
  expect((await other.signIn()).status).toBe(201);
  const { data } = v.parse(sessionItemsSchema, (await other.call('GET', '/api/sessions')).body);
  expect(data.filter(({ current }) => current)).toHaveLength(1);
  expect(data).toHaveLength(2);
  const first = data.find(({ current }) => !current)?.id ?? '';
  expect((await other.call('DELETE', `/api/sessions/${first}`)).status).toBe(204);
  expect((await other.call('DELETE', `/api/sessions/${first}`)).status).toBe(404);
  const path = `/api/passkeys/${admin.authenticator.id}`;
  expect((await other.act(path, {}, 'DELETE')).status).toBe(204);
  const last = `/api/passkeys/${other.authenticator.id}`;
  expect(codeOf(await other.act(last, {}, 'DELETE'))).toEqual([409, 'last_passkey']);
  expect(await people.findPasskey(admin.authenticator.id, RP_ID)).toBeNull();
});

describe('somebody with roles on two accounts', () => {
  async function createTwo() {
    const world = await createWorld();
    const admin = await world.firstAdmin();
    const give = { name: 'Ada', permissions: ['view'] as const, words: 'first', rpId: RP_ID };
    await world.people.grantFromConsole(world.other, give);
    // For reads the server remembers a session for some seconds.
    expect((await admin.signIn()).status).toBe(201);
    return { ...world, admin };
  }

  test('goes on with the other one, under its key and with the roles there', async () => {
    const { account, other, admin, service } = await createTwo();
    const accounts = [
      { account, name: 'eu' },
      { account: other, name: 'us' },
    ];
    expect((await admin.call('GET', '/session')).body).toMatchObject({ account, account_name: 'eu', accounts });
    const before = new Map(admin.cookies);
    expect(await admin.switchTo(other)).toMatchObject({
      status: 201,
      body: { account: other, account_name: 'us', accounts, permissions: ['view'] },
    });
    expect(admin.cookies).not.toEqual(before);
    expect((await admin.call('GET', '/v1/balances', undefined, other)).status).toBe(200);
    expect(service.seen.at(-1)?.headers['x-api-key']).toBe(OTHER_KEY);
    expect(codeOf(await admin.call('POST', '/api/invites', {}, other))).toEqual([403, 'not_permitted']);

    // A page of the former account: nothing of it is read or sent under the other one.
    const reads = service.seen.length;
    expect(codeOf(await admin.call('GET', '/v1/balances'))).toEqual([409, 'account_mismatch']);
    expect(codeOf(await admin.call('PUT', '/api/operations/a-b-c', {}))).toEqual([409, 'account_mismatch']);
    expect(codeOf(await admin.switchTo(other, account))).toEqual([409, 'account_mismatch']);
    expect(service.seen).toHaveLength(reads);

    // The former cookie opens nothing.
    const after = new Map(admin.cookies);
    for (const [name, value] of before) admin.cookies.set(name, value);
    expect((await admin.call('GET', '/session')).status).toBe(401);
    for (const [name, value] of after) admin.cookies.set(name, value);

    // The next sign-in leads to the account used last.
    await admin.call('DELETE', '/session', undefined, other);
    expect(await admin.signIn()).toMatchObject({ status: 201, body: { account: other } });
  });

  test('is signed out by a block on one, and has only the other one then', async () => {
    const { account, other, admin, people, colleague, browser } = await createTwo();
    const bo = await colleague(admin, 'Bo', ['view', 'admin']);
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    await people.grantFromConsole(other, { name: 'Bo', permissions: ['view'], words: 'first', rpId: RP_ID });
    expect((await bo.signIn()).status).toBe(201);
    expect((await admin.call('POST', `/api/people/${bo.person}/block`, {})).status).toBe(204);
    expect(await bo.signIn()).toMatchObject({ body: { account: other, accounts: [{ account: other, name: 'us' }] } });
    expect(codeOf(await bo.switchTo(account, other))).toEqual([403, 'not_permitted']);
    expect((await bo.call('GET', '/session', undefined, other)).body).toMatchObject({ account: other });
    expect((await browser().switchTo(other)).status).toBe(401);
  });
});

test('nobody switches to an account without a role there, or to one that isn’t there', async () => {
  const { account, other, firstAdmin } = await createWorld();
  const admin = await firstAdmin();
  for (const wanted of [other, 'made-up', '__proto__'])
    expect(codeOf(await admin.switchTo(wanted))).toEqual([403, 'not_permitted']);
  for (const body of [{}, { account: 1 }, { account: other, person: 'x' }])
    expect(codeOf(await admin.call('POST', '/session/account', body))).toEqual([400, 'invalid_request_error']);
  const junk = fc.oneof(fc.json(), fc.string(), fc.record({ account: fc.jsonValue() }));
  await fc.assert(
    fc.asyncProperty(junk, async (body) => {
      const { status, body: answer } = await admin.call('POST', '/session/account', body);
      expect([400, 403]).toContain(status);
      expect(answer.error?.code).toEqual(expect.any(String));
    }),
    { numRuns: 500 },
  );
  expect((await admin.call('GET', '/session')).body).toMatchObject({ account });
});

describe('the people of the demo', () => {
  /** Bo signs in by a press, like a person of the sandbox. */
  async function createDemo(permissions: readonly Permission[]) {
    const world = await createWorld({ hasDemo: true });
    const admin = await world.firstAdmin();
    const { person } = await world.colleague(admin, 'Bo', permissions);
    world.demoPeople.push({ id: person, name: 'Bo', permissions });
    const bo = world.browser();
    expect(await bo.call('POST', '/session/demo', { person })).toMatchObject({
      status: 201,
      body: { name: 'Bo', person, permissions },
    });
    return { ...world, admin, bo };
  }

  test('sign in by a press, confirm acts by the ticket alone, and only what they may do', async () => {
    const { bo, admin } = await createDemo(['view', 'admin']);
    const body = { name: 'Cy', permissions: ['view'] };
    const statement = actStatement('POST', '/api/invites', body);
    const { body: issued } = await bo.call('POST', '/session/ticket', { purpose: 'act', statement });
    expect(issued['options']).toBeNull();
    const proof = { ticket: issued['ticket'], response: {} };
    const other = { ...body, permissions: ['view', 'admin'] };
    expect(codeOf(await bo.call('POST', '/api/invites', { ...other, proof }))).toEqual([403, 'passkey_refused']);
    // Somebody else's passkey is still asked for.
    expect(codeOf(await admin.call('POST', '/api/invites', { ...body, proof }))).toEqual([403, 'passkey_refused']);
    expect((await bo.call('POST', '/api/invites', { ...body, proof })).status).toBe(201);
  });

  test('nobody else signs in by a press', async () => {
    const { browser, admin } = await createDemo(['view']);
    const { person } = (await admin.call('GET', '/session')).body;
    for (const id of [person, 'made-up', '__proto__'])
      expect(codeOf(await browser().call('POST', '/session/demo', { person: id }))).toEqual([403, 'not_permitted']);
    const { ticket } = (await admin.call('POST', '/session/ticket', { purpose: 'act', statement: 'x' })).body;
    expect(ticket).toEqual(expect.any(String));
  });

  test('are none outside the sandbox', async () => {
    const { browser, firstAdmin } = await createWorld();
    const admin = await firstAdmin();
    const { person } = (await admin.call('GET', '/session')).body;
    expect((await browser().call('POST', '/session/demo', { person })).status).toBe(405);
    const { body } = await admin.call('POST', '/session/ticket', { purpose: 'act', statement: 'x' });
    expect(body['options']).not.toBeNull();
  });
});

test('a read-only server lets people in, and changes nothing about them', async () => {
  const { people, account, browser } = await createWorld({ readOnly: true });
  const { token } = await people.inviteFromConsole(account, ['view', 'admin'], 'first');
  expect(codeOf(await browser().join(token, 'Ada'))).toEqual([403, 'read_only']);
});

describe('every role at every route', () => {
  test('gets there exactly if the table says so', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    const { firstAdmin, colleague } = await createWorld();
    const admin = await firstAdmin();
    for (const permission of PERMISSIONS) {
      const own = await colleague(admin, `The ${permission}`, [permission]);
      const rights = { permissions: [permission], readOnly: false, keyRefused: false };
      for (const [route, ability] of ROUTES) {
        const [method = '', pattern = ''] = route.split(' ');
        const path = pattern
          .replace(':collection', 'notes')
          .replace(/:key|:id/, 'a-b-c')
          .replace('*', 'balances');
        const { status, body } = await own.call(method, path, method === 'GET' ? undefined : {});
        const isRefused = status === 403 && body.error?.code === 'not_permitted';
        expect(isRefused, `${permission}: ${route} answers ${status} ${body.error?.code}`).toBe(
          !isAllowed(ability, rights),
        );
      }
    }
  });
});

test('no request body signs anybody in, and every error has the envelope', async () => {
  const { firstAdmin, browser } = await createWorld();
  await firstAdmin();
  const eve = browser();
  const paths = ['/session/ticket', '/session/passkey', '/api/join'];
  const junk = fc.oneof(
    fc.json(),
    fc.string(),
    fc.record({
      purpose: fc.constantFrom('sign-in', 'join', 'act', 'register'),
      token: fc.string(),
      statement: fc.string(),
    }),
    fc.record({ ticket: fc.string(), response: fc.dictionary(fc.string(), fc.jsonValue()), token: fc.string() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), junk, async (path, body) => {
      const { status, body: answer } = await eve.call('POST', path, body);
      if (path === '/session/ticket' && status === 200) return;
      expect([400, 401, 403, 404]).toContain(status);
      expect(answer.error?.code).toEqual(expect.any(String));
    }),
    { numRuns: 500 },
  );
  expect((await eve.call('GET', '/session')).status).toBe(401);
});
