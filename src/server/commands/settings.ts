import { resolve } from 'node:path';
import { readTrustedProxies, type TrustedProxies } from '#src/server/http/clientAddress.ts';
import { serviceName } from '#src/server/http/upstream/service.ts';

export type Settings = ReturnType<typeof readSettings>;

/** A setting that cannot be used; its message is one line for the person at the terminal. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

export function readSettings(env: Record<string, string | undefined>) {
  const port = readPort('PORT', env.PORT) ?? 4173;
  const data = env.DATA_DIR || '.countinghouse';
  return {
    port,
    origin: readOrigin(env.PUBLIC_ORIGIN) ?? `http://127.0.0.1:${port}`,
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
    secret: readSecret(env.SESSION_SECRET),
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

function readSecret(text: string | undefined): string | null {
  if (!text) return null;
  // The secret can forge sessions, so it is never printed.
  if (text.length < SECRET_MIN)
    throw new SettingsError(`SESSION_SECRET must have ${SECRET_MIN} characters or more; it has ${text.length}.`);
  return text;
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
