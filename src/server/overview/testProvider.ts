// Test support: a payments provider in memory that answers like the contract's lists, and time that tests move.
import type { Batch, BatchReads } from '#src/server/operations/ports.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import type { OverviewClock } from './providerReads.ts';

export const NOW = 1_790_000_000;
export const PROVIDER_OWNER = { service: 'https://pay.example', account: 'acct_1' };
export const ASKER = { ...PROVIDER_OWNER, apiKey: 'sk_1' };

export interface TestPayment {
  id: string;
  status: string;
  asset?: string;
  chain?: string;
  amount?: string;
  received_amount?: string;
  address?: string;
  fee?: string | null;
  created_at: number;
}

export function datedAnswer(
  status: number,
  body: unknown,
  retryAfter: string | null = null,
  date = NOW,
): AttemptResult {
  return {
    kind: 'answer',
    status,
    requestId: 'req_1',
    replayed: false,
    retryAfter,
    date,
    contentType: 'application/json',
    text: JSON.stringify(body),
    complete: true,
    ms: 1,
  };
}

export const refusalBody = (code: string) => ({
  error: { type: 't', code, message: `It says ${code}.`, request_id: 'req_1' },
});

/** Payments, newest first, and what else the provider has. Tests change it as they go. */
export function createTestProvider() {
  const data = {
    '/v1/deposits': [] as TestPayment[],
    '/v1/withdrawals': [] as TestPayment[],
    '/v1/ledger-entries': [] as { id: string; created_at: number; [field: string]: unknown }[],
    '/v1/balances': [{ object: 'balance', asset: 'BTC', available: '1', pending: '0', locked: '0', total: '1' }] as {
      asset: string;
      [field: string]: unknown;
    }[],
  };
  const requests: string[] = [];
  const keys = new Set<string>();
  const provider = {
    data,
    requests,
    keys,
    now: NOW,
    /** Replaces the provider's own answer if it returns one. */
    instead: (_target: string): AttemptResult | undefined => undefined,
    async read(apiKey: string, target: string): Promise<AttemptResult> {
      requests.push(target);
      keys.add(apiKey);
      const instead = provider.instead(target);
      if (instead !== undefined) return instead;
      const url = new URL(target, 'https://pay.example');
      const asset = /^\/v1\/balances\/(.+)$/.exec(url.pathname)?.[1];
      const balance = data['/v1/balances'].find((each) => each.asset === asset);
      if (balance !== undefined) return datedAnswer(200, balance, null, provider.now);
      const lists: Record<string, readonly { id?: string; asset?: unknown }[]> = data;
      const list = lists[url.pathname];
      if (list === undefined) return datedAnswer(404, refusalBody('not_found'));
      const filters = ['status', 'asset', 'source'].filter((name) => url.searchParams.has(name));
      const found = list.filter((row) =>
        filters.every((name) => Reflect.get(row, name) === url.searchParams.get(name)),
      );
      const ordered = url.searchParams.get('order') === 'asc' ? found.toReversed() : found;
      const cursor = url.searchParams.get('starting_after');
      const from = cursor === null ? 0 : ordered.findIndex(({ id }) => id === cursor) + 1;
      const page = ordered.slice(from, from + Number(url.searchParams.get('limit')));
      const isLast = from + page.length >= ordered.length;
      const next = isLast ? null : (page.at(-1)?.id ?? null);
      return datedAnswer(200, { object: 'list', data: page, has_more: !isLast, next_cursor: next }, null, provider.now);
    },
  };
  return provider;
}

/** Time stands still until `pass`. Waits end at once, except the one for PATIENCE_MS. */
export function testClock(): OverviewClock & { pass: (ms: number) => void } {
  let now = 1_000_000;
  return {
    wall: () => NOW * 1_000 + now,
    mono: () => now,
    sleep: (ms) => (ms === 1_000 ? new Promise(() => undefined) : Promise.resolve()),
    pass: (ms) => (now += ms),
  };
}

export const testDeposit = (n: number, more: Partial<TestPayment> = {}): TestPayment => ({
  id: `dep_${n}`,
  status: 'completed',
  asset: 'BTC',
  chain: 'bitcoin',
  received_amount: '0.1',
  created_at: NOW - n * 60,
  ...more,
});

export const testWithdrawal = (n: number, more: Partial<TestPayment> = {}): TestPayment => ({
  id: `wd_${n}`,
  status: 'completed',
  asset: 'BTC',
  chain: 'bitcoin',
  amount: '0.1',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  created_at: NOW - n * 60,
  ...more,
});

export const NO_OPERATIONS = { list: () => Promise.resolve({ rows: [], next: null }) };

/** A batch of two payments, one of them not sent. */
export const testBatch = (more: Partial<Batch> = {}): Batch => ({
  ...PROVIDER_OWNER,
  id: 'batch_0001',
  credential: 'c',
  person: null,
  who: null,
  at: NOW * 1_000,
  fileName: 'may.csv',
  fingerprint: '',
  lines: 2,
  again: null,
  state: 'paused',
  why: 'unconfirmed',
  whyLine: 2,
  run: null,
  revision: 4,
  ...more,
});

/** `left`: how many payments of each are not sent. */
export function listingBatches(batches: readonly Batch[], left = 1): Pick<BatchReads, 'unended' | 'lineCounts'> {
  return {
    unended: async () => [...batches],
    lineCounts: async (ids) =>
      ids.map((batch) => ({ batch, isAbandoned: false, state: 'awaiting' as const, count: left, hours: null })),
  };
}
