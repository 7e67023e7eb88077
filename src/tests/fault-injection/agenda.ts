/** Turns of the microtask queue without a word from the engine, after which it is taken to wait for the world. */
const QUIET_TURNS = 40;

const turn = Promise.resolve();

type Act = () => void | Promise<void>;

/** What does nothing while it sleeps, and nothing ever again once it is gone: a process, or a page. */
export interface Machine {
  alive: boolean;
  awakeAt: number;
}

interface Entry {
  at: number;
  act: Act;
  on: Machine | undefined;
}

/** Virtual time, in milliseconds; nothing of it takes real time. */
export interface Agenda {
  readonly now: () => number;
  /** `on`: it happens there, so not while that sleeps, and never once it is gone. */
  readonly after: (ms: number, act: Act, on?: Machine) => void;
  /** The engine, or a person at it, does something: it may do more before time goes on. */
  readonly stir: () => void;
  /** Time stands still until this is over: it happens in real time (a database). */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  /** Lets everything happen that is due within so long, in its order. */
  readonly run: (ms: number) => Promise<void>;
}

export function createAgenda(start: number): Agenda {
  let now = start;
  let turns = 0;
  let held: Promise<unknown> | null = null;
  // Latest first; few entries wait at a time.
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
