import type { OperationRecord } from '#src/shared/operations/record.ts';
import type { AccountOwner, OperationRow } from '#src/server/operations/ports.ts';
import {
  byDuplicateKey,
  type Entry,
  type MemoryJournal,
  pageOf,
  shownAs,
} from '#src/server/operations/testMemoryJournal.ts';
import type { BatchReads, BatchWrites } from '#src/server/operations/ports.ts';
import { changed } from './sqlBatches.ts';

// Batches of the journal in memory.

function hasFailed({ state, result }: OperationRecord): boolean {
  return (state === 'refused' || state === 'not-sent') && result === undefined;
}

export function memoryBatchReads(journal: () => MemoryJournal): BatchReads {
  const linesIn = (id: string): Entry[] =>
    [...journal().entries.values()]
      .filter(({ record }) => record.batch?.id === id)
      .sort((a, b) => lineOf(a) - lineOf(b));
  const ofOwner = (owner: AccountOwner) =>
    [...journal().batches.values()].filter((batch) => isOf(batch, owner)).sort((a, b) => Number(b.seq - a.seq));
  return {
    batch: async (id) => journal().batches.get(id) ?? null,
    batches: async (owner, { cursor, limit }) => {
      const fitting = ofOwner(owner).filter(({ seq }) => cursor === null || seq < BigInt(cursor));
      const page = fitting.slice(0, limit);
      return { batches: page, next: fitting.length > limit ? String(page.at(-1)?.seq) : null };
    },
    unended: async (owner, limit) =>
      ofOwner(owner)
        .filter(({ state }) => state === 'running' || state === 'paused')
        .slice(0, limit),
    withApprovals: async () => [],
    batchesOf: async (ids) => ids.flatMap((id) => journal().batches.get(id) ?? []),
    bodiesOf: async (ids) =>
      ids.flatMap((batch) =>
        linesIn(batch).map(({ record, unreadable }) => ({ batch, body: unreadable ? null : record.body })),
      ),
    listTogether: async (owner, of) => {
      const { entries, shown } = journal();
      const isListed = ({ record }: Entry): boolean =>
        isOf(record, owner)
          ? record.batch === undefined
          : record.service === owner.service && shown.has(shownAs(record.key, owner.account));
      const { page, next } = pageOf(
        [
          ...ofOwner(owner).map((batch) => ({ seq: batch.seq, line: null, entry: { batch } })),
          ...[...entries.values()].filter(isListed).map((entry) => {
            return { seq: entry.seq, line: entry.record.batch?.line ?? null, entry: rowOf(entry) };
          }),
        ],
        of,
      );
      return { entries: page.map(({ entry }) => entry), next };
    },
    fileOf: async (id) => journal().batches.get(id)?.file ?? null,
    lineCounts: async (ids, now) =>
      ids.flatMap((batch) =>
        linesIn(batch).map(({ record: { state, leaseUntil = 0, approval } }) => {
          const isAbandoned = state === 'sending' && leaseUntil <= now;
          return { batch, state, isAbandoned, count: 1, hours: approval?.hours ?? null };
        }),
      ),
    linesOf: async (id) => linesIn(id).map(rowOf),
    nextLine: async (id, after) => {
      const found = linesIn(id).find((entry) => entry.record.state === 'awaiting' && lineOf(entry) > after);
      return found === undefined ? null : rowOf(found);
    },
    sameBatch: async (owner, fingerprint) => ofOwner(owner).find((batch) => batch.fingerprint === fingerprint) ?? null,
    linesSince: async (owner, duplicateKeys, since) =>
      [...journal().entries.values()]
        .filter(({ record, duplicateKey }) => isOf(record, owner) && duplicateKeys.includes(duplicateKey))
        .filter(({ record }) => (record.recorded?.database ?? since) > since && !hasFailed(record))
        .map(rowOf),
    referencesUsed: async (owner, references) =>
      new Map(
        [...journal().entries.values()].flatMap(({ record }) => {
          const reference = record.batch?.reference ?? null;
          const isUsed = isOf(record, owner) && !hasFailed(record);
          return reference !== null && references.includes(reference) && isUsed ? [[reference, record.key]] : [];
        }),
      ),
    byDuplicateKeys: async (duplicateKeys, since) =>
      duplicateKeys.flatMap((duplicateKey) => byDuplicateKey(journal(), duplicateKey, since).map(rowOf)),
  };
}

export function memoryBatchWrites(
  journal: MemoryJournal,
  insert: (record: OperationRecord, duplicateKey: string) => void,
): BatchWrites {
  const { batches, entries } = journal;
  return {
    ...memoryBatchReads(() => journal),
    awaitingCount: async (owner) =>
      [...entries.values()].filter(({ record }) => isOf(record, owner) && record.state === 'awaiting').length,
    insertBatch: async (batch, file, lines) => {
      if (batches.has(batch.id)) throw new Error('The batch is there already.');
      batches.set(batch.id, { ...batch, file, seq: journal.position });
      for (const { record, duplicateKey } of lines) insert(record, duplicateKey);
    },
    replaceBatch: async (batch, changes) => {
      const known = batches.get(batch.id);
      if (known?.revision !== batch.revision) throw new Error('The batch is no longer the one that was read.');
      const next = { ...known, ...changed(batch, changes) };
      batches.set(batch.id, next);
      return next;
    },
    renewRun: async (id, run, leaseUntil) => {
      const batch = batches.get(id);
      if (batch?.run?.id !== run) return false;
      batches.set(id, { ...batch, run: { ...batch.run, leaseUntil } });
      return true;
    },
    discardLines: async (id, ending) => {
      for (const [key, entry] of entries) {
        const { record } = entry;
        if (record.batch?.id !== id || record.state !== 'awaiting') continue;
        const ended: OperationRecord = { ...record, ...ending, state: 'not-sent', revision: record.revision + 1 };
        entries.set(key, { ...entry, record: ended });
      }
    },
  };
}

function lineOf({ record }: Entry): number {
  return record.batch?.line ?? 0;
}

function rowOf({ record, duplicateKey, seq, unreadable }: Entry): OperationRow {
  return unreadable ? { duplicateKey, seq, unreadable } : { duplicateKey, seq, record };
}

function isOf(record: AccountOwner, { service, account }: AccountOwner): boolean {
  return record.service === service && record.account === account;
}
