import type { Fault } from './fault.ts';
import { newId } from './ids.ts';

const REMEMBERED_ATTEMPTS = 10_000;

export interface FaultList {
  add(fault: Fault): string;
  /** What can still meet a request of the account, the first to meet it first; `left`: how many attempts it still meets. */
  armed(account: string): { id: string; left: number; fault: Fault }[];
  /** Removes the faults of an account, or all of them. */
  clear(account: string | null): void;
  /** The fault that meets this request, counted by attempt: an attempt that arrives again meets its own again. */
  take(account: string | null, method: string, path: string, attempt: string | null): Fault | null;
}

/** Faults live in memory: a restart clears them. */
export function faultList(): FaultList {
  let faults: { id: string; fault: Fault; left: number }[] = [];
  const attempts = new Map<string, Fault | null>();

  const remember = (key: string, fault: Fault | null) => {
    attempts.set(key, fault);
    const [oldest] = attempts.keys();
    if (attempts.size > REMEMBERED_ATTEMPTS && oldest !== undefined) attempts.delete(oldest);
  };

  return {
    add(fault) {
      const id = newId('flt_');
      faults.push({ id, fault, left: fault.times });
      return id;
    },
    armed: (account) =>
      faults
        .filter(({ fault }) => fault.account === null || fault.account === account)
        .map(({ id, left, fault }) => ({ id, left, fault })),
    clear(account) {
      faults = account === null ? [] : faults.filter(({ fault }) => fault.account !== account);
    },
    take(account, method, path, attempt) {
      const key = attempt === null ? null : JSON.stringify([account, method, path, attempt]);
      const seen = key === null ? undefined : attempts.get(key);
      if (seen !== undefined) return seen;
      const met = faults.find(
        ({ fault }) =>
          (fault.account === null || fault.account === account) &&
          (fault.method === null || fault.method === method) &&
          path.startsWith(fault.path),
      );
      if (met !== undefined) {
        met.left -= 1;
        if (met.left === 0) faults = faults.filter((other) => other !== met);
      }
      if (key !== null) remember(key, met?.fault ?? null);
      return met?.fault ?? null;
    },
  };
}
