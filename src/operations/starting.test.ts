import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Attempt, Call } from '#src/api/http.ts';
import { withdrawalBody } from './body.ts';
import { type Device, held, recorded, request, started } from './testActs.ts';
import { SENT, SESSION, T0, answer, created, createDevice, envelope, lost, quiet } from './testWorld.ts';
import { viewsOf } from './views.ts';

let device: Device;
beforeEach(() => {
  device = createDevice();
});

describe('sending', () => {
  it('records, then sends exactly the recorded bytes under the recorded key and account', async () => {
    let recordedBefore: unknown;
    device.post = () => {
      recordedBefore = recorded(device);
      return answer(201, created());
    };
    const { result } = await started(device);
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
    expect(recorded(device)).toMatchObject({ state: 'succeeded', result: { id: 'wd_1', confirmed: { length: 4 } } });
  });

  it('resolves when the attempt is under way, not when it is answered', async () => {
    const service = held(device);
    const tab = device.tab();
    const result = await tab.start(request());
    expect(result.outcome).toBe('started');
    expect(recorded(device).state).toBe('sending');
    service.answer(answer(201, created()));
    await tab.settled();
    expect(recorded(device).state).toBe('succeeded');
  });

  it('goes on when what shows it throws', async () => {
    const thrown: (() => void)[] = [];
    vi.stubGlobal('queueMicrotask', (act: () => void) => thrown.push(act));
    const tab = device.tab();
    tab.subscribe(() => {
      throw new Error('the page');
    });
    expect((await started(device, { tab })).result.outcome).toBe('started');
    expect(recorded(device).state).toBe('succeeded');
    expect(thrown[0]).toThrow('the page');
    vi.unstubAllGlobals();
  });

  it('double and triple clicks are one record and one POST, with one outcome', async () => {
    const tab = device.tab();
    const results = await Promise.all([tab.start(request()), tab.start(request()), tab.start(request())]);
    await tab.settled();
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(device.posts()).toHaveLength(1);
    expect(await tab.start(request())).toMatchObject({ outcome: 'existing', id: recorded(device).id });
  });

  it('two tabs that confirm together are one operation and one POST', async () => {
    const results = await Promise.all([device.tab().start(request()), device.tab().start(request({ key: 'key-2' }))]);
    await quiet();
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['existing', 'started']);
    expect(device.posts()).toHaveLength(1);
  });

  it('a tab that confirms after another one succeeded comes to the second-send step', async () => {
    await started(device);
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
    await started(device, { tab, asks: request({ secondSendOf: ['wd_9'] }) });
    expect(recorded(device)).toMatchObject({ state: 'succeeded', secondSendOf: ['wd_9'] });
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
    expect((await started(device)).result.outcome).toBe('started');
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
    const { result } = await started(device);
    expect(result).toMatchObject({ outcome: 'not-recorded', reason: expect.any(String) });
    expect(device.rows()).toEqual([]);
    expect(device.posts()).toEqual([]);
  });

  it('in a read-only session, without a session, without storage', async () => {
    device.session = { ...SESSION, read_only: true };
    expect((await started(device)).result).toMatchObject({
      outcome: 'not-recorded',
      reason: 'This session is read-only.',
    });
    device.session = null;
    expect((await started(device)).result.outcome).toBe('not-recorded');
    device.session = SESSION;
    device.disk.refuses = 'No room left.';
    const { tab, result } = await started(device);
    expect(result).toEqual({ outcome: 'not-recorded', reason: 'No room left.' });
    await tab.refresh();
    expect(viewsOf(tab.getSnapshot(), SESSION)).toMatchObject({ status: 'unavailable', reason: 'No room left.' });
    expect(device.posts()).toEqual([]);
  });
});
