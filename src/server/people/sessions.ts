import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { SessionRights } from './actor.ts';
import { openKeyBox, sealApiKey } from './keyBox.ts';
import { lasting } from '#src/shared/time.ts';
import { derivedKey, tokenHash } from './secrets.ts';
import type { ServerAccounts } from './serverAccounts.ts';
import { type NewSession, type SessionEnding, type SessionRow, type SessionRows } from './sessionRows.ts';
import { APPROVING_MS, IDLE_MS, LONGEST_MS } from './sessionAge.ts';

/** How long a read may use a cached session. Writes read it in their own transaction. */
const CACHE_FRESH_MS = 5_000;
/** While the database is away, a session that was read within this time still serves reads. */
const CACHE_OUTAGE_MS = 5 * 60 * 1_000;
const CACHE_MAX = 1_000;
/** A database that takes longer counts as away. */
const READ_TIMEOUT_MS = 2_000;
/** A person's activity is written at most this often. */
const ACTIVITY_WRITE_MS = 60_000;
/** 256 random bits and their MAC, in base64url. */
const TOKEN = /^([\w-]{43})([\w-]{22})$/;
const MAC_BYTES = 16;

export type ServerSession = Omit<NewSession, 'keyBox' | 'longestMs'> & {
  rights: SessionRights;
  /** The accounts on which the person has permissions; none in key mode. */
  accounts: readonly string[];
  /** The API key; null if the service refused it at sign-in. */
  key: string | null;
};

/** The part of a session that is sent to the page. */
export type SessionSummary = Pick<
  ServerSession,
  'account' | 'accounts' | 'sandbox' | 'name' | 'journalOnly' | 'person' | 'rights'
>;

export type Sessions = ReturnType<typeof createSessions>;

/** The database is away: the session can't be looked up or changed. */
export class SessionsUnavailable extends Error {
  override name = 'SessionsUnavailable';
}

export function sessionsUnavailable(cause: unknown): never {
  throw new SessionsUnavailable('The database cannot be reached.', { cause });
}

interface CachedSession {
  session: Readonly<ServerSession>;
  row: SessionRow;
  /** This process's monotonic clock when the row was read. */
  readMono: number;
}

/** Milliseconds. `wall`: the server's clock. */
export interface SessionClock {
  wall: () => number;
  mono: () => number;
}

/** The difference between the server's and the database's clock that is reported. */
const CLOCKS_DIFFER_MS = 60_000;

interface SessionOptions {
  /** Where people sign in as themselves. */
  serverAccounts?: ServerAccounts | null;
  /** The maximum age of sessions that begin here, in ms. */
  longestMs?: number;
  warn?: (line: string) => void;
}

