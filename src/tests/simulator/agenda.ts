/** Turns of the microtask queue without a word from the engine, after which it is taken to wait for the world. */
const QUIET_TURNS = 20;

const turn = Promise.resolve();

type Act = () => void | Promise<void>;

interface Entry {
  at: number;
  act: Act;
  /** Happens on the device: not while it sleeps. */
  onDevice: boolean;
}

/** Virtual time, in milliseconds; nothing of it takes real time. */
export interface Agenda {
  readonly now: () => number;
  /** `onDevice`: while the device sleeps it waits until it wakes. */
  readonly after: (ms: number, act: Act, onDevice?: boolean) => void;
  /** The device does nothing for so long. */
  readonly sleep: (ms: number) => void;
  /** How much longer the device sleeps. */
  readonly asleepFor: () => number;
  /** The engine, or a person at it, does something: it may do more before time goes on. */
  readonly stir: () => void;
  /** Lets everything happen that is due within so long, in its order. */
  readonly run: (ms: number) => Promise<void>;
}

export function createAgenda(start: number): Agenda {
  let now = start;
  let awakeAt = start;
  let turns = 0;
  // Latest first; few entries wait at a time.
  const entries: Entry[] = [];

  function put(entry: Entry): void {
    let place = entries.length;
    while (place > 0 && (entries[place - 1]?.at ?? 0) <= entry.at) place -= 1;
    entries.splice(place, 0, entry);
  }

  async function quiet(): Promise<void> {
    for (; turns > 0; turns -= 1) await turn;
  }

  return {
    now: () => now,
    after: (ms, act, onDevice = false) => put({ at: now + Math.max(0, ms), act, onDevice }),
    sleep: (ms) => {
      awakeAt = Math.max(awakeAt, now + ms);
    },
    asleepFor: () => Math.max(0, awakeAt - now),
    stir: () => {
      turns = QUIET_TURNS;
    },
    run: async (ms) => {
      const end = now + ms;
      await quiet();
      for (;;) {
        const entry = entries.at(-1);
        if (entry === undefined || entry.at > end) break;
        entries.pop();
        if (entry.onDevice && entry.at < awakeAt) {
          put({ ...entry, at: awakeAt });
          continue;
        }
        now = Math.max(now, entry.at);
        const work = entry.act();
        if (work !== undefined) await work;
        await quiet();
      }
      now = end;
    },
  };
}
