/** What is sent, beside where to. */
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
  const all = new Headers([...headers, ['X-Attempt', attempt]]);
  if (account !== null) all.set('X-Account', account);
  return {
    method,
    headers: all,
    ...(body === undefined ? {} : { body }),
    redirect: 'error',
    cache: 'no-store',
    credentials: 'same-origin',
    signal,
  };
}

export function attemptId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
