import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { format } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '#src/server/database/sql.ts';
import { createGateway } from '#src/server/http/gateway.ts';
import { createTestBrowser } from '#src/server/http/testBrowser.ts';
import { listening } from '#src/server/http/testGateway.ts';
import { sendToGateway, type TestRequest } from '#src/server/http/testRequest.ts';
import { startTestProvider } from '#src/server/http/testProvider.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { answerCommand } from './commandLine.ts';
import { gatewayParts, openService } from './openService.ts';
import { readSettings } from './settings.ts';
import { CLIENT_ID, CLIENT_SECRET, startOidcProvider, type TestOidcProvider } from '#src/tests/oidcProvider.ts';
import { newDataDirectory } from '#src/tests/dataDirectory.ts';
import { DEEP } from '#src/tests/depth.ts';

// Searches for API keys, session tokens, invite tokens and what an identity provider issues wherever a server leaves text: tables, files, log, responses.

let directory: string;
let logged: string[];
beforeEach(async () => {
  directory = await newDataDirectory('secret-leaks');
  logged = [];
  for (const name of ['error', 'warn', 'log', 'info', 'debug'] as const)
    vi.spyOn(console, name).mockImplementation((...parts: unknown[]) => void logged.push(format(...parts)));
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

/** Starts a complete server, and records every response. */
async function startDashboard(envFor: (origin: string) => Promise<Record<string, string>>) {
  const server = createServer();
  const port = await listening(server);
  const origin = `http://localhost:${port}`;
  const provider = await startTestProvider();
  const settings = readSettings({
    DATA_DIR: directory,
    PAYMENTS_BASE_URL: provider.url,
    PUBLIC_ORIGIN: origin,
    ...(await envFor(origin)),
  });
  const opened = await openService(settings);
  const template = () => '<html lang="en"><head></head><body></body></html>';
  server.on('request', createGateway({ ...gatewayParts(settings, opened), template, assets: new Map() }));

  const responses: { request: string; text: string }[] = [];
  const cookies = new Set<string>();
  const browser = (account: string) =>
    createTestBrowser({
      origin,
      account,
      send: async (path: string, request: TestRequest) => {
        const answer = await sendToGateway(`http://127.0.0.1:${port}`, path, request);
        const { 'set-cookie': setCookies = [], ...headers } = answer.headers;
        for (const line of setCookies) {
          const token = /^[^=]+=([^;]+)/.exec(line)?.[1];
          if (token !== undefined) cookies.add(token);
        }
        const text = `${JSON.stringify(headers)}\n${answer.text}`;
        responses.push({ request: `${request.method} ${path}`, text });
        return answer;
      },
    });

  /** The places that contain one of the texts. */
  async function placesOf(texts: Iterable<string>): Promise<string[]> {
    const places = [
      ...(await tablesIn(opened.database)),
      ...responses.map(({ request, text }) => ({ place: `response to ${request}`, text })),
      ...logged.map((text) => ({ place: `log: ${text}`, text })),
    ];
    return placesWith(places, texts);
  }

  return { opened, settings, provider, browser, cookies, placesOf };
}

function placesWith(places: readonly Place[], texts: Iterable<string>): string[] {
  const forms = [...texts].flatMap(formsOf);
  return places.filter(({ text }) => forms.some((form) => text.includes(form))).map(({ place }) => place);
}

interface Place {
  place: string;
  text: string;
}

async function tablesIn(database: Database): Promise<Place[]> {
  const tables = await database.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const found: Place[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`select to_json(t)::text as row from ${name} t`);
    found.push({ place: name, text: rows.map(({ row }) => row).join('\n') });
  }
  return found;
}

/** Includes the database's own files, which contain changed and deleted rows and the write-ahead log. */
function filesIn(folder: string): Place[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { place: `file ${path.slice(folder.length + 1)}`, text: readFileSync(path, 'latin1') };
    });
}

/** The text as is, in hex, and in base64 at each byte offset; for a token, its decoded bytes, too. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const whole = text.slice(Math.ceil((offset * 8) / 6), -4);
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const decoded = Buffer.from(secret, 'base64url').toString('hex');
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), decoded, ...inBase64];
}

/** Each to another address, so that none counts as a duplicate. */
const withdrawal = (number: number) => ({
  ...withdrawalRequest({
    asset: 'ETH',
    chain: 'ethereum',
    amount: `0.${number}`,
    address: `0x${String(number).padStart(40, '0')}`,
  }),
  second_send_of: [],
  not_after: Date.now() + 100_000,
});

