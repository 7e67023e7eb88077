import { SERVERS } from './servers.ts';

/** One fault, as `POST /sandbox/faults` takes it; the account is added. */
export interface Fault {
  method?: string;
  /** A prefix of the path. */
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
  /** With its question mark; empty when there is none. */
  query: string;
  /** The page's own name for the attempt: a browser may make one attempt arrive twice. */
  attempt: string | null;
  idempotency_key: string | null;
  body: string | null;
  /** null: never answered. */
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
  /** What was really carried out. */
  executed: { withdrawals: number; deposit_addresses: number; charges: number; webhook_replays: number };
}

/** On a connection of its own each: a kept one may be closed by the server just when it is used again. */
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

/** Held back until the faults are cleared: a state on the way lasts as long as a slow machine needs to see it. */
export const HELD = { delay: 600_000 };

/** A fresh account of the sandbox, still but for these controls. */
export interface Account {
  /** The sandbox's own id. */
  id: string;
  key: string;
  /** GET of the service itself with the account's key: what is true, whatever the page shows. */
  read<T = Record<string, unknown>>(path: string): Promise<T>;
  deposit(of: {
    asset: string;
    chain: string;
    amount: string;
    status?: string;
    created_at?: number;
  }): Promise<{ id: string }>;
  /** Moves a deposit in flight on. */
  depositTo(id: string, status: string): Promise<unknown>;
  /** Moves value between two balances. */
  swap(of: { from: string; from_amount: string; to: string; to_amount: string }): Promise<{ id: string }>;
  /** Moves a withdrawal on. */
  withdrawal(id: string, to: { status: string; tx_hash?: string }): Promise<unknown>;
  /** Lets seconds of the account's own time pass, with what falls due in them. */
  advance(seconds: number): Promise<unknown>;
  fault(fault: Fault): Promise<unknown>;
  clearFaults(): Promise<unknown>;
  /** What the service received from this account, oldest first. */
  requests(): Promise<SeenRequest[]>;
  /** The whole journal in short: `sums` per asset must be "0". */
  ledger(): Promise<Ledger>;
  /** The withdrawals that the service has, newest first. */
  withdrawals(): Promise<Record<string, unknown>[]>;
  /** One more key of this account. */
  newKey(): Promise<string>;
  revokeKey(key: string): Promise<unknown>;
  restoreKey(key: string): Promise<unknown>;
}

/** Makes an account with so many deposits and assets; with neither it has never held anything. */
export async function createAccount(seed: { deposits?: number; assets?: number } = {}): Promise<Account> {
  const of = { deposits: 0, assets: seed.deposits ? 7 : 0, ...seed };
  const raw = SERVERS.raw.origin;
  const { account, key } = await call<{ account: string; key: string }>(raw, 'POST', '/sandbox/accounts', of);
  return accountAt(raw, account, key);
}

/** The controls of an account that a sandbox at this origin has. */
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
