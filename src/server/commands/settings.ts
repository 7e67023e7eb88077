import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { apiKeyFault } from '#src/shared/apiKey.ts';
import { systemErrorMessage } from '#src/server/database/sql.ts';
import { readTrustedProxies, type TrustedProxies } from '#src/server/http/clientAddress.ts';
import type { LogFormat } from '#src/server/http/log.ts';
import type { OidcSettings } from '#src/server/people/oidc.ts';
import { readWebhookSecret } from '#src/server/notices/standardWebhook.ts';
import type { SmtpSettings } from '#src/server/notices/mail.ts';
import type { WebhookSettings } from '#src/server/notices/webhook.ts';
import { emailSchema } from '#src/shared/contract/peopleContract.ts';
import { serviceName } from '#src/server/http/upstream/service.ts';

export type Settings = ReturnType<typeof readSettings>;

/** Settings that cannot be used; its message has one line for each fault, for the person at the terminal. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

export type Environment = Record<string, string | undefined>;

const DEFAULT_PORT = 4173;

type Tried = <T, U>(read: () => T, otherwise: U) => T | U;

/** Reads on after a fault, so that all faults are reported at once. `otherwise` stands in for a setting that can't be used. */
function collectFaults(): { tried: Tried; faults: string[] } {
  const faults: string[] = [];
  const tried: Tried = (read, otherwise) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      if (!faults.includes(error.message)) faults.push(error.message);
      return otherwise;
    }
  };
  return { tried, faults };
}

/** Throws SettingsError with every fault. */
export function readSettings(env: Environment) {
  const { tried, faults } = collectFaults();
  const data = env.DATA_DIR || '.countinghouse';
  const isSandbox = env.PAYMENTS_BASE_URL === undefined;
  const ports = readPorts(env, tried);
  const signInWords = tried(() => readSignIn(env.SIGN_IN), null);
  const signIn = signInWords ?? 'key';
  // Passkeys don't work on an IP address.
  const host = signIn === 'passkey' && isSandbox ? 'localhost' : '127.0.0.1';
  const publicOrigin = tried(() => readOrigin(env.PUBLIC_ORIGIN), undefined);
  const origin = publicOrigin ?? `http://${host}:${ports.port}`;
  // Undefined after a fault: nothing that only follows from it is reported.
  const secret = tried(() => readSecret(readValueOrFile('SESSION_SECRET', env)), undefined);
  const databaseUrl = tried(() => readDatabaseUrl(env), null);
  const onlyKey = tried(() => readValueOrFile('PAYMENTS_API_KEY', env), undefined);
  // Without the sign-in it isn't known what these need.
  const areAccountsReadable = signInWords !== null && onlyKey !== undefined;
  const accounts = areAccountsReadable ? tried(() => readAccounts({ signIn, isSandbox, onlyKey, env }), []) : [];
  if (signIn !== 'key' && publicOrigin !== undefined)
    tried(() => checkPeopleSettings({ signIn, env, port: ports.port, origin, secret, databaseUrl }), undefined);
  const webhook = tried(() => readWebhook(env), null);
  const smtp = signInWords === null ? null : tried(() => readSmtp(env, signIn), null);
  if (webhook !== null) tried(() => checkWatchedKey(signIn, onlyKey ?? null), undefined);
  const settings = {
    ...ports,
    origin,
    ...readAddresses(env, tried, publicOrigin === undefined ? null : origin, ports),
    log: tried(() => readLog(env['LOG']), 'text' as const),
    /** Seconds between SIGTERM and closing the port, for a load balancer that polls /readyz. */
    drainSeconds: tried(() => readCount('DRAIN_SECONDS', env['DRAIN_SECONDS']), null) ?? 0,
    /**
     * key: everybody brings an API key. passkey, oidc: people sign in as themselves, with a passkey or at an identity
     * provider, and the server has the API key.
     */
    signIn,
    /** The identity provider; null in the other modes. */
    oidc: signIn === 'oidc' ? tried(() => readOidc(env), null) : null,
    /** The accounts by name, with their API keys; none in key mode. */
    accounts,
    /** PAYMENTS_API_KEY. In key mode only console commands and the watcher use it. */
    consoleApiKey: onlyKey ?? null,
    /** The normalised base URL, or null for the embedded sandbox. */
    service: isSandbox ? null : tried(() => readService(env.PAYMENTS_BASE_URL ?? ''), ''),
    /** How the database spells this service's address; null if the same. */
    serviceSameAs: tried(() => readSameAs(env.PAYMENTS_SAME_AS, env.PAYMENTS_BASE_URL), null),
    /** The receiver of notices; null if they are off. */
    webhook,
    /** The mail server for notices; null if people get no e-mail. */
    smtp,
    /** How withdrawals that weren't sent from here are shown: on Home, with 'digest' also in an hourly message, or not at all. */
    outside: tried(() => readOutside(env['NOTIFY_OUTSIDE']), 'home' as const),
    trustedProxies: tried(() => readProxies(env.TRUSTED_PROXIES), []),
    readOnly: tried(() => readSwitch('READ_ONLY', env.READ_ONLY), true),
    /** A key that the service refuses may see and close the operations recorded under it. */
    journalOnly: tried(() => readSwitch('JOURNAL_ONLY', env.JOURNAL_ONLY), false),
    /** The API keys used on this server belong to unrelated merchants. */
    separateAccounts: tried(() => readSeparateAccounts(env.ACCOUNTS), false),
    secret: secret ?? null,
    sandboxDeposits: tried(() => readCount('SANDBOX_DEPOSITS', env.SANDBOX_DEPOSITS), null),
    /** Absolute directory, or the word memory. */
    dataDirectory: data === 'memory' ? data : resolve(data),
    databaseUrl,
    killAt: env.SANDBOX_KILL_AT || null,
    operationsKillAt: env.OPERATIONS_KILL_AT || null,
  };
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
  return settings;
}

