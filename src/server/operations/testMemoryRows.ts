import type { Act, ActBy } from '#src/server/activity/activityLog.ts';
import { rightsInKeyMode, type SessionRights } from '#src/server/people/actor.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type Clocks, type OperationRecord, knownResultId } from '#src/shared/operations/record.ts';
import { holdsDuplicateKey, isUnresolved } from '#src/shared/operations/states.ts';
import type {
  JournalFacts,
  JournalMark,
  AccountOwner,
  OperationRow,
  Rows,
  Tombstone,
  WriteTransaction,
  UnreadableRow,
} from './ports.ts';

interface Entry {
  seq: bigint;
  duplicateKey: string;
  record: OperationRecord;
  /** Returned instead of the record. */
  unreadable: UnreadableRow | null;
}

/** The content of a journal in memory; a copy of it is a backup. */
export interface MemoryJournal {
  id: string;
  /** False: without the database's unique indexes. */
  isFenced: boolean;
  position: bigint;
  /** The nonce of each write, by position. */
  marks: Map<bigint, string>;
  /** Counts nonces and ids, so that copies of a journal share none. */
  names: { count: number };
  setBackAt: number | null;
  setBackPosition: bigint | null;
  /** Ids that it or the journal of a mark had when it was found to be set back. */
  formerIds: Set<string>;
  entries: Map<string, Entry>;
  tombstones: Map<string, Tombstone>;
  shown: Set<string>;
  /** The activity. */
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
    tombstones: new Map(),
    shown: new Set(),
    lines: [],
  };
}

/** The journal's rows in memory, for long simulations. A property test compares them with the SQL rows. `now`: the database's clock. */
export function memoryRows(
  journal: () => MemoryJournal,
  now: () => number,
  sessionRights: (id: string) => SessionRights | null = () => rightsInKeyMode({ journalOnly: false }),
): Rows {
  const facts = async (): Promise<JournalFacts> => {
    return factsOf(journal(), now());
  };
  const rowOf = ({ record, duplicateKey, seq, unreadable }: Entry): OperationRow =>
    unreadable ? { duplicateKey, seq, unreadable } : { duplicateKey, seq, record };
  const reads = {
    facts,
    byKey: async (key: string) => {
      const entry = journal().entries.get(key);
      return entry ? rowOf(entry) : null;
    },
    tombstone: async (key: string) => journal().tombstones.get(key) ?? null,
    byDuplicateKey: async (duplicateKey: string, since: Clocks | null) =>
      byDuplicateKey(journal(), duplicateKey, since).map(rowOf),
    keyOfResult: async (service: string, id: string) => keyOfResult(journal(), service, id),
    hasMark: async ({ position, nonce }: JournalMark) => journal().marks.get(position) === nonce,
    isFormerId: async (id: string) => journal().formerIds.has(id),
  };
  const ordered = (): Entry[] => [...journal().entries.values()].sort((a, b) => bySeq(b, a));
  let last: Promise<unknown> = Promise.resolve();

  return {
    ...reads,
    write: (work) => {
      const written = last.then(async () => {
        const begun = copyOf(journal());
        begun.position += 1n;
        begun.marks.set(begun.position, `n${(begun.names.count += 1)}`);
        const value = await work({ ...turnOn(begun, now(), rowOf), sessionRights: async (id) => sessionRights(id) });
        Object.assign(journal(), begun);
        return value;
      });
      last = written.catch(() => undefined);
      return written;
    },
    list: async ({ states, kind, about, cursor, limit, ...owner }) => {
      const fitting = ordered().filter(
        ({ record, seq }) =>
          isSeenBy(journal(), record, owner) &&
          (states === null || states.includes(record.state)) &&
          (kind === null || record.kind === kind) &&
          (about === null || isAbout(record, about)) &&
          (cursor === null || seq < BigInt(cursor)),
      );
      const page = fitting.slice(0, limit);
      return { rows: page.map(rowOf), next: fitting.length > limit ? String(page.at(-1)?.seq) : null };
    },
    ofOthers: async ({ service, account }, limit) =>
      ordered()
        .flatMap(({ record, unreadable }) => (unreadable ? [] : [record]))
        .filter((record) => record.service === service && record.account !== account)
        .filter((record) => record.kind === 'withdrawal' && knownResultId(record) !== null)
        .slice(0, limit),
    isShownTo: async (key, account) => journal().shown.has(shownAs(key, account)),
    hasAccount: async (owner) => ordered().some(({ record }) => isOf(record, owner)),
  };
}

