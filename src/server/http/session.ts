import { randomUUID, hkdfSync, randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { systemErrorCode, unusableDirectory } from '#src/server/database/sql.ts';

export const IDLE_SECONDS = 30 * 60;
export const LONGEST_SECONDS = 12 * 60 * 60;
const RESEAL_SECONDS = 60;
/** Number of opened seals to cache: opening one costs more than the rest of a relayed read. */
const MOST_OPEN = 1_000;

/** The content of the sealed cookie. Times are Unix seconds. */
const sessionSchema = v.pipe(
  v.object({
    jti: v.string(),
    apiKey: v.string(),
    account: v.string(),
    service: v.string(),
    /** The sandbox's own account id; null behind a forwarding gateway. */
    sandbox: v.nullish(v.string(), null),
    /** The name given at sign-in, unverified. */
    name: v.nullish(v.string(), null),
    /** The service refused the key at sign-in, and the journal knows its account. */
    journalOnly: v.optional(v.boolean(), false),
    issuedAt: v.number(),
    seenAt: v.number(),
  }),
  v.transform(({ jti: id, apiKey: key, ...rest }) => ({ id, key, ...rest })),
);
export type ServerSession = v.InferOutput<typeof sessionSchema>;

/** The part of a session that is sent to the page. */
export type Who = Pick<ServerSession, 'account' | 'sandbox' | 'name' | 'journalOnly'>;

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions live in the cookie alone; `now` is in milliseconds. */
export function createSessions(key: Uint8Array, service: string, now: () => number) {
  // A response under way may bring back a renewed seal after a sign-out, so remember the ids of ended sessions.
  const ended = new Map<string, number>();
  const seconds = () => Math.floor(now() / 1000);

  const seal = ({ id, key: apiKey, ...rest }: ServerSession) =>
    new EncryptJWT({ apiKey, ...rest }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).setJti(id).encrypt(key);

  async function unseal(sealed: string): Promise<ServerSession | null> {
    try {
      const { payload } = await jwtDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return v.parse(sessionSchema, payload);
    } catch {
      return null;
    }
  }

  /** A seal's content never changes, so it can be cached; whether it is still valid is checked each time. */
  const opened = new Map<string, Readonly<ServerSession>>();

  const holds = (session: ServerSession) =>
    session.service === service &&
    !ended.has(session.id) &&
    seconds() - session.seenAt < IDLE_SECONDS &&
    seconds() - session.issuedAt < LONGEST_SECONDS;

  async function contentOf(sealed: string): Promise<Readonly<ServerSession> | null> {
    const known = opened.get(sealed);
    if (known) return known;
    const session = await unseal(sealed);
    if (!session) return null;
    // No API key stays in memory longer than its session.
    for (const [other, held] of opened) if (!holds(held)) opened.delete(other);
    const [oldest] = opened.keys();
    if (oldest !== undefined && opened.size >= MOST_OPEN) opened.delete(oldest);
    opened.set(sealed, Object.freeze(session));
    return session;
  }

  return {
    start: (of: Omit<ServerSession, 'id' | 'service' | 'issuedAt' | 'seenAt'>) =>
      seal({ ...of, id: randomUUID(), service, issuedAt: seconds(), seenAt: seconds() }),
    /** Null for a seal that is broken, idle for too long, too old, ended, or made for another service. */
    async open(sealed: string): Promise<ServerSession | null> {
      const session = await contentOf(sealed);
      if (session && holds(session)) return session;
      opened.delete(sealed);
      return null;
    },
    async renew(session: ServerSession): Promise<string | null> {
      if (seconds() - session.seenAt < RESEAL_SECONDS || ended.has(session.id)) return null;
      return seal({ ...session, seenAt: seconds() });
    },
    end(session: ServerSession) {
      for (const [id, until] of ended) if (until < seconds()) ended.delete(id);
      ended.set(session.id, session.issuedAt + LONGEST_SECONDS);
    },
  };
}

export function sealingKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'countinghouse session v1', 32));
}

/** Signs the journal's marks. They stay valid when sessions end. */
export function marksKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'marks', 32));
}

const newSecret = () => randomBytes(32).toString('base64url');

/** The secret in the directory, created the first time and readable only by its owner. Not stored for a database in memory. */
export async function keptSecret(directory: string): Promise<string> {
  if (directory === 'memory') return newSecret();
  const path = join(directory, 'session-secret');
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const kept = await readFile(path, 'utf8').catch(() => '');
    if (kept) return kept;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await writeFile(draft, newSecret(), { mode: 0o600, flag: 'wx' });
    // A link creates the complete file or fails, so two gateways starting at once read the same secret.
    await link(draft, path).catch((error: unknown) => {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    });
    await rm(draft, { force: true });
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unusableDirectory(directory, error);
  }
}
