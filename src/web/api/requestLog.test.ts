import { beforeEach, expect, test, vi } from 'vitest';
import { attempt, setTransport } from './http.ts';
import {
  loggedBody,
  TEXT_MAX,
  WORD_MAX,
  clearRequestLog,
  getRequestLog,
  LOG_CAPACITY,
  newCall,
  noteEnd,
  noteStart,
} from './requestLog.ts';
import { read } from './query.ts';

const start = (attempt: string, path = '/v1/balances') =>
  noteStart({ attempt, at: 1, method: 'GET', path, headers: [] });

beforeEach(() => {
  clearRequestLog();
  setTransport(null);
});

test('an attempt is logged while it runs and updated in place when it ends', () => {
  start('a');
  start('b');
  const before = getRequestLog();
  expect(before.map(({ outcome }) => outcome)).toEqual(['running', 'running']);
  noteEnd('a', { kind: 'no-answer', reason: 'timeout', ms: 30_000 });
  expect(getRequestLog()).toMatchObject([
    { attempt: 'a', outcome: 'timeout', ms: 30_000 },
    { attempt: 'b', outcome: 'running' },
  ]);
  expect(before[0]?.outcome).toBe('running');
});

test('an attempt that ends after the log was cleared leaves no trace', () => {
  start('a');
  clearRequestLog();
  noteEnd('a', { kind: 'no-answer', reason: 'network', ms: 1 });
  expect(getRequestLog()).toEqual([]);
});

test('the newest calls are kept, up to the capacity', () => {
  for (let at = 0; at < LOG_CAPACITY + 5; at += 1) start(`a${at}`);
  const log = getRequestLog();
  expect(log).toHaveLength(LOG_CAPACITY);
  expect([log[0]?.attempt, log.at(-1)?.attempt]).toEqual(['a5', `a${LOG_CAPACITY + 4}`]);
});

test('a retried read is one call of several attempts', async () => {
  vi.useFakeTimers();
  let tried = 0;
  setTransport(() => {
    tried += 1;
    return Promise.resolve(tried < 3 ? new Response('', { status: 502 }) : Response.json({ data: [] }));
  });
  const reading = read('/v1/deposits', undefined, (json) => json);
  await vi.runAllTimersAsync();
  await reading;
  vi.useRealTimers();
  await attempt({ method: 'GET', path: '/v1/deposits' });
  const [one, two, three, other] = getRequestLog();
  expect([one, two, three].map((record) => record?.call)).toEqual([one?.call, one?.call, one?.call]);
  expect([one?.status, two?.status, three?.status]).toEqual([502, 502, 200]);
  expect(other?.call).not.toBe(one?.call);
  expect(newCall()).toBeGreaterThan(other?.call ?? 0);
});

test('only the beginning of a long body is kept, with its length', () => {
  expect(loggedBody('short')).toEqual({ text: 'short', length: 5 });
  const kept = loggedBody('x'.repeat(TEXT_MAX + 1));
  expect([kept.text?.length, kept.length]).toEqual([TEXT_MAX, TEXT_MAX + 1]);
  // Not cut inside a surrogate pair.
  expect(loggedBody(`${'x'.repeat(TEXT_MAX - 1)}😀😀`).text).toBe('x'.repeat(TEXT_MAX - 1));
});

test('the error envelope of a long body is kept beside it, its parts to a thousand characters', async () => {
  const error = { type: 't', code: 'c', message: 'm'.repeat(70_000), request_id: 7 };
  setTransport(() => Promise.resolve(Response.json({ error }, { status: 400 })));
  await attempt({ method: 'GET', path: '/v1/deposits' });
  await attempt({ method: 'GET', path: '/session' });
  const [log, session] = getRequestLog();
  expect(log?.answer?.error).toEqual({ type: 't', code: 'c', message: 'm'.repeat(WORD_MAX), request_id: null });
  expect(session?.answer).toMatchObject({ body: null, error: null });
});

test('the oldest bodies are dropped when all together are too long; their lengths stay', async () => {
  const text = 'x'.repeat(TEXT_MAX);
  setTransport(() => Promise.resolve(new Response(text)));
  const slow = 'slow';
  start(slow, '/v1/deposits');
  for (let at = 0; at < 130; at += 1) await attempt({ method: 'GET', path: '/v1/deposits' });
  const bodies = () => getRequestLog().map(({ answer }) => answer?.body);
  expect(bodies().slice(1, 3)).toEqual([0, 1].map(() => ({ text: null, length: TEXT_MAX })));
  expect(bodies().slice(3)).toEqual(Array.from({ length: 128 }, () => ({ text, length: TEXT_MAX })));
  // Late in ending, but still the oldest: its body must not replace a newer one.
  noteEnd(slow, {
    kind: 'answer',
    status: 200,
    requestId: null,
    replayed: false,
    retryAfter: null,
    date: null,
    gatewayError: null,
    contentType: null,
    text,
    complete: true,
    ms: 1,
  });
  expect(bodies()[0]).toEqual({ text: null, length: TEXT_MAX });
  expect(
    bodies()
      .slice(3)
      .every((body) => body?.text === text),
  ).toBe(true);
});

test('all bodies together stay bounded, in whatever order requests start and end', async () => {
  const text = 'x'.repeat(TEXT_MAX);
  setTransport(() => Promise.resolve(new Response(text)));
  await attempt({ method: 'GET', path: '/v1/deposits' });
  for (let at = 0; at < 100; at += 1) {
    await Promise.all(['/v1/deposits', '/v1/balances'].map((path) => attempt({ method: 'GET', path })));
  }
  const kept = getRequestLog().filter(({ answer }) => answer?.body?.text != null).length;
  expect(kept * TEXT_MAX).toBeLessThanOrEqual(8 * 1024 * 1024);
});

test('records that leave the log free space for the newest bodies', async () => {
  const reads = async (times: number, characters: number) => {
    setTransport(() => Promise.resolve(new Response('x'.repeat(characters))));
    for (let at = 0; at < times; at += 1) await attempt({ method: 'GET', path: '/v1/deposits' });
    return getRequestLog().map(({ answer }) => answer?.body?.text?.length ?? 0);
  };
  await reads(600, 32 * 1024);
  expect((await reads(1_500, 1024)).every((length) => length === 1024)).toBe(true);
  const lengths = await reads(600, 32 * 1024);
  const first = lengths.findIndex((length) => length > 0);
  expect(lengths.slice(first).every((length) => length > 0)).toBe(true);
  expect(lengths.filter((length) => length > 1024)).toHaveLength(256);
});
