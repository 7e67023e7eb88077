// Test support: a payments provider with one list, read as the server reads it.
import type { ServicePort } from '#src/server/operations/ports.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import type { JobsParts } from './jobs.ts';
import type { JobClock } from './pageReader.ts';

export interface TestRow {
  id: string;
  status?: string;
  asset?: string;
  received_amount?: unknown;
  created_at?: unknown;
}

export const EXPORT_TIME = 1_763_000_000;

export function testRow(n: number, more: Partial<TestRow> = {}): TestRow {
  return {
    id: `dep_${n}`,
    status: 'completed',
    asset: 'BTC',
    received_amount: '0.1',
    created_at: EXPORT_TIME + n,
    ...more,
  };
}

export const testRows = (count: number): TestRow[] => Array.from({ length: count }, (_, n) => testRow(n + 1));

export function listAnswer(data: readonly unknown[], cursor: string | null): AttemptResult {
  return answerOf(200, { object: 'list', data, has_more: cursor !== null, next_cursor: cursor });
}

export function answerOf(status: number, body: unknown, retryAfter: string | null = null): AttemptResult {
  return {
    kind: 'answer',
    status,
    requestId: 'req_1',
    replayed: false,
    retryAfter,
    date: null,
    contentType: 'application/json',
    text: JSON.stringify(body),
    complete: true,
    ms: 1,
  };
}

interface ProviderOptions {
  pageSize?: number;
  /** Before each read, with its number from 1; an answer replaces the provider's own. */
  onRead?: (call: number, query: URLSearchParams) => Promise<AttemptResult | undefined> | AttemptResult | undefined;
}

/** A provider with these rows, newest last. `reads`: the queries so far. */
export function testProvider(rows: readonly TestRow[], { pageSize = 2, onRead }: ProviderOptions = {}) {
  const reads: URLSearchParams[] = [];
  const keys = new Set<string>();
  const read: ServicePort['read'] = async (apiKey, target) => {
    const query = new URLSearchParams(target.slice(target.indexOf('?')));
    reads.push(query);
    keys.add(apiKey);
    const instead = await onRead?.(reads.length, query);
    if (instead !== undefined) return instead;
    const ordered = query.get('order') === 'asc' ? rows : rows.toReversed();
    const cursor = query.get('starting_after');
    const from = cursor === null ? 0 : ordered.findIndex(({ id }) => id === cursor) + 1;
    const data = ordered.slice(from, from + Math.min(pageSize, Number(query.get('limit'))));
    const isLast = from + data.length >= ordered.length;
    return listAnswer(data, isLast ? null : (data.at(-1)?.id ?? null));
  };
  const cursors = () =>
    reads.filter((query) => query.get('limit') === '100').map((query) => query.get('starting_after'));
  return { name: 'https://pay.example', read, reads, keys, cursors };
}

/** Each call is a second later, so every page is saved. Waits end at once. */
export function quickClock(): JobClock & { waits: number[] } {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    wall: () => EXPORT_TIME * 1_000,
    mono: () => (now += 1_000),
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
    random: () => 0.5,
  };
}

/** An account without closed periods. */
export const NOTHING_CLOSED: Pick<JobsParts, 'statements' | 'loadTeamRecords' | 'monthEvents'> = {
  monthEvents: { onPrepared: async () => undefined, onReminder: async () => undefined },
  statements: {
    list: async () => [],
    item: async () => null,
    readZip: () => Promise.reject(new Error('Nothing is closed.')),
    close: () => Promise.reject(new Error('Nothing is closed here.')),
  },
  loadTeamRecords: async () => ({ recipients: [], notes: [], operations: [] }),
};
