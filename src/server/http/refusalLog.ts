import { logLine } from './log.ts';

const MINUTE_MS = 60_000;

/** Counts refusals, and logs them at most once a minute. `line` gets their number and the reason of the last one. */
export function createRefusalLog(line: (count: number, why: string) => string): (why?: string) => void {
  let count = 0;
  let last = '';
  let timer: NodeJS.Timeout | null = null;
  return (why = '') => {
    count += 1;
    last = why;
    timer ??= setTimeout(() => {
      logLine(line(count, last));
      count = 0;
      timer = null;
    }, MINUTE_MS).unref();
  };
}