function turnOn(
  journal: MemoryJournal,
  now: number,
  rowOf: (entry: Entry) => OperationRow,
): Omit<WriteTransaction, 'sessionRights'> {
  const { entries, tombstones, shown } = journal;
  const all = (): Entry[] => [...entries.values()].sort(bySeq);
  return {
    facts: async () => factsOf(journal, now),
    hasMark: async ({ position, nonce }) => journal.marks.get(position) === nonce,
    isFormerId: async (id) => journal.formerIds.has(id),
    byKey: async (key) => {
      const entry = entries.get(key);
      return entry ? rowOf(entry) : null;
    },
    tombstone: async (key) => tombstones.get(key) ?? null,
    byDuplicateKey: async (duplicateKey, since) => byDuplicateKey(journal, duplicateKey, since).map(rowOf),
    keyOfResult: async (service, id) => keyOfResult(journal, service, id),
    unresolvedCount: async (owner) =>
      all().filter(({ record }) => isOf(record, owner) && isUnresolved(record.state)).length,
    ready: async () =>
      all().flatMap(({ record, unreadable }) => (!unreadable && record.state === 'ready' ? [record] : [])),
    insert: async (record, duplicateKey) => {
      if (entries.has(record.key)) throw new Error('The key is there already.');
      entries.set(record.key, { seq: journal.position, duplicateKey, record, unreadable: null });
      guard(journal, record, duplicateKey);
    },
    replace: async (next, before) => {
      const entry = entries.get(next.key);
      if (entry?.record.revision !== before.revision) throw new Error('The record is no longer the one that was read.');
      entries.set(next.key, { ...entry, record: next });
      guard(journal, next, entry.duplicateKey);
    },
    writeTombstone: async (tombstone) => {
      if (!tombstones.has(tombstone.key)) tombstones.set(tombstone.key, tombstone);
    },
    closeUnreadable: async (key, { words, at }) => {
      const entry = entries.get(key);
      if (!entry?.unreadable) return;
      const { ended: _, ...record } = entry.record;
      const closed: OperationRecord = { ...record, state: 'closed', revision: record.revision + 1 };
      entries.set(key, { ...entry, record: closed, unreadable: { ...entry.unreadable, closed: { words, at } } });
    },
    show: async (key, account) => void shown.add(shownAs(key, account)),
    note: async (by, act) => void journal.lines.push({ ...by, ...act, at: now }),
    joinCredential: () => Promise.reject(new Error('In memory an account has one key.')),
    setBack: async (at, mark) => {
      journal.setBackAt = at;
      journal.setBackPosition = journal.position;
      journal.formerIds.add(journal.id).add(mark.id);
      journal.id = `jnl_${(journal.names.count += 1)}_${journal.id}`.slice(0, 60);
    },
    endSetBack: async () => {
      journal.setBackAt = null;
      journal.setBackPosition = null;
    },
  };
}

function byDuplicateKey({ entries }: MemoryJournal, duplicateKey: string, since: Clocks | null): Entry[] {
  return [...entries.values()]
    .filter((entry) => entry.duplicateKey === duplicateKey)
    .filter(({ record: { state, ended } }) => {
      if (since === null || isUnresolved(state) || ended === undefined) return true;
      return ended.service > since.service || ended.server > since.server || ended.database > since.database;
    })
    .sort(bySeq);
}

function keyOfResult({ entries }: MemoryJournal, service: string, id: string): string | null {
  for (const { record } of entries.values()) {
    if (record.kind === 'withdrawal' && isSameService(record.service, service) && record.result?.id === id)
      return record.key;
  }
  return null;
}

/** A journal holds one service beside the sandbox, whose address may have been spelled in several ways. */
function isSameService(one: string, other: string): boolean {
  return (one === 'sandbox') === (other === 'sandbox');
}

/** Like the database's two unique indexes. */
function guard({ entries, isFenced }: MemoryJournal, record: OperationRecord, duplicateKey: string): void {
  if (!isFenced) return;
  const others = [...entries.values()].filter(({ record: other }) => other.key !== record.key);
  const id = record.kind === 'withdrawal' ? record.result?.id : undefined;
  const isTaken = ({ record: other }: Entry): boolean =>
    other.kind === 'withdrawal' && isSameService(other.service, record.service) && other.result?.id === id;
  if (typeof id === 'string' && others.some(isTaken)) throw new Error('operations_result');
  const isHeld = ({ record: other, duplicateKey: held }: Entry): boolean =>
    held === duplicateKey &&
    other.service === record.service &&
    other.credential === record.credential &&
    holdsDuplicateKey(other.state);
  if (holdsDuplicateKey(record.state) && others.some(isHeld)) throw new Error('operations_place');
}

/** A copy. Counters for nonces and ids stay shared, so that two copies never create the same one. */
export function copyOf(journal: MemoryJournal): MemoryJournal {
  return {
    ...journal,
    entries: new Map(journal.entries),
    tombstones: new Map(journal.tombstones),
    shown: new Set(journal.shown),
    lines: [...journal.lines],
    marks: new Map(journal.marks),
    formerIds: new Set(journal.formerIds),
  };
}

function factsOf({ id, position, marks, setBackAt, setBackPosition }: MemoryJournal, now: number): JournalFacts {
  return { id, position, nonce: marks.get(position) ?? '', setBackAt, setBackPosition, now };
}

function bySeq(a: Entry, b: Entry): number {
  return Number(a.seq - b.seq);
}

function isSeenBy({ shown }: MemoryJournal, record: OperationRecord, owner: AccountOwner): boolean {
  if (isOf(record, owner)) return true;
  return record.service === owner.service && shown.has(shownAs(record.key, owner.account));
}

function isOf(record: AccountOwner, { service, account }: AccountOwner): boolean {
  return record.service === service && record.account === account;
}

function shownAs(key: string, account: string): string {
  return `${account} ${key}`;
}

/** The withdrawal's id, delivery or token by which a record is found as being about it. */
function isAbout(record: OperationRecord, id: string): boolean {
  return (
    knownResultId(record) === id ||
    record.attempts.some(({ resultId }) => resultId === id) ||
    record.secondSendOf.includes(id) ||
    KIND[record.kind].aboutOf(record).destination === id
  );
}
