import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { derivedKey, loadOrCreateSecret } from '#src/server/people/secrets.ts';
import { serviceName } from '#src/server/http/upstream/service.ts';
import { readSettings } from './settings.ts';

describe('settings', () => {
  test('have these defaults', () => {
    expect(readSettings({})).toMatchObject({
      port: 4173,
      origin: 'http://127.0.0.1:4173',
      service: null,
      signIn: 'key',
      accounts: [],
      readOnly: false,
      journalOnly: false,
      trustedProxies: [],
      sandboxPort: null,
      dataDirectory: join(process.cwd(), '.countinghouse'),
      databaseUrl: null,
    });
    expect(readSettings({ DATA_DIR: 'memory' }).dataDirectory).toBe('memory');
  });

  test.each([
    { PORT: 'http' },
    { PORT: '0' },
    { PORT: '65536' },
    { PUBLIC_ORIGIN: 'https://money.example/app' },
    { PUBLIC_ORIGIN: 'money.example' },
    { PAYMENTS_BASE_URL: '' },
    { PAYMENTS_BASE_URL: 'ftp://pay.example' },
    { PAYMENTS_BASE_URL: 'https://pay.example/?a=1' },
    { READ_ONLY: 'ture' },
    { TRUSTED_PROXIES: '127.0.0.1, proxy.example' },
    { SANDBOX_DEPOSITS: '1e5' },
    { SESSION_SECRET: 'fifteen letters' },
    { NOTIFY_WEBHOOK_URL: 'hooks.example' },
  ])('refuse %j by the variable’s name', (env) => {
    expect(() => readSettings(env)).toThrow(Object.keys(env)[0]);
  });
});

