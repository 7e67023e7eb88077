import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setTransport } from '#src/web/api/http.ts';
import {
  type ReceivedView,
  discardKey,
  holdsUntil,
  isFresh,
  isOperationError,
  cacheOperation,
  operationCommands,
  operationPages,
  operationQuery,
  operationsQuery,
  reviewOperation,
} from './operations.ts';
import { testView } from './testViews.ts';

const asked: { method: string | undefined; path: string; body: unknown }[] = [];
let answer: () => Response | Promise<Response>;
let client: QueryClient;

beforeEach(() => {
  asked.length = 0;
  client = new QueryClient();
  setTransport(async (path, init) => {
    asked.push({ method: init.method, path, body: typeof init.body === 'string' ? JSON.parse(init.body) : null });
    return answer();
  });
});
afterEach(() => {
  setTransport(null);
  vi.useRealTimers();
});

const view = testView();
const seen: ReceivedView = { ...view, receivedMs: performance.now() };
const list = (data: unknown[]) => ({
  object: 'list',
  data,
  unreadable: [],
  set_back: false,
  set_back_at: null,
  has_more: true,
  next_cursor: 'c/1',
});

test('filters and the cursor are sent to the server, and every view has the time it was received', async () => {
  answer = () => Response.json(list([view]));
  const page = await client.fetchQuery(operationsQuery('a', { state: 'open', about: 'wd_1' }));
  expect(page.data[0]).toMatchObject({ ...view, receivedMs: expect.any(Number) });
  const options = operationPages('a', { kind: 'charge' });
  await client.fetchInfiniteQuery({ ...options, pages: 2 });
  expect(asked.map(({ path }) => path)).toEqual([
    '/api/operations?limit=100&state=open&about=wd_1',
    '/api/operations?limit=50&kind=charge',
    '/api/operations?limit=50&kind=charge&cursor=c%2F1',
  ]);
});

test('a key is one segment of the path', async () => {
  answer = () => Response.json(view);
  await client.fetchQuery(operationQuery('a', '../session'));
  expect(asked[0]?.path).toBe('/api/operations/..%2Fsession');
});

test('a command carries the revision that the person saw, and Send also its expiry', async () => {
  answer = () => Response.json(view);
  const now = view.databaseNow + (performance.now() - seen.receivedMs);
  await operationCommands.send('a', seen);
  await operationCommands.check('a', seen);
  await operationCommands.close('a', seen.operation, 'Support said so');
  await operationCommands.confirmNotSent('a', seen, 'not sent');
  expect(asked).toMatchObject([
    { method: 'POST', path: '/api/operations/key-1/send', body: { revision: 2 } },
    { path: '/api/operations/key-1/check' },
    { path: '/api/operations/key-1/close', body: { revision: 2, reason: 'Support said so' } },
    { path: '/api/operations/key-1/not-sent', body: { revision: 2, reason: 'not sent' } },
  ]);
  const { not_after: until } = asked[0]!.body as { not_after: number };
  expect(until).toBeGreaterThanOrEqual(Math.floor(now) + 120_000);
  expect(until).toBeLessThan(now + 125_000);
  expect(Number.isInteger(until)).toBe(true);
});

test('the database’s clock is extrapolated by the page’s monotonic clock, whatever happens to the device’s', () => {
  vi.useFakeTimers({ now: 5_000 });
  const heard = performance.now();
  vi.advanceTimersByTime(60_000);
  vi.setSystemTime(0);
  expect(holdsUntil({ databaseNow: 1_000_000, receivedMs: heard })).toBe(1_180_000);
});

test('a review holds for two minutes, by either clock', async () => {
  vi.useFakeTimers();
  answer = () => Response.json({ existing: null, of: [], now: 1, listed: 'listed', approval: null });
  const reviewed = await reviewOperation('a', { kind: 'charge', path: '/v1/charges', body: '{}' });
  expect(asked[0]?.body).toEqual({ kind: 'charge', path: '/v1/charges', body: '{}' });
  vi.advanceTimersByTime(119_000);
  expect(isFresh(reviewed)).toBe(true);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(isFresh(reviewed)).toBe(false);
  expect(isFresh({ ...reviewed, at: Date.now(), receivedMs: performance.now() - 120_000 })).toBe(false);
});

test('a refusal carries its extras; any other response is not taken for a refusal by the server', async () => {
  const refuse = (status: number, body: unknown) => () => Response.json(body, { status });
  const error = { type: 't', code: 'moved_on', message: 'It was closed.', request_id: 'r' };
  answer = refuse(409, { error, view });
  const refused: unknown = await operationCommands.send('a', seen).catch((reason: unknown) => reason);
  expect(refused).toMatchObject({
    message: 'It was closed.',
    code: 'moved_on',
    status: 409,
    requestId: 'r',
    extras: { view },
  });
  expect(isOperationError(refused, 'moved_on', 'not_done')).toBe(true);
  expect(isOperationError(refused, 'not_done')).toBe(false);
  for (const other of [refuse(409, '<h1>'), refuse(200, { id: 'wd_1' }), () => Promise.reject(new TypeError('lost'))]) {
    answer = other;
    const lost: unknown = await operationCommands.send('a', seen).catch((reason: unknown) => reason);
    expect(isOperationError(lost, 'moved_on')).toBe(false);
    expect(lost).toBeInstanceOf(Error);
  }
});

test('a discarded key is a tombstone, or the operation that was recorded under it', async () => {
  answer = () => Response.json({ not_sent: { why: 'discarded', at: 1 } });
  expect(await discardKey('a', 'k')).toMatchObject({ notSent: { why: 'discarded' } });
  answer = () => Response.json(view);
  expect(await discardKey('a', 'k')).toMatchObject({ view });
  answer = () => Response.json({});
  await expect(discardKey('a', 'k')).rejects.toMatchObject({ kind: 'not-contract' });
});

test('a response replaces an older view of its operation, never a newer one, and the lists are reloaded', () => {
  const { queryKey } = operationQuery('a', 'key-1');
  const lists = operationsQuery('a').queryKey;
  client.setQueryData(lists, { ...list([]), data: [], receivedMs: 0 } as never);
  cacheOperation(client, 'a', testView({ revision: 5 }));
  expect(client.getQueryData(queryKey)?.operation.revision).toBe(5);
  expect(client.getQueryState(lists)?.isInvalidated).toBe(true);
  cacheOperation(client, 'a', testView({ revision: 4 }));
  expect(client.getQueryData(queryKey)?.operation.revision).toBe(5);
});
