import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetCalls, keepCalls, keptCalls, pathPattern } from './keptCalls.ts';
import type { RequestRecord } from './requestLog.ts';

const SECRET = 'sk_live_51H8';
const record: RequestRecord = {
  call: 3,
  attempt: 'a3',
  at: 1_795_228_907_000,
  method: 'PUT',
  path: `/api/operations/0b0e0000-1111-4222-8333-444455556666?note=${SECRET}`,
  key: '0b0e0000-1111-4222-8333-444455556666',
  headers: [['x-account', SECRET]],
  body: { text: `{"amount":"0.5","address":"${SECRET}"}`, length: 40 },
  outcome: 'answer',
  ms: 12,
  status: 200,
  requestId: 'req_1',
  replayed: false,
  answer: null,
};

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('window', {
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  ['/v1/deposits?asset=USDT&limit=100', '/v1/deposits'],
  ['/v1/withdrawals/wd_9fK2', '/v1/withdrawals/:id'],
  ['/v1/balances/BTC', '/v1/balances/:id'],
  ['/api/team/deposit-addresses', '/api/team/deposit-addresses'],
  ['/session', '/session'],
])('of %s %s is kept', (path, pattern) => {
  expect(pathPattern(path)).toBe(pattern);
});

test('an outline comes back to its owner alone, without body, key, header, query or id', () => {
  keepCalls('sandbox a', [record, { ...record, call: 4, outcome: 'running', status: null, requestId: '<b>' }]);
  expect(keptCalls('sandbox b')).toEqual([]);
  const [kept, ...more] = keptCalls('sandbox a');
  expect(more).toEqual([]);
  expect(kept).toEqual({
    call: 3,
    at: record.at,
    method: 'PUT',
    path: '/api/operations/:id',
    outcome: 'answer',
    ms: 12,
    status: 200,
    requestId: 'req_1',
    replayed: false,
  });
  expect(window.sessionStorage.getItem('countinghouse.calls')).not.toMatch(/sk_live|0b0e|amount/);
  forgetCalls();
  expect(keptCalls('sandbox a')).toEqual([]);
});

test('what somebody else wrote there is nothing', () => {
  for (const text of ['', '{', '[]', '{"owner":"sandbox a","calls":[{"path":7}]}']) {
    window.sessionStorage.setItem('countinghouse.calls', text);
    expect(keptCalls('sandbox a')).toEqual([]);
  }
});
