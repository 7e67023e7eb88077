import type { Attempt } from '#src/lib/answers.ts';
import type { Instant } from './events.ts';
import type { Rows } from './rows.ts';

/** A clock of this server, as one account lives by it. */
export interface Clock {
  /** Milliseconds: it may be wrong, and may jump. */
  wall: () => number;
  /** Milliseconds that only go on; may stand still while the machine sleeps. */
  mono: () => number;
  /** Returns what cancels it. */
  later: (act: () => void, ms: number) => () => void;
  /** How far this account's time is ahead of the machine's, which is the database's too; milliseconds, 0 but in the sandbox. */
  shift: () => number;
}

/** One request on a socket of its own, which is connected. */
export interface Connection {
  /** Hands over the bytes before it returns, and tells what came of them; never throws. */
  post: (sent: { path: string; body: string; key: string; attempt: string }) => Promise<Attempt>;
  destroy: () => void;
}

/** The payments service, as operations need it. */
export interface ServicePort {
  /** Its normalised base address, or "sandbox". */
  name: string;
  /** One whole answer to one GET; never throws. `target`: path and query. */
  read: (apiKey: string, target: string, timeoutMs?: number) => Promise<Attempt>;
  /** Rejects where no connection was made: then nothing left. */
  connect: (apiKey: string) => Promise<Connection>;
}

/** Moments at which a crash test ends the process: within a turn the first and the last, the others between two. */
export const OPERATION_STEPS = [
  'recording',
  'recorded',
  'connected',
  'sending',
  'sent',
  'answered',
  'settled',
  'sweeping',
] as const;
export type OperationStep = (typeof OPERATION_STEPS)[number];

/** Everything that operations touch outside themselves, injected. */
export interface Ports {
  rows: Rows;
  service: ServicePort;
  /** 0 to 1, for jitter. */
  random: () => number;
  /** A fresh random name, for attempts. */
  name: (prefix: string) => string;
  /** Accounts have nothing to do with each other (ACCOUNTS=separate, and the sandbox). */
  strangers: boolean;
  /** The journal and the service are one database, so one cannot be set back without the other. */
  neverSetBack: boolean;
  /** Told of each step; for crash tests. */
  reach?: (step: OperationStep) => void;
}

/** Who asks. */
export interface Actor {
  account: string;
  /** null: the service refuses it, so there is nothing but to see and to close. */
  apiKey: string | null;
  /** The name given at sign-in, unproven. */
  who: string | null;
  readOnly: boolean;
  clock: Clock;
}

/** Somebody whose key the service may be asked with. */
export type Sender = Actor & { apiKey: string };

/** Now by the clocks of this server and of its database, as the actor lives by them; milliseconds. */
export function instantOf({ clock }: Actor, facts: { now: number }): Instant {
  return { server: clock.wall(), database: facts.now + clock.shift() };
}

/** A moment on both clocks of this server. */
export interface Moment {
  wall: number;
  mono: number;
}

export function momentOf({ wall, mono }: Clock): Moment {
  return { wall: wall(), mono: mono() };
}

/** Milliseconds since then, by the clock that tells more: one stands still while the machine sleeps, the other may be set. */
export function passedSince({ wall, mono }: Clock, moment: Moment): number {
  return Math.max(Math.abs(wall() - moment.wall), mono() - moment.mono);
}
