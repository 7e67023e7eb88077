import { step } from './engine.ts';
import type { ActBy } from '#src/server/activity/activityLog.ts';
import type { JournalMark, Ports, JournalReads, Rows, WriteTransaction } from './ports.ts';

/**
 * Detects that the journal went back to an older state: a backup restored, a replica without the last commits promoted, a
 * new disk. The proof is a mark of a write that is no longer in its history, kept by this server (in memory and on disk)
 * or by a browser.
 */
export function watchForSetBack({ rows, marks, lastMark, neverSetBack, warn, service }: Ports) {
  const onServer = { service: service.name, account: null, person: null, who: null };
  // Moves only to marks of a history that contains the one before.
  let latest: JournalMark | null = null;
  let hasWarned = false;

  const watched: Rows = {
    ...rows,
    write: async (work) => {
      let written: JournalMark | null = null;
      const value = await rows.write(async (transaction) => {
        if (latest !== null) await noteSetBack(transaction, latest);
        const value = await work(transaction);
        const { id, position, nonce } = await transaction.facts();
        written = { id, position, nonce };
        return value;
      });
      // Not `written` itself: commits may be reported out of order.
      if (written !== null) await lastMark.keep(marks.write(noteLatest(written)));
      return value;
    },
  };

  function noteLatest(mark: JournalMark): JournalMark {
    if (latest === null || latest.id !== mark.id || latest.position < mark.position) latest = mark;
    return latest;
  }

  /** Does nothing if the mark is in the journal's history or belongs to a set-back that was noted before. */
  async function noteSetBack(transaction: WriteTransaction, mark: JournalMark): Promise<void> {
    if (neverSetBack || (await isAccountedFor(transaction, mark))) return;
    await enterSetBack(transaction, { mark, by: onServer });
  }

  function readMark(text: string): JournalMark | null {
    const mark = marks.read(text);
    // Marks of earlier versions have two parts and are replaced by the next response.
    if (mark === null && !hasWarned && text.split(' ').length > 2) {
      hasWarned = true;
      warn(
        'Ignored a journal mark that was not signed with this SESSION_SECRET for this address of the service. Later ones are not logged.',
      );
    }
    return mark;
  }

  /** Compares the journal with this server's latest mark and with those of a request. */
  async function compare(requestMarks: readonly string[]): Promise<void> {
    // Read the journal first: the history that becomes the latest must be compared after it was read.
    const { id, position, nonce } = await rows.facts();
    const compared = neverSetBack ? [] : [latest, ...[...new Set(requestMarks)].map(readMark)];
    for (const mark of compared) {
      if (mark === null || (await isAccountedFor(rows, mark))) continue;
      await watched.write((transaction) => noteSetBack(transaction, mark));
      return;
    }
    const before = latest;
    const current = noteLatest({ id, position, nonce });
    // Another server's write: after a restart this one may be the only witness of it.
    if (before !== null && current !== before) void lastMark.keep(marks.write(current));
  }

  return {
    rows: watched,
    compare,
    /** Compares the journal with the mark this server kept on disk before it was restarted. */
    compareAtStart: async (): Promise<void> => {
      await compare(lastMark.read());
      // So that the next start has one to compare, even if this server writes nothing.
      if (latest !== null) await lastMark.keep(marks.write(latest));
    },
    /** For headers and cookies; null until the journal is first read. */
    latest: () => (latest === null ? null : marks.write(latest)),
  };
}

/** From now on nothing is called unsent, and unsent operations become unconfirmed. `mark`: of a write that may be missing. */
export async function enterSetBack(
  transaction: WriteTransaction,
  { mark, by }: { mark: JournalMark; by: ActBy },
): Promise<void> {
  const { now } = await transaction.facts();
  await transaction.setBack(now, mark);
  await transaction.note(by, { kind: 'journal.set-back', subject: null, facts: {} });
  for (const record of await transaction.unsent()) {
    const { record: next } = step(record, { type: 'set-back' }, { server: Date.now(), database: now });
    if (next !== null) await transaction.replace(next, record);
  }
}

async function isAccountedFor(reads: JournalReads, mark: JournalMark): Promise<boolean> {
  const { id, position, nonce } = await reads.facts();
  if (mark.id !== id) return reads.isFormerId(mark.id);
  return (mark.position === position && mark.nonce === nonce) || reads.hasMark(mark);
}
