import { randomOf } from '#src/tests/fault-injection/random.ts';

/** Optional features of a run of people. */
export interface PeopleWorlds {
  /** The policy asks about recipients, whom people name, confirm and block. */
  recipients: boolean;
  /** Approvers stop resends of payments without an answer. */
  stops: boolean;
  /** Operators make batches. */
  batches: boolean;
  /** At the end a payment is approved while the policy is stricter than before and after. */
  stricterPolicy: boolean;
  /** At the end an approver works for hours without signing in again. */
  longDays: boolean;
  /** Somebody who can write the database forges rows. */
  forgery: boolean;
  /** At the end time limits are compared while one clock is wrong. */
  wrongClocks: boolean;
}

/** The probability that a run has each of them. */
const OFTEN = 0.35;
/** The seed of each one's own random stream, so that runs without any of them stay the same. */
const STREAMS = {
  recipients: 0x7c7e2d35,
  stops: 0xfb1cb5b,
  batches: 0x49be196d,
  stricterPolicy: 0x3c6ef372,
  longDays: 0x2545f491,
  forgery: 0x6a09e667,
  wrongClocks: 0x510e527f,
} as const;

export function peopleWorldsOf(seed: number): PeopleWorlds {
  return {
    recipients: randomOf(seed ^ STREAMS.recipients).chance(OFTEN),
    stops: randomOf(seed ^ STREAMS.stops).chance(OFTEN),
    batches: randomOf(seed ^ STREAMS.batches).chance(OFTEN),
    stricterPolicy: randomOf(seed ^ STREAMS.stricterPolicy).chance(OFTEN),
    longDays: randomOf(seed ^ STREAMS.longDays).chance(OFTEN),
    forgery: randomOf(seed ^ STREAMS.forgery).chance(OFTEN),
    wrongClocks: randomOf(seed ^ STREAMS.wrongClocks).chance(OFTEN),
  };
}
