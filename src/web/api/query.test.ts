import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, describeError, isFromElsewhere, outcomeUnknown } from './errors.ts';
import { attempt, setTransport } from './http.ts';
import { read } from './query.ts';

let served = 0;

/** Answers in order, then repeats the last. */
function serve(...answers: (() => Response)[]): void {
  served = 0;
  setTransport(async () => {
    const answer = answers[Math.min(served, answers.length - 1)];
    served += 1;
    if (!answer) throw new TypeError('lost');
    return answer();
  });
}

const lost = (): never => {
  throw new TypeError('lost');
};
const fine = (): Response => Response.json({ fine: true }, { headers: { 'Request-Id': 'req_1' } });
const status =
  (code: number, headers: Record<string, string> = {}) =>
  (): Response =>
    Response.json({ error: { type: 't', code: 'c', message: 'm', request_id: 'req_2' } }, { status: code, headers });
const get = (signal?: AbortSignal): Promise<unknown> => read('/v1/balances', undefined, (json) => json, { signal });

/** The error of a read, after all its waiting. */
async function failure(): Promise<ApiError> {
  const result = get().catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  const error = await result;
  if (!(error instanceof ApiError)) throw new Error('did not fail as expected', { cause: error });
  return error;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  setTransport(null);
  vi.useRealTimers();
});

test('a request is sent before its caller continues', async () => {
  serve(fine);
  const reading = get();
  expect(served).toBe(1);
  await reading;
});

test('a read returns the data with where and when it was read', async () => {
  serve(fine);
  expect(await get()).toMatchObject({ data: { fine: true }, meta: { requestId: 'req_1', date: null } });
  expect(served).toBe(1);
});

const cut = (): Response => new Response('{"a":', { headers: { 'Content-Length': '100' } });

test('a temporary failure is tried three times in all', async () => {
  for (const [answer, kind] of [
    ...([408, 425, 500, 502, 503, 504] as const).map((code) => [status(code), 'http'] as const),
    [lost, 'network'] as const,
    [cut, 'cut'] as const,
  ]) {
    serve(answer);
    expect(await failure()).toMatchObject({ kind });
    expect(served).toBe(3);
  }
  serve(lost, status(503), fine);
  const result = get();
  await vi.runAllTimersAsync();
  expect(await result).toMatchObject({ data: { fine: true } });
});

const html = (): Response => new Response('<html>Hotel</html>', { headers: { 'Content-Type': 'text/html' } });

test('a refusal, a redirect and a web page are not tried again', async () => {
  for (const answer of [...[400, 401, 403, 404, 409].map((code) => status(code)), html, () => new Response('')]) {
    serve(answer);
    await failure();
    expect(served).toBe(1);
  }
});

test('Retry-After is honoured up to a minute', async () => {
  const waitOf = async (header: string): Promise<number> => {
    serve(status(503, { 'Retry-After': header }), fine);
    const from = Date.now();
    const result = get();
    await vi.runAllTimersAsync();
    await result;
    return Date.now() - from;
  };
  expect(await waitOf('5')).toBe(5000);
  expect(await waitOf('60')).toBe(60_000);
  expect(await waitOf('abc')).toBeLessThan(1000);
  expect(await waitOf('-5')).toBeLessThan(1000);
  const inTen = new Date(Math.ceil(Date.now() / 1000) * 1000 + 10_000).toUTCString();
  const waited = await waitOf(inTen);
  expect(waited).toBeGreaterThanOrEqual(10_000);
  expect(waited).toBeLessThanOrEqual(11_000);

  serve(status(503, { 'Retry-After': '99999' }));
  expect(await failure()).toMatchObject({ status: 503, retryAfterSeconds: 99_999 });
  expect(served).toBe(1);
});

test('a Retry-After date is read by the service’s clock, however wrong the device’s is', async () => {
  const dates = { Date: 'Sat, 21 Nov 2020 13:58:22 GMT', 'Retry-After': 'Sat, 21 Nov 2020 13:58:29 GMT' };
  serve(status(503, dates), fine);
  const result = get();
  await vi.advanceTimersByTimeAsync(6999);
  expect(served).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await result;
  expect(served).toBe(2);
});

test('a rate limit on any request pauses reads', async () => {
  serve(status(429, { 'Retry-After': '7' }), fine);
  await attempt({ method: 'POST', path: '/v1/withdrawals', body: '{}' });
  const result = get();
  await vi.advanceTimersByTimeAsync(6999);
  expect(served).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await result;
  expect(served).toBe(2);
});

test('a read aborted while waiting sends nothing more', async () => {
  serve(status(503, { 'Retry-After': '30' }));
  const stop = new AbortController();
  const result = get(stop.signal).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10);
  stop.abort(new Error('left'));
  expect(await result).toMatchObject({ message: 'left' });
  await vi.runAllTimersAsync();
  expect(served).toBe(1);
});

const words = async (answer: () => Response): Promise<string> => {
  serve(answer);
  return (await failure()).message;
};