test('with API keys: two sign-ins, payments, a join, refusals, and a database that fails', async () => {
  const { opened, provider, browser, cookies, placesOf } = await startDashboard(async () => ({}));
  const [old, next, wrong] = ['sk_live_oldKeyOfTheMerchant', 'sk_live_newKeyOfTheMerchant', 'sk_live_keyOfNobodyHere'];
  provider.keys.set(old, 'a').set(next, 'a');
  const ada = browser('');
  const signIn = async (key: string, more: object = {}) => {
    const { body, status } = await ada.call('POST', '/session', { key, name: 'Ada', ...more });
    return { status, account: String(body['account']), question: body['same_account'] };
  };
  expect((await signIn(wrong)).status).toBe(401);
  expect((await ada.call('POST', '/session', `{"key":"${old}"`)).status).toBe(400);
  expect((await ada.call('POST', `/session?key=${old}`, { key: `${old} ` })).status).toBe(400);
  const { status, account } = await signIn(old);
  expect(status).toBe(201);
  const get = (path: string) => ada.call('GET', path, undefined, account);
  const put = (key: string, number: number) => ada.call('PUT', `/api/operations/${key}`, withdrawal(number), account);
  expect((await put('key_1', 1)).status).toBe(201);
  await opened.operations.attempts.whenIdle();
  // From now on the provider refuses the key.
  provider.keys.delete(old);
  expect((await put('key_2', 2)).status).toBe(503);
  expect((await get('/v1/balances')).status).toBe(401);
  provider.keys.set(old, 'a');
  expect((await get('/v1/withdrawals/wd_unknown')).status).toBe(404);

  expect(await signIn(next)).toMatchObject({ status: 409, question: { account } });
  expect(await signIn(next, { join: account })).toMatchObject({ status: 201, account });
  for (const path of ['/api/operations', '/api/operations/key_1', '/api/activity?limit=100', '/session'])
    expect((await get(path)).status).toBe(200);
  const secrets = () => [old, next, wrong, ...cookies];
  expect(cookies.size).toBeGreaterThan(1);
  expect(await placesOf(secrets())).toEqual([]);
  // Proves that the search covers these places.
  expect(await placesOf(['account.key-added'])).toEqual(
    expect.arrayContaining(['activity.lines', 'response to GET /api/activity?limit=100']),
  );
  expect((await ada.call('DELETE', '/session', undefined, account)).status).toBe(204);

  await opened.database.script('alter schema people rename to away');
  expect((await signIn(old)).status).toBe(503);
  await opened.database.script('alter schema away rename to people');
  expect(await placesOf(secrets())).toEqual([]);
  expect(logged.join('\n')).toContain('No sessions');
  await opened.stop();
  const files = filesIn(directory);
  expect(placesWith(files, secrets())).toEqual([]);
  expect(placesWith(files, ['account.key-added'])).not.toEqual([]);
}, 60_000);

test('with passkeys: invites, joins, a payment, an export, sign-outs, refusals, and a database that fails', async () => {
  const apiKey = 'sk_live_keyOfTheServerAlone';
  const { opened, settings, provider, browser, cookies, placesOf } = await startDashboard(async () => ({
    SIGN_IN: 'passkey',
    PAYMENTS_API_KEY: apiKey,
  }));
  provider.keys.set(apiKey, 'a');
  const account = opened.people?.accounts.list()[0]?.account ?? '';
  const invited = await answerCommand(settings, opened, {
    command: 'invite-admin',
    words: 'a first admin',
    permissions: ['view', 'prepare', 'admin'],
    account: null,
    person: null,
  });
  const first = invited.line.slice(invited.line.indexOf('#') + 1);
  const [ada, bo] = [browser(account), browser(account)];
  expect((await ada.join(first, 'Ada')).status).toBe(201);
  const invite = async (name: string) => {
    const { status, body } = await ada.act('/api/invites', { name, permissions: ['view', 'approve'] });
    expect(status).toBe(201);
    return { token: String(body['token']), person: String(body['person']) };
  };
  const [second, revoked] = [await invite('Bo'), await invite('Cy')];
  expect((await ada.call('DELETE', `/api/invites/${revoked.person}`)).status).toBe(204);
  const { body } = await bo.join(second.token);
  expect((await ada.act(`/api/people/${second.person}/confirm`, { code: body['code'] })).status).toBe(204);
  expect((await bo.signIn()).status).toBe(201);
  for (const token of [first, second.token, revoked.token])
    expect((await bo.call('POST', '/session/ticket', { purpose: 'join', token })).status).toBe(404);
  expect((await bo.call('POST', '/session', { key: apiKey })).status).toBe(405);

  const payment = withdrawal(1);
  const proof = await ada.signatureOver([{ key: 'key_1', body: payment.body, second_send_of: [] }]);
  expect((await ada.call('PUT', '/api/operations/key_1', { ...payment, proof })).status).toBe(201);
  await opened.operations.attempts.whenIdle();
  // The lists that exports read.
  for (const path of ['/api/activity?limit=100', '/api/operations', '/v1/withdrawals?limit=100', '/api/people'])
    expect((await ada.call('GET', path)).status).toBe(200);
  const request = { kind: 'export', list: 'withdrawals', format: 'csv', zone: 'UTC', filters: {} };
  const job = `/api/jobs/${String((await ada.call('POST', '/api/jobs', request)).body['id'])}`;
  await expect.poll(async () => (await ada.call('GET', job)).body['state']).toBe('done');
  expect((await ada.call('GET', `${job}/file`)).text).toContain('tx_hash');
  expect((await ada.signIn()).status).toBe(201);
  expect((await ada.call('POST', `/api/people/${second.person}/sign-out`, {})).status).toBe(204);

  const secrets = [apiKey, first, ...cookies];
  const others = [second.token, revoked.token];
  expect(cookies.size).toBeGreaterThan(3);
  expect(await placesOf(secrets)).toEqual([]);
  // Only the response that creates an invite may hold its token.
  expect(await placesOf(others)).toEqual(['response to POST /api/invites', 'response to POST /api/invites']);
  // The search covers the files of exports.
  expect(await placesOf(['tx_hash'])).toEqual(
    expect.arrayContaining([expect.stringMatching(/^jobs\./), `response to GET ${job}/file`]),
  );
  expect(await placesOf(['a first admin'])).toEqual(
    expect.arrayContaining(['activity.lines', expect.stringContaining('log: ')]),
  );

  await opened.database.script('alter schema people rename to away');
  expect((await bo.signIn()).status).toBe(503);
  expect((await bo.call('POST', '/session/ticket', { purpose: 'join', token: second.token })).status).toBe(503);
  await opened.database.script('alter schema away rename to people');
  expect(await placesOf(secrets)).toEqual([]);
  expect(await placesOf(others)).toHaveLength(2);
  expect(logged.join('\n')).toContain('People: the database failed');
  await opened.stop();
  const files = filesIn(directory);
  expect(placesWith(files, [...secrets, ...others])).toEqual([]);
  expect(placesWith(files, ['a first admin'])).not.toEqual([]);
}, 60_000);

