import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { watchWrites } from '#src/server/database/testWatchWrites.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { WRITES_A_MINUTE } from '#src/server/operations/writeQuota.ts';
import { actStatement, sessionItemsSchema } from '#src/shared/contract/peopleContract.ts';
import { PERMISSIONS, type Permission, ROUTES, isAllowed } from '#src/shared/permissions.ts';
import type { TestBrowser, TestReply } from './testBrowser.ts';
import { KEY } from './testGateway.ts';
import { createPeopleWorld, OTHER_KEY } from './testPeopleWorld.ts';
import { propertyRuns } from '#src/tests/depth.ts';

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
});
afterAll(() => database.close());

const createWorld = (options = {}) => createPeopleWorld(database, options);

const codeOf = ({ status, body }: TestReply) => [status, body.error?.code];

test('whoever types the code sees who else was signed in in the browser that joined, even if they signed out first', async () => {
  const { firstAdmin, invite, colleague, browser } = await createWorld();
  const admin = await firstAdmin();
  const bo = await colleague('Bo', ['view']);
  const shared = browserWith(bo.cookies, browser());
  const { token } = await invite(admin, 'Cy', ['view']);
  expect((await shared.ticketFor({ purpose: 'join', token })).body['invite']).toMatchObject({ signed_in: 'Bo' });
  expect((await shared.call('DELETE', '/session')).status).toBe(204);
  expect((await shared.join(token)).status).toBe(201);
  // Another invite in the same browser has nothing to do with Bo.
  const { token: next } = await invite(admin, 'Di', ['view']);
  expect((await browserWith(shared.cookies, browser()).join(next)).status).toBe(201);
  const { token: open } = await invite(admin, 'Ed', ['view']);
  expect((await browserWith(admin.cookies, browser()).join(open)).status).toBe(201);
  const { data } = (await admin.call('GET', '/api/people')).body;
  const beside = (data as { name: string; joined_beside: string | null }[]).map(({ name, joined_beside: other }) => [
    name,
    other,
  ]);
  expect(Object.fromEntries(beside)).toMatchObject({ Bo: null, Cy: 'Bo', Di: null, Ed: 'Ada' });
  const lines = await database.query(
    "select facts::json ->> 'beside' as beside from activity.lines where kind = 'person.joined' and who = 'Cy'",
  );
  expect(lines).toContainEqual({ beside: 'Bo' });
});