test('a web page in place of an answer is named in plain words, and its text not shown', async () => {
  const page = '<!doctype html><script>alert(1)</script>';
  expect(await words(() => new Response(page))).toMatch(/web page/);
  expect(await words(() => new Response(''))).toMatch(/empty/);
  expect(await words(() => new Response('hello'))).toMatch(/not JSON/);
});

test.each([200, 400, 401, 403, 404, 407, 409, 429, 500, 502, 503])(
  'a web page in place of JSON is named as one, whatever its status: %i',
  async (code) => {
    for (const [page, type] of [
      ['<!doctype html><script>alert(1)</script>', 'text/html'],
      ['\n <html>', 'text/plain'],
      ['', 'TEXT/HTML; charset=utf-8'],
      ['Sign in to Example Inc.', 'text/html'],
    ] as const) {
      serve(() => new Response(page, { status: code, headers: { 'Content-Type': type } }));
      const error = await failure();
      expect(error).toMatchObject({ kind: 'web-page', status: code, code: null });
      expect(error.message).toMatch(/^A web page came back in place of the provider’s response.* reload this page/);
      expect([error.message, describeError(error).heading].join()).not.toMatch(/[<>]|key|sign.?ed out/i);
      expect([isFromElsewhere(error), outcomeUnknown(error)]).toEqual([true, true]);
    }
  },
);

test('a redirect is named as one, tried once, and never followed', async () => {
  serve(() => new Response(null, { status: 302, headers: { Location: 'https://login.example/' } }));
  const error = await failure();
  expect(error).toMatchObject({ kind: 'redirect', message: /such as a sign-in page/ });
  expect([served, isFromElsewhere(error)]).toEqual([1, true]);
});

test('JSON that is labelled as a web page is JSON, and a 401 without a reason blames no key', async () => {
  const headers = { 'Content-Type': 'text/html' };
  const refusal = '{"error":{"code":"authentication_error","message":"No."}}';
  serve(() => new Response(refusal, { status: 401, headers }));
  expect(await failure()).toMatchObject({ kind: 'http', code: 'authentication_error' });
  expect(await words(() => new Response('Unauthorized', { status: 401 }))).not.toMatch(/key/);
});

test('an answer of another shape is reported with the place of the fault', async () => {
  serve(fine);
  const result = read('/v1/balances', undefined, () => {
    throw new TypeError('"data" is missing');
  });
  await expect(result).rejects.toMatchObject({
    kind: 'not-contract',
    requestId: 'req_1',
    message: /"data" is missing/,
  });
});

const envelope = async (body: unknown): Promise<ReturnType<typeof describeError>> => {
  serve(() => Response.json(body, { status: 400, headers: { 'Request-Id': 'req_h' } }));
  return describeError(await failure());
};

test('an envelope with parts missing gives general words, and a message of 1 MB its whole text', async () => {
  expect(await envelope({ error: {} })).toMatchObject({ status: 400, code: null, requestId: 'req_h' });
  expect((await envelope({ error: { message: 5, code: null } })).message).toMatch(/refused/);
  for (const body of [null, [], 'text', 7, { error: null }, { error: 'x' }, { error: [] }]) {
    expect((await envelope(body)).message).toMatch(/refused/);
  }
  const long = 'x'.repeat(1_000_000);
  expect((await envelope({ error: { message: long, code: 'c', type: 't', request_id: 'r' } })).message).toBe(long);
});

test('any thrown value can be described', () => {
  for (const thrown of [new Error('bug'), 'text', null, undefined, { a: 1 }]) {
    expect(describeError(thrown)).toMatchObject({ status: null, heading: 'Something went wrong on this page' });
  }
});

test('Retry-After is described as the time of the next request', () => {
  const error = new ApiError('Too many', { kind: 'http', status: 429, retryAfterSeconds: 90 });
  expect(describeError(error).waitUntil).toBe(error.at + 90);
  expect(describeError(new ApiError('No', { kind: 'http', status: 429 })).waitUntil).toBeNull();
});

test('a waiting read keeps waiting when the pause is extended', async () => {
  serve(status(429, { 'Retry-After': '1' }), status(429, { 'Retry-After': '3' }), fine);
  await attempt({ method: 'GET', path: '/v1/deposits' });
  const waiting = get();
  await vi.advanceTimersByTimeAsync(500);
  await attempt({ method: 'GET', path: '/v1/deposits' });
  await vi.advanceTimersByTimeAsync(2_900);
  expect(served).toBe(2);
  await vi.runAllTimersAsync();
  expect(await waiting).toMatchObject({ data: { fine: true } });
});

test('a failure of the dashboard’s own server is not reported as the provider’s', async () => {
  const headingAt = async (path: string) => {
    const result = read(path, undefined, (json) => json).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    return describeError(await result).heading;
  };
  serve(status(500));
  expect(await headingAt('/api/team/closed-periods')).toBe('The dashboard’s server had an error');
  expect(await headingAt('/v1/balances')).toBe('The provider had an error');
  serve(status(500, { 'Gateway-Error': 'database' }));
  expect(await headingAt('/v1/balances')).toBe('The dashboard’s server had an error');
});
