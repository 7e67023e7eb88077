import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, Call } from '#src/api/http.ts';
import { type Device, HOUR, recorded, request, started } from './testActs.ts';
import { SESSION, T0, answer, created, createDevice, lost } from './testWorld.ts';

// Both directions: what is absent after 26 h from a list read whole may be called not sent, and nothing else may.

let device: Device;
beforeEach(() => {
  device = createDevice();
  device.post = () => lost('timeout');
});

const OLD = T0 - 3_600;
const old = (n: number) => created({ id: `wd_old${n}`, address: 'elsewhere', created_at: OLD - n });
const page = (data: unknown[], next: string | null = null, more: object = {}) => ({
  object: 'list',
  data,
  has_more: next !== null,
  next_cursor: next,
  ...more,
});

/** The service lists these pages, the first one first; each is asked for by the cursor before it. */
function lists(...pages: object[]): void {
  const { get } = device;
  const cursors = [null, ...pages.map((each) => ('next_cursor' in each ? each.next_cursor : null))];
  device.get = (call) => {
    if (call.path !== '/v1/withdrawals') return get(call);
    const index = cursors.indexOf(call.query?.get('starting_after') ?? null);
    return answer(200, pages[index] ?? {}, { date: device.date(), requestId: `req_list${index}` });
  };
}

/** An operation without an answer, so old, and what the service lists by then. */
async function expired(pages: object[], hours = 26) {
  const { tab, id } = await started(device);
  device.sleep(hours * HOUR);
  lists(...pages);
  return { tab, id };
}

const WORDS = 'not sent';
const listReads = (): Call[] =>
  device.calls.filter(({ method, path }) => method === 'GET' && path === '/v1/withdrawals').slice(1);

describe('not sent', () => {
  it('26 h old and absent from a list of one page, by typing', async () => {
    const { tab, id } = await expired([page([old(1)])]);
    expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({ outcome: 'done' });
    expect(recorded(device)).toMatchObject({
      state: 'not-sent',
      endedAt: T0 + 26 * 3_600,
      ending: { by: 'absence', words: WORDS, requestId: 'req_list0' },
    });
    expect(await tab.start(request({ key: 'key-2' }))).toMatchObject({ outcome: 'started' });
  });

  it('an empty list that is at its end', async () => {
    const { tab, id } = await expired([page([])]);
    expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({ outcome: 'done' });
  });

  it('reads on until it is back before the first send, however many pages that takes', async () => {
    const recent = (n: number) => created({ id: `wd_${n}`, address: 'elsewhere', created_at: T0 + 90_000 - n });
    const pages = Array.from({ length: 12 }, (_, n) => page([recent(n)], `c${n}`));
    const { tab, id } = await expired([...pages, page([old(1)], 'never'), page([created()])]);
    expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({ outcome: 'done' });
    expect(listReads().map(({ query }) => query?.get('starting_after') ?? null)).toEqual([
      null,
      ...pages.map((_, n) => `c${n}`),
    ]);
  });

  it('a row that another operation of this browser has the id of is not it', async () => {
    device.post = () => answer(201, created());
    const { id: first } = await started(device);
    device.post = () => lost('timeout');
    const { tab, id } = await started(device, { asks: request({ key: 'key-2', secondSendOf: [first] }) });
    device.sleep(26 * HOUR);
    lists(page([created(), old(1)]));
    expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({ outcome: 'done' });
  });
});

