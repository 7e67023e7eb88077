import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt, Call } from '#src/api/http.ts';
import { type WithdrawalFields, withdrawalBody } from './body.ts';
import { newKey } from './key.ts';
import { withdrawalRequest } from './kinds.ts';
import type { StartRequest } from './outcomes.ts';
import { T0, SENT, SESSION, answer, created, createDevice, envelope, lost, quiet } from './testWorld.ts';
import { viewOf, viewsOf } from './views.ts';

let device: ReturnType<typeof createDevice>;
beforeEach(() => {
  device = createDevice();
});

interface Asked extends WithdrawalFields {
  key: string;
  secondSendOf: string[];
}

const request = (more: Partial<Asked> = {}): StartRequest => {
  const { key, secondSendOf, ...fields } = { ...SENT, key: 'key-1', secondSendOf: [], ...more };
  return withdrawalRequest(key, fields, secondSendOf);
};
const HOUR = 3_600_000;

/** A POST that is answered when the test says so. */
function held(): { answer: (attempt: Attempt) => void } {
  let release: (attempt: Attempt) => void = () => undefined;
  const waiting = new Promise<Attempt>((resolve) => {
    release = resolve;
  });
  device.post = () => waiting;
  return { answer: (attempt) => release(attempt) };
}

async function started(tab = device.tab(), more: Partial<Asked> = {}) {
  const result = await tab.start(request(more));
  await tab.settled();
  await quiet();
  return { tab, result, id: result.outcome === 'started' ? result.id : '' };
}
const only = () => device.rows()[0];

describe('sending', () => {
  it('records, then sends exactly the recorded bytes under the recorded key and account', async () => {
    let recordedBefore: unknown;
    device.post = () => {
      recordedBefore = only();
      return answer(201, created());
    };
    const { result } = await started();
    expect(result.outcome).toBe('started');
    expect(recordedBefore).toMatchObject({
      state: 'sending',
      key: 'key-1',
      body: withdrawalBody(SENT),
      firstSentAt: T0,
    });
    expect(device.posts()).toEqual([
      { method: 'POST', path: '/v1/withdrawals', body: withdrawalBody(SENT), key: 'key-1', account: SESSION.account },
    ]);
    expect(only()).toMatchObject({ state: 'succeeded', result: { id: 'wd_1', confirmed: { length: 4 } } });
  });

  it('resolves when the attempt is under way, not when it is answered', async () => {
    const service = held();
    const tab = device.tab();
    const result = await tab.start(request());
    expect(result.outcome).toBe('started');
    expect(only()?.state).toBe('sending');
    service.answer(answer(201, created()));
    await tab.settled();
    expect(only()?.state).toBe('succeeded');
  });

  it('double and triple clicks are one record and one POST, with one outcome', async () => {
    const tab = device.tab();
    const results = await Promise.all([tab.start(request()), tab.start(request()), tab.start(request())]);
    await tab.settled();
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(device.posts()).toHaveLength(1);
    expect(await tab.start(request())).toMatchObject({ outcome: 'existing', id: only()?.id });
  });

  it('two tabs that confirm together are one operation and one POST', async () => {
    const results = await Promise.all([device.tab().start(request()), device.tab().start(request({ key: 'key-2' }))]);
    await quiet();
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['existing', 'started']);
    expect(device.posts()).toHaveLength(1);
  });

  it('a tab that confirms after another one succeeded comes to the second-send step', async () => {
    await started();
    const tab = device.tab();
    const second = await tab.start(request({ key: 'key-2' }));
    expect(second).toMatchObject({ outcome: 'second-send', of: [{ source: 'journal', status: 'succeeded' }] });
    const of = second.outcome === 'second-send' ? second.of.map(({ id }) => id) : [];
    expect(await tab.start(request({ key: 'key-2', secondSendOf: of }))).toMatchObject({ outcome: 'started' });
    await tab.settled();
    expect(device.posts()).toHaveLength(2);
  });

  it('withdrawals that only the service knows ask for the second-send step, too', async () => {
    const list = {
      object: 'list',
      data: [created({ id: 'wd_9' }), created({ id: 'wd_8', address: 'x' })],
      has_more: false,
      next_cursor: null,
    };
    const { get } = device;
    device.get = (call) => (call.path === '/v1/withdrawals' ? answer(200, list) : get(call));
    const tab = device.tab();
    expect(await tab.start(request())).toEqual({
      outcome: 'second-send',
      of: [{ source: 'service', id: 'wd_9', foreign: false, amount: SENT.amount, createdAt: T0, status: 'pending' }],
    });
    expect(device.rows()).toEqual([]);
    await started(tab, { secondSendOf: ['wd_9'] });
    expect(only()).toMatchObject({ state: 'succeeded', secondSendOf: ['wd_9'] });
    const own = await tab.start(request({ key: 'key-2', secondSendOf: ['wd_9'] }));
    expect(own.outcome === 'second-send' && own.of.map(({ source }) => source)).toEqual(['journal']);
  });

  it('a withdrawal older than 24 h asks for nothing', async () => {
    const list = {
      object: 'list',
      data: [created({ id: 'wd_9', created_at: T0 - 86_401 })],
      has_more: false,
      next_cursor: null,
    };
    const { get } = device;
    device.get = (call) => (call.path === '/v1/withdrawals' ? answer(200, list) : get(call));
    expect((await started()).result.outcome).toBe('started');
  });
});

