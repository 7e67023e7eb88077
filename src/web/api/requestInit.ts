interface RequestParts {
  method: string;
  headers: readonly [string, string][];
  body?: string | undefined;
  account: string | null;
  /** X-Attempt. */
  attempt: string;
  signal: AbortSignal;
}

export const ACCEPT_JSON: [string, string] = ['Accept', 'application/json'];

export function requestInit({ method, headers, body, account, attempt, signal }: RequestParts): RequestInit {
  const accountHeader: [string, string][] = account === null ? [] : [['X-Account', account]];
  return {
    method,
    headers: [...headers, ['X-Attempt', attempt], ...accountHeader],
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
