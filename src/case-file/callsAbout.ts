import { outcomeWords } from '#src/api/outcomeWords.ts';
import type { RequestRecord } from '#src/api/requestLog.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';

/** One attempt of a call, as far as a case file tells it. */
export interface CallAbout {
  attempt: string;
  /** Unix milliseconds by this device's clock. */
  at: number;
  method: string;
  path: string;
  outcome: string;
  ms: number | null;
  requestId: string | null;
  replayed: boolean;
}

export interface CallsAbout {
  /** Oldest first; the newest of them where there are many. */
  calls: readonly CallAbout[];
  /** Older ones that are not among them. */
  more: number;
}

const MOST = 40;

/** The calls of this page load to the service whose path, body or answer names an id; bodies that the log dropped are not looked at. */
export function callsAbout(log: readonly RequestRecord[], id: string): CallsAbout {
  const written = stringifyExact(id);
  const encoded = encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'));
  const named = log.filter(
    ({ path, body, answer }) =>
      path.startsWith('/v1/') &&
      (path.split(/[/?&=]/).includes(encoded) ||
        body?.text?.includes(written) ||
        answer?.body?.text?.includes(written)),
  );
  const calls = named.slice(-MOST).map((record) => {
    const { attempt, at, method, path, ms, requestId, replayed } = record;
    return { attempt, at, method, path, ms, requestId, replayed, outcome: outcomeWords(record) };
  });
  return { calls, more: named.length - calls.length };
}