describe('nothing is recorded', () => {
  const page = '<html>Welcome</html>';
  it.each<[string, (call: Call) => Attempt]>([
    ['offline', () => lost('network')],
    ['no Date', (call) => ({ ...(device.get(call) as Attempt), ...answer(200, { data: [] }), date: null })],
    ['a captive portal', () => answer(200, page)],
    ['not signed in', () => answer(401, envelope('authentication_error'))],
    ['another account', () => answer(409, envelope('x'), { gatewayError: 'account' })],
    ['a failing service', () => answer(500, envelope('x'))],
  ])('when the Date read brings none: %s', async (_what, get) => {
    device.get = get;
    const { result } = await started();
    expect(result).toMatchObject({ outcome: 'not-recorded', reason: expect.any(String) });
    expect(device.rows()).toEqual([]);
    expect(device.posts()).toEqual([]);
  });

  it('in a read-only session, without a session, without storage', async () => {
    device.session = { ...SESSION, read_only: true };
    expect((await started()).result).toMatchObject({ outcome: 'not-recorded', reason: 'This session is read-only.' });
    device.session = null;
    expect((await started()).result.outcome).toBe('not-recorded');
    device.session = SESSION;
    device.disk.refuses = 'No room left.';
    const { tab, result } = await started();
    expect(result).toEqual({ outcome: 'not-recorded', reason: 'No room left.' });
    await tab.refresh();
    expect(viewsOf(tab.getSnapshot(), SESSION)).toMatchObject({ status: 'unavailable', reason: 'No room left.' });
    expect(device.posts()).toEqual([]);
  });
});