describe('SIGN_IN=passkey', () => {
  const works = {
    SIGN_IN: 'passkey',
    PAYMENTS_BASE_URL: 'https://pay.example',
    PAYMENTS_API_KEY: 'sk_live_1',
    PUBLIC_ORIGIN: 'https://money.example',
  };

  test('takes the API key from a file, too', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'settings-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, 'key'), 'sk_of_the_file\n');
    const { PAYMENTS_API_KEY: _, ...bare } = works;
    expect(readSettings(works)).toMatchObject({
      signIn: 'passkey',
      accounts: [{ name: 'main', apiKey: 'sk_live_1' }],
    });
    const fromFile = { ...bare, PAYMENTS_API_KEY_FILE: join(directory, 'key') };
    expect(readSettings(fromFile).accounts).toEqual([{ name: 'main', apiKey: 'sk_of_the_file' }]);
    expect(() => readSettings({ ...fromFile, PAYMENTS_API_KEY: 'sk_live_1' })).toThrow('not both');
    expect(() => readSettings({ ...bare, PAYMENTS_API_KEY_FILE: '/no/such/file' })).toThrow('PAYMENTS_API_KEY_FILE');
  });

  test('takes several accounts by name, sorted, each with its key or file', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'settings-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, 'key'), 'sk_of_the_file\n');
    const several = {
      ...works,
      PAYMENTS_API_KEY: undefined,
      PAYMENTS_ACCOUNTS: 'us, eu-2',
      PAYMENTS_API_KEY_US: 'sk_us',
      PAYMENTS_API_KEY_EU_2_FILE: join(directory, 'key'),
    };
    expect(readSettings(several).accounts).toEqual([
      { name: 'eu-2', apiKey: 'sk_of_the_file' },
      { name: 'us', apiKey: 'sk_us' },
    ]);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['PAYMENTS_ACCOUNTS with a key for each account, or PAYMENTS_API_KEY alone', { PAYMENTS_API_KEY: 'sk_live_1' }],
    ['Account us has no API key: set PAYMENTS_API_KEY_US_FILE', { PAYMENTS_API_KEY_US: undefined }],
    ['Accounts eu and us have the same API key', { PAYMENTS_API_KEY_US: 'sk_eu' }],
    ['PAYMENTS_API_KEY_US:', { PAYMENTS_API_KEY_US: 'two words' }],
    ['names eu twice', { PAYMENTS_ACCOUNTS: 'eu,eu' }],
    ['“EU” can’t be a name', { PAYMENTS_ACCOUNTS: 'EU,us' }],
    ['“” can’t be a name', { PAYMENTS_ACCOUNTS: 'eu,' }],
    ['“eu-file” can’t be a name', { PAYMENTS_ACCOUNTS: 'eu-file' }],
    ['can’t be a name', { PAYMENTS_ACCOUNTS: 'a-name-of-21-letters-' }],
    ['PAYMENTS_ACCOUNTS needs SIGN_IN=passkey', { SIGN_IN: 'key' }],
  ])('refuses accounts in one sentence: %s, in %j', (message, change) => {
    const several = {
      ...works,
      PAYMENTS_API_KEY: undefined,
      PAYMENTS_ACCOUNTS: 'eu,us',
      PAYMENTS_API_KEY_EU: 'sk_eu',
      PAYMENTS_API_KEY_US: 'sk_us',
    };
    expect(() => readSettings({ ...several, ...change })).toThrow(message);
  });

  test('works on localhost and on https with a name', () => {
    for (const PUBLIC_ORIGIN of ['http://localhost:4173', 'https://money.example', 'https://money.example:8443'])
      expect(readSettings({ ...works, PUBLIC_ORIGIN }).signIn).toBe('passkey');
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['PAYMENTS_BASE_URL', { PAYMENTS_BASE_URL: undefined }],
    ['PAYMENTS_API_KEY', { PAYMENTS_API_KEY: '' }],
    ['PAYMENTS_API_KEY', { PAYMENTS_API_KEY: 'two words' }],
    ['Passkeys don’t work on http://127.0.0.1:4173. Set PUBLIC_ORIGIN=', { PUBLIC_ORIGIN: undefined }],
    ['Passkeys don’t work on https://10.0.0.7', { PUBLIC_ORIGIN: 'https://10.0.0.7' }],
    ['Passkeys don’t work on https://[::1]', { PUBLIC_ORIGIN: 'https://[::1]' }],
    ['Passkeys don’t work on http://money.example', { PUBLIC_ORIGIN: 'http://money.example' }],
    ['SESSION_SECRET', { DATABASE_URL: 'postgres://a' }],
    ['SESSION_SECRET of 32', { SESSION_SECRET: 'sixteen letters!' }],
    ['SIGN_IN must be', { SIGN_IN: 'passkeys' }],
    ['JOURNAL_ONLY', { JOURNAL_ONLY: 'true' }],
  ])('is refused with %s in %j', (message, change) => {
    expect(() => readSettings({ ...works, ...change })).toThrow(message);
  });
});

describe('SIGN_IN=oidc', () => {
  const works = {
    SIGN_IN: 'oidc',
    PAYMENTS_BASE_URL: 'https://pay.example',
    PAYMENTS_API_KEY: 'sk_live_1',
    PUBLIC_ORIGIN: 'https://money.example',
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'countinghouse',
    OIDC_CLIENT_SECRET: 'a client secret',
  };

  test('takes the provider’s address and client', () => {
    expect(readSettings(works)).toMatchObject({
      signIn: 'oidc',
      accounts: [{ name: 'main', apiKey: 'sk_live_1' }],
      oidc: { issuer: 'https://login.example/', clientId: 'countinghouse', clientSecret: 'a client secret' },
    });
    expect(readSettings({ ...works, OIDC_ISSUER: 'http://localhost:9000/realm' }).oidc?.issuer).toBe(
      'http://localhost:9000/realm',
    );
    expect(readSettings({ ...works, SIGN_IN: 'passkey' }).oidc).toBeNull();
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['needs OIDC_ISSUER', { OIDC_ISSUER: undefined }],
    ['OIDC_ISSUER must be', { OIDC_ISSUER: 'login.example' }],
    ['OIDC_ISSUER must be', { OIDC_ISSUER: 'http://login.example' }],
    ['OIDC_ISSUER must be', { OIDC_ISSUER: 'https://login.example/?a' }],
    ['OIDC_ISSUER must be', { OIDC_ISSUER: 'https://me@login.example' }],
    ['needs OIDC_CLIENT_ID', { OIDC_CLIENT_ID: '' }],
    ['needs OIDC_CLIENT_SECRET_FILE or OIDC_CLIENT_SECRET', { OIDC_CLIENT_SECRET: undefined }],
    ['SIGN_IN=oidc needs a payments service', { PAYMENTS_BASE_URL: undefined }],
    ['SIGN_IN=oidc needs the account’s API key', { PAYMENTS_API_KEY: undefined }],
    ['Passkeys don’t work on http://127.0.0.1:4173', { PUBLIC_ORIGIN: undefined }],
    ['SIGN_IN=oidc with PostgreSQL needs SESSION_SECRET', { DATABASE_URL: 'postgres://a' }],
    ['SIGN_IN=oidc needs a SESSION_SECRET of 32', { SESSION_SECRET: 'sixteen letters!' }],
    ['JOURNAL_ONLY is for SIGN_IN=key', { JOURNAL_ONLY: 'true' }],
  ])('is refused with %s in %j', (message, change) => {
    expect(() => readSettings({ ...works, ...change })).toThrow(message);
  });
});

