import { randomUUID } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { JournalMark } from '#src/operations/rows.ts';

export const IDLE_SECONDS = 30 * 60;
export const LONGEST_SECONDS = 12 * 60 * 60;
const RESEAL_SECONDS = 60;

/** What the sealed cookie holds. Times are Unix seconds. */
export interface Session {
  id: string;
  key: string;
  account: string;
  service: string;
  /** The sandbox's own account id; null behind a forwarding gateway. */
  sandbox: string | null;
  /** The name given at sign-in, unproven. */
  name: string | null;
  /** The service refused the key at sign-in, and the journal knows its account. */
  journalOnly: boolean;
  /** What was last said of the journal. */
  mark: JournalMark | null;
  issuedAt: number;
  seenAt: number;
}

export interface Sessions {
  start(of: Omit<Session, 'id' | 'service' | 'issuedAt' | 'seenAt'>): Promise<string>;
  seal(session: Session): Promise<string>;
  /** What a seal says of the journal, however old it is; null where it says nothing. */
  markIn(sealed: string): Promise<JournalMark | null>;
  /** Null for a seal that is broken, idle for too long, too old, ended, or made for another service. */
  open(sealed: string): Promise<Session | null>;
  /** A fresh seal where the last one is a minute old, or does not say yet what the journal has reached; else null. */
  renew(session: Session, reached?: JournalMark | null): Promise<string | null>;
  end(session: Session): void;
}

/** Sessions live in the cookie alone; `now` is in milliseconds. */
export function createSessions(key: Uint8Array, service: string, now: () => number): Sessions {
  // An answer still on its way may carry a renewed seal that the browser takes after a sign-out: ended ids stay dead.
  const ended = new Map<string, number>();
  const seconds = () => Math.floor(now() / 1000);

  async function seal(session: Session): Promise<string> {
    const { id, issuedAt, seenAt, key: apiKey, account, sandbox, name, journalOnly, mark } = session;
    return new EncryptJWT({ apiKey, account, service, sandbox, name, journalOnly, mark, seenAt, issuedAt })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .setJti(id)
      .encrypt(key);
  }

  async function unseal(sealed: string): Promise<Session | null> {
    try {
      const { payload } = await jwtDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return readPayload(payload);
    } catch {
      return null;
    }
  }

  return {
    start: (of) => seal({ ...of, id: randomUUID(), service, issuedAt: seconds(), seenAt: seconds() }),
    seal,
    markIn: async (sealed) => (await unseal(sealed))?.mark ?? null,
    async open(sealed) {
      const session = await unseal(sealed);
      if (!session || session.service !== service || ended.has(session.id)) return null;
      if (seconds() - session.seenAt >= IDLE_SECONDS || seconds() - session.issuedAt >= LONGEST_SECONDS) return null;
      return session;
    },
    async renew(session, reached = null) {
      const isDue = seconds() - session.seenAt >= RESEAL_SECONDS;
      const isNews = reached !== null && !knows(session.mark, reached);
      if (ended.has(session.id) || (!isDue && !isNews)) return null;
      const seenAt = isDue ? seconds() : session.seenAt;
      return seal({ ...session, seenAt, mark: isNews ? reached : session.mark });
    },
    end(session) {
      for (const [id, until] of ended) if (until < seconds()) ended.delete(id);
      ended.set(session.id, session.issuedAt + LONGEST_SECONDS);
    },
  };
}

function readPayload(payload: Record<string, unknown>): Session | null {
  const { jti: id, apiKey: key, account, service, sandbox, name, journalOnly, mark, issuedAt, seenAt } = payload;
  if (typeof id !== 'string' || typeof key !== 'string' || typeof account !== 'string') return null;
  if (typeof service !== 'string' || typeof issuedAt !== 'number' || typeof seenAt !== 'number') return null;
  return {
    id,
    key,
    account,
    service,
    sandbox: typeof sandbox === 'string' ? sandbox : null,
    name: typeof name === 'string' ? name : null,
    journalOnly: journalOnly === true,
    mark: readMark(mark),
    issuedAt,
    seenAt,
  };
}

function knows(mark: JournalMark | null, { id, position }: JournalMark): boolean {
  return mark?.id === id && mark.position >= position;
}

function readMark(value: unknown): JournalMark | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('position' in value)) return null;
  const { id, position } = value;
  return typeof id === 'string' && typeof position === 'number' ? { id, position } : null;
}
