import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { apiKeyFault } from '#src/shared/apiKey.ts';
import { systemErrorMessage } from '#src/server/database/sql.ts';
import { readTrustedProxies, type TrustedProxies } from '#src/server/http/clientAddress.ts';
import { serviceName } from '#src/server/http/upstream/service.ts';

export type Settings = ReturnType<typeof readSettings>;

/** A setting that cannot be used; its message is one line for the person at the terminal. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

type Environment = Record<string, string | undefined>;

export function readSettings(env: Environment) {
  const port = readPort('PORT', env.PORT) ?? 4173;
  const data = env.DATA_DIR || '.countinghouse';
  const signIn = readSignIn(env.SIGN_IN);
  const origin = readOrigin(env.PUBLIC_ORIGIN) ?? `http://127.0.0.1:${port}`;
  const secret = readSecret(readValueOrFile('SESSION_SECRET', env));
  const apiKey = readValueOrFile('PAYMENTS_API_KEY', env);
  if (signIn === 'passkey') checkPasskeySettings({ env, port, origin, apiKey, secret });
  return {
    port,
    origin,
    /** key: everybody brings an API key. passkey: people sign in as themselves, and the server has the key. */
    signIn,
    /** The account's API key; null in key mode. */
    apiKey: signIn === 'passkey' ? apiKey : null,
    /** The API key for console commands, in key mode too. */
    consoleApiKey: apiKey,
    /** The normalised base URL, or null for the embedded sandbox. */
    service: env.PAYMENTS_BASE_URL === undefined ? null : readService(env.PAYMENTS_BASE_URL),
    /** How the database spells this service's address; null if the same. */
    serviceSameAs: readSameAs(env.PAYMENTS_SAME_AS, env.PAYMENTS_BASE_URL),
    trustedProxies: readProxies(env.TRUSTED_PROXIES),
    readOnly: readSwitch('READ_ONLY', env.READ_ONLY),
    /** A key that the service refuses may see and close the operations recorded under it. */
    journalOnly: readSwitch('JOURNAL_ONLY', env.JOURNAL_ONLY),
    /** The API keys used on this server belong to unrelated merchants. */
    separateAccounts: readAccounts(env.ACCOUNTS),
    secret,
    sandboxPort: readPort('SANDBOX_PORT', env.SANDBOX_PORT),
    sandboxDeposits: readCount('SANDBOX_DEPOSITS', env.SANDBOX_DEPOSITS),
    /** Absolute directory, or the word memory. */
    dataDirectory: data === 'memory' ? data : resolve(data),
    databaseUrl: env.DATABASE_URL || null,
    killAt: env.SANDBOX_KILL_AT || null,
    operationsKillAt: env.OPERATIONS_KILL_AT || null,
  };
}

function readPort(name: string, text: string | undefined): number | null {
  const port = readCount(name, text);
  if (port !== null && (port < 1 || port > 65_535))
    throw new SettingsError(`${name} must be 1 to 65535, not "${text}".`);
  return port;
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

type SignIn = 'key' | 'passkey';

function readSignIn(text: string | undefined): SignIn {
  if (!text || text === 'key') return 'key';
  if (text === 'passkey') return text;
  if (text === 'oidc') throw new SettingsError('SIGN_IN=oidc is not yet in this version. Set SIGN_IN=passkey or key.');
  throw new SettingsError(`SIGN_IN must be key or passkey, not "${text}".`);
}

/** A variable, or the file that its name with _FILE names, as orchestrators mount secrets. */
function readValueOrFile(name: 'SESSION_SECRET' | 'PAYMENTS_API_KEY', env: Environment): string | null {
  const [text, path] = [env[name], env[`${name}_FILE`]];
  if (!path) return text || null;
  if (text) throw new SettingsError(`Set ${name} or ${name}_FILE, not both.`);
  const content = readTextFile(`${name}_FILE`, path);
  // A secret that wasn't mounted must not be replaced by a new one.
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

const PEOPLE_SECRET_MIN = 32;

interface PasskeySettings {
  env: Environment;
  port: number;
  origin: string;
  apiKey: string | null;
  secret: string | null;
}

/** Throws if nobody could sign in with these settings, or if two servers could not read each other's rows of people. */
function checkPasskeySettings({ env, port, origin, apiKey, secret }: PasskeySettings): void {
  if (env.PAYMENTS_BASE_URL === undefined)
    throw new SettingsError('SIGN_IN=passkey needs a payments service: set PAYMENTS_BASE_URL.');
  if (apiKey === null)
    throw new SettingsError(
      'SIGN_IN=passkey needs the account’s API key: set PAYMENTS_API_KEY_FILE or PAYMENTS_API_KEY.',
    );
  const fault = apiKeyFault(apiKey);
  if (fault !== null) throw new SettingsError(`PAYMENTS_API_KEY: ${fault}`);
  if (readSwitch('JOURNAL_ONLY', env.JOURNAL_ONLY))
    throw new SettingsError('JOURNAL_ONLY is for SIGN_IN=key: with passkeys nobody brings an API key.');
  const { protocol, hostname } = new URL(origin);
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  if (isAddress || (protocol === 'http:' && hostname !== 'localhost'))
    throw new SettingsError(
      `Passkeys don’t work on ${origin}. Set PUBLIC_ORIGIN=http://localhost:${port} or to your https:// address.`,
    );
  if (env.DATABASE_URL && secret === null)
    throw new SettingsError('SIGN_IN=passkey with PostgreSQL needs SESSION_SECRET_FILE or SESSION_SECRET.');
  if (secret !== null && secret.length < PEOPLE_SECRET_MIN)
    throw new SettingsError(
      `SIGN_IN=passkey needs a SESSION_SECRET of ${PEOPLE_SECRET_MIN} characters or more; it has ${secret.length}.`,
    );
}

function readSwitch(name: string, text: string | undefined): boolean {
  if (!text || text === 'false' || text === '0') return false;
  // A typing mistake must not enable sending for people who may only read.
  if (text === 'true' || text === '1') return true;
  throw new SettingsError(`${name} must be true or false, not "${text}".`);
}

function readAccounts(text: string | undefined): boolean {
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
