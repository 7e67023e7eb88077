import { afterEach, expect, test, vi } from 'vitest';
import { startEarly } from './earlyRequests.ts';
import { type Call, attempt } from './http.ts';
import { clearRequestLog, getRequestLog } from './requestLog.ts';

const URL_OF_LIST = '/v1/deposits?limit=50';
const sent: { url: string; headers: Headers }[] = [];

function serve(answer: () => Promise<Response>): void {
  vi.stubGlobal('fetch', (url: string, { headers }: RequestInit) => {
    sent.push({ url, headers: new Headers(headers) });
    return answer();
  });
}

const read = (change: Partial<Call> = {}) =>
  attempt({ method: 'GET', path: '/v1/deposits', query: new URLSearchParams('limit=50'), account: 'acct', ...change });

afterEach(async () => {
  // Drops early requests that the test left.
  await attempt({ method: 'POST', path: '/v1/charges', body: '{}' });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearRequestLog();
  sent.length = 0;
});

test('the first read of the same URL takes over the early request, once, and the log shows that attempt', async () => {
  serve(() => Promise.resolve(Response.json({ data: [] })));
  startEarly('acct', [URL_OF_LIST]);
  expect(await read()).toMatchObject({ kind: 'answer', status: 200, text: '{"data":[]}' });
  expect(sent).toHaveLength(1);
  const [early] = sent;
  expect(Object.fromEntries(early?.headers ?? [])).toEqual({
    accept: 'application/json',
    'x-account': 'acct',
    'x-attempt': getRequestLog()[0]?.attempt,
  });
  expect(getRequestLog()).toMatchObject([{ path: URL_OF_LIST, outcome: 'answer', status: 200 }]);
  await read();
  expect(sent).toHaveLength(2);
  expect(Object.fromEntries(sent[1]?.headers ?? [])).toEqual({
    ...Object.fromEntries(early?.headers ?? []),
    'x-attempt': getRequestLog()[1]?.attempt,
  });
});

test.each<[string, Partial<Call>]>([
  ['another account', { account: 'other' }],
  ['another query', { query: new URLSearchParams('limit=51') }],
  ['another path', { path: '/v1/withdrawals' }],
])('%s asks for itself', async (_, change) => {
  serve(() => Promise.resolve(Response.json({})));
  startEarly('acct', [URL_OF_LIST]);
  await read(change);
  expect(sent).toHaveLength(2);
});

test('after a write or ten seconds, an early request is not used', async () => {
  serve(() => Promise.resolve(Response.json({})));
  startEarly('acct', [URL_OF_LIST]);
  await attempt({ method: 'DELETE', path: '/session' });
  await read();
  expect(sent).toHaveLength(3);
  startEarly('acct', [URL_OF_LIST]);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 10_001);
  await read();
  expect(sent).toHaveLength(5);
});

test('an early request that failed is reported as a read without an answer', async () => {
  serve(() => Promise.reject(new TypeError('lost')));
  startEarly('acct', [URL_OF_LIST]);
  expect(await read()).toMatchObject({ kind: 'no-answer', reason: 'network' });
});

test('a read that is no longer wanted ends the early request', async () => {
  let signal: AbortSignal | null | undefined;
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    signal = init.signal;
    return new Promise(() => undefined);
  });
  startEarly('acct', [URL_OF_LIST]);
  const leave = new AbortController();
  const reading = read({ signal: leave.signal });
  leave.abort();
  expect(await reading).toMatchObject({ kind: 'no-answer', reason: 'aborted' });
  expect(signal?.aborted).toBe(true);
  serve(() => Promise.resolve(Response.json({})));
});