function readPorts(env: Environment, tried: Tried) {
  return {
    port: tried(() => readPort('PORT', env.PORT), null) ?? DEFAULT_PORT,
    /** Null if metrics are off. */
    metricsPort: tried(() => readPort('METRICS_PORT', env['METRICS_PORT']), null),
    /** Where the sandbox itself listens, on 127.0.0.1; null for nowhere. */
    sandboxPort: tried(() => readPort('SANDBOX_PORT', env.SANDBOX_PORT), null),
  };
}

/** `origin` is null if it isn't known. */
function readAddresses(env: Environment, tried: Tried, origin: string | null, ports: ReturnType<typeof readPorts>) {
  const addresses = {
    /** The IP address to listen on. */
    listen: origin === null ? '' : tried(() => readListen(env['LISTEN'], origin), ''),
    metricsListen: tried(() => readAddress('METRICS_LISTEN', env['METRICS_LISTEN']), ''),
  };
  const { port, metricsPort, sandboxPort } = ports;
  // An unusable PORT is reported already. Its default, which replaces it, isn't compared.
  const isOwnKnown = port !== DEFAULT_PORT || !env.PORT || env.PORT === String(DEFAULT_PORT);
  const own = { name: 'PORT', port: isOwnKnown ? port : null, address: addresses.listen };
  const metrics = { name: 'METRICS_PORT', port: metricsPort, address: addresses.metricsListen };
  // With a payments service there is no sandbox.
  const isSandbox = env.PAYMENTS_BASE_URL === undefined;
  const sandbox = { name: 'SANDBOX_PORT', port: isSandbox ? sandboxPort : null, address: '127.0.0.1' };
  tried(() => {
    for (const [one, other] of [
      [metrics, own],
      [sandbox, own],
      [metrics, sandbox],
    ] as const)
      if (one.port !== null && one.port === other.port && overlap(one.address, other.address))
        throw new SettingsError(`${one.name} and ${other.name} are both ${one.port}.`);
  }, undefined);
  return addresses;
}

/** Whether a socket on one address takes a port from the other. `::` listens on IPv4, too. */
function overlap(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  const covers = (all: string, each: string): boolean => all === '::' || (all === '0.0.0.0' && isIP(each) === 4);
  return one === other || covers(one, other) || covers(other, one);
}

