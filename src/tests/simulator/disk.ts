import type { Everything, Journal } from '#src/operations/journal.ts';
import { toClosureRow } from '#src/operations/closures.ts';
import { candidateOf, lookAlikes } from '#src/operations/lookAlikes.ts';
import { isFinal } from '#src/operations/record.ts';
import { fromRow, toRow } from '#src/operations/stored.ts';
import { StorageUnavailable } from '#src/operations/unavailable.ts';
import { type Scene, type Tab, kill } from './scene.ts';

const CRASHES = 0.012;
const REFUSALS = 0.01;
const SLOW = 0.06;

/** What a page that is gone still waits for. */
function never<T>(): Promise<T> {
  return new Promise<T>(() => undefined);
}

/** The journal of one page on the disk of its browser: each write is a moment at which the page may die. */
export function journalOf(scene: Scene, tab: Tab): Journal {
  const { browser, agenda, random } = scene;
  const { disk } = browser;

  async function reach(): Promise<void> {
    agenda.stir();
    if (!tab.alive) return never();
    if (scene.heat > 0) {
      if (random.chance(REFUSALS * scene.heat)) {
        scene.count('writesRefused');
        scene.tell?.(`${tab.name} is refused its storage`);
        throw new StorageUnavailable('The disk is full.');
      }
      if (random.chance(SLOW)) {
        await new Promise<void>((resolve) => {
          const go = (): void => {
            agenda.stir();
            if (tab.alive) resolve();
          };
          agenda.after(random.whole(1, 400), go, true);
        });
      }
    }
    return undefined;
  }

  /** Dies before or after the write, or not. */
  async function write<T>(work: () => T): Promise<T> {
    const dies = random.chance(CRASHES * scene.heat);
    const before = random.chance(0.5);
    if (dies && before) return crash('crashesBeforeWrite');
    const result = work();
    return dies ? crash('crashesAfterWrite') : result;
  }

  function crash<T>(when: 'crashesBeforeWrite' | 'crashesAfterWrite'): Promise<T> {
    scene.count(when);
    scene.tell?.(`${tab.name} dies ${when === 'crashesBeforeWrite' ? 'before' : 'after'} a write`);
    kill(scene, tab);
    return never();
  }

  const everything = (): Everything => ({
    records: [...disk.values()],
    damaged: [...browser.broken.values()].map(({ damaged }) => damaged),
  });
  return {
    all: async () => {
      await reach();
      return everything();
    },
    get: async (id) => {
      await reach();
      return disk.get(id) ?? null;
    },
    insert: async (record) => {
      await reach();
      return write(() => {
        const found = lookAlikes(everything(), candidateOf(record));
        if (found.existing !== null || found.of.length > 0) return found;
        disk.set(record.id, record);
        scene.tell?.(`${tab.name} records ${record.id} (${record.key}) ${record.path} ${record.body}`);
        return null;
      });
    },
    replace: async (next, expected) => {
      await reach();
      return write(() => {
        const stored = disk.get(next.id);
        if (stored?.revision !== expected) return false;
        scene.judge.replaced(stored, next);
        disk.set(next.id, next);
        scene.tell?.(
          `${tab.name} writes ${next.id}: ${next.state}${next.reason === undefined ? '' : `, ${next.reason}`}`,
        );
        return true;
      });
    },
    drop: async (id, expected) => {
      await reach();
      return write(() => {
        const stored = disk.get(id);
        if (stored?.revision !== expected || !isFinal(stored.state)) return false;
        scene.tell?.(`${tab.name} drops ${id}`);
        return disk.delete(id);
      });
    },
    closeDamaged: async (closure) => {
      await reach();
      return write(() => {
        const broken = browser.broken.get(closure.id);
        if (broken === undefined || broken.damaged.closed !== undefined) return false;
        const read = fromRow(broken.row, toClosureRow(closure));
        if ('damaged' in read) browser.broken.set(closure.id, { ...broken, damaged: read.damaged });
        scene.tell?.(`${tab.name} closes ${closure.id}, which cannot be read`);
        return true;
      });
    },
    raw: async (id) => disk.get(id) ?? browser.broken.get(id)?.row ?? null,
  };
}

/** One of the records is damaged where it is stored: somewhere in it, or so that nothing of it can be read. */
export function damage({ browser, random, count, tell }: Scene): void {
  const records = [...browser.disk.values()];
  if (records.length === 0) return;
  const record = random.pick(records);
  const row = { ...toRow(record), body: `${record.body} `, ...random.pick([{}, { schema: 99 }, { gist: null }]) };
  const read = fromRow(record.kind === 'withdrawal' ? row : { ...toRow(record), firstSentAt: 0 });
  if ('record' in read) throw new Error('A damaged record was read.');
  browser.disk.delete(record.id);
  browser.broken.set(record.id, { key: record.key, row, damaged: read.damaged });
  count('recordsDamaged');
  tell?.(`the record of ${record.id} (${record.state}) is damaged: ${read.damaged.why}`);
}
