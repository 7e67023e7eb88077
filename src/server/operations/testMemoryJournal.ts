import type { Act, ActBy } from '#src/server/activity/activityLog.ts';
import type { Clocks, OperationRecord } from '#src/shared/operations/record.ts';
import { isUnresolved, STATES } from '#src/shared/operations/states.ts';
import { type Batch, cursorAt, type EndedSince, readCursor, type Tombstone, type UnreadableRow } from './ports.ts';

export interface Entry {
  seq: bigint;
  duplicateKey: string;
  record: OperationRecord;
  /** Its own key, if it is the later of two operations with one duplicate key, as in SQL. */
  twin?: string;
  /** Returned instead of the record. */
  unreadable: UnreadableRow | null;
}

/** The content of a journal in memory; a copy of it is a backup. */
export interface MemoryJournal {
  id: string;
  /** Whether the database's unique indexes apply. */
  isFenced: boolean;
  position: bigint;
  /** The nonce of each write, by position. */
  marks: Map<bigint, string>;
  /** Counts nonces and ids, so that copies of a journal share none. */
  names: { count: number };
  setBackAt: number | null;
  setBackPosition: bigint | null;
  /** Former ids of this journal, and ids in the marks that proved a set-back. */
  formerIds: Set<string>;
  entries: Map<string, Entry>;
  batches: Map<string, Batch & { seq: bigint; file: string }>;
  tombstones: Map<string, Tombstone>;
  shown: Set<string>;
  /** Lines of the activity. */
  lines: (ActBy & Act & { at: number })[];
}

export function emptyJournal(id: string): MemoryJournal {
  return {
    id,
    isFenced: true,
    position: 0n,
    marks: new Map([[0n, 'n0']]),
    names: { count: 0 },
    setBackAt: null,
    setBackPosition: null,
    formerIds: new Set(),
    entries: new Map(),
    batches: new Map(),
    tombstones: new Map(),
    shown: new Set(),
    lines: [],
  };
}

export function byDuplicateKey({ entries }: MemoryJournal, duplicateKey: string, since: EndedSince | null): Entry[] {
  return [...entries.values()]
    .filter((entry) => entry.duplicateKey === duplicateKey)
    .filter(({ record: { state, ended } }) => {
      if (since === null || isUnresolved(state) || ended === undefined) return true;
      const isAfter = ({ service, server, database }: Clocks): boolean =>
        ended.service > service || ended.server > server || ended.database > database;
      return isAfter(since.proven) || (STATES[state].isOutcomeOpen && isAfter(since.unproven));
    })
    .sort(bySeq);
}

/** A copy. Counters for nonces and ids stay shared, so that two copies never create the same one. */
export function copyOf(journal: MemoryJournal): MemoryJournal {
  return {
    ...journal,
    entries: new Map(journal.entries),
    batches: new Map(journal.batches),
    tombstones: new Map(journal.tombstones),
    shown: new Set(journal.shown),
    lines: [...journal.lines],
    marks: new Map(journal.marks),
    formerIds: new Set(journal.formerIds),
  };
}

/** A page of a list, newest first, of rows that lie at a position and perhaps at a batch's line. */
export function pageOf<T extends { seq: bigint; line: number | null }>(
  rows: readonly T[],
  { cursor, limit }: { cursor: string | null; limit: number },
): { page: T[]; next: string | null } {
  const at = cursor === null ? null : readCursor(cursor);
  const isAfter = ({ seq, line }: T): boolean =>
    at === null ||
    seq < BigInt(at.seq) ||
    (seq === BigInt(at.seq) && at.line !== null && line !== null && line > at.line);
  const fitting = rows.filter(isAfter).sort((a, b) => Number(b.seq - a.seq) || (a.line ?? 0) - (b.line ?? 0));
  const page = fitting.slice(0, limit);
  const last = page.at(-1);
  return { page, next: fitting.length > limit && last ? cursorAt({ seq: String(last.seq), line: last.line }) : null };
}

export function shownAs(key: string, account: string): string {
  return `${account} ${key}`;
}

export function bySeq(a: Entry, b: Entry): number {
  return Number(a.seq - b.seq);
}
