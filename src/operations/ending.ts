import type { Attempts } from './attempts.ts';
import type { Checking } from './checking.ts';
import { readServiceDate } from './dateRead.ts';
import type { Session } from '#src/api/session.ts';
import type { ActionResult } from './outcomes.ts';
import type { Step } from './step.ts';
import type { Store } from './store.ts';
import { isShown, owns } from './views.ts';
import type { World } from './world.ts';

/** What a person ends by hand; nobody waits long for the time at which that was. */
const TIMEOUT_MS = 10_000;

export interface Ending {
  discard: (id: string) => Promise<ActionResult>;
  close: (id: string, words: string) => Promise<ActionResult>;
  confirmNotSent: (id: string, words: string) => Promise<ActionResult>;
}

/** The ways in which a person ends an operation. Nothing is ever sent from here. */
export function createEnding(world: World, store: Store, attempts: Attempts, checking: Checking): Ending {
  async function discard(id: string): Promise<ActionResult> {
    const record = await world.journal.get(id);
    if (record === null || !owns(world.session(), record)) return notDone('This operation cannot be read here.');
    return resultOf(await attempts.advance(id, { type: 'discard', at: world.wall() }, 'ready'));
  }

  /** Another account's too, from the block's own page; what cannot be read is closed beside its row. */
  async function close(id: string, words: string): Promise<ActionResult> {
    const session = world.session();
    if (session === null) return notDone('Nobody is signed in.');
    if (words.trim() === '') return notDone('Nothing was typed.');
    const record = await world.journal.get(id);
    if (record !== null && record.service !== session.service) return notDone('It belongs to another service.');
    const read = await readServiceDate(world.network, session.account, TIMEOUT_MS);
    const at = world.wall();
    if (record === null) return 'reason' in read ? notDone(read.reason) : closeDamaged(session, id, words, read.date);
    // What another account recorded and never sent need not be called unproven.
    if (record.state === 'ready' && !isShown(store.getSnapshot(), session, record)) {
      return resultOf(await attempts.advance(id, { type: 'discard', at, words }, 'ready'));
    }
    const date = 'date' in read ? read.date : null;
    return resultOf(await attempts.advance(id, { type: 'close', at, words, date }));
  }

  async function closeDamaged(session: Session, id: string, words: string, date: number): Promise<ActionResult> {
    const { damaged } = await world.journal.all();
    const found = damaged.find((record) => record.id === id);
    if (!found) return notDone('There is no such record here.');
    if (found.service !== null && found.service !== session.service) return notDone('It belongs to another service.');
    const done = await world.journal.closeDamaged({ id, words, at: world.wall(), date });
    await store.read();
    return done ? { outcome: 'done', record: null } : notDone('It was closed before.');
  }

  /** Absence is looked up again now: what an earlier check saw may have changed. */
  async function confirmNotSent(id: string, words: string): Promise<ActionResult> {
    const record = await world.journal.get(id);
    if (record === null || !owns(world.session(), record)) return notDone('This operation cannot be read here.');
    const checked = await checking.checkWhole(id);
    if (checked.outcome === 'not-done') return checked;
    const { complete, date, lookAlikes, requestId } = checked.note;
    if (!complete || date === null || lookAlikes === null) {
      return notDone('The service’s list of withdrawals could not be read to its end, so absence proves nothing.');
    }
    if (lookAlikes.length > 0) return notDone('The service lists a withdrawal that looks like this one.');
    return resultOf(await attempts.advance(id, { type: 'absent', at: world.wall(), words, date, requestId }));
  }

  return { discard, close, confirmNotSent };
}

export function resultOf(step: Step): ActionResult {
  return step.record === null ? notDone(step.refused) : { outcome: 'done', record: step.record };
}

export function notDone(reason: string): { outcome: 'not-done'; reason: string } {
  return { outcome: 'not-done', reason };
}