/** Sessions in the database. The browser holds a random token, the database its hash. */
export function createSessions(
  rows: SessionRows,
  secret: string,
  clock: SessionClock,
  { serverAccounts = null, longestMs = LONGEST_MS, warn = () => undefined }: SessionOptions = {},
) {
  /** The difference that was last reported. */
  let reportedClock = '';
  // By the token's hash. Opening a key box costs more than the rest of a relayed read.
  const cache = new Map<string, CachedSession>();
  // By the token's hash. Kept because a read under way could cache the session again, and the write may be pending.
  const ended = new Map<string, { why: SessionEnding; at: number; isWritten: boolean }>();
  const tokenKey = derivedKey(secret, 'session_token');
  const macOf = (random: string) => createHmac('sha256', tokenKey).update(random).digest().subarray(0, MAC_BYTES);

  function addToCache(hash: string, entry: CachedSession): void {
    cache.delete(hash);
    const [oldest] = cache.keys();
    if (oldest !== undefined && cache.size >= CACHE_MAX) cache.delete(oldest);
    cache.set(hash, entry);
  }

  /** The time now by the server's or the database's clock, whichever is later. Unix ms. */
  function nowFor({ row, readMono }: CachedSession): number {
    return Math.max(clock.wall(), row.readAt + clock.mono() - readMono);
  }

  function isOpen(hash: string, cached: CachedSession): boolean {
    if (ended.has(hash)) return false;
    const { row } = cached;
    const now = nowFor(cached);
    return now - row.seenAt < IDLE_MS && now - row.createdAt < row.longestMs;
  }

  /** Whether a server with this secret made the token, so that a forged cookie costs no query. */
  function isOwnToken(token: string): boolean {
    const [, random, mac] = TOKEN.exec(token) ?? [];
    if (random === undefined || mac === undefined) return false;
    const actual = Buffer.from(mac, 'base64url');
    return actual.length === MAC_BYTES && timingSafeEqual(actual, macOf(random));
  }

  async function read(token: string, hash: string): Promise<CachedSession | null> {
    const readMono = clock.mono();
    const cached = cache.get(hash);
    if (cached && readMono - cached.readMono < CACHE_FRESH_MS) return cached;
    let row: SessionRow | null;
    try {
      row = await withTimeout(rows.find(hash));
    } catch (error) {
      if (cached && readMono - cached.readMono < CACHE_OUTAGE_MS) return cached;
      return sessionsUnavailable(error);
    }
    const session = row && sessionIn(row, token, cached?.session.key);
    return row && session && { session, row, readMono };
  }

  /** `knownKey`: the API key, if it was decrypted before. Null if the key box doesn't open, as after a change of the secret. */
  function sessionIn(row: SessionRow, token: string, knownKey: string | null | undefined): ServerSession | null {
    const { id, account, credential, sandbox, name, journalOnly, keyBox, person, rights, accounts } = row;
    if (person !== null) {
      const own = serverAccounts?.find(account) ?? null;
      if (own === null) return null;
      const { apiKey: key, credential: current } = own;
      return { id, account, credential: current, sandbox, name, journalOnly, person, rights, accounts, key };
    }
    const key = knownKey ?? (keyBox === null ? null : openKeyBox(keyBox, { token, secret, owner: row }));
    if (key === null && !journalOnly) return null;
    return { id, account, credential, sandbox, name, journalOnly, person, rights, accounts, key };
  }

  /** Writes an ending to the database, or later if the database is away. */
  async function writeEnding(hash: string): Promise<void> {
    const ending = ended.get(hash);
    if (ending === undefined || ending.isWritten) return;
    ending.isWritten = await rows.end(hash, ending.why).then(
      () => true,
      () => false,
    );
  }

  /** Logs once when the clocks begin to differ: a server whose clock is 30 minutes ahead signs everybody out. */
  async function compareClocks(): Promise<void> {
    const before = clock.wall();
    const databaseNow = await rows.now();
    const [ahead, behind] = [before - databaseNow, databaseNow - clock.wall()];
    const which = ahead > CLOCKS_DIFFER_MS ? 'ahead of' : behind > CLOCKS_DIFFER_MS ? 'behind' : '';
    if (which === reportedClock) return;
    reportedClock = which;
    if (which === '') return warn('The clocks of the server and the database agree again.');
    const difference = lasting(Math.round(Math.max(ahead, behind) / 1_000));
    const effect = which === 'behind' ? '' : ' Sessions end that much too early.';
    warn(`Warning: the server’s clock is ${difference} ${which} the database’s.${effect}`);
  }

  function newToken(): string {
    const random = randomBytes(32).toString('base64url');
    return random + macOf(random).toString('base64url');
  }

  return {
    /** Records a session and returns the token for its cookie. Throws SessionsUnavailable. */
    async start({ key, ...summary }: Omit<ServerSession, 'id' | 'rights' | 'accounts'>): Promise<string> {
      const [token, id] = [newToken(), randomUUID()];
      const owner = { ...summary, id };
      const isBoxed = key !== null && summary.person === null;
      const keyBox = isBoxed ? sealApiKey(key, { token, secret, owner }) : null;
      const readMono = clock.mono();
      const row = await rows.insert(tokenHash(token), { ...owner, keyBox, longestMs }).catch(sessionsUnavailable);
      const { rights, accounts } = row;
      addToCache(tokenHash(token), { session: { ...owner, key, rights, accounts }, row, readMono });
      return token;
    },
    /**
     * Ends a person's session and begins one on another account, as old as it was; or says why nothing was changed. Throws
     * SessionsUnavailable.
     */
    async switchAccount(
      token: string,
      { person, name }: Pick<ServerSession, 'person' | 'name'>,
      { account, credential }: Pick<ServerSession, 'account' | 'credential'>,
    ): Promise<{ token: string } | 'ended' | 'not-permitted'> {
      const [next, hash] = [newToken(), tokenHash(token)];
      const session = { id: randomUUID(), account, credential, person, name, sandbox: null, journalOnly: false };
      const row = await rows.replace(hash, tokenHash(next), { ...session, keyBox: null }).catch(sessionsUnavailable);
      if (row === 'not-permitted') return row;
      cache.delete(hash);
      ended.set(hash, { why: 'account-switched', at: clock.mono(), isWritten: true });
      return row === 'ended' ? row : { token: next };
    },
    /** Null for a token that is unknown, or whose session has ended, was idle for too long or is too old. Throws SessionsUnavailable. */
    async open(token: string): Promise<Readonly<ServerSession> | null> {
      const hash = tokenHash(token);
      // A cached token was checked when it was read.
      if (ended.has(hash) || !(cache.has(hash) || isOwnToken(token))) return null;
      const found = await read(token, hash);
      if (!found || !isOpen(hash, found)) {
        cache.delete(hash);
        return null;
      }
      if (cache.get(hash) !== found) addToCache(hash, found);
      const { session, row } = found;
      const isOldSignIn = session.person !== null && nowFor(found) - row.createdAt >= APPROVING_MS;
      return isOldSignIn ? { ...session, rights: { ...session.rights, isOldSignIn } } : session;
    },
    /** Records activity by a person, which is all that keeps a session from becoming idle. Never rejects. */
    async noteActivity(token: string): Promise<void> {
      const entry = cache.get(tokenHash(token));
      if (!entry || entry.row.readAt + clock.mono() - entry.readMono - entry.row.seenAt < ACTIVITY_WRITE_MS) return;
      const { row } = entry;
      // No second write until the row is read again. A failed write is ignored: it must not fail the read.
      entry.row = { ...row, seenAt: row.readAt + clock.mono() - entry.readMono };
      await rows.noteSeen(row.id).catch(() => undefined);
    },
    /** Ends the session at once here; the database row follows, after an outage too. Never rejects. */
    async end(token: string, why: SessionEnding): Promise<void> {
      if (!isOwnToken(token)) return;
      const hash = tokenHash(token);
      cache.delete(hash);
      if (!ended.has(hash)) ended.set(hash, { why, at: clock.mono(), isWritten: false });
      await writeEnding(hash);
    },
    /** Call it every minute: clears unused sessions from memory, writes pending endings, ends old rows, compares clocks. */
    async clean(): Promise<void> {
      for (const [hash, entry] of cache)
        if (!isOpen(hash, entry) || clock.mono() - entry.readMono >= CACHE_OUTAGE_MS) cache.delete(hash);
      for (const [hash, { at }] of ended) {
        await writeEnding(hash);
        if (clock.mono() - at >= LONGEST_MS) ended.delete(hash);
      }
      await rows.endOld().catch(() => undefined);
      await compareClocks().catch(() => undefined);
    },
  };
}

async function withTimeout<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The database does not answer.')), READ_TIMEOUT_MS);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}