test('a short secret is refused, and the error doesn’t contain it', () => {
  expect(readSettings({ SESSION_SECRET: 'sixteen letters!' }).secret).toBe('sixteen letters!');
  expect(() => readSettings({ SESSION_SECRET: 'hunter2' })).toThrow(/16 characters or more; it has 7\.$/);
});

test.each(['SESSION_SECRET', 'PAYMENTS_API_KEY', 'OIDC_CLIENT_SECRET'])(
  '%s_FILE that is empty is refused',
  async (name) => {
    const directory = await mkdtemp(join(tmpdir(), 'settings-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const path = join(directory, 'empty');
    await writeFile(path, '\n');
    const works = {
      SIGN_IN: 'oidc',
      PAYMENTS_BASE_URL: 'https://pay.example',
      PAYMENTS_API_KEY: 'sk_live_1',
      PUBLIC_ORIGIN: 'https://money.example',
      OIDC_ISSUER: 'https://login.example',
      OIDC_CLIENT_ID: 'countinghouse',
    };
    expect(() => readSettings({ ...works, [name]: undefined, [`${name}_FILE`]: path })).toThrow(
      `${name}_FILE names an empty file: ${path}`,
    );
  },
);

test('a service is named by its address without user info and trailing slash', () => {
  expect(serviceName('HTTPS://user:pw@Pay.Example:443/api//')).toBe('https://pay.example/api');
  expect(serviceName('http://127.0.0.1:4174/')).toBe('http://127.0.0.1:4174');
  expect(serviceName('nonsense')).toBeNull();
  expect(serviceName('https://pay.example/?')).toBeNull();
  expect(serviceName('https://pay.example/#')).toBeNull();
});

test('a secret is created once, even by ten gateways at once, and only its owner can read it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'countinghouse-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const logged: string[] = [];
  const log = (line: string) => void logged.push(line);
  const secrets = await Promise.all(Array.from({ length: 10 }, () => loadOrCreateSecret(directory, log)));
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(directory)).toEqual(['session-secret']);
  expect((await stat(join(directory, 'session-secret'))).mode & 0o777).toBe(0o600);
  await loadOrCreateSecret(directory, log);
  expect(logged).toEqual([expect.stringMatching(/^Made a new secret for this server, .*session-secret\. Back it up/)]);
  await expect(loadOrCreateSecret('/dev/null/x', log)).rejects.toThrow(/^DATA_DIR .* ENOTDIR/);
});

test('each use of the secret has its own key', () => {
  const keys = [
    derivedKey('a', 'marks'),
    derivedKey('a', 'key_box'),
    derivedKey('b', 'marks'),
    derivedKey('a', 'marks', 'salt'),
  ];
  expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(4);
  expect(keys[0]).toHaveLength(32);
});
