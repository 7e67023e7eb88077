import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GatewayAnswer, GatewayAttempt } from './gatewayAnswer.ts';
import { attempt, setTransport } from './http.ts';
import { clearRequestLog, getRequestLog } from './requestLog.ts';

const calls: { path: string; init: RequestInit }[] = [];

/** The next answers of the service; the last one stays. */
function serve(...answers: (() => Response | Promise<Response>)[]): void {
  setTransport(async (path, init) => {
    calls.push({ path, init });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer) throw new TypeError('no service');
    return answer();
  });
}

function answered(result: GatewayAttempt): GatewayAnswer {
  if (result.kind !== 'answer') throw new Error(`no answer: ${result.reason}`);
  return result;
}

const post = (): Promise<GatewayAttempt> => attempt({ method: 'POST', path: '/v1/withdrawals', body: '{"a":1}' });
const never = (): Promise<never> => new Promise(() => undefined);

/** A body that sends the parts and then ends, breaks or stalls. */
function stream(parts: string[], then: 'close' | 'error' | 'stall'): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part !== undefined) controller.enqueue(new TextEncoder().encode(part));
      else if (then === 'close') controller.close();
      else if (then === 'error') controller.error(new TypeError('terminated'));
      else return never();
      return undefined;
    },
  });
}

