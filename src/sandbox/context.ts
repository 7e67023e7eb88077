import type { Kill } from './kill.ts';
import type { Sql } from '#src/database/sql.ts';

/** What every part of the sandbox works with. */
export interface SandboxContext {
  sql: Sql;
  /** The wall clock in milliseconds. */
  now: () => number;
  kill: Kill;
  /** Resolves after so many milliseconds of the wall clock. */
  wait: (ms: number) => Promise<void>;
}
