import { setTimeout as sleep } from 'node:timers/promises';
import type { JobClock } from './pageReader.ts';

export const machineJobClock: JobClock = {
  wall: Date.now,
  mono: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }),
  random: Math.random,
};
