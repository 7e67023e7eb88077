import { step } from './engine.ts';
import type { JournalMark, Ports, Reads, Rows, Turn } from './ports.ts';

/**
 * Notices that the journal went back to an older state: a backup restored, a replica without the last commits promoted, a
 * new disk. Whoever saw a write that is no longer in its history shows it: this server, by memory and by disk, and browsers.
 */
export function watchForSetBack({ rows, marks, lastMark, neverSetBack, warn }: Ports) {
  // The latest mark known to this process. It only moves to marks of a history that holds the one before.
  let latest: JournalMark | null = null;
  let hasWarned = false;

  const watched: Rows = {
    ...rows,
    write: async (work) => {
      let written: JournalMark | null = null;
      const value = await rows.write(async (turn) => {
        if (latest !== null) await noteSetBack(turn, latest);
        const value = await work(turn);
        const { id, position, nonce } = await turn.facts();
        written = { id, position, nonce };
        return value;
      });
      if (written !== null) {
        noteLatest(written);
        await lastMark.keep(marks.write(written));
      }
      return value;
    },
  };

  function noteLatest(mark: JournalMark): void {
    if (latest === null || latest.id !== mark.id || latest.position < mark.position) latest = mark;
  }

  /** Does nothing where the mark is of this history, or its set-back was noted before. */
  async function noteSetBack(turn: Turn, mark: JournalMark): Promise<void> {
    if (neverSetBack || (await isAccountedFor(turn, mark))) return;
    const { now } = await turn.facts();
    await turn.setBack(now, mark);
    for (const record of await turn.ready()) {
      const { record: next } = step(record, { type: 'set-back' }, { server: Date.now(), database: now });
      if (next !== null) await turn.replace(next, record);
    }
  }

  function readMark(text: string): JournalMark | null {
    const mark = marks.read(text);
    // Marks of earlier versions have two parts and are replaced by the next response.
    if (mark === null && !hasWarned && text.split(' ').length > 2) {
      hasWarned = true;
      warn('Ignored a journal mark that was not signed with this SESSION_SECRET. Later ones are not logged.');
    }
    return mark;
  }

  /** Compares the journal with what this server and a request know of it. */
  async function compare(brought: readonly string[]): Promise<void> {
    // Facts first: what is noted as the latest must be of a history that was compared afterwards.
    const { id, position, nonce } = await rows.facts();
    const compared = neverSetBack ? [] : [latest, ...[...new Set(brought)].map(readMark)];
    for (const mark of compared) {
      if (mark === null || (await isAccountedFor(rows, mark))) continue;
      await watched.write((turn) => noteSetBack(turn, mark));
      return;
    }
    noteLatest({ id, position, nonce });
  }

  return {
    rows: watched,
    compare,
    /** Compares it with what this server knew before it was restarted. */
    compareAtStart: (): Promise<void> => {
      const mark = lastMark.read();
      return compare(mark === null ? [] : [mark]);
    },
    /** For headers and cookies; null before the first look at the journal. */
    latest: () => (latest === null ? null : marks.write(latest)),
  };
}

async function isAccountedFor(reads: Reads, mark: JournalMark): Promise<boolean> {
  const { id, position, nonce } = await reads.facts();
  if (mark.id !== id) return reads.isFormerId(mark.id);
  return (mark.position === position && mark.nonce === nonce) || reads.hasMark(mark);
}