interface AccountsInput {
  signIn: SignIn;
  isSandbox: boolean;
  onlyKey: string | null;
  env: Environment;
}

function readAccounts({ signIn, isSandbox, onlyKey, env }: AccountsInput): AccountKey[] {
  if (signIn === 'key') return refuseAccounts(env);
  if (signIn === 'oidc' && isSandbox)
    throw new SettingsError('SIGN_IN=oidc needs a payments service: set PAYMENTS_BASE_URL.');
  return isSandbox ? refuseSandboxKeys(onlyKey, env) : readAccountKeys(signIn, onlyKey, env);
}

/** Never print it: it contains the password. */
function readDatabaseUrl(env: Environment): string | null {
  const text = readValueOrFile('DATABASE_URL', env);
  if (text === null) return null;
  // Further hosts, "a:1,b:2", aren't part of a URL. A password may contain commas.
  const [, beforeHosts = '', hosts = '', rest = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(text) ?? [];
  const isUsable =
    /^postgres(?:ql)?:\/\/\S+$/.test(text) && URL.canParse(beforeHosts + hosts.replace(/,.*/, '') + rest);
  if (!isUsable)
    throw new SettingsError(
      'DATABASE_URL must be postgres://user:password@host:5432/name, with special characters of the password percent-encoded.',
    );
  return text;
}

function readPort(name: string, text: string | undefined): number | null {
  const port = readCount(name, text);
  if (port !== null && (port < 1 || port > 65_535))
    throw new SettingsError(`${name} must be 1 to 65535, not "${text}".`);
  return port;
}

/** Beyond loopback a TLS proxy must be in front, because API keys and cookies must not cross the network unencrypted. */
function readListen(text: string | undefined, origin: string): string {
  const address = readAddress('LISTEN', text);
  const isLoopback = /^127\.|^::1$/.test(address);
  if (!isLoopback && new URL(origin).protocol !== 'https:')
    throw new SettingsError(
      `LISTEN=${address} lets other machines connect, so set PUBLIC_ORIGIN to the https:// address of the proxy in front.`,
    );
  return address;
}

function readAddress(name: string, text: string | undefined): string {
  if (!text) return '127.0.0.1';
  if (isIP(text) === 0) throw new SettingsError(`${name} must be an IP address such as 0.0.0.0, not "${text}".`);
  return text;
}

function readLog(text: string | undefined): LogFormat {
  if (!text || text === 'text') return 'text';
  if (text === 'json') return 'json';
  throw new SettingsError(`LOG must be text or json, not "${text}".`);
}

function readCount(name: string, text: string | undefined): number | null {
  if (!text) return null;
  if (!/^\d{1,9}$/.test(text)) throw new SettingsError(`${name} must be a whole number, not "${text}".`);
  return Number.parseInt(text, 10);
}

const SECRET_MIN = 16;

function readSecret(text: string | null): string | null {
  if (!text) return null;
  // The secret can forge sessions, so it is never printed.
  if (text.length < SECRET_MIN)
    throw new SettingsError(`SESSION_SECRET must have ${SECRET_MIN} characters or more; it has ${text.length}.`);
  return text;
}

type SignIn = 'key' | 'passkey' | 'oidc';

function readSignIn(text: string | undefined): SignIn {
  if (!text || text === 'key') return 'key';
  if (text === 'passkey' || text === 'oidc') return text;
  throw new SettingsError(`SIGN_IN must be key, passkey or oidc, not "${text}".`);
}

function readOidc(env: Environment): OidcSettings {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = env;
  if (!issuer) throw new SettingsError('SIGN_IN=oidc needs OIDC_ISSUER, the address of your identity provider.');
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const isUsable = url !== null && (url.protocol === 'https:' || isThisMachine(url)) && !/[?#]/.test(issuer);
  if (!isUsable || url.username !== '' || url.password !== '')
    throw new SettingsError(
      // Only the host, because the URL may contain a password.
      `OIDC_ISSUER must be an https:// address such as https://login.example, not "${url?.host ?? issuer}".`,
    );
  if (!clientId) throw new SettingsError('SIGN_IN=oidc needs OIDC_CLIENT_ID, as your identity provider gave it.');
  const clientSecret = readValueOrFile('OIDC_CLIENT_SECRET', env);
  if (clientSecret === null)
    throw new SettingsError('SIGN_IN=oidc needs OIDC_CLIENT_SECRET_FILE or OIDC_CLIENT_SECRET.');
  return { issuer: url.href, clientId, clientSecret };
}

function isThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1');
}

const WEBHOOK_URL = 'NOTIFY_WEBHOOK_URL';
const WEBHOOK_SECRET = 'NOTIFY_WEBHOOK_SECRET';

/** Never print the URL: its path may be a token, as with Slack. */
function readWebhook(env: Environment): WebhookSettings | null {
  const text = readValueOrFile(WEBHOOK_URL, env);
  const secretText = readValueOrFile(WEBHOOK_SECRET, env);
  if (text === null) {
    if (secretText !== null) throw new SettingsError(`${WEBHOOK_SECRET} needs ${WEBHOOK_URL}.`);
    return null;
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  const isUsable = url !== null && (url.protocol === 'https:' || isThisMachine(url)) && url.hash === '';
  if (!isUsable || url.username !== '' || url.password !== '')
    throw new SettingsError(
      `${WEBHOOK_URL} must be an https:// address such as https://hooks.example/notices; http:// only on this machine.`,
    );
  return { url: url.href, secrets: readWebhookSecrets(secretText) };
}

const SMTP_URL = 'SMTP_URL';
const SMTP_PORTS = { 'smtps:': 465, 'smtp:': 587 };

/** Never print the URL: it contains the password. Connections to other machines always use TLS. */
function readSmtp(env: Environment, signIn: SignIn): SmtpSettings | null {
  const text = readValueOrFile(SMTP_URL, env);
  const from = env['NOTIFY_FROM'] || null;
  if (text === null) {
    if (from !== null) throw new SettingsError(`NOTIFY_FROM needs ${SMTP_URL}.`);
    return null;
  }
  if (signIn === 'key')
    throw new SettingsError(
      `${SMTP_URL} needs SIGN_IN=passkey or oidc: with SIGN_IN=key there are no people to write to. Use ${WEBHOOK_URL}.`,
    );
  const url = URL.canParse(text) ? new URL(text) : null;
  const scheme = url?.protocol;
  const isUsable = url !== null && (scheme === 'smtps:' || scheme === 'smtp:') && url.hostname !== '';
  if (!isUsable || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
    throw new SettingsError(
      `${SMTP_URL} must be smtps://user:password@mail.example:465, or smtp:// with a port for STARTTLS, and nothing after the port.`,
    );
  const [user, pass] = [url.username, url.password].map(decodeUrlPart);
  if (user === null || pass === null || (user === '') !== (pass === ''))
    throw new SettingsError(`${SMTP_URL} must have a user and a password, percent-encoded, or neither.`);
  const isLoopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return {
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: url.port === '' ? SMTP_PORTS[scheme === 'smtps:' ? 'smtps:' : 'smtp:'] : Number(url.port),
    tls: scheme === 'smtps:' ? 'from-start' : isLoopback ? 'none' : 'starttls',
    login: user === undefined || user === '' ? null : { user, pass: pass ?? '' },
    from: readFrom(from),
  };
}

/** Null if it isn't percent-encoded text. */
function decodeUrlPart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** "notices@money.example", or "Money <notices@money.example>". */
function readFrom(text: string | null): SmtpSettings['from'] {
  const [, name = '', address = text ?? ''] = /^([^<>"@]{1,60}?) *<([^<>]+)>$/.exec(text ?? '') ?? [];
  if (!v.is(emailSchema, address) || /\p{Cc}/u.test(name))
    throw new SettingsError(
      `${SMTP_URL} needs NOTIFY_FROM, the sender: notices@money.example or Money <notices@money.example>.`,
    );
  return { name, address };
}

/** In key mode, checks PAYMENTS_API_KEY, which is used only to watch its account. */
function checkWatchedKey(signIn: SignIn, onlyKey: string | null): void {
  if (signIn === 'key' && onlyKey !== null) checkedKey('PAYMENTS_API_KEY', onlyKey);
}

function readOutside(text: string | undefined): 'home' | 'digest' | 'off' {
  if (!text) return 'home';
  if (text === 'digest' || text === 'off') return text;
  throw new SettingsError(`NOTIFY_OUTSIDE must be digest or off, not "${text}".`);
}

/** One secret, or two during a rotation, the new one first. */
function readWebhookSecrets(text: string | null): Uint8Array[] {
  const secrets = text === null ? [] : text.split(',').map((each) => readWebhookSecret(each.trim()));
  if (secrets.length > 2 || secrets.includes(null))
    throw new SettingsError(
      `${WEBHOOK_SECRET} must be whsec_ and 24 to 64 bytes in base64, or two of them with a comma between.`,
    );
  return secrets.filter((secret) => secret !== null);
}

/** Reads the variable NAME, or the file that NAME_FILE names, which is how orchestrators mount secrets. */
function readValueOrFile(name: string, env: Environment): string | null {
  const [text, path] = [env[name], env[`${name}_FILE`]];
  if (!path) return text || null;
  if (text) throw new SettingsError(`Set ${name} or ${name}_FILE, not both.`);
  const content = readTextFile(`${name}_FILE`, path);
  // Don't fall back to a new secret if the secret wasn't mounted.
  if (content === '') throw new SettingsError(`${name}_FILE names an empty file: ${path}`);
  return content;
}

function readTextFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SettingsError(`${variable} can’t be read: ${systemErrorMessage(error)}.`, { cause: error });
  }
}

/** An account whose API key the settings give. */
export interface AccountKey {
  name: string;
  apiKey: string;
}

/** The name of the account of PAYMENTS_API_KEY, which the settings don't name. */
export const ONLY_ACCOUNT = 'main';
const ACCOUNT_NAME = /^[a-z0-9-]{1,20}$/;

function refuseAccounts(env: Environment): AccountKey[] {
  if (env['PAYMENTS_ACCOUNTS'])
    throw new SettingsError('PAYMENTS_ACCOUNTS needs SIGN_IN=passkey: with SIGN_IN=key everybody brings an API key.');
  return [];
}

/** The sandbox has its own account, so API keys are refused. */
function refuseSandboxKeys(onlyKey: string | null, env: Environment): AccountKey[] {
  if (onlyKey !== null || env['PAYMENTS_ACCOUNTS'])
    throw new SettingsError('An API key needs its payments service: set PAYMENTS_BASE_URL.');
  return [];
}

/** PAYMENTS_API_KEY alone, or PAYMENTS_ACCOUNTS=eu,us with PAYMENTS_API_KEY_EU and PAYMENTS_API_KEY_US. Sorted by name. */
function readAccountKeys(signIn: SignIn, onlyKey: string | null, env: Environment): AccountKey[] {
  const listed = env['PAYMENTS_ACCOUNTS'];
  if (!listed) {
    if (onlyKey === null)
      throw new SettingsError(
        `SIGN_IN=${signIn} needs the account’s API key: set PAYMENTS_API_KEY_FILE or PAYMENTS_API_KEY, or name several in PAYMENTS_ACCOUNTS.`,
      );
    return [{ name: ONLY_ACCOUNT, apiKey: checkedKey('PAYMENTS_API_KEY', onlyKey) }];
  }
  if (onlyKey !== null)
    throw new SettingsError('Set PAYMENTS_ACCOUNTS with a key for each account, or PAYMENTS_API_KEY alone, not both.');
  const accounts: AccountKey[] = [];
  for (const name of listed.split(',').map((each) => each.trim())) {
    // PAYMENTS_API_KEY_FILE already means something else.
    if (!ACCOUNT_NAME.test(name) || /(?:^|-)file$/.test(name))
      throw new SettingsError(
        `PAYMENTS_ACCOUNTS: “${name}” can’t be a name. Use 1 to 20 of a-z, 0-9 and -, not ending in “file”, with commas between names.`,
      );
    if (accounts.some((one) => one.name === name)) throw new SettingsError(`PAYMENTS_ACCOUNTS names ${name} twice.`);
    const variable = keyVariable(name);
    const text = readValueOrFile(variable, env);
    if (text === null) throw new SettingsError(`Account ${name} has no API key: set ${variable}_FILE or ${variable}.`);
    const apiKey = checkedKey(variable, text);
    const same = accounts.find((one) => one.apiKey === apiKey);
    if (same) throw new SettingsError(`Accounts ${same.name} and ${name} have the same API key.`);
    accounts.push({ name, apiKey });
  }
  return accounts.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The variable of a named account's API key. */
export function keyVariable(account: string): string {
  return `PAYMENTS_API_KEY_${account.toUpperCase().replaceAll('-', '_')}`;
}

function checkedKey(variable: string, apiKey: string): string {
  const fault = apiKeyFault(apiKey);
  if (fault !== null) throw new SettingsError(`${variable}: ${fault}`);
  return apiKey;
}

/** People mode requires this length; a shorter secret works in key mode. */
export const GOOD_SECRET_MIN = 32;

interface PeopleSettings {
  signIn: SignIn;
  env: Environment;
  port: number;
  origin: string;
  /** Undefined if it can't be used. */
  secret: string | null | undefined;
  databaseUrl: string | null;
}

/** Throws if sign-in can't work with these settings, or if two servers couldn't verify each other's rows of people. */
function checkPeopleSettings({ signIn, env, port, origin, secret, databaseUrl }: PeopleSettings): void {
  if (readSwitch('JOURNAL_ONLY', env.JOURNAL_ONLY))
    throw new SettingsError(
      `JOURNAL_ONLY is for SIGN_IN=key: with ${signIn === 'oidc' ? 'SIGN_IN=oidc' : 'passkeys'} nobody brings an API key.`,
    );
  const { protocol, hostname } = new URL(origin);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  if (isAddress || (protocol === 'http:' && hostname !== 'localhost'))
    throw new SettingsError(
      `Passkeys don’t work on ${origin}. Set PUBLIC_ORIGIN=http://localhost:${port} or to your https:// address.`,
    );
  if (databaseUrl !== null && secret === null)
    throw new SettingsError(`SIGN_IN=${signIn} with PostgreSQL needs SESSION_SECRET_FILE or SESSION_SECRET.`);
  if (secret != null && secret.length < GOOD_SECRET_MIN)
    throw new SettingsError(
      `SIGN_IN=${signIn} needs a SESSION_SECRET of ${GOOD_SECRET_MIN} characters or more; it has ${secret.length}.`,
    );
}

function readSwitch(name: string, text: string | undefined): boolean {
  if (!text || text === 'false' || text === '0') return false;
  // A typing mistake must not enable sending for people who may only read.
  if (text === 'true' || text === '1') return true;
  throw new SettingsError(`${name} must be true or false, not "${text}".`);
}

function readSeparateAccounts(text: string | undefined): boolean {
  if (!text || text === 'separate') return text === 'separate';
  throw new SettingsError(`ACCOUNTS must be separate or absent, not "${text}".`);
}

function readOrigin(text: string | undefined): string | null {
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`)
    throw new SettingsError(`PUBLIC_ORIGIN must be an origin such as https://money.example, not "${text}".`);
  return url.origin;
}

function readSameAs(text: string | undefined, baseUrl: string | undefined): string | null {
  if (!text) return null;
  const name = serviceName(text);
  if (name === null || baseUrl === undefined)
    throw new SettingsError('PAYMENTS_SAME_AS must be the address that the database names, beside PAYMENTS_BASE_URL.');
  return name;
}

function readProxies(text: string | undefined): TrustedProxies {
  const read = readTrustedProxies(text ?? '');
  if ('proxies' in read) return read.proxies;
  throw new SettingsError(
    `TRUSTED_PROXIES must be IP addresses and networks such as 127.0.0.1, 10.0.0.0/8, not "${read.invalid}".`,
  );
}

function readService(text: string): string {
  const name = serviceName(text);
  if (name === null)
    throw new SettingsError('PAYMENTS_BASE_URL must be an http(s) address without query or fragment, or absent.');
  return name;
}
