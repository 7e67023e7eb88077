import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ORIGIN, RP_ID } from '#src/server/people/testOrigin.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import { openTeam } from '#src/server/team/team.ts';
import { actStatement } from '#src/shared/contract/peopleContract.ts';
import { ROUTES } from '#src/shared/permissions.ts';
import { machineClock } from './clock.ts';
import {
  BODIES,
  countWrittenRows,
  expectWellFormed,
  faultyBodies,
  FUZZ_TIMEOUT_MS,
  hostileText,
  hostileValue,
  junkBody,
  spoiltBody,
  watchRejections,
} from '#src/tests/fuzz.ts';
import { startBody } from './testGateway.ts';
import type { TestReply } from './testBrowser.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { createPeopleWorld } from './testPeopleWorld.ts';

// With SIGN_IN=passkey, sends bodies with each fault alone and with random faults together. None may cause a 5xx or an
// unhandled rejection; every error has the contract's envelope, and a refused request writes nothing about people. Requests
// that need a passkey's signature get a valid one over exactly the hostile content (half of the random bodies do). The routes
// of SIGN_IN=oidc are in oidcRoutes.test.ts.

interface Endpoint {
  route: string;
  /** A body that passes validation. */
  good: Record<string, unknown>;
  /** Signed with a passkey. */
  isAct?: true;
  /** Answers a ticket of this purpose with `response`. */
  ticket?: 'sign-in' | 'join' | 'register';
}

const permissions = ['view'];
const EXPORT = { kind: 'export', list: 'deposits', format: 'csv', zone: 'UTC', filters: {} };
const MONTH = { kind: 'month-close', task: 'read', from: 1, to: 2, closed: 0, reading: null };
const ending = { revision: 0, reason: 'because' };
const RESPONSE = {
  id: 'a',
  rawId: 'a',
  type: 'public-key',
  response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', attestationObject: 'oA' },
  clientExtensionResults: {},
};

const PROOF = { ticket: 'x', response: RESPONSE };
const LINE = { line: 2, body: '{"asset":"BTC"}', recipient: 'Kühn', reference: 'INV-1' };
const BATCH = {
  lines: [{ ...LINE, second_send_of: [] }],
  file: { name: 'may.csv', text: 'address,amount' },
  again: null,
  not_after: Date.now(),
};

