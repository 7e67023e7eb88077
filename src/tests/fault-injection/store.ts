import { copyOf, emptyJournal, memoryRows } from '#src/server/operations/testMemoryRows.ts';
import type { Rows } from '#src/server/operations/ports.ts';

/** A journal's tables, and what operators and bad disks do to them. */
export interface Store {
  rows: Rows;
  /** Keeps a copy of the whole. */
  backUp: () => Promise<void>;
  /** The copy takes its place. */
  restore: () => Promise<void>;
  /** The row cannot be read any more. */
  damage: (key: string) => Promise<void>;
}

/** `now`: the database's clock. */
export function memoryStore(id: string, now: () => number, isFenced = true): Store {
  let journal = { ...emptyJournal(id), isFenced };
  let copy = copyOf(journal);
  return {
    rows: memoryRows(() => journal, now),
    backUp: async () => {
      copy = copyOf(journal);
    },
    restore: async () => {
      journal = copyOf(copy);
    },
    damage: async (key) => {
      const entry = journal.entries.get(key);
      if (!entry) return;
      const { service, account, firstSent } = entry.record;
      const unreadable = {
        service,
        account,
        key,
        why: 'checksum' as const,
        firstSentAt: firstSent.service,
        closed: null,
      };
      journal.entries.set(key, { ...entry, unreadable });
    },
  };
}
