import fc from 'fast-check';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { watchWrites } from '#src/server/database/testWatchWrites.ts';
import { openSqlRows, createActivityWriter } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { createOidcProvider } from '#src/server/people/oidc.ts';
import { openPeople } from '#src/server/people/people.ts';
import type { PersonActor } from '#src/server/people/personTransactions.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { createServerAccounts } from '#src/server/people/serverAccounts.ts';
import { sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { createSessions } from '#src/server/people/sessions.ts';
import { createAuthenticator } from '#src/server/people/testAuthenticator.ts';
import { createTickets } from '#src/server/people/tickets.ts';
import { oidcResultsSchema, oidcUrlSchema } from '#src/shared/contract/peopleContract.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { CLIENT_ID, CLIENT_SECRET, startOidcProvider, type TestOidcProvider } from '#src/tests/oidcProvider.ts';
import {
  BODIES,
  countWrittenRows,
  expectWellFormed,
  faultyBodies,
  FUZZ_TIMEOUT_MS,
  junkBody,
  spoiltBody,
  watchRejections,
} from '#src/tests/fuzz.ts';
import { emptyList, fakeService, KEY, startGateway } from './testGateway.ts';

const ORIGIN = 'https://money.example';
const RP_ID = 'money.example';
const CALLBACK = `${ORIGIN}/session/oidc/callback`;
const SECRET = 'a secret of the tests';
const MINUTE = 60_000;

let database: Database;
let sharedProvider: TestOidcProvider;
let writtenRows: () => Promise<number>;
beforeAll(async () => {
  // Hide the test provider's warnings about using it in production.
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
  writtenRows = await countWrittenRows(database);
  sharedProvider = await startOidcProvider({ redirectUri: CALLBACK });
});
afterAll(async () => {
  await sharedProvider.stop();
  await database.close();
  vi.restoreAllMocks();
});

let worlds = 0;

/** A gateway where people sign in at a provider, with its own account. */
async function createWorld(idp = sharedProvider) {
  idp.changeTokens(null);
  worlds += 1;
  // A path, too, because a port may be used again.
  const url = `${(await fakeService(emptyList)).url}/${worlds}`;
  const account = `account of ${url}`;
  await database.query('insert into people.accounts (service, id, name) values ($1, $2, $2)', [url, account]);
  const issuer = new URL(idp.issuer).href;
  const people = openPeople({
    database,
    service: url,
    seals: createSeals(Buffer.from('a key of the tests')),
    activityWriter: createActivityWriter('people'),
    rpId: RP_ID,
    issuer,
  });
  const clock = { ahead: 0 };
  const wall = () => Date.now() + clock.ahead;
  const accounts = createServerAccounts([{ name: 'main', account, credential: account, apiKey: KEY }]);
  const rows = sessionRowsOf(database, url, people.grants);
  const sessions = createSessions(
    rows,
    SECRET,
    { wall: Date.now, mono: () => performance.now() },
    { serverAccounts: accounts },
  );
  const settings = { issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  const provider = createOidcProvider(settings, { redirectUri: CALLBACK, wall });
  const oidc = { provider, key: Buffer.alloc(32, 7), wall };
  const parts = { people, tickets: createTickets(Buffer.from(SECRET), Date.now), accounts, oidc, demo: null };
  const gateway = await startGateway(url, { origin: ORIGIN, people: parts, sessions });

  function browser() {
    const cookies = new Map<string, string>();

    async function call(method: string, path: string, body?: object | string, headers: Record<string, string> = {}) {
      const answer = await gateway.send(path, {
        method,
        headers: {
          Host: RP_ID,
          Origin: ORIGIN,
          Cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
          'X-Account': account,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      for (const line of answer.headers['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';');
        const name = pair.slice(0, pair.indexOf('='));
        if (line.includes('Max-Age=0')) cookies.delete(name);
        else cookies.set(name, pair.slice(name.length + 1));
      }
      return answer;
    }

    return {
      cookies,
      call,
      /** Begins a sign-in; returns the provider's URL. */
      async begin(body: object = {}): Promise<string> {
        const answer = await call('POST', '/session/oidc', body);
        expect(answer.status).toBe(200);
        return v.parse(oidcUrlSchema, JSON.parse(answer.text)).url;
      },
      /** Follows the provider's redirect; returns the path of the next page. */
      async comeBack({ pathname, search }: URL): Promise<string> {
        const answer = await call('GET', pathname + search, undefined, { 'Sec-Fetch-Site': 'cross-site' });
        expect(answer.status).toBe(303);
        return String(answer.headers.location);
      },
      async signIn(name: string, body: object = {}): Promise<string> {
        return this.comeBack(await idp.signIn(await this.begin(body), name));
      },
      async result() {
        return v.parse(oidcResultsSchema, JSON.parse((await call('GET', '/session/oidc')).text)).result;
      },
      /** The session's view; null if nobody is signed in. */
      async who(): Promise<unknown> {
        const { status, text } = await call('GET', '/session');
        return status === 200 ? JSON.parse(text).name : null;
      },
    };
  }

  async function firstAdmin() {
    const { token } = await people.inviteFromConsole(account, ['view', 'prepare', 'admin'], 'first');
    const admin = browser();
    expect(await admin.signIn('sub-ada', { invite: { token, name: 'Ada' } })).toBe(`${ORIGIN}/`);
    return admin;
  }

  /** The person as an actor, without a passkey: passkey signatures are tested in peopleRoutes.test.ts. */
  async function actorOf(subject: string): Promise<PersonActor> {
    const person = (await people.findIdentity({ issuer, subject })) ?? '';
    const name = (await people.findPerson(account, person))?.name ?? '';
    const who = { account, credential: account, sandbox: null, name, journalOnly: false };
    const session = await sessions.open(await sessions.start({ ...who, key: KEY, person }));
    if (session === null) throw new Error('The session did not begin.');
    const rights = { ...session.rights, readOnly: false };
    return { account, session: session.id, person, passkey: null, who: name, rights };
  }

  /** A person who was invited by Ada, joined, and was confirmed. */
  async function colleague(name: string, subject: string, permissions: Permission[]) {
    const ada = await actorOf('sub-ada');
    const invited = await people.invite(ada, name, permissions);
    if (invited === null) throw new Error('The name is taken.');
    const own = browser();
    expect(await own.signIn(subject, { invite: { token: invited.token } })).toBe(`${ORIGIN}/join`);
    const result = await own.result();
    expect(await people.confirm(ada, invited.person, result?.kind === 'joined' ? result.code : '')).toBe('confirmed');
    return { own, person: invited.person };
  }

  const sessionCount = async () =>
    (await database.query('select 1 from people.sessions where service = $1', [url])).length;
  return { idp, account, people, clock, gateway, browser, firstAdmin, actorOf, colleague, sessionCount };
}

type World = Awaited<ReturnType<typeof createWorld>>;

const REFUSED = { kind: 'refused', message: expect.any(String) };

test('the first admin joins by the console’s link, and signs in again where they wanted to go', async () => {
  const { firstAdmin, browser, idp } = await createWorld();
  const admin = await firstAdmin();
  expect(await admin.who()).toBe('Ada');
  const again = browser();
  expect(await again.signIn('sub-ada', { next: '/deposits?status=failed' })).toBe(`${ORIGIN}/deposits?status=failed`);
  expect(await again.who()).toBe('Ada');
  expect(await again.result()).toBeNull();
  const url = new URL(await again.begin({ invite: undefined }));
  expect(url.origin).toBe(idp.issuer);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid',
  });
});

test('a colleague has access once an admin has typed the code, and only with this identity', async () => {
  const { firstAdmin, actorOf, people, browser } = await createWorld();
  await firstAdmin();
  const ada = await actorOf('sub-ada');
  const invited = await people.invite(ada, 'Bo', ['view', 'prepare']);
  const bo = browser();
  const url = await bo.begin({ invite: { token: invited?.token } });
  expect(url).not.toContain(invited?.token);
  await bo.signIn('sub-bo', { invite: { token: invited?.token } });
  const result = await bo.result();
  const code = result?.kind === 'joined' ? result.code : '';
  expect(code).toMatch(/^\d{6}$/);
  expect(await bo.who()).toBeNull();
  expect(await bo.signIn('sub-bo')).toBe(`${ORIGIN}/sign-in`);
  expect(await bo.result()).toMatchObject({ message: 'An admin has to type your code first. Then sign in.' });
  expect(await people.confirm(ada, invited?.person ?? '', code === '000000' ? '111111' : '000000')).toEqual({
    triesLeft: 4,
  });
  expect(await people.confirm(ada, invited?.person ?? '', code)).toBe('confirmed');
  expect(await bo.signIn('sub-bo')).toBe(`${ORIGIN}/`);
  expect(await bo.who()).toBe('Bo');
  expect(await people.findIdentity({ issuer: 'https://other.example/', subject: 'sub-bo' })).toBeNull();
  // An invite's link works once.
  await browser()
    .signIn('sub-eve', {})
    .catch(() => undefined);
  expect((await browser().call('POST', '/session/oidc', { invite: { token: invited?.token } })).status).toBe(404);
});

test.each(['still signed in', 'signed out before joining'])(
  'whoever types the code sees who else was signed in in the browser that joined: %s',
  async (when) => {
    const { firstAdmin, actorOf, colleague, people } = await createWorld();
    const admin = await firstAdmin();
    const { own } = await colleague('Bo', 'sub-bo', ['view']);
    await own.signIn('sub-bo');
    const invited = await people.invite(await actorOf('sub-ada'), 'Cy', ['view']);
    // The join page reads the invite first.
    await own.call('POST', '/session/ticket', { purpose: 'join', token: invited?.token });
    if (when === 'signed out before joining') await own.call('DELETE', '/session');
    await own.signIn('sub-cy', { invite: { token: invited?.token } });
    expect(await own.result()).toMatchObject({ kind: 'joined' });
    const { data } = JSON.parse((await admin.call('GET', '/api/people')).text);
    const beside = (data as { name: string; joined_beside: string | null }[]).map((one) => [
      one.name,
      one.joined_beside,
    ]);
    expect(Object.fromEntries(beside)).toEqual({ Ada: null, Bo: null, Cy: 'Bo' });
  },
);

test('an identity belongs to one person, until all of their permissions have ended', async () => {
  const { firstAdmin, actorOf, colleague, people, browser } = await createWorld();
  await firstAdmin();
  const { person } = await colleague('Bo', 'sub-bo', ['view']);
  const ada = await actorOf('sub-ada');
  const second = await people.invite(ada, 'Bo again', ['view']);
  const bo = browser();
  await bo.signIn('sub-bo', { invite: { token: second?.token } });
  expect(await bo.result()).toMatchObject({ message: /already signs in with this account/ });
  expect(await people.block(ada, person)).toBe('blocked');
  await bo.signIn('sub-bo', { invite: { token: second?.token } });
  expect(await bo.result()).toMatchObject({ kind: 'joined' });
});

test('a new invite gives a person another identity', async () => {
  const { firstAdmin, actorOf, colleague, people, browser } = await createWorld();
  await firstAdmin();
  const { person } = await colleague('Bo', 'sub-bo', ['view', 'prepare']);
  const ada = await actorOf('sub-ada');
  const again = await people.inviteAgain(ada, person);
  const bo = browser();
  await bo.signIn('sub-bo-2', { invite: { token: again?.token } });
  const result = await bo.result();
  expect(await people.confirm(ada, person, result?.kind === 'joined' ? result.code : '')).toBe('confirmed');
  await bo.signIn('sub-bo-2');
  expect(await bo.who()).toBe('Bo');
  const lost = browser();
  await lost.signIn('sub-bo');
  expect(await lost.result()).toEqual({ kind: 'unknown', id: 'sub-bo' });
});

test('an unknown identity gets a page with its id, no session and no row', async () => {
  const { firstAdmin, browser, sessionCount } = await createWorld();
  await firstAdmin();
  const before = await sessionCount();
  const eve = browser();
  expect(await eve.signIn('sub-eve', { next: '/deposits' })).toBe(`${ORIGIN}/sign-in?next=%2Fdeposits`);
  expect(await eve.result()).toEqual({ kind: 'unknown', id: 'sub-eve' });
  // The result can be read only once.
  expect(await eve.result()).toBeNull();
  expect(await eve.who()).toBeNull();
  expect(await sessionCount()).toBe(before);
});

test('nothing is written to the database for people who aren’t signed in', async () => {
  const { firstAdmin, browser } = await createWorld();
  await firstAdmin();
  const writes = watchWrites(database);
  const eve = browser();
  await eve.call('POST', '/session/oidc', { invite: { token: 'made-up' } });
  await eve.comeBack(new URL(`${CALLBACK}?state=made-up&code=x`));
  await eve.signIn('sub-eve');
  await eve.result();
  expect(writes()).toBe(0);
  await eve.signIn('sub-ada');
  expect(writes()).toBeGreaterThan(0);
});

test('a blocked person gets no session', async () => {
  const { firstAdmin, actorOf, colleague, people } = await createWorld();
  await firstAdmin();
  const { own, person } = await colleague('Bo', 'sub-bo', ['view']);
  await people.block(await actorOf('sub-ada'), person);
  await own.signIn('sub-bo');
  expect(await own.result()).toMatchObject({ message: 'You have no permission here any more. Ask an admin.' });
  expect(await own.who()).toBeNull();
});

test('an identity that was written directly to the database doesn’t count', async () => {
  const { firstAdmin, colleague, browser } = await createWorld();
  await firstAdmin();
  const { person } = await colleague('Bo', 'sub-bo', ['view']);
  await database.query(`update people.people set subject = 'sub-eve' where id = $1`, [person]);
  const eve = browser();
  await eve.signIn('sub-eve');
  expect(await eve.result()).toMatchObject({ kind: 'unknown' });
});

describe('the way back', () => {
  test.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    '/session',
    '/api/people',
  ])('never leads to %j', async (next) => {
    const { firstAdmin, browser } = await createWorld();
    await firstAdmin();
    expect(await browser().signIn('sub-ada', { next })).toBe(`${ORIGIN}/`);
  });
});

describe('a sign-in is refused', () => {
  async function expectRefused(
    world: World,
    work: (own: ReturnType<World['browser']>) => Promise<unknown>,
    result: unknown = REFUSED,
  ) {
    await world.firstAdmin();
    const before = await world.sessionCount();
    const own = world.browser();
    await work(own);
    expect(await own.result()).toEqual(result);
    expect(await own.who()).toBeNull();
    expect(await world.sessionCount()).toBe(before);
  }

  test('with another state', async () => {
    const world = await createWorld();
    await expectRefused(world, async (own) => {
      const url = await world.idp.signIn(await own.begin(), 'sub-ada');
      const other = new URL(await own.begin()).searchParams.get('state') ?? '';
      // One attempt's code with another attempt's state.
      url.searchParams.set('state', other);
      await own.comeBack(url);
    });
  });

  test('with a state that begins like its own', async () => {
    const world = await createWorld();
    await expectRefused(world, async (own) => {
      const url = await world.idp.signIn(await own.begin(), 'sub-ada');
      url.searchParams.set('state', `${url.searchParams.get('state')?.slice(0, 20)}${'x'.repeat(23)}`);
      await own.comeBack(url);
    });
  });

  test('without a state, or with a made-up one', async () => {
    const world = await createWorld();
    await expectRefused(world, async (own) => {
      const url = await world.idp.signIn(await own.begin(), 'sub-ada');
      url.searchParams.delete('state');
      await own.comeBack(url);
      url.searchParams.set('state', 'made-up');
      await own.comeBack(url);
    });
  });

  test('in another browser than the one that began it', async () => {
    const world = await createWorld();
    await expectRefused(world, async (own) => {
      const other = world.browser();
      await own.comeBack(await world.idp.signIn(await other.begin(), 'sub-ada'));
    });
  });

  test('with an attempt that was used before, even if its cookie was kept', async () => {
    const world = await createWorld();
    const { idp, browser } = world;
    await world.firstAdmin();
    const own = browser();
    const began = await own.begin();
    const url = await idp.signIn(began, 'sub-ada');
    const cookies = [...own.cookies];
    await own.comeBack(url);
    expect(await own.who()).toBe('Ada');
    const thief = browser();
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    // The provider gives a new code for the same attempt.
    await thief.comeBack(await idp.signIn(began, 'sub-ada'));
    expect(await thief.result()).toMatchObject({ message: /was already used/ });
    expect(await thief.who()).toBeNull();
  });

  test('after ten minutes', async () => {
    const world = await createWorld();
    await expectRefused(world, async (own) => {
      const url = await world.idp.signIn(await own.begin(), 'sub-ada');
      world.clock.ahead = 10 * MINUTE;
      await own.comeBack(url);
    });
  });

  test('with the oldest of six attempts', async () => {
    const world = await createWorld();
    const { idp, browser, clock } = world;
    await world.firstAdmin();
    const own = browser();
    const urls: string[] = [];
    for (let made = 0; made < 6; made += 1) {
      clock.ahead += 1_000;
      urls.push(await own.begin());
    }
    expect([...own.cookies.keys()].filter((name) => name.includes('oidc'))).toHaveLength(5);
    const [oldest = '', second = ''] = urls;
    await own.comeBack(await idp.signIn(oldest, 'sub-ada'));
    expect(await own.result()).toEqual(REFUSED);
    await own.comeBack(await idp.signIn(second, 'sub-ada'));
    expect(await own.who()).toBe('Ada');
  });

  const now = () => Math.floor(Date.now() / 1_000);
  test.each<[string, Parameters<World['idp']['changeTokens']>[0]]>([
    ['another nonce', (claims, sign) => sign({ ...claims, nonce: 'other' })],
    ['no nonce', (claims, sign) => sign({ ...claims, nonce: undefined })],
    ['another audience', (claims, sign) => sign({ ...claims, aud: 'other' })],
    ['two audiences and none authorized', (claims, sign) => sign({ ...claims, aud: [CLIENT_ID, 'other'] })],
    ['another party authorized', (claims, sign) => sign({ ...claims, azp: 'other' })],
    ['another issuer', (claims, sign) => sign({ ...claims, iss: 'https://other.example' })],
    ['an expired token', (claims, sign) => sign({ ...claims, exp: now() - 120 })],
    ['an old token', (claims, sign) => sign({ ...claims, iat: now() - 120 })],
    ['a token of the future', (claims, sign) => sign({ ...claims, iat: now() + 120 })],
    ['HS256', (claims, sign) => sign(claims, 'HS256')],
    ['no signature', (claims, sign) => sign(claims, 'none')],
    ['a signature of another key', (claims, sign) => sign(claims, 'other')],
  ])('with %s', async (_, change) => {
    const world = await createWorld();
    await expectRefused(world, async (own) => {
      world.idp.changeTokens(change);
      await own.signIn('sub-ada');
    });
  });

  test('after it was cancelled at the provider', async () => {
    const world = await createWorld();
    await expectRefused(world, async (own) => {
      const state = new URL(await own.begin()).searchParams.get('state') ?? '';
      const iss = encodeURIComponent(world.idp.issuer);
      await own.comeBack(new URL(`${CALLBACK}?error=access_denied&state=${state}&iss=${iss}`));
    });
  });
});

test('an unchanged token is accepted, so that the refusals above are due to their changes', async () => {
  const { idp, firstAdmin, browser } = await createWorld();
  await firstAdmin();
  idp.changeTokens((claims, sign) => sign(claims));
  const own = browser();
  await own.signIn('sub-ada');
  expect(await own.who()).toBe('Ada');
});

test('if the provider is away, sign-in says so and sessions go on', async () => {
  const idp = await startOidcProvider({ redirectUri: CALLBACK });
  const { firstAdmin, browser, clock } = await createWorld(idp);
  const admin = await firstAdmin();
  const own = browser();
  const url = await idp.signIn(await own.begin(), 'sub-ada');
  await idp.stop();
  await own.comeBack(url);
  expect(await own.result()).toMatchObject({ message: /^127\.0\.0\.1:\d+ can’t be reached/ });
  // Old enough for the provider's metadata to be loaded again.
  clock.ahead = 61 * MINUTE;
  const { status, text } = await own.call('POST', '/session/oidc', {});
  expect([status, JSON.parse(text).error.code]).toEqual([503, 'provider_away']);
  expect(await admin.who()).toBe('Ada');
});

test('refusals are logged at most once a minute', async () => {
  const lines = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.useFakeTimers({ toFake: ['setTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => {
    vi.useRealTimers();
    lines.mockRestore();
  });
  const { browser } = await createWorld();
  const eve = browser();
  for (let made = 0; made < 3; made += 1) await eve.comeBack(new URL(`${CALLBACK}?state=${made}&code=secret`));
  vi.advanceTimersByTime(MINUTE);
  expect(lines.mock.calls).toEqual([[expect.stringMatching(/3 sign-ins at 127\.0\.0\.1:\d+ were refused/)]]);
});

test('an attempt has its own cookie for ten minutes, which browsers send after the provider’s redirect', async () => {
  const { browser } = await createWorld();
  const answer = await browser().call('POST', '/session/oidc', {});
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-[\w-]+=\S+; HttpOnly; SameSite=Lax; Path=\/; Secure; Max-Age=600$/),
  ]);
});