const ENDPOINTS: readonly Endpoint[] = [
  { route: 'POST /session/ticket', good: { purpose: 'act', statement: 'x', token: 'x', name: 'Bo' } },
  { route: 'POST /session/passkey', good: { ticket: 'x', response: RESPONSE }, ticket: 'sign-in' },
  { route: 'POST /session/demo', good: { person: 'x' } },
  { route: 'POST /session/account', good: { account: 'x' } },
  { route: 'DELETE /session', good: {} },
  { route: 'POST /api/join', good: { token: 'x', ticket: 'x', response: RESPONSE, name: 'Bo' }, ticket: 'join' },
  {
    route: 'POST /api/approvals/ticket',
    good: { decision: 'send', payments: [{ key: 'x', body: '{}', second_send_of: [], batch: { id: 'x', line: 2 } }] },
  },
  { route: 'POST /api/approvals/ticket', good: { decision: 'approve', keys: ['x'], seen: ['y'] } },
  { route: 'POST /api/approvals', good: { decision: 'approve', keys: ['x'], seen: [], not_after: 1, proof: PROOF } },
  { route: 'POST /api/approvals', good: { decision: 'reject', keys: ['x'], reason: 'because' } },
  { route: 'POST /api/approvals', good: { decision: 'stop', keys: ['x'], reason: 'because' } },
  { route: 'POST /api/invites', good: { name: 'Cy', permissions }, isAct: true },
  { route: 'POST /api/invites', good: { person: 'x' }, isAct: true },
  { route: 'DELETE /api/invites/:id', good: {} },
  { route: 'POST /api/people/:id/confirm', good: { code: '123456' }, isAct: true },
  { route: 'POST /api/people/:id/grant', good: { permissions }, isAct: true },
  { route: 'POST /api/people/:id/block', good: {} },
  { route: 'POST /api/people/:id/sign-out', good: {} },
  { route: 'POST /api/people/:id/email', good: { email: 'ada@company.example' }, isAct: true },
  { route: 'PUT /api/email', good: { email: 'ada@company.example' } },
  { route: 'POST /api/passkeys', good: { ticket: 'x', response: RESPONSE }, isAct: true, ticket: 'register' },
  { route: 'DELETE /api/passkeys/:id', good: {}, isAct: true },
  { route: 'DELETE /api/sessions/:id', good: {} },
  { route: 'PUT /api/policy', good: { policy: { ...NO_APPROVALS, expires_hours: 48 }, number: 1 }, isAct: true },
  { route: 'POST /api/policy/:number/confirm', good: {}, isAct: true },
  { route: 'POST /api/policy/:number/veto', good: {} },
  { route: 'POST /api/grants/:id/confirm', good: { person: 'nobody', permission: 'approve' }, isAct: true },
  { route: 'POST /api/grants/:id/veto', good: {} },
  { route: 'POST /api/recipients/confirm', good: { recipients: [{ id: 'x', name: 'Acme' }] }, isAct: true },
  { route: 'POST /api/recipients/block', good: { id: 'x', reason: 'because' } },
  { route: 'PUT /api/operations/:key', good: { ...startBody() } },
  { route: 'DELETE /api/operations/:key', good: {} },
  { route: 'POST /api/operations/review', good: { ...startBody() } },
  { route: 'POST /api/operations/:key/send', good: { revision: 0, not_after: Date.now() } },
  { route: 'POST /api/operations/:key/check', good: {} },
  { route: 'POST /api/operations/:key/close', good: ending },
  { route: 'POST /api/operations/:key/not-sent', good: ending },
  { route: 'POST /api/operations/close-set-back', good: { reason: 'because' } },
  { route: 'POST /api/batches/review', good: { lines: [LINE] } },
  { route: 'PUT /api/batches/:id', good: BATCH },
  { route: 'POST /api/batches/:id/start', good: { revision: 0, not_after: Date.now() } },
  { route: 'POST /api/batches/:id/stop', good: {} },
  { route: 'POST /api/batches/:id/exclude', good: { line: 2 } },
  { route: 'POST /api/batches/:id/withdraw', good: {} },
  { route: 'POST /api/jobs', good: EXPORT },
  { route: 'POST /api/jobs', good: MONTH },
  { route: 'DELETE /api/jobs/:id', good: {} },
  { route: 'POST /api/jobs/:id/close', good: { sha256: '0'.repeat(64), rates: 'UEs=' } },
  { route: 'POST /api/jobs/:id/continue', good: {} },
  { route: 'POST /api/notices/test', good: { channel: 'webhook' } },
  { route: 'POST /api/notices/:id/again', good: {} },
];

/** Only with SIGN_IN=oidc. */
const OIDC_ONLY = ['POST /api/passkeys/first'];

let database: Database;
let writtenRows: () => Promise<number>;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
  // Create the team's tables, because the activity reads notes.
  await openTeam(database, { list: async () => ({ data: [], next: null }), find: async () => null });
  writtenRows = await countWrittenRows(database);
});
afterAll(() => database.close());

