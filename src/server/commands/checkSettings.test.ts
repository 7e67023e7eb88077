import { expect, test } from 'vitest';
import { checkSettings } from './checkSettings.ts';
import { readSettings } from './settings.ts';

test('says what the defaults do', () => {
  const { ok, line } = checkSettings({});
  expect(ok).toBe(true);
  expect(line).toContain('People open http://127.0.0.1:4173. The server listens on 127.0.0.1, port 4173.');
  expect(line).toContain('Payments: the built-in sandbox, not real money.');
  expect(line).toContain('Sign-in: everybody brings an API key.');
  expect(line).toContain('These settings can be used.');
});

test('says what the settings of a company do, and prints no secret', () => {
  const { ok, line } = checkSettings({
    SIGN_IN: 'passkey',
    PAYMENTS_BASE_URL: 'https://pay.example',
    PAYMENTS_ACCOUNTS: 'eu,us-east',
    PAYMENTS_API_KEY_EU: 'sk_live_of_eu',
    PAYMENTS_API_KEY_US_EAST: 'sk_live_of_us',
    PUBLIC_ORIGIN: 'https://money.example',
    LISTEN: '0.0.0.0',
    SESSION_SECRET: 'a secret that nobody may read in a log',
    DATABASE_URL: 'postgres://user:pass,word@db/money',
    METRICS_PORT: '9100',
    LOG: 'json',
    DRAIN_SECONDS: '5',
    NOTIFY_WEBHOOK_URL: 'https://hooks.example/T0/secret-token',
    NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 'n').toString('base64')}`,
    SMTP_URL: 'smtp://notices:mail-password@mail.example',
    NOTIFY_FROM: 'Money <notices@money.example>',
  });
  expect(ok).toBe(true);
  for (const said of [
    'listens on 0.0.0.0, port 4173',
    '2 accounts: eu, us-east.',
    'Session secret: given, 38 characters.',
    'Database: PostgreSQL at DATABASE_URL.',
    'Metrics for Prometheus on 127.0.0.1, port 9100',
    '503 for 5 seconds',
    'Notices: a webhook at hooks.example, signed.',
    'Notices: e-mail from notices@money.example by mail.example, port 587, STARTTLS, with a login.',
    'Accounts are watched every minute: people are told of payments that fail or get stuck.',
  ])
    expect(line).toContain(said);
  expect(line).not.toMatch(/sk_live|nobody may read|password|secret-token|whsec_/);
});

test('says who is watched with SIGN_IN=key', () => {
  const env = { PAYMENTS_BASE_URL: 'https://pay.example', NOTIFY_WEBHOOK_URL: 'https://hooks.example' };
  expect(checkSettings(env).line).toContain('No account is watched: set PAYMENTS_API_KEY');
  const watched = checkSettings({ ...env, PAYMENTS_API_KEY: 'sk_live_of_eu', NOTIFY_OUTSIDE: 'digest' }).line;
  expect(watched).toContain('and once an hour of withdrawals that weren’t sent from here.');
  expect(watched).not.toContain('sk_live');
});

test.each([
  [{ LISTEN: '0.0.0.0' }, 'set PUBLIC_ORIGIN to the https:// address'],
  [{ PORT: 'http', READ_ONLYY: 'true' }, 'READ_ONLYY is no setting'],
  [
    {
      SIGN_IN: 'oidc',
      PAYMENTS_BASE_URL: 'https://pay.example',
      PAYMENTS_API_KEY: 'sk_1',
      PUBLIC_ORIGIN: 'https://money.example',
      OIDC_ISSUER: 'https://user:secret@login.example',
    },
    'not "login.example"',
  ],
  [{ SIGN_IN: 'passkey', PAYMENTS_BASE_URL: 'https://pay.example' }, 'needs the account’s API key'],
  [{ NOTIFY_WEBHOOK_URL: 'http://hooks.example/x' }, 'NOTIFY_WEBHOOK_URL must be an https:// address'],
  [{ NOTIFY_WEBHOOK_URL: 'https://user:secret@hooks.example' }, 'NOTIFY_WEBHOOK_URL must be an https:// address'],
  [{ NOTIFY_WEBHOOK_URL: 'https://hooks.example', NOTIFY_WEBHOOK_SECRET: 'abc' }, 'must be whsec_'],
  [{ SMTP_URL: 'smtps://mail.example', NOTIFY_FROM: 'a@money.example' }, 'SMTP_URL needs SIGN_IN=passkey or oidc'],
  [{ SIGN_IN: 'passkey', SMTP_URL: 'https://mail.example' }, 'SMTP_URL must be smtps://'],
  [{ SIGN_IN: 'passkey', SMTP_URL: 'smtp://mail.example?ignoreTLS=true' }, 'nothing after the port'],
  [{ SIGN_IN: 'passkey', SMTP_URL: 'smtps://secret@mail.example' }, 'a user and a password'],
  [{ SIGN_IN: 'passkey', SMTP_URL: 'smtps://mail.example' }, 'SMTP_URL needs NOTIFY_FROM'],
  [{ SIGN_IN: 'passkey', SMTP_URL: 'smtps://mail.example', NOTIFY_FROM: 'Money' }, 'SMTP_URL needs NOTIFY_FROM'],
  [{ NOTIFY_FROM: 'a@money.example' }, 'NOTIFY_FROM needs SMTP_URL'],
  [{ SMTP_URI: 'x', NOTIFY_OUTSIDE: 'on' }, 'SMTP_URI is no setting'],
  [{ NOTIFY_OUTSIDE: 'on' }, 'NOTIFY_OUTSIDE must be digest or off'],
  [{ NOTIFY_WEBHOOK_SECRET: 'abc' }, 'NOTIFY_WEBHOOK_SECRET needs NOTIFY_WEBHOOK_URL'],
])('says what is wrong with %j', (env, fault) => {
  const { ok, line } = checkSettings(env);
  expect(ok).toBe(false);
  expect(line).toContain(fault);
  expect(line).not.toContain('can be used');
});

test.each([
  ['smtps://user:p%40ss@mail.example', { port: 465, tls: 'from-start', login: { user: 'user', pass: 'p@ss' } }],
  ['smtp://mail.example:2525/', { host: 'mail.example', port: 2525, tls: 'starttls', login: null }],
  // Only mail servers on this machine are used without TLS.
  ['smtp://127.0.0.1:25', { host: '127.0.0.1', tls: 'none' }],
  ['smtp://[::1]:25', { host: '::1', tls: 'none' }],
  ['smtp://127.0.0.1.mail.example', { tls: 'starttls' }],
])('%s', (url, smtp) => {
  const settings = readSettings({ SIGN_IN: 'passkey', SMTP_URL: url, NOTIFY_FROM: 'Money <a@money.example>' });
  expect(settings.smtp).toMatchObject({ ...smtp, from: { name: 'Money', address: 'a@money.example' } });
});

test('names what is probably misspelled, and leaves the settings of other programs alone', () => {
  const { ok, line } = checkSettings({ PUBLIC_ORIGNI: 'https://money.example', SESSION_MANAGER: 'x', LISTEN_PID: '1' });
  expect(ok).toBe(true);
  expect(line).toContain('PUBLIC_ORIGNI is no setting. Is it misspelled?');
  expect(line).not.toMatch(/SESSION_MANAGER|LISTEN_PID/);
});

test('says what rarely used settings do', () => {
  const sandbox = { SANDBOX_PORT: '4180', SANDBOX_DEPOSITS: '500' };
  const { line } = checkSettings({ ...sandbox, JOURNAL_ONLY: 'true', ACCOUNTS: 'separate' });
  for (const said of [
    'SANDBOX_PORT: the sandbox’s own API, on port 4180.\n',
    'SANDBOX_DEPOSITS: the sandbox begins with 500 deposits.\n',
    'An API key that the provider refuses may see and close the payments recorded under it.',
    'API keys belong to unrelated merchants: nothing is shared between them.',
  ])
    expect(line).toContain(said);
  const other = { PAYMENTS_BASE_URL: 'https://pay.example', PAYMENTS_SAME_AS: 'https://old.example' };
  const real = checkSettings({ ...sandbox, ...other }).line;
  expect(real).toContain('The database’s records of https://old.example are of this payments service, too.');
  expect(real.match(/It is ignored: PAYMENTS_BASE_URL is set\./g)).toHaveLength(2);
});

test('reports every fault at once, and none that only follows from another', () => {
  const { ok, line } = checkSettings({
    PORT: 'http',
    SIGN_IN: 'passkeys',
    PAYMENTS_ACCOUNTS: 'eu',
    PUBLIC_ORIGIN: 'money.example',
    LISTEN: '0.0.0.0',
    READ_ONLY: 'yes',
    DATABASE_URL: 'S3cr3t',
  });
  expect(ok).toBe(false);
  expect(line.split('\n').map((fault) => fault.split(' ')[0])).toEqual([
    'PORT',
    'SIGN_IN',
    'PUBLIC_ORIGIN',
    'DATABASE_URL',
    'READ_ONLY',
  ]);
  expect(line).not.toContain('S3cr3t');
});

test.each([
  [
    {
      SIGN_IN: 'passkey',
      PAYMENTS_API_KEY_FILE: '/missing',
      PAYMENTS_BASE_URL: 'https://pay.example',
      PUBLIC_ORIGIN: 'https://money.example',
    },
    'PAYMENTS_API_KEY_FILE can’t be read',
  ],
  [{ SIGN_IN: 'passkey', SESSION_SECRET: 'short', DATABASE_URL: 'postgres://db/money' }, 'SESSION_SECRET must have 16'],
  [{ PORT: '99999', METRICS_PORT: '4173' }, 'PORT must be 1 to 65535'],
  [{ METRICS_PORT: '4173', METRICS_LISTEN: 'here' }, 'METRICS_LISTEN must be an IP address'],
])('reports once what is wrong with %j', (env, fault) => {
  const { ok, line } = checkSettings(env);
  expect(ok).toBe(false);
  expect(line.split('\n')).toEqual([expect.stringContaining(fault)]);
});

test.each([
  { METRICS_PORT: '4173', METRICS_LISTEN: '127.0.0.2' },
  { METRICS_PORT: '4173', LISTEN: '::1', METRICS_LISTEN: '0.0.0.0' },
  { SANDBOX_PORT: '4173', LISTEN: '127.0.0.2' },
  { SANDBOX_PORT: '4173', PAYMENTS_BASE_URL: 'https://pay.example' },
])('a port may be used on two addresses, or where nothing listens: %j', (env) => {
  expect(checkSettings(env).ok).toBe(true);
});

test.each([
  [{ METRICS_PORT: '4173' }, 'METRICS_PORT and PORT are both 4173.'],
  [{ PORT: '9100', SANDBOX_PORT: '9100' }, 'SANDBOX_PORT and PORT are both 9100.'],
  [{ METRICS_PORT: '9100', SANDBOX_PORT: '9100' }, 'METRICS_PORT and SANDBOX_PORT are both 9100.'],
  [{ METRICS_PORT: '4173', METRICS_LISTEN: '0.0.0.0' }, 'METRICS_PORT and PORT are both 4173.'],
  [{ METRICS_PORT: '4173', LISTEN: '127.0.0.2', METRICS_LISTEN: '::' }, 'METRICS_PORT and PORT are both 4173.'],
  [{ DATABASE_URL: 'https://db/money' }, 'DATABASE_URL must be postgres://'],
  [{ DATABASE_URL: 'postgres://pay:S3cr3t/pass@host/x' }, 'DATABASE_URL must be postgres://'],
])('refuses %j', (env, fault) => {
  expect(checkSettings(env)).toEqual({ ok: false, line: expect.stringContaining(fault) });
});

test.each(['postgresql://db/money', 'postgres://u:p%2F@a:5432,b:5433/money?sslmode=require'])(
  'the database may be at %s',
  (url) => {
    expect(checkSettings({ DATABASE_URL: url }).ok).toBe(true);
  },
);

test.each([
  'PAYMENT_BASE_URL',
  'PAYMENT_API_KEY',
  'METRIC_PORT',
  'READONLY',
  'JOURNAL_ONY',
  'ACCOUNT',
  'DATA_DIRECTORY',
])('%s is probably misspelled', (name) => {
  expect(checkSettings({ [name]: 'x' }).line).toContain(`${name} is no setting. Is it misspelled?`);
});
