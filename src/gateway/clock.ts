/** The time that somebody lives by. */
export interface Clock {
  /** Unix milliseconds. */
  wall(): number;
  /** Milliseconds that only grow. */
  mono(): number;
  /** Acts once that many milliseconds have passed; answers how to cancel it. */
  later(act: () => void, ms: number): () => void;
}

/** How far a clock stands from this machine's, in milliseconds. */
export interface Moves {
  now(): number;
  offsetMs(): number;
  /** All moves ahead, added up. */
  advancedMs(): number;
  /** Calls the listener after each move; answers how to end that. */
  onMove(listener: () => void): () => void;
}

// A longer time-out would make Node act at once.
const LONGEST_MS = 2 ** 31 - 1;

/** A clock that is this machine's, moved. */
export function movedClock(moves: Moves): Clock {
  const mono = () => performance.now() + moves.advancedMs();
  return {
    wall: () => moves.now() + moves.offsetMs(),
    mono,
    later(act, ms) {
      const due = mono() + ms;
      let timer: NodeJS.Timeout | undefined;
      const arm = () => {
        clearTimeout(timer);
        timer = setTimeout(check, Math.min(Math.max(due - mono(), 0), LONGEST_MS));
      };
      const check = () => {
        if (mono() < due) return arm();
        forget();
        return act();
      };
      const forget = moves.onMove(arm);
      arm();
      return () => {
        clearTimeout(timer);
        forget();
      };
    },
  };
}

/** This machine's own clock. */
export const machineClock: Clock = movedClock({
  now: Date.now,
  offsetMs: () => 0,
  advancedMs: () => 0,
  onMove: () => () => undefined,
});