describe('after a lost answer', () => {
  beforeEach(() => {
    device.post = () => lost('timeout');
  });

  it('a reload sends nothing by itself, and Resend replays under the same key', async () => {
    const { id } = await started();
    const tab = device.tab();
    await tab.refresh();
    await device.pass(HOUR);
    expect(device.posts()).toHaveLength(1);
    device.post = () => answer(201, created(), { replayed: true });
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(only()).toMatchObject({ state: 'succeeded', attempts: [{ outcome: 'no-answer' }, { replayed: true }] });
    expect(device.posts()).toHaveLength(2);
    expect(device.posts()[1]).toEqual(device.posts()[0]);
  });

  it('Resend clicked twice, or in two tabs, is one attempt', async () => {
    const { tab, id } = await started();
    await device.pass(20_000);
    const service = held();
    const other = device.tab();
    await Promise.all([tab.resend(id), tab.resend(id), other.resend(id)]);
    expect(device.posts()).toHaveLength(2);
    service.answer(answer(201, created()));
    await Promise.all([tab.settled(), other.settled()]);
    expect(only()?.state).toBe('succeeded');
  });

  it('nothing is sent from 23 h on by the service, whatever the device believes', async () => {
    const { tab, id } = await started();
    device.sleep(23 * HOUR - 2_000);
    device.wall -= 30 * HOUR;
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    await device.pass(60_000);
    device.wall += 60 * HOUR;
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done', reason: expect.stringContaining('23 hours') });
    expect(device.posts()).toHaveLength(2);
    const view = viewOf(tab.getSnapshot(), SESSION, id, device.wall, tab.serviceNow());
    expect(view).toMatchObject({
      expired: true,
      allowed: ['check', 'resend', 'close'],
      disabled: { resend: expect.any(String) },
    });
  });

  it.each([-30, 30])('a device clock %i h off changes nothing within the window', async (hours) => {
    const { tab, id } = await started();
    await device.pass(20_000);
    device.wall += hours * HOUR;
    device.post = () => answer(201, created(), { replayed: true });
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(only()?.state).toBe('succeeded');
  });

  it('no usable Date: nothing is sent, the state stays', async () => {
    const { tab, id } = await started();
    await device.pass(20_000);
    device.get = () => lost('network');
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done' });
    expect(only()).toMatchObject({ state: 'unconfirmed', attempts: { length: 1 } });
  });

  it('a device that slept between the Date and the request sends nothing', async () => {
    const { get } = device;
    const { tab, id } = await started();
    await device.pass(20_000);
    device.get = (call) => {
      const came = get(call);
      if (call.path === '/v1/balances') device.sleep(2 * HOUR);
      return came;
    };
    await tab.resend(id);
    await tab.settled();
    expect(device.posts()).toHaveLength(1);
    expect(only()).toMatchObject({
      state: 'unconfirmed',
      reason: 'no-answer',
      attempts: [{}, { outcome: 'not-made' }],
    });
  });

  it('a late success is taken, also while another attempt runs', async () => {
    const first = held();
    const tab = device.tab();
    const { id } = (await tab.start(request())) as { id: string };
    await device.pass(41_000);
    const other = device.tab();
    await other.refresh();
    expect(only()?.state).toBe('unconfirmed');
    const second = held();
    await other.resend(id);
    first.answer(answer(201, created()));
    await tab.settled();
    expect(only()?.state).toBe('succeeded');
    second.answer(answer(409, envelope('idempotency_key_reused')));
    await other.settled();
    expect(only()).toMatchObject({
      state: 'succeeded',
      attempts: [{ late: true }, { late: true, outcome: 'key-conflict' }],
    });
  });
});

describe('automatic retry', () => {
  const busy = () => answer(503, '', { retryAfter: '5' });

  it('goes on by the tab that holds the timer', async () => {
    device.post = busy;
    const { tab } = await started();
    device.post = () => answer(201, created());
    await device.pass(4_000);
    expect(device.posts()).toHaveLength(1);
    await device.pass(2_000);
    await tab.settled();
    expect(only()).toMatchObject({ state: 'succeeded', attempts: [{ by: 'person' }, { by: 'automatic' }] });
  });

  it('ends after three', async () => {
    device.post = busy;
    await started();
    await device.pass(10 * 60_000);
    expect(device.posts()).toHaveLength(4);
    expect(only()).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
  });

  it('a timer that wakes late sends nothing', async () => {
    device.post = busy;
    const { tab } = await started();
    device.sleep(25 * HOUR);
    await device.pass(0);
    await tab.settled();
    expect(device.posts()).toHaveLength(1);
    expect(only()?.retryAt).toBeUndefined();
  });

  it('nobody holds the timer after a reload', async () => {
    device.post = busy;
    await started();
    device.timers.length = 0;
    const { id } = only() ?? { id: '' };
    const tab = device.tab();
    await tab.refresh();
    expect(viewOf(tab.getSnapshot(), SESSION, id, device.wall, null)).toMatchObject({ waiting: true });
    await device.pass(HOUR);
    expect(device.posts()).toHaveLength(1);
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
  });

  it('sends nothing once another account is signed in', async () => {
    device.post = busy;
    const { tab } = await started();
    device.session = { ...SESSION, account: 'b'.repeat(32) };
    await device.pass(60_000);
    await tab.settled();
    expect(device.posts()).toHaveLength(1);
  });
});

