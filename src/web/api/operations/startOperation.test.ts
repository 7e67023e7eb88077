import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setTransport } from '#src/web/api/http.ts';
import { viewOf } from './testViews.ts';

const ACCOUNT = 'a'.repeat(32);
const session = (account: string, name: string | null = null) => ({
  service: 'sandbox',
  account,
  name,
  sandbox: 'acct_1',
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

let api: typeof import('./startOperation.ts');
let starts: typeof import('./starts.ts');
let signIn: (account: string, name?: string) => Promise<unknown>;
let signOut: () => Promise<void>;
const puts: { method: string; path: string; body: unknown; account: string | null }[] = [];
const recorded = vi.fn<(account: string, view: unknown) => void>();
/** What the server says to a PUT. */
let put: () => Response | Promise<Response>;

beforeEach(async () => {
  vi.resetModules();
  puts.length = 0;
  recorded.mockClear();
  const http = await import('#src/web/api/http.ts');
  const { signIn: enter, signOut: leave } = await import('#src/web/api/session.ts');
  api = await import('./startOperation.ts');
  starts = await import('./starts.ts');
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

const keep = (view: unknown): void => recorded(ACCOUNT, view);
const start = (): void => {
  api.startOperation({ key: 'key-1', account: ACCOUNT, request, keep, values });
  api.showStart('key-1', 'page');
};
const refuse = (status: number, code: string, beside: object = {}): Response =>
  Response.json({ error: { type: 't', code, message: 'm', request_id: 'r' }, ...beside }, { status });
const lost = (): Promise<never> => Promise.reject(new TypeError('lost'));

test('the same request is made again, later and later, until the server has the record', async () => {
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
  put = () => Response.json(viewOf(), { status: 201 });
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

test('out of sight nothing is asked again, and what came of it stays unseen until it is shown', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  api.showStart('key-1', null);
  put = () => refuse(422, 'too_late', { not_sent: { why: 'too-late', at: 1 } });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  api.showStart('key-1', 'page');
  await vi.advanceTimersByTimeAsync(0);
  expect(puts).toHaveLength(2);
  expect(starts.starts.get().get('key-1')).toMatchObject({ conclusion: { kind: 'not-sent' }, seen: true });
});

test.each([null, 'form'] as const)('what the server says is not seen where it is not told: %s', async (shown) => {
  put = () => refuse(422, 'too_late', { not_sent: { why: 'too-late', at: 1 } });
  start();
  api.showStart('key-1', shown);
  await vi.advanceTimersByTimeAsync(0);
  expect(starts.starts.get().get('key-1')).toMatchObject({ conclusion: { kind: 'not-sent' }, seen: false });
  api.showStart('key-1', 'page');
  expect(starts.starts.get().get('key-1')?.seen).toBe(true);
});

test('it is made at once when the network is back', async () => {
  const window = new EventTarget();
  vi.stubGlobal('window', window);
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(puts).toHaveLength(2);
});

test('the window asks before it closes, until the server has the record', async () => {
  const window = new EventTarget();
  vi.stubGlobal('window', window);
  const asks = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  put = lost;
  expect(asks()).toBe(false);
  start();
  expect(asks()).toBe(true);
  put = () => Response.json(viewOf());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asks()).toBe(false);
});

test('a tombstone ends it, and the way back to the form has what was typed', async () => {
  put = () => refuse(422, 'too_late', { not_sent: { why: 'too-late', at: 1 } });
  start();
  expect(starts.startedAt('/withdrawals/new')).toBe('key-1');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  expect(starts.startedAt('/withdrawals/new')).toBeNull();
  const state = api.draftState({ account: ACCOUNT, values });
  expect(JSON.stringify(state)).not.toMatch(/0\.75|key-1/);
  expect(api.formValuesIn(state)).toEqual(values);
  await signIn('b'.repeat(32));
  expect(api.formValuesIn(state)).toEqual({});
  await signIn(ACCOUNT);
  expect(api.formValuesIn(state)).toEqual(values);
  await signOut();
  await signIn(ACCOUNT);
  expect(api.formValuesIn(state)).toEqual({});
  expect(api.formValuesIn({ draft: 'draft_of_another_page' })).toEqual({});
});

test('a DELETE answered with a tombstone ends it', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  api.startWasDiscarded('key-1', { why: 'discarded', at: 1 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
});

test('dropped by its person, what is asked for is that nothing is sent, until the server has heard it', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  api.dropStart('key-1');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(puts.map(({ method }) => method)).toEqual(['PUT', 'DELETE', 'DELETE']);
  put = () => Response.json({ not_sent: { why: 'discarded', at: 1_795_000_010_000 } });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(puts).toHaveLength(4);
  expect(starts.starts.get().get('key-1')?.conclusion).toMatchObject({ kind: 'not-sent' });
});

test('one that was sent before it could be discarded is found', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  api.dropStart('key-1');
  put = () => refuse(409, 'not_allowed', { view: viewOf({ key: 'key-1' }) });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(puts.map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
  expect(recorded).toHaveBeenCalledOnce();
  expect(starts.starts.get().has('key-1')).toBe(false);
});

test('nobody’s request is made for another account, nor after a sign-out', async () => {
  put = lost;
  start();
  await vi.advanceTimersByTimeAsync(0);
  await signIn('b'.repeat(32));
  await signIn(ACCOUNT);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  api.startOperation({ key: 'key-2', account: ACCOUNT, request, keep, values });
  await vi.advanceTimersByTimeAsync(0);
  await signOut();
  await signIn(ACCOUNT);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(2);
});

test('another person on the account does not go on with it', async () => {
  put = () => Response.json({}, { status: 401, headers: { 'Gateway-Error': 'session' } });
  start();
  await vi.advanceTimersByTimeAsync(1_000);
  await signIn(ACCOUNT, 'Ben');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  expect(starts.starts.get().size).toBe(0);
});

test('a session that has ended holds it up, and the same account goes on', async () => {
  put = () => Response.json({}, { status: 401, headers: { 'Gateway-Error': 'session' } });
  start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(puts).toHaveLength(1);
  put = () => Response.json(viewOf(), { status: 201 });
  await signIn(ACCOUNT);
  await vi.advanceTimersByTimeAsync(0);
  expect(puts).toHaveLength(2);
  expect(recorded).toHaveBeenCalledOnce();
});
