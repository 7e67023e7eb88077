import { whySignedBlocksKeyMode } from './contentHash.ts';
import { beyondApproval } from '#src/server/people/signatures.ts';
import { rightsInKeyMode, type SessionRights } from '#src/server/people/actor.ts';
import { byDuplicateKey, bySeq, copyOf, type Entry, type MemoryJournal, pageOf, shownAs } from './testMemoryJournal.ts';
import { memoryBatchReads, memoryBatchWrites } from './batches/testMemoryBatches.ts';
import { KIND } from '#src/shared/operations/kinds.ts';
import { type OperationRecord, knownResultId } from '#src/shared/operations/record.ts';
import { holdsDuplicateKey, isUnresolved, isUnsent } from '#src/shared/operations/states.ts';
import type {
  EndedSince,
  JournalFacts,
  JournalMark,
  AccountOwner,
  OperationRow,
  Rows,
  WriteTransaction,
} from './ports.ts';

const NOBODY_APPROVES = {
  needOf: async () => null,
  needOfBatch: async () => null,
  approvalsOf: async () => [],
  stopsOf: async () => [],
  approversOf: async () => [],
  approvalRows: async () => ({ waiting: [], more: 0, decided: [] }),
  overdue: async () => [],
  nameOf: async () => null,
};

/** The journal's rows in memory, for fault injection. A property test compares them with the SQL rows. `now`: the database's clock. */
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
    batches: memoryBatchReads(journal),
    facts,
    byKey: async (key: string) => {
      const entry = journal().entries.get(key);
      return entry ? rowOf(entry) : null;
    },
    byKeys: async (keys: readonly string[]) => keys.flatMap((key) => journal().entries.get(key) ?? []).map(rowOf),
    tombstone: async (key: string) => journal().tombstones.get(key) ?? null,
    byDuplicateKey: async (duplicateKey: string, since: EndedSince | null) =>
      byDuplicateKey(journal(), duplicateKey, since).map(rowOf),
    keyOfResult: async (service: string, id: string) => keyOfResult(journal(), service, id),
    hasMark: async ({ position, nonce }: JournalMark) => journal().marks.get(position) === nonce,
    isFormerId: async (id: string) => journal().formerIds.has(id),
    ...NOBODY_APPROVES,
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
        ({ record }) =>
          isSeenBy(journal(), record, owner) &&
          (states === null || states.includes(record.state)) &&
          (kind === null || record.kind === kind) &&
          (about === null || isAbout(record, about)),
      );
      const placed = fitting.map((entry) => ({ entry, seq: entry.seq, line: entry.record.batch?.line ?? null }));
      const { page, next } = pageOf(placed, { cursor, limit });
      return { rows: page.map(({ entry }) => rowOf(entry)), next };
    },
    operationsOfOtherAccounts: async ({ service, account }, limit) =>
      ordered()
        .flatMap(({ record, unreadable }) => (unreadable ? [] : [record]))
        .filter((record) => record.service === service && record.account !== account)
        .filter((record) => record.kind === 'withdrawal' && knownResultId(record) !== null)
        .slice(0, limit),
    isSharedWith: async (key, account) => journal().shown.has(shownAs(key, account)),
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
  const insert = (record: OperationRecord, duplicateKey: string): void => {
    if (entries.has(record.key)) throw new Error('The key is there already.');
    entries.set(record.key, { seq: journal.position, duplicateKey, record, unreadable: null });
    guard(journal, record, { duplicateKey });
  };
  const replace = async (next: OperationRecord, before: OperationRecord): Promise<void> => {
    const entry = entries.get(next.key);
    if (entry?.record.revision !== before.revision) throw new Error('The record is no longer the one that was read.');
    entries.set(next.key, { ...entry, record: next });
    guard(journal, next, entry);
  };
  return {
    batches: memoryBatchWrites(journal, (record, duplicateKey) => insert(record, duplicateKey)),
    facts: async () => factsOf(journal, now),
    hasMark: async ({ position, nonce }) => journal.marks.get(position) === nonce,
    isFormerId: async (id) => journal.formerIds.has(id),
    ...NOBODY_APPROVES,
    byKey: async (key) => {
      const entry = entries.get(key);
      return entry ? rowOf(entry) : null;
    },
    byKeys: async (keys) => keys.flatMap((key) => entries.get(key) ?? []).map(rowOf),
    tombstone: async (key) => tombstones.get(key) ?? null,
    byDuplicateKey: async (duplicateKey, since) => byDuplicateKey(journal, duplicateKey, since).map(rowOf),
    keyOfResult: async (service, id) => keyOfResult(journal, service, id),
    unresolvedCount: async (owner) =>
      all().filter(({ record }) => isOf(record, owner) && isUnresolved(record.state)).length,
    unsent: async (preparedBy) =>
      all()
        .flatMap(({ record, unreadable }) => (!unreadable && isUnsent(record.state) ? [record] : []))
        .filter(
          ({ service, account, signed }) =>
            preparedBy === undefined ||
            (service === preparedBy.service && account === preparedBy.account && signed?.maker === preparedBy.maker),
        ),
    insert: async (record, duplicateKey) => insert(record, duplicateKey),
    insertSignature: () => Promise.reject(new Error('In memory nobody signs.')),
    insertRejection: () => Promise.reject(new Error('In memory nobody signs.')),
    whyNotApproved: async (record) => beyondApproval(whySignedBlocksKeyMode(record)),
    findingsLastApproverSaw: async () => [],
    replace,
    replaceAll: async (changes) => {
      for (const { next, before } of changes) await replace(next, before);
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
    shareWith: async (key, account) => void shown.add(shownAs(key, account)),
    note: async (by, act) => void journal.lines.push({ ...by, ...act, at: now }),
    joinCredential: () => Promise.reject(new Error('In memory an account has one key.')),
    setBack: async (at, mark) => {
      journal.setBackAt = at;
      journal.setBackPosition = journal.position;
      journal.formerIds.add(journal.id).add(mark.id);
      for (const [key, entry] of entries)
        if (entry.record.state === 'awaiting') entries.set(key, { ...entry, twin: key });
      for (const [id, batch] of journal.batches) {
        const isOpen = batch.state === 'waiting' || batch.state === 'running' || batch.state === 'paused';
        const paused = { state: 'paused', why: 'set-back', whyLine: null, run: null } as const;
        if (isOpen) journal.batches.set(id, { ...batch, ...paused, revision: batch.revision + 1 });
      }
      journal.id = `jnl_${(journal.names.count += 1)}_${journal.id}`.slice(0, 60);
    },
    endSetBack: async () => {
      journal.setBackAt = null;
      journal.setBackPosition = null;
    },
  };
}

