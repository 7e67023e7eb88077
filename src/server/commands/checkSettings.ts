import { counted } from '#src/shared/text.ts';
import type { ConsoleReply } from './consoleSocket.ts';
import { type Environment, keyVariable, readSettings, type Settings, SettingsError } from './settings.ts';

/** Every setting. Secret ones can also be read from the file that NAME_FILE names, and are never printed. */
const SETTINGS: Record<string, 'plain' | 'secret'> = {
  PORT: 'plain',
  LISTEN: 'plain',
  PUBLIC_ORIGIN: 'plain',
  TRUSTED_PROXIES: 'plain',
  PAYMENTS_BASE_URL: 'plain',
  PAYMENTS_SAME_AS: 'plain',
  SIGN_IN: 'plain',
  PAYMENTS_API_KEY: 'secret',
  PAYMENTS_ACCOUNTS: 'plain',
  OIDC_ISSUER: 'plain',
  OIDC_CLIENT_ID: 'plain',
  OIDC_CLIENT_SECRET: 'secret',
  SESSION_SECRET: 'secret',
  NOTIFY_WEBHOOK_URL: 'secret',
  NOTIFY_WEBHOOK_SECRET: 'secret',
  SMTP_URL: 'secret',
  NOTIFY_FROM: 'plain',
  NOTIFY_OUTSIDE: 'plain',
  READ_ONLY: 'plain',
  JOURNAL_ONLY: 'plain',
  ACCOUNTS: 'plain',
  SANDBOX_PORT: 'plain',
  SANDBOX_DEPOSITS: 'plain',
  DATA_DIR: 'plain',
  DATABASE_URL: 'secret',
  METRICS_PORT: 'plain',
  METRICS_LISTEN: 'plain',
  LOG: 'plain',
  DRAIN_SECONDS: 'plain',
};
/** Names that start like ours, but aren't in the table, are probably misspelled. */
const OURS =
  /^(?:PAYMENTS?|OIDC|SANDBOX|TRUSTED|METRICS?|DRAIN|DATABASE|NOTIFY|SMTP|JOURNAL)_|^(?:SESSION_SEC|PUBLIC_ORI|SIGN_|READ_?ON|JOURNALONLY|ACCOUNT$|DATA_DIR)/;
const FOR_TESTS = new Set(['SANDBOX_KILL_AT']);

/** `npm run console -- --check-settings`: reports the settings' effects and errors, without starting or opening anything. */
export function checkSettings(env: Environment): ConsoleReply {
  const unknown = unknownNames(env).map((name) => `${name} is no setting. Is it misspelled?`);
  try {
    const settings = readSettings(env);
    const lines = [...effects(settings, env), ...unknown];
    lines.push('These settings can be used.');
    return { ok: true, line: lines.join('\n') };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { ok: false, line: [error.message, ...unknown].join('\n') };
  }
}

function unknownNames(env: Environment): string[] {
  const ofAccounts = (env['PAYMENTS_ACCOUNTS'] ?? '').split(',').map((name) => keyVariable(name.trim()));
  const secrets = Object.keys(SETTINGS).filter((name) => SETTINGS[name] === 'secret');
  const known = new Set([...Object.keys(SETTINGS), ...FOR_TESTS, ...ofAccounts]);
  for (const name of [...secrets, ...ofAccounts]) known.add(`${name}_FILE`);
  return Object.keys(env).filter((name) => OURS.test(name) && !known.has(name));
}

