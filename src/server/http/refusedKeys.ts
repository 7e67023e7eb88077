import type { Clock } from '#src/server/operations/ports.ts';
import { logLine } from './log.ts';

/** Refusals per client that are answered at once; then one per interval. */
const BURST = 10;
const INTERVAL_MS = 1_000;
/** Shorter than the timeout of the sign-in page. */
const WAIT_MAX_MS = 20_000;
/** Maximum clients to remember; the one whose last refusal is oldest is dropped first. */
const CLIENTS_MAX = 10_000;

interface Client {
  /** When its burst is full again, by the clock's `mono`. */
  clearAt: number;
  isLogged: boolean;
}

export type RefusedKeys = ReturnType<typeof createRefusedKeys>;

/** Slows down guessing of API keys. Only refused keys pass through here, so a key that works never waits. */
export function createRefusedKeys({ mono, later }: Pick<Clock, 'mono' | 'later'>) {
  const clients = new Map<string, Client>();

  function waitOf(name: string): number {
    const now = mono();
    const client = clients.get(name) ?? { clearAt: now, isLogged: false };
    if (client.clearAt <= now) client.isLogged = false;
    const clearAt = Math.max(client.clearAt, now) + INTERVAL_MS;
    const wait = Math.max(0, clearAt - now - BURST * INTERVAL_MS);
    client.clearAt = Math.min(clearAt, now + BURST * INTERVAL_MS + WAIT_MAX_MS);
    if (wait > 0 && !client.isLogged) {
      client.isLogged = true;
      logLine(`Sign-in: refused API keys from ${name} are answered late`);
    }
    // Moves it to the end: the map is ordered by the latest refusal.
    clients.delete(name);
    clients.set(name, client);
    forget(now);
    return Math.min(wait, WAIT_MAX_MS);
  }

  function forget(now: number): void {
    for (const [name, { clearAt }] of clients) {
      if (clearAt > now && clients.size <= CLIENTS_MAX) return;
      clients.delete(name);
    }
  }

  return {
    /** Resolves when this client may get the answer to a refused key. */
    delay: async (name: string): Promise<void> => {
      const wait = waitOf(name);
      if (wait > 0) await new Promise<void>((resolve) => void later(resolve, wait));
    },
    size: () => clients.size,
  };
}