test('every route that takes a body is fuzzed, here or with SIGN_IN=oidc', () => {
  const routes = [...ROUTES.keys()].filter((route) => !/^GET|\/api\/team\//.test(route));
  const fuzzed = new Set([...ENDPOINTS.map(({ route }) => route), ...OIDC_ONLY]);
  expect(routes.filter((route) => !fuzzed.has(route))).toEqual([]);
});

let replays = 0;

/** A different delivery each time, so that no earlier operation counts as a duplicate. */
function newReplay(): object {
  replays += 1;
  return startBody({ kind: 'webhook-replay', path: `/v1/webhook-deliveries/whd_${replays}/replay`, body: '{}' });
}

/** An admin who is also an operator, and a browser without a session. */
async function createWorld() {
  // Move the clock, because more than 60 writes a minute are refused unread.
  let ahead = 0;
  const mono = vi.spyOn(machineClock, 'mono').mockImplementation(() => performance.now() + (ahead += 2_000));
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const { rejections, stop } = watchRejections();
  onTestFinished(() => {
    stop();
    mono.mockRestore();
    logged.mockRestore();
  });
  const world = await createPeopleWorld(database, { hasDemo: true });
  const admin = await world.firstAdmin();
  const recorded = randomUUID();
  await admin.call('PUT', `/api/operations/${recorded}`, newReplay());
  expect((await admin.call('GET', `/api/operations/${recorded}`)).status).toBe(200);
  const bo = await world.colleague('Bo', ['view', 'prepare']);
  const { data } = (await admin.call('GET', '/api/sessions')).body;
  const session = String((data as { id: string }[])[0]?.id);
  const stranger = world.browser();
  // Gets the cookie that ties a ticket to a browser.
  await stranger.call('POST', '/session/ticket', { purpose: 'sign-in' });
  const binding = [...stranger.cookies].find(([name]) => name.includes('presession'))?.[1] ?? '';
  return { ...world, admin, bo, session, stranger, binding, recorded, rejections };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** The body, with a valid ticket and a passkey's valid response to it if the endpoint takes them. */
function completed(
  { tickets, session, binding, admin }: World,
  { ticket: purpose, isAct }: Endpoint,
  { method, path, body, token }: { method: string; path: string; body: Record<string, unknown>; token: string },
): Record<string, unknown> {
  const sent: Record<string, unknown> = { ...body };
  if (purpose !== undefined) {
    const statement = purpose === 'join' ? token : '';
    const of = { purpose, binding: purpose === 'register' ? session : binding, statement };
    sent['ticket'] = tickets.issue(of);
    if (purpose === 'join') sent['token'] = token;
  }
  if (!isAct) return sent;
  // As the server reads the body, without the values that JSON drops.
  const statement = actStatement(method, path, JSON.parse(JSON.stringify(sent)));
  const of = { purpose: 'act', binding: session, statement } as const;
  const ticket = tickets.issue(of);
  const challenge = Buffer.from(tickets.challenge(ticket, of) ?? []).toString('base64url');
  return { ...sent, proof: { ticket, response: admin.authenticator.sign({ challenge, origin: ORIGIN, rpId: RP_ID }) } };
}

/** Ids in a path, percent-encoded. */
const ids = fc
  .oneof(fc.constantFrom('x', 'key-1', '__proto__', 'a\0b', '..', "'--"), fc.string({ minLength: 1, unit: 'binary' }))
  .map((id) => encodeURIComponent(id.replace(/\p{Cs}/gu, '')) || 'x');

describe('no body causes a server error, and no refused request changes people', () => {
  test.each([...ENDPOINTS])('$route', { timeout: FUZZ_TIMEOUT_MS }, async (endpoint) => {
    const world = await createWorld();
    const { admin, bo, stranger, people, account, recorded, rejections } = world;
    const { token } = await people.inviteFromConsole(account, ['view'], 'to be joined');
    const [method = '', pattern = ''] = endpoint.route.split(' ');
    const isOfStranger = /passkey$|join$|demo$|session.ticket$|^DELETE \/session$/.test(endpoint.route);
    let answered = 0;
    let refused = 0;
    let before = await writtenRows();
    const bodies = fc.oneof(
      { weight: 1, arbitrary: junkBody.map((text) => ({ text, body: null })) },
      { weight: 4, arbitrary: spoiltBody(endpoint.good).map((body) => ({ text: '', body })) },
    );
    // Each fault alone: on an existing id, and with a passkey's valid response.
    const id = pattern.includes('people') ? bo.person : recorded;
    const alone = { isCompleted: true, proof: null, id, isSignedIn: false };
    const examples = faultyBodies(endpoint.good).map((sent) => ({ sent, ...alone }));
    const keyed = fc.record({
      sent: bodies,
      isCompleted: fc.boolean(),
      proof: hostileValue,
      id: fc.oneof(ids, fc.constantFrom(bo.person, recorded), fc.uuid()),
      isSignedIn: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(keyed, async ({ sent, isCompleted, proof, id, isSignedIn }) => {
        const path = pattern.replace(/:key|:id|:number/, () => id);
        const { body } = sent;
        const whole =
          body === null
            ? sent.text
            : isCompleted
              ? completed(world, endpoint, { method, path, body, token })
              : { ...body, ...(endpoint.isAct && { proof }) };
        const own = isOfStranger && !isSignedIn ? stranger : isOfStranger ? world.browser() : admin;
        const reply: TestReply = await own.call(method, path, whole);
        answered += 1;
        expectWellFormed(reply, `${method} ${path} ${JSON.stringify(whole)?.slice(0, 500)}`);
        const after = await writtenRows();
        // A refused wrong code does write: it is counted, with a line in the activity log.
        const isRefused = reply.status >= 400 && reply.body.error?.code !== 'wrong_code';
        if (isRefused) refused += 1;
        expect(isRefused ? after - before : 0, `written by ${method} ${path}`).toBe(0);
        before = after;
      }),
      { numRuns: examples.length + BODIES, examples: examples.map((example): [typeof example] => [example]) },
    );
    expect(answered).toBeGreaterThanOrEqual(examples.length + BODIES);
    expect(refused > answered / 10 || /^DELETE|block$|sign-out$|ticket$/.test(endpoint.route)).toBe(true);
    expect(rejections).toEqual([]);
    // The sessions are unchanged.
    expect((await admin.call('GET', '/session')).body).toMatchObject({ account, name: 'Ada' });
    expect((await stranger.call('GET', '/session')).status).toBe(401);
  });
});

/** Served by parts that have no database in this world. Their own tests have ids that can't be stored. */
const IS_SERVED_ELSEWHERE = /^GET \/(v1|api\/team|api\/overview)\//;

test('no id in the path of a GET causes a server error', { timeout: FUZZ_TIMEOUT_MS }, async () => {
  const { admin, rejections } = await createWorld();
  const routes = [...ROUTES.keys()].filter((route) => /^GET .*:/.test(route) && !IS_SERVED_ELSEWHERE.test(route));
  expect(routes.length).toBeGreaterThan(6);
  for (const route of routes) {
    const askFor = async (id: string): Promise<number> => {
      const path = route.replace('GET ', '').replace(/:\w+/, id);
      const reply = await admin.call('GET', path);
      expectWellFormed(reply, path);
      return reply.status;
    };
    for (const id of ['%00', 'a%00b']) expect(await askFor(id), route).toBe(404);
    for (const id of ['%ED%A0%80', '%FF', "'--", '__proto__', 'x']) await askFor(id);
  }
  expect(rejections).toEqual([]);
});

test('no query of the activity causes a server error', { timeout: FUZZ_TIMEOUT_MS }, async () => {
  const { admin, rejections } = await createWorld();
  const names = ['group', 'who', 'cursor', 'limit', 'created_after', 'created_before'] as const;
  const value = fc.oneof(
    hostileText.map((text) => text.slice(0, 3_000).replace(/\p{Cs}/gu, '')),
    fc.constantFrom('people', 'Ada', '1', '10', '0.0', '1 2', '9'.repeat(19)),
  );
  const queries = fc.dictionary(fc.constantFrom(...names), value);
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const path = `/api/activity?${new URLSearchParams(query).toString()}`;
      expectWellFormed(await admin.call('GET', path), path);
    }),
    { numRuns: BODIES },
  );
  expect(rejections).toEqual([]);
});

test('the checks notice an unhandled rejection, a written row, a 503 and a bad envelope', async () => {
  const { rejections, stop } = watchRejections();
  const noticed = new Promise((resolve) => process.once('unhandledRejection', resolve));
  void Promise.reject(new Error('of the test'));
  await noticed.catch(() => undefined);
  stop();
  expect(rejections).toHaveLength(1);
  const before = await writtenRows();
  await database.query(`insert into people.accounts (service, id, name) values ('s', 'i', 'n')`);
  expect(await writtenRows()).toBe(before + 1);
  expect(() => expectWellFormed({ status: 503, text: '{}' }, '')).toThrow();
  expect(() => expectWellFormed({ status: 400, text: '{"error":{"code":"x"}}' }, '')).toThrow();
});
