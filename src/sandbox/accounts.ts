import type { Queries } from '#src/server/database/sql.ts';
import { newApiKey, newId, sha256OfBytes } from './ids.ts';
import { invalid, notFound } from './outcome.ts';

export type SandboxAccount = {
  id: string;
  /** Added to the wall clock: each account has its own time. */
  offsetMs: number;
  /** True for the demo account, in which things happen by themselves as time passes. */
  lives: boolean;
};

const COLUMNS = 'a.id, a.offset_ms::float8 as "offsetMs", a.lives';

export async function accountOfKey(q: Queries, key: string | null): Promise<SandboxAccount | null> {
  if (key === null || key === '') return null;
  const [account] = await q.query<SandboxAccount>(
    `select ${COLUMNS} from api_keys k join accounts a on a.id = k.account
     where k.key_hash = $1 and not k.revoked`,
    [sha256OfBytes(key)],
  );
  return account ?? null;
}

export async function findAccount(q: Queries, id: string): Promise<SandboxAccount> {
  const [account] = await q.query<SandboxAccount>(`select ${COLUMNS} from accounts a where a.id = $1`, [id]);
  if (account === undefined) throw notFound(`account: there is no account "${id}".`);
  return account;
}

export async function createAccount(q: Queries, wall: number, lives: boolean): Promise<{ id: string; key: string }> {
  const id = newId('acct_');
  await q.query('insert into accounts (id, lives, created_at) values ($1, $2, $3)', [id, lives, wall]);
  return { id, key: await addKey(q, id) };
}

/** Creates another key for the account; only its hash is stored. */
export async function addKey(q: Queries, account: string): Promise<string> {
  const key = newApiKey();
  await q.query('insert into api_keys (key_hash, account) values ($1, $2)', [sha256OfBytes(key), account]);
  return key;
}

export async function setRevoked(q: Queries, account: string, key: string, revoked: boolean): Promise<void> {
  const changed = await q.query(
    'update api_keys set revoked = $3 where key_hash = $1 and account = $2 returning account',
    [sha256OfBytes(key), account, revoked],
  );
  if (changed.length === 0) throw invalid('key', 'this account has no such key.');
}

/**
 * Moves the account's clock and returns its new offset in milliseconds. When moving back, a living account
 * gets a new time for its next deposit, which would otherwise wait until the clock has caught up.
 */
export async function moveClock(q: Queries, account: string, byMs: number): Promise<number> {
  const [moved] = await q.query<{ offset_ms: number }>(
    `update accounts set offset_ms = offset_ms + $2, arrives_at = case when $2 < 0 then null else arrives_at end
     where id = $1 returning offset_ms::float8`,
    [account, byMs],
  );
  return moved?.offset_ms ?? 0;
}

/** An account's clock relative to the wall clock, in milliseconds. */
export interface AccountClock {
  now(): number;
  offsetMs(): number;
  /** Sum of all moves forward since this process started. */
  advancedMs(): number;
  /** Calls the listener after each move; returns a function to unsubscribe. */
  onMove(listener: () => void): () => void;
}

export type AccountClocks = ReturnType<typeof accountClocks>;

/** The accounts' clocks, for code in this process that waits by them. */
export function accountClocks(now: () => number) {
  const known = new Map<string, { offsetMs: number; advancedMs: number; listeners: Set<() => void> }>();

  const stateOf = (id: string, offsetMs: number) => {
    // A notified move is newer than a row read before it.
    const state = known.get(id) ?? { offsetMs, advancedMs: 0, listeners: new Set() };
    known.set(id, state);
    return state;
  };

  return {
    of({ id, offsetMs }: SandboxAccount): AccountClock {
      const state = stateOf(id, offsetMs);
      return {
        now,
        offsetMs: () => state.offsetMs,
        advancedMs: () => state.advancedMs,
        onMove(listener) {
          state.listeners.add(listener);
          return () => void state.listeners.delete(listener);
        },
      };
    },
    /** Call after the commit that moved the clock. */
    moved(account: string, offsetMs: number, byMs: number) {
      const state = stateOf(account, offsetMs);
      state.offsetMs = offsetMs;
      state.advancedMs += Math.max(0, byMs);
      for (const listener of state.listeners) listener();
    },
  };
}
