// Reads of the service that are sent while the app's chunks are still loading. A separate script sends them, and the app's
// first read of the same URL takes over the response. The two scripts share no module, so they use a global variable.
import { ACCEPT_JSON, attemptId, requestInit } from './requestInit.ts';

export interface EarlyRequest {
  url: string;
  account: string;
  /** X-Attempt. */
  attempt: string;
  /** When it was sent, Unix milliseconds. `began`: the same moment by performance.now(). */
  at: number;
  began: number;
  response: Promise<Response>;
  stop: AbortController;
}

const shared: typeof globalThis & {
  countinghouseEarly?: EarlyRequest[] | undefined;
  countinghouseRows?: Promise<unknown> | undefined;
} = globalThis;

/** An older answer can't be shown as read just now. */
const FRESH_MS = 10_000;

export function startEarly(account: string, urls: readonly string[]): void {
  shared.countinghouseEarly = urls.map((url) => {
    const [attempt, stop] = [attemptId(), new AbortController()];
    const init = requestInit({ method: 'GET', headers: [ACCEPT_JSON], account, attempt, signal: stop.signal });
    const response = fetch(url, init);
    // A failure is reported to the read that takes it over.
    response.catch(() => undefined);
    return { url, account, attempt, at: Date.now(), began: performance.now(), response, stop };
  });
}

const findEarly = (account: string | null, url: string): EarlyRequest | undefined =>
  shared.countinghouseEarly?.find((early) => early.url === url && early.account === account);

/** Removes and returns the early request for this URL; undefined if there is none or it's too old. */
export function takeEarly(account: string | null, url: string): EarlyRequest | undefined {
  const found = findEarly(account, url);
  if (found === undefined) return undefined;
  shared.countinghouseEarly = shared.countinghouseEarly?.filter((early) => early !== found);
  return performance.now() - found.began < FRESH_MS ? found : undefined;
}

/** A write makes earlier reads stale. */
export function dropEarly(): void {
  shared.countinghouseEarly = undefined;
}

/** Body of an early request, without taking it over; null when there is none or it failed. */
export async function peekEarly(account: string, url: string): Promise<string | null> {
  const answer = await findEarly(account, url)?.response;
  return answer?.ok ? answer.clone().text() : null;
}

/** Records that the first rows are being drawn from these answers, before the app runs. */
export function noteFirstRows(painted: Promise<unknown>): void {
  shared.countinghouseRows = painted;
}

/** Resolves when the first rows are painted; undefined when none are drawn. */
export function firstRowsPainted(): Promise<unknown> | undefined {
  return shared.countinghouseRows;
}
