import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { derivedKey, keptSecret } from '#src/server/people/secrets.ts';
import { serviceName } from '#src/server/http/upstream/service.ts';
import { readSettings } from './settings.ts';

describe('settings', () => {
  test('have the defaults that the README names', () => {
    expect(readSettings({})).toMatchObject({
      port: 4173,
      origin: 'http://127.0.0.1:4173',
      service: null,
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
  ])('refuse %j by the variable’s name', (env) => {
    expect(() => readSettings(env)).toThrow(Object.keys(env)[0]);
  });
});

test('a short secret is refused, and the error doesn’t contain it', () => {
  expect(readSettings({ SESSION_SECRET: 'sixteen letters!' }).secret).toBe('sixteen letters!');
  expect(() => readSettings({ SESSION_SECRET: 'hunter2' })).toThrow(/16 characters or more; it has 7\.$/);
});

test('a service is named by its address without user info and trailing slash', () => {
  expect(serviceName('HTTPS://user:pw@Pay.Example:443/api//')).toBe('https://pay.example/api');
  expect(serviceName('http://127.0.0.1:4174/')).toBe('http://127.0.0.1:4174');
  expect(serviceName('nonsense')).toBeNull();
  expect(serviceName('https://pay.example/?')).toBeNull();
  expect(serviceName('https://pay.example/#')).toBeNull();
});

test('a secret is made once, also by ten gateways at once, and only its owner reads it', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'countinghouse-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const secrets = await Promise.all(Array.from({ length: 10 }, () => keptSecret(directory)));
  expect(new Set(secrets).size).toBe(1);
  expect(await readdir(directory)).toEqual(['session-secret']);
  expect((await stat(join(directory, 'session-secret'))).mode & 0o777).toBe(0o600);
  await expect(keptSecret('/dev/null/x')).rejects.toThrow(/^DATA_DIR .* ENOTDIR/);
});

test('each use of the secret has a key of its own', () => {
  const keys = [
    derivedKey('a', 'marks'),
    derivedKey('a', 'key_box'),
    derivedKey('b', 'marks'),
    derivedKey('a', 'marks', 'salt'),
  ];
  expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(4);
  expect(keys[0]).toHaveLength(32);
});
