import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COLLECTIONS } from '#src/shared/contract/teamContract.ts';
import { segment } from '#src/shared/paths.ts';
import { DEEP } from '#src/tests/depth.ts';
import { openService, type OpenService } from './openService.ts';
import { readSettings } from './settings.ts';
import { startBody, listening, startGateway } from '#src/server/http/testGateway.ts';
import { type GatewayTestAnswer, sendToGateway } from '#src/server/http/testRequest.ts';
import { credentialOf } from '#src/server/people/accounts.ts';
import { SANDBOX_SERVICE } from '#src/server/http/upstream/service.ts';

// No input, whether from a signed-in client or on the sandbox's own port, may cause a 5xx: that would be a bug in the server
// or an error of its database.

const NESTED = 9_000;
const TEXTS = [
  '',
  '.',
  '..',
  '..;/admin',
  'a\0b',
  '\uD800',
  '\u202E',
  '💸',
  'x'.repeat(3_000),
  "'; drop table x; --",
  '%00',
  '%',
  '__proto__',
  'constructor',
  'abc',
  '-1',
  '1.5',
  '1e400',
  '9'.repeat(15),
  '9'.repeat(19),
  '9'.repeat(40),
  'NaN',
  'cur_',
  `cur_${Buffer.from('a\0b').toString('base64url')}`,
  `cur_${'_'.repeat(20)}`,
  '[]',
];
const SEGMENTS = [...TEXTS.map((text) => segment(text)), '%', '%zz', '%FF', '%ED%A0%80', '%2e%2e', ';', '%5c'];
const JSONS = [
  ...TEXTS.map((text) => JSON.stringify(text)),
  '[',
  'null',
  '[]',
  '{}',
  '0',
  '-1',
  '1.5',
  '1e400',
  '9007199254740993',
  '9'.repeat(40),
  'true',
  '['.repeat(NESTED) + ']'.repeat(NESTED),
  '{"a":'.repeat(NESTED) + '1' + '}'.repeat(NESTED),
  String.raw`{"\u0000":1}`,
];

