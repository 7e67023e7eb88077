import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setTransport } from '#src/web/api/http.ts';
import { testView } from './testViews.ts';

const ACCOUNT = 'a'.repeat(32);
const session = (account: string, name: string | null = null) => ({
  service: 'sandbox',
  account,
  name,
  sandbox: 'acct_1',
  permissions: ['view', 'prepare'],
  read_only: false,
});
const request = {
  kind: 'withdrawal' as const,
  path: '/v1/withdrawals',
  body: '{"a":1}',
  second_send_of: [],
  not_after: 1_795_000_120_000,
};
const values = { amount: '0.75' };

let api: typeof import('./pendingStarts.ts');
let requests: typeof import('./recordOperation.ts');
let signIn: (account: string, name?: string) => Promise<unknown>;
let signOut: () => Promise<void>;
const puts: { method: string; path: string; body: unknown; account: string | null }[] = [];
const recorded = vi.fn<(account: string, view: unknown) => void>();
/** The server's response to a PUT. */
let put: () => Response | Promise<Response>;

beforeEach(async () => {
  vi.resetModules();
  puts.length = 0;
  recorded.mockClear();
  const http = await import('#src/web/api/http.ts');
  const { signIn: enter, signOut: leave } = await import('#src/web/api/session.ts');
  api = await import('./pendingStarts.ts');
  requests = await import('./recordOperation.ts');
  let [account, who]: [string, string | null] = [ACCOUNT, null];
  http.setTransport(async (path, init) => {
    if (path === '/session')
      return init.method === 'DELETE' ? new Response(null, { status: 204 }) : Response.json(session(account, who));
    puts.push({
      method: init.method ?? 'GET',
      path,
      body: init.body,
      account: new Headers(init.headers).get('X-Account'),
    });
    return put();
  });
  signIn = (of, name) => {
    [account, who] = [of, name ?? null];
    return enter({ key: 'sk_1' });
  };
  signOut = leave;
  await signIn(ACCOUNT);
  vi.useFakeTimers();
});
afterEach(() => {
  setTransport(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const begin = (key: string): void => {
  api.startOperation(
    { key, account: ACCOUNT, kind: request.kind, notAfter: request.not_after, values },
    {
      record: () => requests.recordAndSend(ACCOUNT, key, request),
      discard: () => requests.discardOperation(ACCOUNT, key),
      onRecorded: (view) => recorded(ACCOUNT, view),
    },
  );
};
const start = (): void => {
  begin('key-1');
  api.markVisible('key-1', 'page');
};
const refuse = (status: number, code: string, beside: object = {}): Response =>
  Response.json({ error: { type: 't', code, message: 'm', request_id: 'r' }, ...beside }, { status });
const lost = (): Promise<never> => Promise.reject(new TypeError('lost'));

test('the same request is repeated, at growing intervals, until the server has the record', async () => {
  put = lost;
  start();
  start();
  await vi.advanceTimersByTimeAsync(0);
  expect(puts).toHaveLength(1);
  for (const [seconds, count] of [
    [1, 2],
    [2, 3],
    [4, 4],
    [5, 5],
    [5, 6],
  ] as const) {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    expect(puts).toHaveLength(count);
  }
  put = () => Response.json(testView(), { status: 201 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(recorded).toHaveBeenCalledExactlyOnceWith(ACCOUNT, expect.objectContaining({ underWay: false }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(7);
  expect(new Set(puts.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(puts[0]).toEqual({
    method: 'PUT',
    path: '/api/operations/key-1',
    body: JSON.stringify(request),
    account: ACCOUNT,
  });
});

test('a request that no page shows is not repeated until one shows it again', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  api.markVisible('key-1', null);
  put = () => refuse(422, 'too_late', { not_sent: { why: 'too-late', at: 1 } });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  api.markVisible('key-1', 'page');
  await vi.advanceTimersByTimeAsync(0);
  expect(puts).toHaveLength(2);
  expect(api.getPendingStart('key-1')).toMatchObject({ conclusion: { kind: 'not-sent' }, isRead: true });
});

test.each([null, 'form'] as const)(
  'a conclusion counts as read only once its own page shows it, not on: %s',
  async (visibleOn) => {
    put = () => refuse(422, 'too_late', { not_sent: { why: 'too-late', at: 1 } });
    start();
    api.markVisible('key-1', visibleOn);
    await vi.advanceTimersByTimeAsync(0);
    expect(api.getPendingStart('key-1')).toMatchObject({ conclusion: { kind: 'not-sent' }, isRead: false });
    api.markVisible('key-1', 'page');
    expect(api.getPendingStart('key-1')).toMatchObject({ isRead: true });
  },
);

test('the request is repeated at once when the network is back', async () => {
  const window = new EventTarget();
  vi.stubGlobal('window', window);
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(puts).toHaveLength(2);
});

test('closing the window asks first, until the server has the record', async () => {
  const window = new EventTarget();
  vi.stubGlobal('window', window);
  const asks = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  put = lost;
  expect(asks()).toBe(false);
  start();
  expect(asks()).toBe(true);
  put = () => Response.json(testView());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asks()).toBe(false);
});

test('a tombstone ends the requests, and going back to the form restores what was typed', async () => {
  put = () => refuse(422, 'too_late', { not_sent: { why: 'too-late', at: 1 } });
  start();
  expect(api.unansweredStartOf('/withdrawals/new')).toBe('key-1');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  expect(api.unansweredStartOf('/withdrawals/new')).toBeNull();
  const { draft = '' } = api.getPendingStart('key-1') ?? {};
  expect(draft).toMatch(/^draft_[0-9a-f]{24}$/);
  expect(api.valuesOfDraft(draft)).toEqual(values);
  expect(api.valuesOfDraft('draft_of_another_page')).toEqual({});
});

test.each([
  ['another account', () => signIn('b'.repeat(32))],
  ['another name', () => signIn(ACCOUNT, 'Ben')],
  ['a sign-out', () => signOut()],
])('after %s nobody gets what was typed', async (_what, change) => {
  put = () => refuse(422, 'too_late', { not_sent: { why: 'too-late', at: 1 } });
  start();
  await vi.advanceTimersByTimeAsync(0);
  const { draft = '' } = api.getPendingStart('key-1') ?? {};
  expect(api.valuesOfDraft(draft)).toEqual(values);
  await change();
  expect(api.valuesOfDraft(draft)).toEqual({});
  await signIn(ACCOUNT);
  expect(api.valuesOfDraft(draft)).toEqual({});
});

test('a DELETE answered with a tombstone ends the requests', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  api.concludeStart('key-1', requests.tombstone({ why: 'discarded', at: 1 }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
});

test('once discarded, the server is asked to discard it until it answers', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  api.discardPendingStart('key-1');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(puts.map(({ method }) => method)).toEqual(['PUT', 'DELETE', 'DELETE']);
  put = () => Response.json({ not_sent: { why: 'discarded', at: 1_795_000_010_000 } });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(puts).toHaveLength(4);
  expect(api.getPendingStart('key-1')).toMatchObject({ conclusion: { kind: 'not-sent' } });
});

test('a request that was sent before it could be discarded ends as recorded', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  api.discardPendingStart('key-1');
  put = () => refuse(409, 'not_allowed', { view: testView({ key: 'key-1' }) });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(puts.map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
  expect(recorded).toHaveBeenCalledOnce();
  expect(api.getPendingStart('key-1')).toBeUndefined();
});

test('another account, or a sign-out, ends the requests of the one before', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  await signIn('b'.repeat(32));
  await signIn(ACCOUNT);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  begin('key-2');
  await vi.advanceTimersByTimeAsync(0);
  await signOut();
  await signIn(ACCOUNT);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(2);
});

test('another name on the same account ends the requests of the one before', async () => {
  put = () => Response.json({}, { status: 401, headers: { 'Gateway-Error': 'session' } });
  start();
  await vi.advanceTimersByTimeAsync(1_000);
  await signIn(ACCOUNT, 'Ben');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  expect(api.getPendingStart('key-1')).toBeUndefined();
});

test('an expired session pauses the requests, and the same account signing in resumes them', async () => {
  put = () => Response.json({}, { status: 401, headers: { 'Gateway-Error': 'session' } });
  start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  put = () => Response.json(testView(), { status: 201 });
  await signIn(ACCOUNT);
  await vi.advanceTimersByTimeAsync(0);
  expect(puts).toHaveLength(2);
  expect(recorded).toHaveBeenCalledOnce();
});

test('a key whose operation is recorded is not used again', async () => {
  put = () => Response.json(testView(), { status: 201 });
  start();
  await vi.advanceTimersByTimeAsync(0);
  expect(api.getPendingStart('key-1')).toBeUndefined();
  start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  expect(recorded).toHaveBeenCalledOnce();
});
