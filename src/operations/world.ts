import type { Attempt, Call } from '#src/api/http.ts';
import type { Session } from '#src/api/session.ts';
import type { Journal } from './journal.ts';
import type { AttemptLocks } from './locks.ts';
import type { Mirror } from './mirror.ts';

/** Everything that operations touch outside themselves, injected. */
export interface World {
  journal: Journal;
  /** api/http.ts attempt(): exactly one request. */
  network: (call: Call) => Promise<Attempt>;
  session: () => Session | null;
  /** The device's clock, milliseconds: it may be wrong, and may jump. */
  wall: () => number;
  /** Milliseconds that only go on; may stand still while the device sleeps. */
  mono: () => number;
  /** 0 to 1, for jitter. */
  random: () => number;
  /** A fresh random name, for records and attempts. Keys come from newKey() alone. */
  name: (prefix: string) => string;
  later: (act: () => void, ms: number) => void;
  locks: AttemptLocks;
  mirror: Mirror;
  /** Whether the browser promises to keep the records; `ask`: asks it to. null where it cannot say. */
  persisted: (ask: boolean) => Promise<boolean | null>;
}
