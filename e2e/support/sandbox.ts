import { SERVERS } from './servers.ts';

/** A fault as in `POST /sandbox/faults`; the account is added. */
export interface Fault {
  method?: string;
  /** Prefix of the path. */
  path?: string;
  times?: number;
  when?: 'before' | 'after';
  drop?: boolean;
  /** Milliseconds. */
  delay?: number;
  status?: number;
  headers?: Record<string, string>;
  removeHeaders?: string[];
  body?: string;
  patch?: unknown;
  cutAt?: number;
  stall?: boolean;
  duplicate?: boolean;
}

export interface SeenRequest {
  method: string;
  path: string;
  /** Including the question mark; empty if the URL has no query. */
  query: string;
  /** The client's id of the attempt: a browser may deliver one attempt twice. */
  attempt: string | null;
  idempotency_key: string | null;
  body: string | null;
  /** Null if never answered. */
  status: number | null;
  replayed: boolean;
  [more: string]: unknown;
}

interface Ledger {
  entries: number;
  sums: Record<string, string>;
  unbalanced: number;
  books: Record<string, Record<string, string>>;
  drifted: string[];
  /** Number of executed operations. */
  executed: { withdrawals: number; deposit_addresses: number; charges: number; webhook_replays: number };
}

/** Uses a new connection per request, because the server may close a kept-alive one just as it is reused. */
export const ALONE = { Connection: 'close' };

async function call<T>(origin: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(origin + path, {
    method,
    headers: { ...ALONE, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text || 'null');
}

/** Delays the response until faults are cleared, so that even a slow machine sees the state in between. */
export const HELD = { delay: 600_000 };

/** A new sandbox account that changes only by these controls. */
export interface Account {
  /** The sandbox's own id. */
  id: string;
  key: string;
  /** GET directly from the service with the account's key: the truth, whatever the page shows. */
  read<T = Record<string, unknown>>(path: string): Promise<T>;
  deposit(of: {
    asset: string;
    chain: string;
    amount: string;
    status?: string;
    created_at?: number;
  }): Promise<{ id: string }>;
  /** Changes the status of a deposit in flight. */
  depositTo(id: string, status: string): Promise<unknown>;
  /** Moves value between two balances. */
  swap(of: { from: string; from_amount: string; to: string; to_amount: string }): Promise<{ id: string }>;
  /** Changes the status of a withdrawal in flight. */
  withdrawal(id: string, to: { status: string; tx_hash?: string }): Promise<unknown>;
  /** Advances the account's clock, in seconds, and settles what falls due. */
  advance(seconds: number): Promise<unknown>;
  fault(fault: Fault): Promise<unknown>;
  clearFaults(): Promise<unknown>;
  /** Requests that the service received from this account, oldest first. */
  requests(): Promise<SeenRequest[]>;
  /** A summary of the whole ledger; `sums` must be "0" for every asset. */
  ledger(): Promise<Ledger>;
  /** All withdrawals of the service, newest first. */
  withdrawals(): Promise<Record<string, unknown>[]>;
  /** Creates another API key for this account. */
  newKey(): Promise<string>;
  revokeKey(key: string): Promise<unknown>;
  restoreKey(key: string): Promise<unknown>;
}

/** Creates an account with this many deposits and assets; with neither it has no history at all. */
export async function createAccount(seed: { deposits?: number; assets?: number } = {}): Promise<Account> {
  const of = { deposits: 0, assets: seed.deposits ? 7 : 0, ...seed };
  const raw = SERVERS.raw.origin;
  const { account, key } = await call<{ account: string; key: string }>(raw, 'POST', '/sandbox/accounts', of);
  return accountAt(raw, account, key);
}

/** The controls of an existing account of the sandbox at this origin. */
export function accountAt(raw: string, id: string, key: string): Account {
  const at = `?account=${encodeURIComponent(id)}`;

  async function read<T>(path: string): Promise<T> {
    const answer = await fetch(raw + path, { headers: { ...ALONE, 'x-api-key': key } });
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`);
    return JSON.parse(await answer.text());
  }

  return {
    id,
    key,
    read,
    deposit: (of) => call(raw, 'POST', '/sandbox/deposits', { account: id, ...of }),
    depositTo: (dep, status) => call(raw, 'POST', `/sandbox/deposits/${dep}`, { account: id, status }),
    withdrawal: (wd, to) => call(raw, 'POST', `/sandbox/withdrawals/${wd}`, { account: id, ...to }),
    swap: (of) => call(raw, 'POST', '/sandbox/swaps', { account: id, ...of }),
    advance: (seconds) => call(raw, 'POST', '/sandbox/clock', { account: id, advance: seconds }),
    fault: (fault) => call(raw, 'POST', '/sandbox/faults', { account: id, ...fault }),
    clearFaults: () => call(raw, 'DELETE', `/sandbox/faults${at}`),
    requests: async () => (await call<{ data: SeenRequest[] }>(raw, 'GET', `/sandbox/requests${at}`)).data,
    ledger: () => call(raw, 'GET', `/sandbox/ledger${at}`),
    withdrawals: async () => (await read<{ data: Record<string, unknown>[] }>('/v1/withdrawals?limit=100')).data,
    newKey: async () => (await call<{ key: string }>(raw, 'POST', `/sandbox/accounts/${id}/keys`, {})).key,
    revokeKey: (of) => call(raw, 'POST', `/sandbox/accounts/${id}/revoke-key`, { key: of }),
    restoreKey: (of) => call(raw, 'POST', `/sandbox/accounts/${id}/restore-key`, { key: of }),
  };
}