describe('stays unconfirmed', () => {
  const expectStays = async (pages: object[], { hours = 26, words = WORDS } = {}): Promise<void> => {
    const { tab, id } = await expired(pages, hours);
    const result = await tab.confirmNotSent(id, words);
    expect(result).toEqual({ outcome: 'not-done', reason: expect.any(String) });
    expect(recorded(device).state).toBe('unconfirmed');
  };

  it('a second before 26 h, by the service', async () => {
    device.wall += 48 * HOUR;
    await expectStays([page([old(1)])], { hours: 26 - 1 / 3_600 });
  });

  it('without typing', async () => {
    await expectStays([page([old(1)])], { words: ' ' });
  });

  it.each<[string, object]>([
    ['it', created()],
    ['one of the same amount written otherwise, a minute before', created({ amount: '0.75', created_at: T0 - 60 })],
    ['one without an address', created({ address: undefined })],
    ['one without an amount', created({ amount: null })],
    ['one with an amount as a number', created({ amount: 0.75 })],
    ['one without a time', created({ created_at: null })],
    ['one with an address that is no text', created({ address: ['x'] })],
    ['one with a chain that is no text', created({ chain: 7 })],
    ['nothing but an id', { id: 'wd_1' }],
    ['something without an id', { ...created(), id: undefined }],
    ['something that is no object', 'wd_1' as unknown as object],
  ])('the list holds %s', async (_what, row) => {
    await expectStays([page([row])]);
  });

  it.each<[string, object[]]>([
    ['the same cursor twice', [page([created({ id: 'wd_2', address: 'x' })], 'c1'), page([], 'c1')]],
    ['more, but no cursor', [page([], null, { has_more: true })]],
    ['no word whether there is more', [page([], null, { has_more: undefined })]],
    ['oldest rows first', [page([old(2), old(1)], 'c1'), page([created()], 'c1')]],
    ['rows in no order', [page([old(1), created({ id: 'wd_2', address: 'x' }), old(2)], 'c1'), page([], 'c1')]],
    [
      'newer rows after older ones',
      [
        page([old(5)].toSpliced(0, 1, created({ id: 'wd_2', address: 'x' })), 'c1'),
        page([created({ id: 'wd_3', address: 'x', created_at: T0 + 9 }), old(1)], 'c2'),
        page([], 'c2'),
      ],
    ],
  ])('the list is not whole: %s', async (_what, pages) => {
    await expectStays(pages);
  });

  it('the list is read back to the very second only: more of it may follow', async () => {
    const at = created({ id: 'wd_2', address: 'x', created_at: T0 - 60 });
    await expectStays([page([at], 'c1'), page([created({ created_at: T0 - 60 })])]);
  });

  it('was 26 h old only when the last page came', async () => {
    const { tab, id } = await expired(
      [page([created({ id: 'wd_2', address: 'x' })], 'c1'), page([old(1)])],
      26 - 1 / 3_600,
    );
    const { get } = device;
    device.get = (call) => {
      if (call.query?.has('starting_after')) device.sleep(2_000);
      return get(call);
    };
    expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({
      outcome: 'not-done',
      reason: 'It is not 26 hours old.',
    });
    expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({ outcome: 'done' });
  });

  it.each<[string, (call: Call) => Attempt | null]>([
    ['no such list', () => answer(404, {})],
    ['a list that cannot be read', () => answer(200, '<html>')],
    ['a second page that is missing', (call) => (call.query?.has('starting_after') ? answer(404, {}) : null)],
    ['no time', () => answer(200, page([]), { date: null })],
  ])('%s', async (_what, come) => {
    const { tab, id } = await expired([page([created({ id: 'wd_2', address: 'x' })], 'c1')]);
    const { get } = device;
    device.get = (call) => come(call) ?? get(call);
    expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    expect(recorded(device).state).toBe('unconfirmed');
  });

  it('a list that breaks off is said to be unreadable, one that the service never had is not', async () => {
    const { tab, id } = await expired([page([created({ id: 'wd_2', address: 'x' })], 'c1')]);
    const { get } = device;
    device.get = (call) => (call.query?.has('starting_after') ? answer(404, {}) : get(call));
    expect(await tab.check(id)).toMatchObject({ note: { found: 'unreadable', lookAlikes: null } });
    device.get = () => answer(404, {});
    expect(await tab.check(id)).toMatchObject({ note: { found: 'nothing', lookAlikes: null, complete: false } });
  });

  it('once a 2xx carried an id', async () => {
    device.post = () => answer(201, created({ amount: '9' }));
    await expectStays([page([old(1)])]);
    expect(recorded(device).reason).toBe('mismatch');
  });

  it('for another account', async () => {
    const { tab, id } = await expired([page([old(1)])]);
    device.session = { ...SESSION, account: 'b'.repeat(32) };
    expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    expect(recorded(device).state).toBe('unconfirmed');
  });
});

it('other kinds never become not-sent by absence', async () => {
  lists(page([old(1)]));
  const asks = { kind: 'charge' as const, key: 'key-1', path: '/v1/charges', body: '{}', secondSendOf: [] };
  const { tab, id } = await started(device, { asks });
  device.sleep(26 * HOUR);
  expect(await tab.confirmNotSent(id, WORDS)).toMatchObject({ outcome: 'not-done' });
  expect(recorded(device).state).toBe('unconfirmed');
});
