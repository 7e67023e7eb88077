/** Event loop turns without activity after which the engine counts as waiting for something outside. */
const QUIET_TURNS = 40;

const turn = Promise.resolve();

type Act = () => void | Promise<void>;

/** A process or a page. It does nothing while it sleeps, or after it has ended. */
export interface Machine {
  alive: boolean;
  awakeAt: number;
}

interface Entry {
  at: number;
  act: Act;
  on: Machine | undefined;
}

/** Virtual time in milliseconds: simulated delays take no real time. */
export interface Agenda {
  readonly now: () => number;
  /** `on`: the machine that does it: not while it sleeps, and never after it has ended. */
  readonly after: (ms: number, act: Act, on?: Machine) => void;
  /** Reports activity: more may follow before time advances. */
  readonly stir: () => void;
  /** Stops virtual time until work in real time (a database) is done. */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  /** Runs everything due within this time, in order. */
  readonly run: (ms: number) => Promise<void>;
}

/** `onStep` is called for everything that happens. */
export function createAgenda(start: number, onStep: () => void): Agenda {
  let now = start;
  let turns = 0;
  let held: Promise<unknown> | null = null;
  // Latest first; there are never many entries.
  const entries: Entry[] = [];

  function put(entry: Entry): void {
    let place = entries.length;
    while (place > 0 && (entries[place - 1]?.at ?? 0) <= entry.at) place -= 1;
    entries.splice(place, 0, entry);
  }

  async function quiet(): Promise<void> {
    for (;;) {
      for (; turns > 0; turns -= 1) await turn;
      if (held === null) return;
      const waited = held;
      await waited;
      if (held === waited) held = null;
      turns = QUIET_TURNS;
    }
  }

  return {
    now: () => now,
    after: (ms, act, on) => put({ at: now + Math.max(0, ms), act, on }),
    stir: () => {
      onStep();
      turns = QUIET_TURNS;
    },
    hold: (work) => {
      const over = work.catch(() => undefined);
      held = held === null ? over : Promise.all([held, over]);
      return work;
    },
    run: async (ms) => {
      const end = now + ms;
      await quiet();
      for (;;) {
        const entry = entries.at(-1);
        if (entry === undefined || entry.at > end) break;
        onStep();
        entries.pop();
        const { at, act, on } = entry;
        if (on?.alive === false) continue;
        if (on !== undefined && at < on.awakeAt) {
          put({ ...entry, at: on.awakeAt });
          continue;
        }
        now = Math.max(now, at);
        const work = act();
        if (work !== undefined) await work;
        await quiet();
      }
      now = end;
    },
  };
}