/** One sentence per setting that matters, in the order in which a person would ask. */
function effects(settings: Settings, env: Environment): string[] {
  const {
    origin,
    listen,
    port,
    signIn,
    journalOnly,
    separateAccounts,
    accounts,
    oidc,
    secret,
    databaseUrl,
    dataDirectory,
  } = settings;
  const { readOnly, metricsPort, log, drainSeconds, trustedProxies, webhook, smtp, outside } = settings;
  const isInMemory = dataDirectory === 'memory';
  return [
    `People open ${origin}. The server listens on ${listen}, port ${port}.`,
    trustedProxies.length > 0
      ? `Proxies at ${env['TRUSTED_PROXIES']} say which client a request is from.`
      : 'No proxy is trusted: all clients behind one count as one address.',
    ...serviceTexts(settings),
    signInText(signIn, oidc?.issuer ?? null),
    ...(accounts.length > 0
      ? [`${counted(accounts.length, 'account', 'accounts')}: ${accounts.map(({ name }) => name).join(', ')}.`]
      : []),
    secretText(secret, dataDirectory),
    databaseUrl === null
      ? `Database: embedded, ${isInMemory ? 'in memory: nothing is kept' : `in ${dataDirectory}`}.`
      : 'Database: PostgreSQL at DATABASE_URL.',
    ...(readOnly ? ['Read only: nothing is sent or changed.'] : []),
    ...(journalOnly ? ['An API key that the provider refuses may see and close the payments recorded under it.'] : []),
    ...(separateAccounts ? ['API keys belong to unrelated merchants: nothing is shared between them.'] : []),
    ...(outside === 'off' ? ['Withdrawals that weren’t sent from here are shown nowhere on Home.'] : []),
    ...noticeTexts(settings),
    ...(webhook === null && smtp === null ? [] : [watcherText(settings)]),
    metricsPort === null
      ? 'No metrics.'
      : `Metrics for Prometheus on ${settings.metricsListen}, port ${metricsPort}, path /metrics.`,
    log === 'json' ? 'Log: one JSON object a line, one for each request.' : 'Log: text, no line for a request.',
    ...(drainSeconds > 0
      ? [`After SIGTERM /readyz answers 503 for ${counted(drainSeconds, 'second', 'seconds')} before the port closes.`]
      : []),
  ];
}

function serviceTexts({ service, serviceSameAs, sandboxPort, sandboxDeposits }: Settings): string[] {
  const isSandbox = service === null;
  const ignored = isSandbox ? '' : ' It is ignored: PAYMENTS_BASE_URL is set.';
  return [
    isSandbox ? 'Payments: the built-in sandbox, not real money.' : `Payments: ${service}.`,
    ...(serviceSameAs === null
      ? []
      : [`The database’s records of ${serviceSameAs} are of this payments service, too.`]),
    ...(sandboxPort === null ? [] : [`SANDBOX_PORT: the sandbox’s own API, on port ${sandboxPort}.${ignored}`]),
    ...(sandboxDeposits === null
      ? []
      : [`SANDBOX_DEPOSITS: the sandbox begins with ${counted(sandboxDeposits, 'deposit', 'deposits')}.${ignored}`]),
  ];
}

function noticeTexts({ webhook, smtp }: Settings): string[] {
  if (webhook === null && smtp === null) return ['Notices: none. Nobody is told of what needs attention.'];
  return [
    ...(webhook === null ? [] : [`Notices: a webhook at ${new URL(webhook.url).host}, ${signaturesText(webhook)}.`]),
    ...(smtp === null
      ? []
      : [`Notices: e-mail from ${smtp.from.address} by ${smtp.host}, port ${smtp.port}, ${mailText(smtp)}.`]),
  ];
}

function signaturesText({ secrets }: NonNullable<Settings['webhook']>): string {
  return ['not signed', 'signed', 'signed with both secrets'][secrets.length] ?? '';
}

function mailText({ tls, login }: NonNullable<Settings['smtp']>): string {
  const security = { 'from-start': 'TLS', starttls: 'STARTTLS', none: 'no TLS, on this machine' }[tls];
  return `${security}, ${login === null ? 'without a login' : 'with a login'}`;
}

function watcherText({ accounts, consoleApiKey, signIn, service, outside }: Settings): string {
  const isWatched = accounts.length > 0 || consoleApiKey !== null || (signIn !== 'key' && service === null);
  if (!isWatched)
    return 'No account is watched: set PAYMENTS_API_KEY to be told of payments that fail or get stuck. It signs nobody in.';
  const alsoOutside = outside === 'digest' ? ', and once an hour of withdrawals that weren’t sent from here' : '';
  return `Accounts are watched every minute: people are told of payments that fail or get stuck${alsoOutside}.`;
}

function signInText(signIn: Settings['signIn'], issuer: string | null): string {
  if (signIn === 'key') return 'Sign-in: everybody brings an API key.';
  return signIn === 'passkey' ? 'Sign-in: passkeys. The server has the API key.' : `Sign-in: at ${issuer}.`;
}

function secretText(secret: string | null, directory: string): string {
  if (secret !== null) return `Session secret: given, ${secret.length} characters.`;
  return directory === 'memory'
    ? 'Session secret: a new one at each start.'
    : `Session secret: kept in ${directory}, made there if there is none.`;
}