const NAMES = [
  'account',
  'address',
  'about',
  'asset',
  'created_after',
  'created_before',
  'cursor',
  'ending_before',
  'id',
  'kind',
  'limit',
  'order',
  'revision',
  'source',
  'starting_after',
  'state',
  'status',
  'updated_after',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const recipient = { name: 'Acme', chain: 'bitcoin', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
const [mark, note] = [{ mark: 'handled' }, { reference: 'r', note: 'n' }].map((more) => ({
  kind: 'deposit',
  id: 'dep_1',
  ...more,
}));
const view = { name: 'v', path: '/deposits', search: '' };
const replay = { kind: 'webhook-replay', path: '/v1/webhook-deliveries/whd_1/replay', body: '{}' };
const ending = { revision: 0, reason: 'because' };

/** Valid requests, which the test corrupts. `:id` is replaced by `id`, ACCOUNT by an account of the sandbox. */
const GOOD: { method?: string; route: string; id?: string; body?: object }[] = [
  ...['/', '/withdrawals/:id', '/healthz', '/session', '/:id'].map((route) => ({ route, id: 'wd_1' })),
  ...['balances', 'balances/:id', 'deposits', 'withdrawals', 'withdrawals/:id', 'ledger-entries', 'charges'].map(
    (list) => ({ route: `/v1/${list}`, id: 'BTC' }),
  ),
  { method: 'POST', route: '/session', body: { key: 'sk_test_12345678', name: 'Ana' } },
  { route: '/api/operations' },
  { route: '/api/operations/:id', id: 'key-1' },
  { method: 'PUT', route: '/api/operations/:id', id: 'key-1', body: startBody() },
  {
    method: 'PUT',
    route: '/api/operations/:id',
    id: 'key-2',
    body: startBody({ ...replay, second_send_of: ['key-1'] }),
  },
  { method: 'DELETE', route: '/api/operations/:id', id: 'key-3' },
  { method: 'POST', route: '/api/operations/review', body: startBody() },
  {
    method: 'POST',
    route: '/api/operations/:id/send',
    id: 'key-1',
    body: { revision: 0, not_after: Date.now() + 60_000 },
  },
  { method: 'POST', route: '/api/operations/:id/check', id: 'key-1', body: {} },
  { method: 'POST', route: '/api/operations/:id/close', id: 'key-1', body: ending },
  { method: 'POST', route: '/api/operations/:id/not-sent', id: 'key-1', body: ending },
  { route: '/api/team/closed-periods/:id/file', id: 'closing_1' },
  ...Object.keys(COLLECTIONS).flatMap((name) => [
    { route: `/api/team/${name}` },
    { route: `/api/team/${name}/:id`, id: 'key-1' },
  ]),
  ...Object.entries({ recipients: recipient, marks: mark, notes: note, views: view }).flatMap(([name, value]) => [
    { method: 'POST', route: `/api/team/${name}`, body: { values: [value] } },
    { method: 'PUT', route: `/api/team/${name}/:id`, id: 'deposit:dep_1', body: { revision: 0, value } },
    { method: 'DELETE', route: `/api/team/${name}/:id?revision=1`, id: 'deposit:dep_1' },
  ]),
  {
    method: 'PUT',
    route: '/api/team/settings/:id',
    id: 'stuck-after',
    body: { revision: 0, value: { name: 'stuck-after', hours: 2 } },
  },
  {
    method: 'PUT',
    route: '/api/team/deposit-addresses/:id',
    id: 'key-1',
    body: { revision: 0, value: { label: 'Order 7' } },
  },
  { method: 'POST', route: '/sandbox/accounts', body: { deposits: 0, assets: 1 } },
  { route: '/sandbox/accounts/:id', id: 'ACCOUNT' },
  { method: 'POST', route: '/sandbox/accounts/:id/keys', id: 'ACCOUNT' },
  { method: 'POST', route: '/sandbox/accounts/:id/revoke-key', id: 'ACCOUNT', body: { key: 'sk_1' } },
  { method: 'POST', route: '/sandbox/accounts/:id/restore-key', id: 'ACCOUNT', body: { key: 'sk_1' } },
  { method: 'POST', route: '/sandbox/clock', body: { account: 'ACCOUNT', advance: 1 } },
  {
    method: 'POST',
    route: '/sandbox/deposits',
    body: { account: 'ACCOUNT', asset: 'BTC', chain: 'bitcoin', amount: '1', status: 'pending', created_at: 1 },
  },
  { method: 'POST', route: '/sandbox/deposits/:id', id: 'dep_1', body: { account: 'ACCOUNT', status: 'failed' } },
  {
    method: 'POST',
    route: '/sandbox/withdrawals/:id',
    id: 'wd_1',
    body: { account: 'ACCOUNT', status: 'failed', tx_hash: 'ab' },
  },
  {
    method: 'POST',
    route: '/sandbox/swaps',
    body: { account: 'ACCOUNT', from: 'BTC', from_amount: '1', to: 'ETH', to_amount: '1' },
  },
  {
    method: 'POST',
    route: '/sandbox/faults',
    body: { account: 'ACCOUNT', path: '/nowhere', status: 404, headers: { A: 'b' }, body: {}, patch: {} },
  },
  { method: 'DELETE', route: '/sandbox/faults' },
  ...['faults', 'requests', 'ledger'].map((report) => ({ route: `/sandbox/${report}?account=ACCOUNT` })),
];

/** POSTs to the sandbox's own port. */
const POSTS: typeof GOOD = [
  { route: '/v1/withdrawals', body: { asset: 'BTC', chain: 'bitcoin', amount: '0.1', address: 'bc1qexample' } },
  { route: '/v1/deposits', body: { asset: 'BTC', chain: 'bitcoin' } },
  { route: '/v1/charges', body: { asset: 'BTC', chain: 'bitcoin', amount: '0.1', more: { a: ['b'] } } },
  { route: '/v1/webhook-deliveries/:id/replay', id: 'whd_1', body: {} },
].map((good) => ({ method: 'POST', ...good }));

const HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Cookie',
  'Idempotency-Key',
  'If-None-Match',
  'Journal',
  'Range',
  'X-Account',
  'X-Attempt',
  'x-api-key',
];

interface Hostile {
  method: string;
  path: string;
  /** JSON. */
  body: string | null;
  headers: Record<string, string>;
}

/** A valid request with one part corrupted, and sometimes with another method. */
function hostileOnes(good: typeof GOOD): fc.Arbitrary<Hostile> {
  const header = fc.tuple(
    fc.constantFrom(...HEADERS),
    fc.constantFrom(...TEXTS.map((text) => text.replace(/[^\x20-\xff]/g, ''))),
  );
  const query = fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...SEGMENTS)).map((pair) => pair.join('='));
  return fc.constantFrom(...good).chain(({ method = 'GET', route, id = '', body }) => {
    const path = route.replace(':id', id);
    const text = body === undefined ? null : JSON.stringify(body);
    const whole = { method, path, body: text, headers: {} };
    return fc.oneof(
      fc.constantFrom(...METHODS).map((other) => ({ ...whole, method: other })),
      query.map((pair) => ({ ...whole, path: `${path}${path.includes('?') ? '&' : '?'}${pair}` })),
      header.map(([name, value]) => ({ ...whole, headers: { [name]: value } })),
      ...(id === ''
        ? []
        : [fc.constantFrom(...SEGMENTS).map((segment) => ({ ...whole, path: route.replace(':id', () => segment) }))]),
      ...(body === undefined
        ? []
        : [{ weight: 3, arbitrary: spoilt(body).map((spoiltBody) => ({ ...whole, body: spoiltBody })) }]),
    );
  });
}

