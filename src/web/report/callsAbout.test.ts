import { expect, test } from 'vitest';
import { loggedBody, type RequestRecord } from '#src/web/api/requestLog.ts';
import { callsAbout } from './caseFile.ts';

function call(path: string, of: { body?: string; answer?: string | null } = {}): RequestRecord {
  const { body, answer = '{}' } = of;
  return {
    call: 1,
    attempt: path,
    at: 1_795_000_000_000,
    method: 'GET',
    path,
    key: null,
    headers: [],
    body: body === undefined ? null : loggedBody(body),
    outcome: 'answer',
    ms: 5,
    status: 200,
    requestId: 'req_1',
    replayed: false,
    answer: {
      gatewayError: null,
      retryAfter: null,
      date: null,
      contentType: null,
      complete: true,
      error: null,
      body: answer === null ? { text: null, length: 9 } : loggedBody(answer),
    },
  };
}

const pathsOf = (log: RequestRecord[], id: string) => callsAbout(log, id).calls.map(({ path }) => path);

test('finds calls that name an id in their path, query, body or response, but not a longer id that begins with it', () => {
  const log = [
    call('/v1/deposits?limit=1', { answer: '{"data":[{"id":"dep_1"}]}' }),
    call('/v1/deposits?limit=2', { answer: '{"data":[{"id":"dep_12"}]}' }),
    call('/v1/ledger-entries?source=dep_1&order=asc', { answer: null }),
    call('/v1/ledger-entries?source=dep_12', { answer: null }),
    call('/v1/charges', { body: '{"deposit":"dep_1"}' }),
    call('/v1/withdrawals/dep_1'),
    call('/session', { answer: '"dep_1"' }),
  ];
  expect(pathsOf(log, 'dep_1')).toEqual([
    '/v1/deposits?limit=1',
    '/v1/ledger-entries?source=dep_1&order=asc',
    '/v1/charges',
    '/v1/withdrawals/dep_1',
  ]);
});

test('finds ids that are escaped in JSON or encoded in a path', () => {
  const log = [call('/v1/withdrawals/a%2F%22b'), call('/v1/withdrawals', { answer: JSON.stringify({ id: 'a/"b' }) })];
  expect(pathsOf(log, 'a/"b')).toHaveLength(2);
  expect(() => callsAbout(log, '\uD800')).not.toThrow();
});

test('keeps the newest of many calls, and counts the others', () => {
  const log = Array.from({ length: 45 }, (_, at) => call(`/v1/withdrawals/wd_1?at=${at}`));
  const { calls, more } = callsAbout(log, 'wd_1');
  expect([calls.length, more, calls.at(-1)?.path]).toEqual([40, 5, '/v1/withdrawals/wd_1?at=44']);
});
