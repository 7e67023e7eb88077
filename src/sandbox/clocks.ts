import type { Account } from './accounts.ts';

/** Where an account's clock stands beside the wall clock, in milliseconds. */
export interface AccountClock {
  /** The wall clock that it is counted from. */
  now(): number;
  offsetMs(): number;
  /** All moves ahead since this process began, added up. */
  advancedMs(): number;
  /** Calls the listener after each move; answers how to end that. */
  onMove(listener: () => void): () => void;
}

/** The clocks of accounts, for whoever waits by them in this process. */
export interface AccountClocks {
  of(account: Account): AccountClock;
  /** After the commit that moved it. */
  moved(account: string, offsetMs: number, byMs: number): void;
}

export function accountClocks(now: () => number): AccountClocks {
  const known = new Map<string, { offsetMs: number; advancedMs: number; listeners: Set<() => void> }>();

  const stateOf = (id: string, offsetMs: number) => {
    // A move that was heard of is newer than a row that was read before it.
    const state = known.get(id) ?? { offsetMs, advancedMs: 0, listeners: new Set() };
    known.set(id, state);
    return state;
  };

  return {
    of({ id, offsetMs }) {
      const state = stateOf(id, offsetMs);
      return {
        now,
        offsetMs: () => state.offsetMs,
        advancedMs: () => state.advancedMs,
        onMove(listener) {
          state.listeners.add(listener);
          return () => void state.listeners.delete(listener);
        },
      };
    },
    moved(account, offsetMs, byMs) {
      const state = stateOf(account, offsetMs);
      state.offsetMs = offsetMs;
      state.advancedMs += Math.max(0, byMs);
      for (const listener of state.listeners) listener();
    },
  };
}
