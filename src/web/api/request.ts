interface Sending {
  method: string;
  headers: readonly [string, string][];
  body?: string | undefined;
  account: string | null;
  /** X-Attempt. */
  attempt: string;
  signal: AbortSignal;
}

export const ACCEPT_JSON: [string, string] = ['Accept', 'application/json'];

export function requestInit({ method, headers, body, account, attempt, signal }: Sending): RequestInit {
  const ofAccount: [string, string][] = account === null ? [] : [['X-Account', account]];
  return {
    method,
    headers: [...headers, ['X-Attempt', attempt], ...ofAccount],
    ...(body === undefined ? {} : { body }),
    // Never followed. With 'error' a browser hides from the page that it was a redirect.
    redirect: 'manual',
    cache: 'no-store',
    credentials: 'same-origin',
    signal,
  };
}

const PAGE = crypto.getRandomValues(new Uint32Array(3)).join('-');
let attempts = 0;

/** Unique across pages: a random part per page load, then a counter. */
export function attemptId(): string {
  attempts += 1;
  return `${PAGE}-${attempts}`;
}

// Reads of the service that leave while the app's own chunks are still loading: a script of its own starts them, and the
// first read of the same takes each over. They pass through a global, since the two scripts share no module.
export interface EarlyRequest {
  url: string;
  account: string;
  /** X-Attempt. */
  attempt: string;
  /** When it left: Unix milliseconds, and by the page's own clock. */
  at: number;
  began: number;
  response: Promise<Response>;
  stop: AbortController;
}

const place: typeof globalThis & {
  countinghouseEarly?: EarlyRequest[] | undefined;
  countinghouseRows?: Promise<unknown> | undefined;
} = globalThis;

/** Older answers are no longer what a page shows as read just now; milliseconds. */
const FRESH_FOR = 10_000;

export function startEarly(account: string, urls: readonly string[]): void {
  place.countinghouseEarly = urls.map((url) => {
    const [attempt, stop] = [attemptId(), new AbortController()];
    const init = requestInit({ method: 'GET', headers: [ACCEPT_JSON], account, attempt, signal: stop.signal });
    const response = fetch(url, init);
    // Whoever takes it over hears of it.
    response.catch(() => undefined);
    return { url, account, attempt, at: Date.now(), began: performance.now(), response, stop };
  });
}

const foundEarly = (account: string | null, url: string): EarlyRequest | undefined =>
  place.countinghouseEarly?.find((early) => early.url === url && early.account === account);

/** The request that left early for exactly this, once. */
export function takeEarly(account: string | null, url: string): EarlyRequest | undefined {
  const found = foundEarly(account, url);
  if (found === undefined) return undefined;
  place.countinghouseEarly = place.countinghouseEarly?.filter((early) => early !== found);
  return performance.now() - found.began < FRESH_FOR ? found : undefined;
}

/** What was read before a write says nothing any more. */
export function dropEarly(): void {
  place.countinghouseEarly = undefined;
}

/** What such a request was answered with, left for whoever takes it over; null: none left, or it was refused. */
export async function peekEarly(account: string, url: string): Promise<string | null> {
  const answer = await foundEarly(account, url)?.response;
  return answer?.ok ? answer.clone().text() : null;
}

/** What a script of its own draws of these answers before the app is there. */
export function noteDrawn(painted: Promise<unknown>): void {
  place.countinghouseRows = painted;
}

/** That is painted, or there is nothing of it. */
export function earlyDrawn(): Promise<unknown> | undefined {
  return place.countinghouseRows;
}