test('routes of passkeys are closed, and another site can’t begin a sign-in', async () => {
  const { browser } = await createWorld();
  const eve = browser();
  for (const path of ['/session/passkey', '/api/join', '/session'])
    expect((await eve.call('POST', path, {})).status, path).toBeGreaterThanOrEqual(404);
  expect((await eve.call('POST', '/session/ticket', { purpose: 'sign-in' })).status).toBe(403);
  expect((await eve.call('POST', '/session/oidc', {}, { Origin: 'https://evil.example' })).status).toBe(403);
  // As another site's form could send it.
  expect((await eve.call('POST', '/session/oidc', {}, { 'Content-Type': 'text/plain' })).status).toBe(403);
});

describe('a first passkey', () => {
  async function add(own: ReturnType<World['browser']>, authenticator = createAuthenticator()) {
    const { text } = await own.call('POST', '/session/ticket', { purpose: 'register' });
    const { ticket, options } = JSON.parse(text);
    const response = authenticator.register({ challenge: options.challenge, origin: ORIGIN, rpId: RP_ID });
    const answer = await own.call('POST', '/api/passkeys/first', { ticket, response });
    return { status: answer.status, body: JSON.parse(answer.text), id: authenticator.id };
  }

  test('can be added without an existing passkey, but a second one can’t', async () => {
    const { firstAdmin, people } = await createWorld();
    const admin = await firstAdmin();
    const act = { purpose: 'act', statement: 'POST /api/invites' };
    expect((await admin.call('POST', '/session/ticket', act)).text).toContain('Add one on Your account first');
    const { status, body, id } = await add(admin);
    expect([status, body]).toEqual([201, { code: null }]);
    expect(await people.findPasskey(id)).not.toBeNull();
    const second = await add(admin);
    expect([second.status, second.body.error.code]).toEqual([409, 'has_passkey']);
  });

  test('waits for the code that an admin types', async () => {
    const { firstAdmin, actorOf, colleague, people, account } = await createWorld();
    await add(await firstAdmin());
    // Even for a viewer, who may become an approver later.
    const { own, person } = await colleague('Bo', 'sub-bo', ['view']);
    await own.signIn('sub-bo');
    const { body, id } = await add(own);
    expect(body.code).toMatch(/^\d{6}$/);
    expect(await people.findPasskey(id)).toBeNull();
    const listed = JSON.parse((await own.call('GET', '/api/passkeys')).text);
    expect(listed.data).toMatchObject([{ id, waits_for_code: true }]);
    // A newer passkey replaces one that waits, for example if the code was lost.
    const again = await add(own);
    expect(await people.confirm(await actorOf('sub-ada'), person, again.body.code)).toBe('confirmed');
    expect(await people.findPasskey(again.id)).not.toBeNull();
    expect(await people.findPasskey(id)).toBeNull();
    expect((await people.findPerson(account, person))?.permissions).toEqual(['view']);
  });
});

