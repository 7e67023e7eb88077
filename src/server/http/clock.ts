import type { Clock } from '#src/server/operations/ports.ts';
import type { AccountClock } from '#src/sandbox/accounts.ts';

// With a longer delay, Node would fire the timer at once.
const LONGEST_MS = 2 ** 31 - 1;

export function movedClock(moves: AccountClock): Clock {
  const mono = () => performance.now() + moves.advancedMs();
  return {
    wall: () => moves.now() + moves.offsetMs(),
    mono,
    shift: () => moves.offsetMs(),
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

export const machineClock: Clock = movedClock({
  now: Date.now,
  offsetMs: () => 0,
  advancedMs: () => 0,
  onMove: () => () => undefined,
});
