import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTransport } from '#src/api/http.ts';
import { readEmbeddedSession } from '#src/api/session.ts';
import { browserOperations, setBrowserOperations } from './browser.ts';
import { openJournal } from './journal.ts';
import { webLocks } from './locks.ts';
import type { Operations } from './operations.ts';
import { SESSION, T0, created, quiet, record } from './testWorld.ts';
import { request } from './testActs.ts';
import { viewOf, viewsOf } from './views.ts';

// The page's one instance, on stubs of what a browser has.

let page: EventTarget;
let shown: EventTarget & { visibilityState?: string };
beforeEach(() => {
  page = new EventTarget();
  shown = new EventTarget();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('window', page);
  const session = { textContent: JSON.stringify(SESSION) };
  vi.stubGlobal('document', Object.assign(shown, { visibilityState: 'visible', getElementById: () => session }));
  readEmbeddedSession();
  const headers = { 'Content-Type': 'application/json', Date: new Date(T0 * 1_000).toUTCString() };
  setTransport(async (_path, { method }) => {
    const body = method === 'POST' ? created() : { object: 'list', data: [], has_more: false, next_cursor: null };
    return new Response(JSON.stringify(body), { status: method === 'POST' ? 201 : 200, headers });
  });
});
afterEach(() => {
  setBrowserOperations(null);
  setTransport(null);
  vi.unstubAllGlobals();
});

/** When the snapshot holds what is looked for. */
function until(operations: Operations, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = operations.subscribe(() => {
      if (!holds()) return;
      stop();
      resolve();
    });
  });
}

const states = (operations: Operations): string[] =>
  viewsOf(operations.getSnapshot(), SESSION).operations.map(({ state }) => state);

describe('the page', () => {
  it('records, sends and shows', async () => {
    const operations = browserOperations();
    expect(await operations.start(request())).toMatchObject({ outcome: 'started' });
    await until(operations, () => states(operations)[0] === 'succeeded');
    expect(await openJournal().all()).toMatchObject({ records: [{ state: 'succeeded', key: 'key-1' }] });
  });

  it.each([
    [
      'comes back from the back/forward cache',
      () => page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
    ],
    ['is looked at again', () => shown.dispatchEvent(new Event('visibilitychange'))],
  ])('that %s shows what became of its operation meanwhile', async (_what, come) => {
    const journal = openJournal();
    await journal.insert(record());
    const operations = browserOperations();
    await until(operations, () => states(operations)[0] === 'ready');
    // Another tab, whose word did not reach this one.
    const result = { id: 'wd_1', text: '{}', requestId: null, by: 'answer' as const, confirmed: [] };
    await journal.replace(record({ state: 'succeeded', result, endedAt: T0, revision: 1 }), 0);
    expect(states(operations)).toEqual(['ready']);
    come();
    await until(operations, () => states(operations)[0] === 'succeeded');
    const { allowed } = viewOf(operations.getSnapshot(), SESSION, 'op_1', Date.now(), null);
    expect(allowed).not.toContain('send');
  });

  it('asks before it is left only while something is ready or sending', async () => {
    const leaves = (): boolean => page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await openJournal().insert(record());
    const operations = browserOperations();
    expect(leaves()).toBe(true);
    await until(operations, () => states(operations)[0] === 'ready');
    expect(leaves()).toBe(false);
    await operations.discard('op_1');
    expect(leaves()).toBe(true);
  });
});

describe('where storage getters throw', () => {
  const insecure = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const throwing = (...names: string[]) =>
    Object.defineProperties({ onLine: true }, Object.fromEntries(names.map((name) => [name, { get: insecure }])));

  it('IndexedDB: the app loads, withdrawals are refused with the reason', async () => {
    vi.unstubAllGlobals();
    vi.stubGlobal('window', page);
    vi.stubGlobal('document', shown);
    const factory = vi.spyOn(globalThis, 'indexedDB', 'get').mockImplementation(insecure);
    const operations = browserOperations();
    await until(operations, () => operations.getSnapshot().status === 'unavailable');
    expect(viewsOf(operations.getSnapshot(), SESSION).reason).toContain('does not let the page record operations');
    expect(await operations.start(request())).toMatchObject({
      outcome: 'not-recorded',
      reason: expect.stringContaining('does not let the page record operations'),
    });
    factory.mockRestore();
  });

  it('navigator.storage and navigator.locks: it is sent, and the page says that it may be forgotten', async () => {
    vi.stubGlobal('navigator', throwing('storage', 'locks'));
    const operations = browserOperations();
    expect(await operations.start(request())).toMatchObject({ outcome: 'started' });
    await until(operations, () => states(operations)[0] === 'succeeded');
    await quiet();
    expect(operations.getSnapshot().mayForget).toBe(true);
    expect(await webLocks.isFree('at_1')).toBeNull();
  });

  it('BroadcastChannel: it goes on without', async () => {
    vi.stubGlobal('BroadcastChannel', insecure);
    const operations = browserOperations();
    await until(operations, () => operations.getSnapshot().status === 'ready');
    expect(await operations.start(request())).toMatchObject({ outcome: 'started' });
    await until(operations, () => states(operations)[0] === 'succeeded');
  });
});