test.runIf(DEEP)(
  'with an identity provider: its client secret, codes and tokens, a join, sign-ins, and refusals',
  async () => {
    const apiKey = 'sk_live_keyOfTheServerAlone';
    let idp: TestOidcProvider | undefined;
    const { opened, settings, browser, cookies, placesOf } = await startDashboard(async (origin) => {
      idp = await startOidcProvider({ redirectUri: `${origin}/session/oidc/callback` });
      return {
        SIGN_IN: 'oidc',
        PAYMENTS_API_KEY: apiKey,
        OIDC_ISSUER: idp.issuer,
        OIDC_CLIENT_ID: CLIENT_ID,
        OIDC_CLIENT_SECRET: CLIENT_SECRET,
      };
    });
    if (idp === undefined) throw new Error('There is no identity provider.');
    const oidc = idp;
    const { issuedSecrets } = oidc;
    const account = opened.people?.accounts.list()[0]?.account ?? '';
    const { line } = await answerCommand(settings, opened, {
      command: 'invite-admin',
      words: 'a first admin',
      permissions: ['view', 'admin'],
      account: null,
      person: null,
    });
    const ada = browser(account);
    const come = async (body: object) => {
      const { body: begun } = await ada.call('POST', '/session/oidc', body);
      const { pathname, search } = await oidc.signIn(String(begun['url']), 'sub-ada');
      return ada.call('GET', pathname + search);
    };
    const token = line.slice(line.indexOf('#') + 1);
    expect((await come({ invite: { token, name: 'Ada' } })).status).toBe(303);
    expect((await come({})).status).toBe(303);
    expect((await ada.call('GET', '/session')).body['name']).toBe('Ada');
    for (const path of ['/session/oidc', '/api/activity?limit=100', '/api/people', '/api/sessions'])
      expect((await ada.call('GET', path)).status).toBe(200);
    // A code that was used already, and one that is made up.
    for (const code of [[...issuedSecrets][0], 'made_up_code'])
      await ada.call('GET', `/session/oidc/callback?code=${code}&state=none`);
    const secrets = () => [apiKey, token, CLIENT_SECRET, ...issuedSecrets, ...cookies];
    // A code, an ID token and an access token of each of the two.
    expect(issuedSecrets.size).toBe(6);
    expect(await placesOf(secrets())).toEqual([]);
    expect(await placesOf(['sub-ada'])).toEqual(expect.arrayContaining(['people.people']));

    await opened.database.script('alter schema people rename to away');
    await come({});
    await opened.database.script('alter schema away rename to people');
    expect(issuedSecrets.size).toBe(9);
    expect(await placesOf(secrets())).toEqual([]);
    expect(logged.join('\n')).toContain('People: the database failed');
    await oidc.stop();
    await opened.stop();
    expect(placesWith(filesIn(directory), secrets())).toEqual([]);
  },
  60_000,
);
