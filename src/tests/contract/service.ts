import { inject } from 'vitest';
import { bodyOf, clientAt, sendTo, type HttpAnswer, type Client, type Item } from './http.ts';
import { all } from './walk.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The service under test; `key` is null on the sandbox, where every test makes its own account. */
    service: { baseUrl: string; key: string | null };
  }
}

const DAY = 24 * 60 * 60;
const underTest = inject('service');

/** The service's base address, without a trailing slash. */
export const baseUrl = underTest.baseUrl;

/** Sends one request to the service under test. */
export function sendToService(path: string, init: RequestInit): Promise<HttpAnswer> {
  return sendTo(baseUrl, path, init);
}

/** A client of one account of the service under test. */
export function client(key: string): Client {
  return clientAt(baseUrl, key);
}

/** Deposits of the account that no longer change, 100 or a few more, and the filters that select just these. */
export async function stillDeposits(client: Client): Promise<{ filters: Record<string, string>; deposits: Item[] }> {
  const newest = await client.get('/v1/deposits?limit=100');
  const now = Date.parse(newest.headers.get('date') ?? '') / 1000;
  // Leave out the newest deposits of an account on the wall clock, which may still change.
  const before = { created_before: String(underTest.key === null ? now + 1 : now - DAY) };
  const oldest = (await client.page(`/v1/deposits?limit=100&${new URLSearchParams(before)}`)).data.at(-1);
  const filters = { ...before, created_after: String((oldest?.created_at ?? 1) - 1) };
  return { filters, deposits: await all(client, '/v1/deposits', filters) };
}

/** The account under test: of the given key, or a new one of the sandbox with deposits of every kind. */
export async function anyAccount(): Promise<Client> {
  if (underTest.key !== null) return client(underTest.key);
  const made = await sendToService('/sandbox/accounts', {
    method: 'POST',
    body: JSON.stringify({ deposits: 130, assets: 7 }),
    headers: { 'content-type': 'application/json' },
  });
  if (made.status !== 201) throw new Error(`POST /sandbox/accounts: ${made.status} ${made.text}`);
  return client(bodyOf<{ key: string }>(made).key);
}