beforeEach(() => {
  calls.length = 0;
  clearRequestLog();
});
afterEach(() => {
  setTransport(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('one attempt is one request, with everything the gateway needs and its own X-Attempt', async () => {
  serve(() => Response.json({ id: 'wd_1' }, { status: 201, headers: { 'Request-Id': 'req_1' } }));
  await attempt({ method: 'POST', path: '/v1/withdrawals', body: '{"a":1}', account: 'acct' });
  await attempt({ method: 'GET', path: '/v1/deposits', query: new URLSearchParams({ starting_after: 'a+/=%& b' }) });
  expect(calls.map((call) => call.path)).toEqual(['/v1/withdrawals', '/v1/deposits?starting_after=a%2B%2F%3D%25%26+b']);
  const [first, second] = calls.map((call) => new Headers(call.init.headers));
  expect(first?.get('X-Account')).toBe('acct');
  expect(first?.get('Content-Type')).toBe('application/json');
  expect(first?.get('X-Attempt')).toMatch(/^\d+-\d+-\d+-\d+$/);
  expect(second?.get('X-Attempt')).not.toBe(first?.get('X-Attempt'));
  expect(second?.has('Content-Type')).toBe(false);
  expect(calls[0]?.init).toMatchObject({ body: '{"a":1}', redirect: 'manual', cache: 'no-store', method: 'POST' });
});

test('any status is an answer, with the headers that can be read', async () => {
  const date = 'Sat, 21 Nov 2026 13:58:22 GMT';
  const headers = {
    Date: date,
    'Request-Id': 'req_9',
    'Idempotency-Replayed': 'true',
    'Retry-After': '5',
    'Gateway-Error': 'upstream',
  };
  serve(
    () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { ...headers, 'Content-Type': 'text/html' } }),
  );
  expect(await post()).toMatchObject({
    kind: 'answer',
    status: 502,
    date: Date.parse(date) / 1000,
    requestId: 'req_9',
    replayed: true,
    retryAfter: '5',
    gatewayError: 'upstream',
    contentType: 'text/html',
    complete: true,
  });
  serve(() => new Response(null, { status: 204, headers: { Date: 'junk' } }));
  const unreadable = { date: null, requestId: null, replayed: false, retryAfter: null, gatewayError: null };
  const empty = { contentType: null, text: '', complete: true };
  expect(await post()).toMatchObject({ status: 204, ...unreadable, ...empty });
});

test('a cut body keeps its status and is marked incomplete', async () => {
  serve(() => new Response(stream(['{"id":"wd'], 'error'), { status: 201 }));
  expect(await post()).toMatchObject({ kind: 'answer', status: 201, text: '{"id":"wd', complete: false });
  serve(() => new Response('{"id":1}', { headers: { 'Content-Length': '9' } }));
  expect(answered(await post()).complete).toBe(false);
  serve(() => new Response('{"é":1}', { headers: { 'Content-Length': '8' } }));
  expect(answered(await post()).complete).toBe(true);
  serve(() => new Response('{"id":1}', { headers: { 'Content-Length': '5', 'Content-Encoding': 'gzip' } }));
  expect(answered(await post()).complete).toBe(true);
});

test('a body of 1 MB is read, one without end is not', async () => {
  serve(() => new Response('x'.repeat(1_000_000)));
  expect(answered(await post())).toMatchObject({ complete: true });
  const endless = Array.from({ length: 20 }, () => 'x'.repeat(1_000_000));
  serve(() => new Response(stream(endless, 'stall')));
  expect(answered(await post())).toMatchObject({ complete: false });
});

test('characters split between parts of the stream stay whole', async () => {
  const bytes = new TextEncoder().encode('{"a":"€😀"}');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  serve(() => new Response(body));
  expect(answered(await post()).text).toBe('{"a":"€😀"}');
});

test('an attempt times out after 30 seconds, body included, even if the transport ignores the signal', async () => {
  vi.useFakeTimers();
  for (const answer of [never, () => new Response(stream(['{'], 'stall'))]) {
    serve(answer);
    const result = post();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(calls.at(-1)?.init.signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toEqual({ kind: 'no-answer', reason: 'timeout', ms: 30_000 });
    expect(calls.at(-1)?.init.signal?.aborted).toBe(true);
  }
  expect(vi.getTimerCount()).toBe(0);
});

test('an attempt without an answer says why', async () => {
  serve(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(await post()).toMatchObject({ kind: 'no-answer', reason: 'network' });
  serve(() => new Response(null, { status: 302, headers: { Location: 'https://login.example/' } }));
  expect(await post()).toMatchObject({ kind: 'no-answer', reason: 'redirect' });
  setTransport(() => {
    throw new TypeError('not even a promise');
  });
  expect(await post()).toMatchObject({ kind: 'no-answer', reason: 'network' });
});

test('an aborted call ends at once; one aborted before it starts sends nothing', async () => {
  serve(never);
  const stop = new AbortController();
  const running = attempt({ method: 'GET', path: '/v1/balances', signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ reason: 'aborted' });
  expect(await attempt({ method: 'GET', path: '/v1/balances', signal: stop.signal })).toMatchObject({
    reason: 'aborted',
  });
  expect(calls).toHaveLength(1);
});

test('offline, a POST is not sent and a read is tried', async () => {
  vi.stubGlobal('navigator', { onLine: false });
  serve(() => Response.json({}));
  expect(await post()).toMatchObject({ kind: 'no-answer', reason: 'offline' });
  expect(calls).toHaveLength(0);
  expect(await attempt({ method: 'GET', path: '/v1/balances' })).toMatchObject({ kind: 'answer' });
});

test('every attempt is logged with request and response, but no body of /session', async () => {
  serve(
    () => Response.json({ secret: 'in the answer' }, { status: 409, headers: { 'Request-Id': 'req_2' } }),
    () => Response.json({ id: 'wd_1' }, { status: 201, headers: { 'Idempotency-Replayed': 'true' } }),
    () => Promise.reject(new TypeError('lost')),
  );
  await attempt({ method: 'POST', path: '/session', body: '{"key":"top secret"}' });
  await post();
  await attempt({ method: 'GET', path: '/v1/balances', account: 'acct' });
  const log = getRequestLog();
  expect(log).toMatchObject([
    { method: 'POST', path: '/session', outcome: 'answer', status: 409, requestId: 'req_2', key: null, body: null },
    { method: 'POST', path: '/v1/withdrawals', status: 201, key: null, replayed: true, body: { text: '{"a":1}' } },
    { method: 'GET', path: '/v1/balances', outcome: 'network', status: null, requestId: null, answer: null },
  ]);
  expect(log[1]?.answer?.body).toEqual({ text: '{"id":"wd_1"}', length: 13 });
  expect(log[1]?.headers.map(([name]) => name)).toEqual(['Accept', 'Content-Type']);
  expect(JSON.stringify(log)).not.toMatch(/secret|acct/);
});
