import { inject } from 'vitest';
import { bodyOf, clientAt, sendTo, type Answer, type Client } from './http.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The service under test; `key` is null on the sandbox, where every test makes its own account. */
    service: { baseUrl: string; key: string | null };
  }
}

const given = inject('service');

/** The service's base address, without a trailing slash. */
export const baseUrl = given.baseUrl;

/** Sends one request to the service under test. */
export function send(path: string, init: RequestInit): Promise<Answer> {
  return sendTo(baseUrl, path, init);
}

/** A client of one account of the service under test. */
export function client(key: string): Client {
  return clientAt(baseUrl, key);
}

/** The account under test: the key that was given, or a fresh one of the sandbox with deposits of every kind. */
export async function anyAccount(): Promise<Client> {
  if (given.key !== null) return client(given.key);
  const made = await send('/sandbox/accounts', {
    method: 'POST',
    body: JSON.stringify({ deposits: 130, assets: 7 }),
    headers: { 'content-type': 'application/json' },
  });
  if (made.status !== 201) throw new Error(`POST /sandbox/accounts: ${made.status} ${made.text}`);
  return client(bodyOf<{ key: string }>(made).key);
}
