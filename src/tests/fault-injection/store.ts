import { memoryRows } from '#src/server/operations/testMemoryRows.ts';
import { copyOf, emptyJournal } from '#src/server/operations/testMemoryJournal.ts';
import type { Rows } from '#src/server/operations/ports.ts';

/** A journal's tables, with backup, restore and damage. */
export interface JournalStore {
  rows: Rows;
  /** Makes a copy of the journal. */
  backUp: () => Promise<void>;
  /** Replaces the journal by the copy. */
  restore: () => Promise<void>;
  /** Makes a row unreadable. */
  damage: (key: string) => Promise<void>;
}

/** `now`: the database's clock. */
export function memoryStore(id: string, now: () => number, isFenced = true): JournalStore {
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
