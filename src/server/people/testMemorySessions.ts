import { rightsInKeyMode, type SessionRights } from './actor.ts';
import { type SessionRow, type SessionRows } from './sessionRows.ts';
import { IDLE_MS } from './sessionAge.ts';

/** Sessions in memory, for tests. `now`: the database's clock, ms. `rightsOf`: the rights, as a write transaction reads them. */
export function memorySessionRows(
  now: () => number,
): SessionRows & { rightsOf: (id: string) => SessionRights | null; endAll: () => Promise<void> } {
  const open = new Map<string, Omit<SessionRow, 'readAt'>>();
  const entryOf = (id: string) => [...open].find(([, session]) => session.id === id);
  const isOld = ({ seenAt, createdAt, longestMs }: Omit<SessionRow, 'readAt'>) =>
    now() - seenAt >= IDLE_MS || now() - createdAt >= longestMs;
  const rightsOf = (id: string): SessionRights | null => {
    const session = entryOf(id)?.[1];
    return session === undefined || isOld(session) ? null : rightsInKeyMode(session);
  };
  return {
    rightsOf,
    endAll: async () => open.clear(),
    insert: async (hash, session) => {
      const opened = { ...session, rights: rightsInKeyMode(session), accounts: [], createdAt: now(), seenAt: now() };
      open.set(hash, opened);
      return { ...opened, readAt: now() };
    },
    find: async (hash) => {
      const session = open.get(hash);
      return session === undefined ? null : { ...session, readAt: now() };
    },
    // Only people can switch accounts, and these sessions are of key mode.
    replace: async () => 'ended',
    noteSeen: async (id) => {
      const [hash, session] = entryOf(id) ?? [];
      if (hash !== undefined && session !== undefined && !isOld(session)) open.set(hash, { ...session, seenAt: now() });
    },
    end: async (hash) => void open.delete(hash),
    endOld: async () => {
      for (const [hash, session] of open) if (isOld(session)) open.delete(hash);
    },
    now: async () => now(),
  };
}
