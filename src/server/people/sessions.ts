import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { openKeyBox, sealApiKey } from './keyBox.ts';
import {
  IDLE_MS,
  LONGEST_MS,
  type NewSession,
  type SessionEnding,
  type SessionRow,
  type SessionRows,
} from './sessionRows.ts';

/** How long a read may use what this process knows of a session. Writes read it in their own transaction. */
const FRESH_MS = 5_000;
/** While the database is away, a session that was read within this time still serves reads. */
const AWAY_MS = 5 * 60 * 1_000;
/** A person's activity is written at most this often. */
const SEEN_MS = 60_000;
const MOST_KNOWN = 1_000;
/** 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

export type ServerSession = Omit<NewSession, 'keyBox'> & {
  /** The API key; null if the service refused it at sign-in. */
  key: string | null;
};

/** The part of a session that is sent to the page. */
export type Who = Pick<ServerSession, 'account' | 'sandbox' | 'name' | 'journalOnly'>;

export type Sessions = ReturnType<typeof createSessions>;

/** The database is away, so nobody can say who this is. */
export class PeopleAway extends Error {
  override name = 'PeopleAway';
}

interface KnownSession {
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

/** Sessions in the database. The browser holds a random token, the database its hash. */
export function createSessions(rows: SessionRows, secret: string, clock: SessionClock) {
  // By the token's hash. Opening a key box costs more than the rest of a relayed read.
  const known = new Map<string, KnownSession>();

  function remember(hash: string, entry: KnownSession): void {
    known.delete(hash);
    const [oldest] = known.keys();
    if (oldest !== undefined && known.size >= MOST_KNOWN) known.delete(oldest);
    known.set(hash, entry);
  }

  /** By the stricter of the server's and the database's clock. */
  function isOpen({ row, readMono }: KnownSession): boolean {
    const now = Math.max(clock.wall(), row.readAt + clock.mono() - readMono);
    return now - row.seenAt < IDLE_MS && now - row.createdAt < LONGEST_MS;
  }

  async function read(token: string, hash: string): Promise<KnownSession | null> {
    const readMono = clock.mono();
    const before = known.get(hash);
    if (before && readMono - before.readMono < FRESH_MS) return before;
    const row = await rows.find(hash).catch((error: unknown) => {
      if (before && readMono - before.readMono < AWAY_MS) return before.row;
      return away(error);
    });
    if (row === before?.row) return before ?? null;
    if (row === null) return null;
    const session = before?.session ?? sessionIn(row, token);
    return session && { session, row, readMono };
  }

  /** Null if its key box doesn't open, as after a change of the secret. */
  function sessionIn(row: SessionRow, token: string): ServerSession | null {
    const { id, account, credential, sandbox, name, journalOnly, keyBox } = row;
    const key = keyBox === null ? null : openKeyBox(keyBox, { token, secret, session: id });
    if (key === null && !journalOnly) return null;
    return { id, account, credential, sandbox, name, journalOnly, key };
  }

  return {
    /** Records a session and returns the token for its cookie. Throws PeopleAway. */
    async start({ key, ...who }: Omit<ServerSession, 'id'>): Promise<string> {
      const [token, id] = [randomBytes(32).toString('base64url'), randomUUID()];
      const keyBox = key === null ? null : sealApiKey(key, { token, secret, session: id });
      const readMono = clock.mono();
      const row = await rows.insert(hashOf(token), { ...who, id, keyBox }).catch(away);
      remember(hashOf(token), { session: { ...who, id, key }, row, readMono });
      return token;
    },
    /** Null for a token that is unknown, or whose session has ended, was idle for too long or is too old. Throws PeopleAway. */
    async open(token: string): Promise<Readonly<ServerSession> | null> {
      if (!TOKEN.test(token)) return null;
      const hash = hashOf(token);
      const found = await read(token, hash);
      if (!found || !isOpen(found)) {
        known.delete(hash);
        return null;
      }
      if (known.get(hash) !== found) remember(hash, found);
      return found.session;
    },
    /** Notes that a person did something in it: only that keeps a session from becoming idle. Never rejects. */
    async noteActivity(token: string): Promise<void> {
      const entry = known.get(hashOf(token));
      if (!entry || entry.row.readAt + clock.mono() - entry.readMono - entry.row.seenAt < SEEN_MS) return;
      const { row } = entry;
      // Not again until it is read anew; without the database nothing can be written, and reads go on.
      entry.row = { ...row, seenAt: row.readAt + clock.mono() - entry.readMono };
      await rows.noteSeen(row.id).catch(() => undefined);
    },
    /** Throws PeopleAway: the session may still be open. */
    async end(session: ServerSession, why: SessionEnding): Promise<void> {
      for (const [hash, entry] of known) if (entry.session.id === session.id) known.delete(hash);
      await rows.end(session.id, why).catch(away);
    },
    /** Forgets sessions that nobody has used for a while: another server may have ended them, and their API keys are in memory. */
    forgetUnused(): void {
      for (const [hash, entry] of known)
        if (!isOpen(entry) || clock.mono() - entry.readMono >= AWAY_MS) known.delete(hash);
    },
  };
}

export function away(cause: unknown): never {
  throw new PeopleAway('The database cannot be reached.', { cause });
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
