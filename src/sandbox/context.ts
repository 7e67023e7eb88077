import type { Sql } from '#src/server/database/sql.ts';

export interface SandboxContext {
  sql: Sql;
  /** The wall clock in milliseconds. */
  now: () => number;
  kill: Kill;
}

const KILL_STEPS = [
  'after-auth',
  'begin',
  'debit',
  'before-commit',
  'after-commit',
  'mid-body',
  'sweeping',
  'starting',
] as const;
type KillStep = (typeof KILL_STEPS)[number];

export type Kill = ReturnType<typeof killAt>;

/** Kills the process when it reaches the step in SANDBOX_KILL_AT. Throws if there is no such step. */
export function killAt(name?: string | null) {
  const chosen = name ? KILL_STEPS.find((step) => step === name) : null;
  if (chosen === undefined) throw new Error(`SANDBOX_KILL_AT must be one of ${KILL_STEPS.join(', ')}`);
  const kill = (step: KillStep) => {
    if (step === chosen) process.kill(process.pid, 'SIGKILL');
  };
  return Object.assign(kill, { chosen });
}