test('no hostile request signs anybody in', { timeout: FUZZ_TIMEOUT_MS }, async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { rejections, stop } = watchRejections();
  onTestFinished(() => {
    stop();
    logged.mockRestore();
  });
  const { firstAdmin, browser } = await createWorld();
  const admin = await firstAdmin();
  const invite = { token: 'x', name: 'Bo' };
  const begin = { next: '/deposits', invite };
  const first = { ticket: 'x', response: {} };
  const bodies = (good: object) =>
    fc.oneof(
      junkBody,
      spoiltBody(good).map((body) => JSON.stringify(body)),
    );
  const faulty = (good: object) => faultyBodies(good).map(({ text, body }) => (body ? JSON.stringify(body) : text));
  const faultyFirst = faulty(first);
  const examples = faulty(begin).map((text, n): [string, string, string] => [
    text,
    faultyFirst[n % faultyFirst.length] ?? '',
    '',
  ]);
  let before = await writtenRows();
  await fc.assert(
    fc.asyncProperty(bodies(begin), bodies(first), fc.webQueryParameters(), async (sent, passkey, query) => {
      const eve = browser();
      const begun = await eve.call('POST', '/session/oidc', sent);
      expectWellFormed(begun, sent.slice(0, 500));
      const added = await admin.call('POST', '/api/passkeys/first', passkey);
      expectWellFormed(added, passkey.slice(0, 500));
      expect(added.status).toBeGreaterThanOrEqual(400);
      await eve.comeBack(new URL(`${CALLBACK}?${query}`));
      expect([...eve.cookies.keys()].every((name) => name.includes('-oidc-'))).toBe(true);
      const after = await writtenRows();
      expect(after).toBe(before);
      before = after;
    }),
    { numRuns: examples.length + BODIES, examples },
  );
  expect(examples.length).toBeGreaterThan(faultyFirst.length);
  expect(rejections).toEqual([]);
});