/** A body in which other JSON replaces the whole or one value. */
function spoilt(body: object): fc.Arbitrary<string> {
  const texts: string[] = ['@@'];
  const visit = (holder: object): void => {
    for (const [name, value] of Object.entries(holder)) {
      Reflect.set(holder, name, '@@');
      texts.push(JSON.stringify(body).replace('"@@"', '@@'));
      Reflect.set(holder, name, value);
      if (typeof value === 'object' && value !== null) visit(value);
    }
  };
  visit(body);
  return fc
    .tuple(fc.constantFrom(...texts), fc.constantFrom(...JSONS))
    .map(([text, json]) => text.replace('@@', () => json));
}

let opened: OpenService;
beforeAll(async () => {
  opened = await openService(readSettings({ DATA_DIR: 'memory', SANDBOX_DEPOSITS: '5' }));
}, 60_000);
afterAll(() => opened.stop());

const RUNS = DEEP ? 5_000 : 150;
const LONG = DEEP ? 600_000 : 120_000;

async function expectNo5xx(good: typeof GOOD, ask: (hostile: Hostile) => Promise<GatewayTestAnswer>): Promise<void> {
  await fc.assert(
    fc.asyncProperty(hostileOnes(good), async (hostile) => {
      const answer = await ask(hostile);
      expect(answer.status, answer.text).toBeLessThan(500);
    }),
    { numRuns: RUNS },
  );
}

describe('no input causes a 5xx', () => {
  test('from the dashboard', { timeout: LONG }, async () => {
    const { service, operations, team, sessions } = opened;
    const gateway = await startGateway('http://127.0.0.1:9', { service, operations, team, sessions });
    const accountOfSandbox = async () => {
      const made = await gateway.send('/sandbox/accounts', {
        method: 'POST',
        headers: gateway.json,
        body: '{"deposits":3,"assets":2}',
      });
      const { account, key } = JSON.parse(made.text);
      const { cookie } = await gateway.signIn(key);
      return { account, call: { Cookie: cookie, 'X-Account': credentialOf(key, SANDBOX_SERVICE) } };
    };
    let [writes, someone] = [0, await accountOfSandbox()];
    await expectNo5xx(GOOD, async ({ method, path, body, headers }) => {
      // An account may make 60 writes a minute.
      if (method !== 'GET' && (writes += 1) % 50 === 0) someone = await accountOfSandbox();
      const { account, call } = someone;
      const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
      const answer = await gateway.send(path.replace('ACCOUNT', account), {
        method,
        // No session for these paths, because a sign-out would end the session under test.
        headers: { ...(isRead ? {} : gateway.json), ...(path.startsWith('/session') ? {} : call), ...headers },
        ...(isRead || body === null ? {} : { body: body.replace('ACCOUNT', account) }),
      });
      // Remove the injected faults, because one that matches everything would answer the next requests.
      if (path.startsWith('/sandbox/faults') && method === 'POST')
        await gateway.send('/sandbox/faults', { method: 'DELETE', headers: { Origin: gateway.origin } });
      return answer;
    });
  });

  test('from the sandbox on its own port', { timeout: LONG }, async () => {
    const server = createServer(opened.raw ?? undefined);
    const origin = `http://127.0.0.1:${await listening(server)}`;
    const apiKey = opened.service.demoKey ?? '';
    const account = (await opened.service.sandboxAccount(apiKey)) ?? '';
    let keys = 0;
    await expectNo5xx(
      [...GOOD.filter(({ route }) => /^.(v1|sandbox)/.test(route)), ...POSTS],
      async ({ method, path, body, headers }) => {
        const own = { 'x-api-key': apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': `k${(keys += 1)}` };
        const answer = await sendToGateway(origin, path.replace('ACCOUNT', account), {
          method,
          headers: { ...own, ...headers },
          ...(body === null || method === 'GET' ? {} : { body: body.replace('ACCOUNT', account) }),
        });
        if (path.startsWith('/sandbox/faults') && method === 'POST')
          await sendToGateway(origin, '/sandbox/faults', { method: 'DELETE', headers: { 'x-api-key': apiKey } });
        return answer;
      },
    );
  });
});