function keyOfResult({ entries }: MemoryJournal, service: string, id: string): string | null {
  for (const { record } of entries.values()) {
    if (record.kind === 'withdrawal' && isSameService(record.service, service) && record.result?.id === id)
      return record.key;
  }
  return null;
}

/** A journal has one service beside the sandbox, whose address may have several spellings. */
function isSameService(one: string, other: string): boolean {
  return (one === 'sandbox') === (other === 'sandbox');
}

/** Like the database's two unique indexes. */
function guard(
  { entries, isFenced }: MemoryJournal,
  record: OperationRecord,
  { duplicateKey, twin }: Pick<Entry, 'duplicateKey' | 'twin'>,
): void {
  if (!isFenced) return;
  const others = [...entries.values()].filter(({ record: other }) => other.key !== record.key);
  const id = record.kind === 'withdrawal' ? record.result?.id : undefined;
  const isTaken = ({ record: other }: Entry): boolean =>
    other.kind === 'withdrawal' && isSameService(other.service, record.service) && other.result?.id === id;
  if (typeof id === 'string' && others.some(isTaken)) throw new Error('operations_result');
  const isHeld = ({ record: other, duplicateKey: held, twin: otherTwin }: Entry): boolean =>
    held === duplicateKey &&
    otherTwin === twin &&
    other.service === record.service &&
    other.credential === record.credential &&
    holdsDuplicateKey(other.state);
  if (holdsDuplicateKey(record.state) && others.some(isHeld)) throw new Error('operations_place');
}

function factsOf({ id, position, marks, setBackAt, setBackPosition }: MemoryJournal, now: number): JournalFacts {
  return { id, position, nonce: marks.get(position) ?? '', setBackAt, setBackPosition, now };
}

function isSeenBy({ shown }: MemoryJournal, record: OperationRecord, owner: AccountOwner): boolean {
  if (isOf(record, owner)) return true;
  return record.service === owner.service && shown.has(shownAs(record.key, owner.account));
}

function isOf(record: AccountOwner, { service, account }: AccountOwner): boolean {
  return record.service === service && record.account === account;
}

/** Whether a record is about this withdrawal id, webhook delivery or look-alike id. */
function isAbout(record: OperationRecord, id: string): boolean {
  return (
    knownResultId(record) === id ||
    record.attempts.some(({ resultId }) => resultId === id) ||
    record.secondSendOf.includes(id) ||
    KIND[record.kind].aboutOf(record).destination === id
  );
}
