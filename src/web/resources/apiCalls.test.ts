import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loggedBody, type RequestRecord } from '#src/web/api/requestLog.ts';
import { callsOf, foldReads, pathPattern, sameKey } from './apiCalls.ts';
import { readFilters, writeFilters } from '#src/web/list/filters/filterTable.ts';
import { indentJson } from '#src/shared/json/indentJson.ts';
import { CALL_FILTERS, type CallFilters, fits } from './apiCallFilters.tsx';

const record = (call: number, of: Partial<RequestRecord> = {}): RequestRecord => ({
  call,
  attempt: `a${call}`,
  at: 0,
  method: 'GET',
  path: '/v1/deposits?asset=B%20T',
  key: null,
  headers: [],
  body: null,
  outcome: 'answer',
  ms: 1,
  status: 200,
  requestId: `req_${call}`,
  replayed: false,
  answer: null,
  ...of,
});

test('attempts of one call are one entry, newest call first', () => {
  const log = [record(1, { status: 502 }), record(2), record(1, { status: 200 })];
  const calls = callsOf(log);
  expect(calls.map(({ number, attempts, last }) => [number, attempts.length, last.status])).toEqual([
    [2, 1, 200],
    [1, 2, 200],
  ]);
  expect(callsOf([...log, record(3)]).slice(1)).toEqual(calls);
  // The oldest attempt fell out of the log.
  expect(callsOf(log.slice(1))[1]?.attempts).toHaveLength(1);
});

test('the outcome filter matches any attempt, and the text filter finds paths, request ids, keys and ids in bodies', () => {
  const [call] = callsOf([record(1, { status: 502, requestId: 'req_A' }), record(1)]);
  const [operation] = callsOf([record(2, { method: 'POST', key: 'KEY-1', outcome: 'timeout', status: null })]);
  if (!call || !operation) throw new Error('no calls');
  for (const outcome of ['5xx', '2xx'] as const) expect(fits(call, { outcome })).toBe(true);
  for (const outcome of ['4xx', 'none'] as const) expect(fits(call, { outcome })).toBe(false);
  expect(fits(operation, { outcome: 'none', method: 'POST', operations: 'only', text: 'key-1' })).toBe(true);
  expect(fits(call, { operations: 'only' })).toBe(false);
  for (const text of ['DEPOSITS', 'b t', 'b%20t', 'req_a']) expect(fits(call, { text })).toBe(true);
  expect(fits(call, { text: 'withdrawals' })).toBe(false);
  const [listed] = callsOf([record(3, { body: loggedBody('{"data":[{"id":"dep_1"}]}') })]);
  expect(listed && fits(listed, { text: 'dep_1' })).toBe(true);
  expect(sameKey([operation, { ...operation, number: 3 }, call], operation)).toHaveLength(1);
  expect(sameKey([operation, call], call)).toEqual([]);
});

test('filters are read from and written to the URL, and invalid ones have their default', () => {
  const search = new URLSearchParams('method=POST&outcome=none&text=a%26b&operations=only&other=1');
  const { filters } = readFilters<CallFilters>(search, CALL_FILTERS);
  expect(filters).toEqual({ method: 'POST', outcome: 'none', text: 'a&b', operations: 'only' });
  expect(writeFilters<CallFilters>(search, { text: 'c' }, CALL_FILTERS)).toBe('text=c&other=1');
  const junk = new URLSearchParams('method=PATCH&outcome=9xx&text=&operations=1');
  expect(readFilters<CallFilters>(junk, CALL_FILTERS).filters).toEqual({});
});

test('indented JSON keeps every part unchanged', () => {
  expect(indentJson('{"a":[1.10,{}],"b,{":"x\\"y","c":[]}')).toBe(
    '{\n  "a": [\n    1.10,\n    {}\n  ],\n  "b,{": "x\\"y",\n  "c": []\n}',
  );
  expect(indentJson('<html>')).toBeNull();
  expect(indentJson('12345678901234567890.10')).toBe('12345678901234567890.10');
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(indentJson(json) ?? '')).toEqual(JSON.parse(json));
    }),
  );
});

test('writes and failures are listed one by one; successful reads are folded by path', () => {
  const calls = callsOf([
    record(1, { path: '/v1/deposits?limit=100' }),
    record(2, { path: '/v1/deposits/dep_1' }),
    record(3, { path: '/v1/deposits/dep_2' }),
    record(4, { method: 'PUT', path: '/api/operations/x' }),
    record(5, { status: 502 }),
    record(5, { status: 200 }),
    record(6, { outcome: 'timeout', status: null }),
    record(7, { path: '/v1/deposits?asset=ETH' }),
  ]);
  const { notable, folds } = foldReads(calls);
  expect(notable.map(({ number }) => number)).toEqual([6, 5, 4]);
  expect(folds.map(({ name, calls }) => [name, calls.map(({ number }) => number)])).toEqual([
    ['GET /v1/deposits', [7, 1]],
    ['GET /v1/deposits/:id', [3, 2]],
  ]);
});

test.each([
  ['/v1/deposits?asset=USDT&limit=100', '/v1/deposits'],
  ['/v1/withdrawals/wd_9fK2', '/v1/withdrawals/:id'],
  ['/v1/balances/BTC', '/v1/balances/:id'],
  ['/api/team/deposit-addresses', '/api/team/deposit-addresses'],
  ['/session', '/session'],
])('reads of %s are folded under %s', (path, pattern) => {
  expect(pathPattern(path)).toBe(pattern);
});
