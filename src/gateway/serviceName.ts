import { createHmac } from 'node:crypto';

/** The word that names the embedded sandbox where a service's address would stand. */
export const SANDBOX_SERVICE = 'sandbox';

/** A base URL in the one form that names a service: href without user info and trailing slash; null if it is none. */
export function serviceName(baseUrl: string): string | null {
  if (!URL.canParse(baseUrl)) return null;
  const url = new URL(baseUrl);
  // An empty query or fragment is none to URL, and would still swallow every path that follows it.
  if (!/^https?:$/.test(url.protocol) || /[?#]/.test(url.href)) return null;
  url.username = '';
  url.password = '';
  return url.href.replace(/\/+$/, '');
}

/** The same on every gateway and after restarts: no server secret in it, and a rotated key is another account. */
export function accountOf(apiKey: string, service: string): string {
  return createHmac('sha256', apiKey).update(service).digest('hex').slice(0, 32);
}