describe('read back', () => {
  it('a tab killed between record and send leaves it ready: Send or Discard', async () => {
    device.post = () => lost('offline');
    const { id, tab } = await started();
    expect(only()).toMatchObject({ state: 'ready', attempts: [{ outcome: 'not-made' }] });
    device.post = () => answer(201, created());
    expect(await tab.send(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(only()?.state).toBe('succeeded');
    expect(await tab.discard(id)).toMatchObject({ outcome: 'not-done' });
  });

  it('a tab killed in flight: unconfirmed at once when its lock is free', async () => {
    held();
    await device.tab().start(request());
    const living = device.tab();
    await living.refresh();
    expect(only()?.state).toBe('sending');
    device.heldLocks.clear();
    await device.tab().refresh();
    expect(only()).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
  });

  it.each([true, false])(
    'a lock never freed holds nothing up for longer than 40 s (locks work: %s)',
    async (locksWork) => {
      device.locksWork = locksWork;
      held();
      await device.tab().start(request());
      const tab = device.tab();
      await tab.refresh();
      await device.pass(38_000);
      expect(only()?.state).toBe('sending');
      await device.pass(3_000);
      expect(only()?.state).toBe('unconfirmed');
      expect(viewsOf(tab.getSnapshot(), SESSION).operations[0]?.state).toBe('unconfirmed');
    },
  );

  it('reads the service by id when the answer left fields open, and sends nothing for it', async () => {
    device.post = () => answer(201, { id: 'wd_1' });
    const { get } = device;
    device.get = (call) => (call.path === '/v1/withdrawals/wd_1' ? answer(200, created()) : get(call));
    await started();
    expect(only()).toMatchObject({ state: 'succeeded', result: { by: 'check', confirmed: { length: 4 } } });
  });

  it('looks once for withdrawals like an unconfirmed one, and concludes nothing from them', async () => {
    device.post = () => lost('timeout');
    const { id } = await started();
    const list = { object: 'list', data: [created({ id: 'wd_7' })], has_more: false, next_cursor: null };
    const { get } = device;
    device.get = (call) => (call.path === '/v1/withdrawals' ? answer(200, list) : get(call));
    const tab = device.tab();
    await tab.refresh();
    await tab.refresh();
    const view = viewOf(tab.getSnapshot(), SESSION, id, device.wall, tab.serviceNow());
    expect(view.checks).toMatchObject([{ found: 'nothing', lookAlikes: [{ id: 'wd_7' }] }]);
    expect(only()?.state).toBe('unconfirmed');
  });
});

describe('another account', () => {
  it('sees nothing of it, sends nothing of it, and learns only that one exists', async () => {
    device.post = () => lost('timeout');
    const { tab, id } = await started();
    await device.pass(20_000);
    device.session = { ...SESSION, account: 'b'.repeat(32) };
    const views = viewsOf(tab.getSnapshot(), device.session);
    expect(views.operations).toEqual([]);
    expect(views.blocks).toEqual([{ id, firstSentAt: only()?.firstSentAt }]);
    await tab.refresh();
    expect(viewOf(tab.getSnapshot(), device.session, id, device.wall, null).status).toBe('blocked');
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done' });
    expect(await tab.check(id)).toMatchObject({ outcome: 'not-done' });
    expect(await tab.start(request({ key: 'key-2' }))).toEqual({
      outcome: 'existing',
      id: expect.stringMatching(/^op_/),
      foreign: true,
    });
    expect(device.posts()).toHaveLength(1);
  });
});

describe('keys', () => {
  it('are UUIDs of version 4, also where randomUUID is missing', () => {
    expect(newKey()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(newKey()).not.toBe(newKey());
  });
});
