import { createOperations } from '#src/operations/create.ts';
import type { AttemptLocks } from '#src/operations/locks.ts';
import type { Mirror } from '#src/operations/mirror.ts';
import type { World } from '#src/operations/world.ts';
import { journalOf } from './disk.ts';
import { type Scene, type Tab, aliveTabs, wall } from './scene.ts';
import { networkOf } from './wire.ts';

/** A page that loads: it reads the journal, as the app does at its start. */
export function openTab(scene: Scene): Tab {
  const { browser, agenda } = scene;
  const tab: Tab = {
    name: scene.name('tab '),
    alive: true,
    session: browser.cookie?.session ?? null,
    operations: idle,
    forms: [],
    listeners: [],
  };
  const world: World = {
    journal: journalOf(scene, tab),
    network: networkOf(scene, tab),
    session: () => tab.session,
    wall: () => wall(scene),
    mono: () => agenda.now() - browser.stood,
    random: () => scene.random.next(),
    name: scene.name,
    later: (act, ms) => {
      const late = scene.random.chance(0.05 * scene.heat) ? scene.random.whole(9_000, 90_000) : 0;
      if (late > 0) scene.count('timersLate');
      const wake = (): void => {
        agenda.stir();
        if (tab.alive) act();
      };
      agenda.after(ms + late, wake, true);
    },
    locks: locksOf(scene, tab),
    mirror: mirrorOf(scene, tab),
    persisted: async () => true,
  };
  tab.operations = createOperations(scene.mutation.world?.(world, scene, tab) ?? world);
  tab.operations.subscribe(() => scene.judge.observe(tab));
  browser.tabs.push(tab);
  scene.tell?.(`${tab.name} opens${tab.session === null ? '' : ` as ${tab.session.account}`}`);
  void tab.operations.refresh();
  return tab;
}

/** Before a tab has its engine nothing may be asked of it. */
const idle = new Proxy({} as Tab['operations'], {
  get: () => {
    throw new Error('This tab is not open yet.');
  },
});

function locksOf(scene: Scene, tab: Tab): AttemptLocks {
  const { browser, random, count } = scene;
  return {
    hold: (attempt) => {
      const sticks = random.chance(0.02 * scene.heat);
      if (sticks) count('locksStuck');
      browser.locks.set(attempt, sticks ? null : tab);
      return () => void (browser.locks.get(attempt) === tab && browser.locks.delete(attempt));
    },
    isFree: async (attempt) => (random.chance(0.05 * scene.heat) ? null : !browser.locks.has(attempt)),
  };
}

/** Other tabs hear of a change soon, mostly. */
function mirrorOf(scene: Scene, tab: Tab): Mirror {
  const { agenda, random } = scene;
  return {
    tell: () => {
      for (const other of aliveTabs(scene)) {
        if (other === tab || random.chance(0.2 * scene.heat)) continue;
        const hear = (): void => {
          agenda.stir();
          if (other.alive) for (const heard of other.listeners) heard();
        };
        agenda.after(random.whole(1, 50), hear, true);
      }
    },
    listen: (heard) => void tab.listeners.push(heard),
  };
}