function browserWith(cookies: ReadonlyMap<string, string>, browser: TestBrowser): TestBrowser {
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

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
  // The service gets the server's key, which the browser never had.
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
    const bo = await colleague('Bo', ['view']);
    expect(codeOf(await browser().signIn())).toEqual([403, 'passkey_refused']);
    const { ticket, here } = await bo.ticketFor({ purpose: 'sign-in' });
    const stolen = { ticket, response: bo.authenticator.sign(here) };
    expect(codeOf(await browser().call('POST', '/session/passkey', stolen))).toEqual([403, 'passkey_refused']);
    expect((await admin.call('POST', `/api/people/${bo.person}/block`, {})).status).toBe(204);
    expect(codeOf(await bo.signIn())).toEqual([403, 'not_permitted']);
  });

  test('that belongs to another service, whose people are in the same database', async () => {
    const { browser } = await createWorld();
    const stranger = await (await createWorld()).firstAdmin();
    const own = browser();
    const { ticket, here } = await own.ticketFor({ purpose: 'sign-in' });
    const response = stranger.authenticator.sign(here);
    expect((await own.call('POST', '/session/passkey', { ticket, response })).status).toBe(403);
    expect((await own.call('GET', '/session')).status).toBe(401);
  });

  test('that was made under another domain', async () => {
    const { browser, peopleAt, account } = await createWorld();
    const ada = browser();
    const { id, publicKey } = ada.authenticator;
    const people = peopleAt('old.example');
    const { token } = await people.inviteFromConsole(account, ['view', 'admin'], 'first');
    const joined = await people.join(account, { token, passkey: { id, publicKey }, name: 'Ada' });
    expect(joined).toMatchObject({ code: null });
    expect(codeOf(await ada.signIn())).toEqual([403, 'passkey_refused']);
  });

  test('that was removed, for signing in and for acts of a session that is still open', async () => {
    const { firstAdmin, browser } = await createWorld();
    const admin = await firstAdmin();
    const other = browser();
    const { ticket, here } = await admin.ticketFor({ purpose: 'register' });
    await admin.act('/api/passkeys', { ticket, response: other.authenticator.register(here) });
    const inviteBody = { name: 'Cy', permissions: ['view'] };
    const proof = await admin.proofOf('POST', '/api/invites', inviteBody);
    expect((await other.signIn()).status).toBe(201);
    const path = `/api/passkeys/${admin.authenticator.id}`;
    const signedByOther = await other.proofOf('DELETE', path, {});
    expect((await other.call('DELETE', path, { proof: signedByOther })).status).toBe(204);
    expect(codeOf(await admin.signIn())).toEqual([403, 'passkey_refused']);
    for (const [name, value] of other.cookies) admin.cookies.set(name, value);
    expect(codeOf(await admin.call('POST', '/api/invites', { ...inviteBody, proof }))).toEqual([
      403,
      'passkey_refused',
    ]);
    const byRemoved = await admin.proofOf('POST', '/api/invites', inviteBody);
    const refused = await admin.call('POST', '/api/invites', { ...inviteBody, proof: byRemoved });
    expect(codeOf(refused)).toEqual([403, 'passkey_refused']);
    const byOther = await admin.proofOf('POST', '/api/invites', inviteBody, other.authenticator);
    expect((await admin.call('POST', '/api/invites', { ...inviteBody, proof: byOther })).status).toBe(201);
  });

  test('as the proof for adding itself', async () => {
    const { firstAdmin, browser, people } = await createWorld();
    const admin = await firstAdmin();
    const { authenticator } = browser();
    const { ticket, here } = await admin.ticketFor({ purpose: 'register' });
    const body = { ticket, response: authenticator.register(here) };
    expect(codeOf(await admin.call('POST', '/api/passkeys', body))).toEqual([400, 'invalid_request_error']);
    const proof = await admin.proofOf('POST', '/api/passkeys', body, authenticator);
    expect(codeOf(await admin.call('POST', '/api/passkeys', { ...body, proof }))).toEqual([403, 'passkey_refused']);
    expect(await people.findPasskey(authenticator.id)).toBeNull();
    expect((await admin.act('/api/passkeys', body)).status).toBe(204);
  });

  test('with at most one line a minute in the log', async () => {
    const lines = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true });
    onTestFinished(() => {
      vi.useRealTimers();
      lines.mockRestore();
    });
    const { browser } = await createWorld();
    for (let count = 0; count < 3; count += 1) await browser().signIn();
    vi.advanceTimersByTime(60_000);
    expect(lines.mock.calls).toEqual([[expect.stringMatching(/3 passkeys were refused in the last minute\.$/)]]);
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

  test('for an act that it didn’t sign, for another person’s act, or with the signature of a sign-in', async () => {
    const { firstAdmin, colleague } = await createWorld();
    const admin = await firstAdmin();
    const bo = await colleague('Bo', ['view', 'admin']);
    const inviteBody = { name: 'Cy', permissions: ['view'] };
    const more = { name: 'Cy', permissions: ['view', 'admin'] };
    const proof = await admin.proofOf('POST', '/api/invites', inviteBody);
    expect(codeOf(await admin.call('POST', '/api/invites', { ...more, proof }))).toEqual([403, 'passkey_refused']);
    const others = await admin.proofOf('POST', '/api/invites', inviteBody, bo.authenticator);
    expect(codeOf(await admin.call('POST', '/api/invites', { ...inviteBody, proof: others }))).toEqual([
      403,
      'passkey_refused',
    ]);
    const { ticket, here } = await admin.ticketFor({ purpose: 'sign-in' });
    const signedIn = { ticket, response: admin.authenticator.sign(here) };
    expect(codeOf(await admin.call('POST', '/api/invites', { ...inviteBody, proof: signedIn }))).toEqual([
      403,
      'passkey_refused',
    ]);
    expect((await admin.call('POST', '/api/invites', { ...inviteBody, proof })).status).toBe(201);
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
    expect(await ask(second.token)).toEqual([404, 'invite_ended']);
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

test('requests without a session write nothing, and don’t wait for other people’s writes', async () => {
  const { firstAdmin, invite, browser } = await createWorld();
  const admin = await firstAdmin();
  const { token, person } = await invite(admin, 'Bo', ['view']);
  const eve = browser();
  const { here } = await eve.ticketFor({ purpose: 'join', token });
  const writes = watchWrites(database);
  const response = eve.authenticator.register(here);
  const refused = [
    await eve.signIn(),
    await eve.call('POST', '/session/ticket', { purpose: 'join', token: 'made-up' }),
    await eve.call('POST', '/session/ticket', { purpose: 'act', statement: 'x' }),
    await eve.call('POST', '/api/join', { token, ticket: 'made-up', response }),
    await eve.call('POST', '/session/account', { account: 'x' }),
    await eve.call('POST', `/api/people/${person}/block`, {}),
    ...(await Promise.all(
      [...ROUTES.keys()].map((route) => {
        const [method = '', path = ''] = route.split(' ');
        return eve.call(
          method,
          path.replace(':collection', 'notes').replace('*', 'balances'),
          method === 'GET' ? undefined : {},
        );
      }),
    )),
  ];
  for (const { status } of refused) expect([400, 401, 403, 404, 405]).toContain(status);
  eve.cookies.set('__Host-countinghouse-443', 'x'.repeat(65));
  expect((await eve.call('GET', '/session')).status).toBe(401);
  await eve.call('DELETE', '/session');
  expect(writes()).toBe(0);
  // With an invite's link a request may write.
  expect((await eve.join(token)).status).toBe(201);
  expect(writes()).toBeGreaterThan(0);
});

test('an unavailable database is reported as an error, never as a sign-out', async () => {
  const { firstAdmin, browser } = await createWorld();
  const admin = await firstAdmin();
  const { ticket, here } = await admin.ticketFor({ purpose: 'sign-in' });
  const response = admin.authenticator.sign(here);
  const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const away = [vi.spyOn(database, 'query'), vi.spyOn(database, 'transaction')];
  for (const spy of away) spy.mockRejectedValue(new Error('away'));
  onTestFinished(() => {
    for (const spy of [errorLog, ...away]) spy.mockRestore();
  });
  expect(codeOf(await admin.call('POST', '/session/passkey', { ticket, response }))).toEqual([503, 'not_ready']);
  expect(codeOf(await admin.call('POST', '/api/people/a-b-c/block', {}))).toEqual([503, 'not_ready']);
  // Reads with the session still work for a while.
  expect((await admin.call('GET', '/session')).status).toBe(200);
  const later = browser();
  for (const [name, value] of admin.cookies) later.cookies.set(name, value);
  expect((await later.call('GET', '/v1/balances')).status).toBe(200);
  for (const spy of away) spy.mockRestore();
  expect((await admin.call('GET', '/api/people')).status).toBe(200);
});

test('a person may make 60 changes a minute, and block or sign out people without limit', async () => {
  const { firstAdmin, colleague, invite } = await createWorld();
  const admin = await firstAdmin();
  const bo = await colleague('Bo', ['view', 'admin']);
  const { person } = await invite(admin, 'Cy', ['view']);
  // Invalid requests count, too.
  for (let count = 0; count < WRITES_A_MINUTE; count += 1) await admin.call('POST', '/api/invites', {});
  expect(codeOf(await admin.act('/api/invites', { name: 'Di', permissions: ['view'] }))).toEqual([429, 'too_many']);
  expect(codeOf(await admin.act(`/api/people/${bo.person}/grant`, { permissions: ['view'] }))).toEqual([
    429,
    'too_many',
  ]);
  expect((await bo.act('/api/invites', { name: 'Di', permissions: ['view'] })).status).toBe(201);
  expect((await admin.call('DELETE', `/api/invites/${person}`)).status).toBe(204);
  expect((await admin.call('POST', `/api/people/${bo.person}/sign-out`, {})).status).toBe(204);
  expect((await admin.call('POST', `/api/people/${bo.person}/block`, {})).status).toBe(204);
});

test('people manage their own passkeys and sessions', async () => {
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
  expect(await people.findPasskey(admin.authenticator.id)).toBeNull();
});

test('people set their own e-mail address; changing somebody else’s needs an admin’s passkey', async () => {
  const { firstAdmin, colleague } = await createWorld();
  const admin = await firstAdmin();
  const bo = await colleague('Bo', ['view', 'approve']);
  expect((await bo.call('GET', '/api/email')).body).toEqual({ email: null, is_sent: true });
  expect((await bo.call('PUT', '/api/email', { email: 'bo@company.example' })).status).toBe(204);
  expect((await bo.call('GET', '/api/email')).body).toMatchObject({ email: 'bo@company.example' });
  for (const email of ['bo', 'bo@company', 'Bo <bo@company.example>', 'a@b.example\r\nBcc: c@d.example', '', 1])
    expect(codeOf(await bo.call('PUT', '/api/email', { email }))).toEqual([400, 'invalid_request_error']);
  const path = `/api/people/${bo.person}/email`;
  expect((await admin.call('POST', path, { email: null })).status).toBe(400);
  expect((await admin.act(path, { email: null })).status).toBe(204);
  expect(codeOf(await bo.act(path, { email: null }))).toEqual([403, 'not_permitted']);
  expect((await bo.call('GET', '/api/email')).body).toMatchObject({ email: null });
});

describe('somebody with roles on two accounts', () => {
  async function createTwo() {
    const world = await createWorld();
    const admin = await world.firstAdmin();
    const give = { name: 'Ada', permissions: ['view'] as const, words: 'first' };
    await world.people.grantFromConsole(world.other, give);
    // Sign in again, because the server caches a session's rights for some seconds.
    expect((await admin.signIn()).status).toBe(201);
    return { ...world, admin };
  }

  test('can switch to the other one, with its key and their roles there', async () => {
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

    // A page of the former account can't read or send anything under the new one.
    const reads = service.seen.length;
    expect(codeOf(await admin.call('GET', '/v1/balances'))).toEqual([409, 'account_mismatch']);
    expect(codeOf(await admin.call('PUT', '/api/operations/a-b-c', {}))).toEqual([409, 'account_mismatch']);
    expect(codeOf(await admin.switchTo(other, account))).toEqual([409, 'account_mismatch']);
    expect(service.seen).toHaveLength(reads);

    // The former cookie is invalid.
    const after = new Map(admin.cookies);
    for (const [name, value] of before) admin.cookies.set(name, value);
    expect((await admin.call('GET', '/session')).status).toBe(401);
    for (const [name, value] of after) admin.cookies.set(name, value);

    // The next sign-in leads to the account used last.
    await admin.call('DELETE', '/session', undefined, other);
    expect(await admin.signIn()).toMatchObject({ status: 201, body: { account: other } });
  });

  test('is signed out when blocked on one, and then has only the other one', async () => {
    const { account, other, admin, people, colleague, browser } = await createTwo();
    const bo = await colleague('Bo', ['view', 'admin']);
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    await people.grantFromConsole(other, { name: 'Bo', permissions: ['view'], words: 'first' });
    expect((await bo.signIn()).status).toBe(201);
    expect((await admin.call('POST', `/api/people/${bo.person}/block`, {})).status).toBe(204);
    expect(await bo.signIn()).toMatchObject({ body: { account: other, accounts: [{ account: other, name: 'us' }] } });
    expect(codeOf(await bo.switchTo(account, other))).toEqual([403, 'not_permitted']);
    expect((await bo.call('GET', '/session', undefined, other)).body).toMatchObject({ account: other });
    expect((await browser().switchTo(other)).status).toBe(401);
  });
});

test('switching to an account without a role there, or to an unknown account, is refused', async () => {
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
    { numRuns: propertyRuns(100) },
  );
  expect((await admin.call('GET', '/session')).body).toMatchObject({ account });
});

describe('the people of the demo', () => {
  /** Bo signs in with one click, like a person of the sandbox. */
  async function createDemo(permissions: readonly Permission[]) {
    const world = await createWorld({ hasDemo: true });
    const admin = await world.firstAdmin();
    const { person } = await world.colleague('Bo', permissions);
    world.demoPeople.push({ id: person, name: 'Bo', permissions });
    const bo = world.browser();
    expect(await bo.call('POST', '/session/demo', { person })).toMatchObject({
      status: 201,
      body: { name: 'Bo', person, permissions },
    });
    return { ...world, admin, bo };
  }

  test('sign in with one click, and confirm the acts that they may do with just the ticket', async () => {
    const { bo, admin } = await createDemo(['view', 'admin']);
    const body = { name: 'Cy', permissions: ['view'] };
    const statement = actStatement('POST', '/api/invites', body);
    const { body: issued } = await bo.call('POST', '/session/ticket', { purpose: 'act', statement });
    expect(issued['options']).toBeNull();
    const proof = { ticket: issued['ticket'], response: {} };
    const other = { ...body, permissions: ['view', 'admin'] };
    expect(codeOf(await bo.call('POST', '/api/invites', { ...other, proof }))).toEqual([403, 'passkey_refused']);
    // Other people still need their passkey.
    expect(codeOf(await admin.call('POST', '/api/invites', { ...body, proof }))).toEqual([403, 'passkey_refused']);
    expect((await bo.call('POST', '/api/invites', { ...body, proof })).status).toBe(201);
  });

  test('are the only ones who can sign in with one click', async () => {
    const { browser, admin } = await createDemo(['view']);
    const { person } = (await admin.call('GET', '/session')).body;
    for (const id of [person, 'made-up', '__proto__'])
      expect(codeOf(await browser().call('POST', '/session/demo', { person: id }))).toEqual([403, 'not_permitted']);
    const { ticket } = (await admin.call('POST', '/session/ticket', { purpose: 'act', statement: 'x' })).body;
    expect(ticket).toEqual(expect.any(String));
  });

  test('don’t exist outside the sandbox', async () => {
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
  test('is admitted exactly if the permission table says so', async () => {
    const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => errorLog.mockRestore());
    const { firstAdmin, colleague } = await createWorld();
    await firstAdmin();
    for (const permission of PERMISSIONS) {
      const own = await colleague(`The ${permission}`, [permission]);
      const rights = { permissions: ['view' as const, permission], readOnly: false, keyRefused: false };
      for (const [route, ability] of ROUTES) {
        const [method = '', pattern = ''] = route.split(' ');
        const path = pattern
          .replace(':collection', 'notes')
          .replace(/:key|:id/, `a-b-${permission}`)
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
    { numRuns: propertyRuns(100) },
  );
  expect((await eve.call('GET', '/session')).status).toBe(401);
});
