import { beforeEach, describe, expect, it } from 'vitest';
import { chargeRequest, depositAddressRequest, webhookReplayRequest } from './kinds.ts';
import type { StartRequest } from './outcomes.ts';
import { toRow } from './stored.ts';
import { type Device, HOUR, recorded, request, started } from './testActs.ts';
import { SESSION, answer, created, createDevice, envelope, lost, quiet, record } from './testWorld.ts';
import { viewOf, viewsOf } from './views.ts';

// "What happens when" of operations.md, where no other file of this folder is about it; for every kind where that matters.

let device: Device;
beforeEach(() => {
  device = createDevice();
});

const KINDS: StartRequest[] = [
  request(),
  depositAddressRequest('key-1', { asset: 'BTC', chain: 'bitcoin' }),
  chargeRequest('key-1', '{"amount":"1", "note" : "as typed"}'),
  webhookReplayRequest('key-1', 'whd_1', []),
];
const view = (tab: ReturnType<Device['tab']>, id: string) =>
  viewOf(tab.getSnapshot(), device.session, id, device.wall, tab.serviceNow());

describe.each(KINDS)('$kind', (asks) => {
  it('reload, crash: never sent again by itself, and Resend has the same key and bytes', async () => {
    device.post = () => lost('timeout');
    const { id } = await started(device, { asks });
    device.timers.length = 0;
    const tab = device.tab();
    await tab.refresh();
    await device.pass(HOUR);
    expect(device.posts()).toHaveLength(1);
    device.post = () => answer(201, created(), { replayed: true });
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(device.posts()[1]).toEqual(device.posts()[0]);
    expect(device.posts()[0]).toEqual({
      method: 'POST',
      path: asks.path,
      body: asks.body,
      key: 'key-1',
      account: SESSION.account,
    });
    expect(recorded(device).state).toBe('succeeded');
  });

  it('one look by reads after a reload, where there is something to look at', async () => {
    device.post = () => lost('timeout');
    await started(device, { asks });
    device.calls.length = 0;
    const tab = device.tab();
    await tab.refresh();
    await tab.refresh();
    const looked = device.calls.map(({ method, path }) => `${method} ${path}`);
    // Any answer of the service tells the time.
    expect(looked).toEqual([asks.kind === 'withdrawal' ? 'GET /v1/withdrawals' : 'GET /v1/balances']);
  });

  it('offline: nothing is sent when it comes back, 20 times', async () => {
    device.post = () => lost('offline');
    const { tab, id } = await started(device, { asks });
    for (let round = 0; round < 20; round += 1) {
      await tab.refresh();
      await device.tab().refresh();
      await device.pass(60_000);
    }
    expect(device.posts()).toHaveLength(1);
    expect(view(tab, id)).toMatchObject({ operation: { state: 'ready' }, allowed: ['send', 'discard'] });
  });

  it('offline while it waits to be sent again: that is given up', async () => {
    device.post = () => answer(503, '');
    const { tab, id } = await started(device, { asks });
    device.post = () => lost('offline');
    await device.pass(10_000);
    device.post = () => answer(201, created());
    await device.pass(HOUR);
    expect(device.posts()).toHaveLength(2);
    expect(view(tab, id).operation).toMatchObject({ state: 'unconfirmed', attempts: [{}, { outcome: 'not-made' }] });
  });

  it('sign-out: it stays in the journal, and nothing of it is shown or sent', async () => {
    device.post = () => answer(503, '', { retryAfter: '5' });
    const { tab, id } = await started(device, { asks });
    device.session = null;
    await device.pass(60_000);
    await tab.refresh();
    expect(device.posts()).toHaveLength(1);
    expect(viewsOf(tab.getSnapshot(), null)).toMatchObject({ operations: [], damaged: [], blocks: [] });
    for (const act of [tab.send, tab.resend, tab.discard, tab.check]) {
      expect(await act(id)).toMatchObject({ outcome: 'not-done' });
    }
    expect(await tab.close(id, 'Said so.')).toMatchObject({ outcome: 'not-done' });
    device.session = SESSION;
    await tab.refresh();
    expect(view(tab, id)).toMatchObject({ operation: { state: 'unconfirmed' } });
  });

  it('a read-only session sends nothing', async () => {
    device.post = () => lost('timeout');
    const { tab, id } = await started(device, { asks });
    await device.pass(20_000);
    device.session = { ...SESSION, read_only: true };
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done' });
    expect(view(tab, id).disabled.resend).toBe('This session is read-only.');
    expect(device.posts()).toHaveLength(1);
  });

  it('two clicks are one record', async () => {
    const tab = device.tab();
    await Promise.all([tab.start(asks), tab.start(asks)]);
    await tab.settled();
    expect(device.rows()).toHaveLength(1);
    expect(device.posts()).toHaveLength(1);
    expect(await device.tab().start(asks)).toMatchObject({ outcome: 'existing', id: recorded(device).id });
  });
});

describe('a place', () => {
  it('is a withdrawal’s destination, and a delivery; addresses and charges have none', async () => {
    device.post = () => lost('timeout');
    const outcomes = async (asks: StartRequest): Promise<string[]> => {
      const { tab, result } = await started(device, { asks });
      return [result.outcome, (await tab.start({ ...asks, key: `${asks.key}-again` })).outcome];
    };
    expect(await outcomes(request())).toEqual(['started', 'existing']);
    expect(await outcomes(webhookReplayRequest('k2', 'whd_1', []))).toEqual(['started', 'existing']);
    expect(await outcomes(chargeRequest('k3', '{}'))).toEqual(['started', 'started']);
    expect(await outcomes(depositAddressRequest('k4', { asset: 'BTC', chain: 'bitcoin' }))).toEqual([
      'started',
      'started',
    ]);
    expect(await outcomes(webhookReplayRequest('k5', 'whd_2', []))).toEqual(['started', 'existing']);
  });

  it('of a delivery asks first, however long ago it was replayed', async () => {
    device.post = () => answer(204, '');
    const { tab, id } = await started(device, { asks: webhookReplayRequest('key-1', 'whd_1', []) });
    device.sleep(72 * HOUR);
    expect(await tab.start(webhookReplayRequest('key-2', 'whd_1', []))).toMatchObject({
      outcome: 'second-send',
      of: [{ id, amount: null, status: 'succeeded' }],
    });
    expect(await tab.start(webhookReplayRequest('key-2', 'whd_1', [id]))).toMatchObject({ outcome: 'started' });
  });
});

it('an update between attempts: the bytes are those that were sent first, whoever wrote them', async () => {
  const { asset, chain, amount, address } = JSON.parse(record().body) as Record<string, string>;
  const body = JSON.stringify({ address, amount, chain, asset }, null, 2);
  device.disk.rows.set('op_1', toRow(record({ body, state: 'unconfirmed', reason: 'no-answer' })));
  const tab = device.tab();
  expect(await tab.resend('op_1')).toMatchObject({ outcome: 'done' });
  await tab.settled();
  expect(device.posts()).toMatchObject([{ body, key: 'key-1' }]);
  expect(recorded(device)).toMatchObject({ state: 'succeeded', body, result: { confirmed: { length: 4 } } });
});

describe('a success that lists and reads do not show yet', () => {
  it('stays a success: absence is never failure', async () => {
    const { tab, id } = await started(device);
    device.get = () => answer(404, envelope('not_found'));
    const result = await tab.check(id);
    expect(result).toMatchObject({ outcome: 'done', note: { found: 'nothing', complete: false } });
    expect(recorded(device).state).toBe('succeeded');
  });

  it.each([answer(404, envelope('not_found')), answer(500, ''), lost('network'), answer(200, '<html>')])(
    'whatever the read by id says: %j',
    async (came) => {
      device.post = () => answer(201, { id: 'wd_1' });
      device.get = (call) => (call.path === '/v1/balances' ? answer(200, { data: [] }) : came);
      await started(device);
      await device.tab().refresh();
      expect(recorded(device)).toMatchObject({ state: 'succeeded', result: { confirmed: [] } });
    },
  );

  it('but another payment under its id is an alarm, which only that very payment lifts', async () => {
    device.post = () => answer(201, { id: 'wd_1' });
    let object = created({ amount: '9' });
    device.get = (call) => (call.path === '/v1/balances' ? answer(200, { data: [] }) : answer(200, object));
    const { tab, id } = await started(device);
    expect(recorded(device)).toMatchObject({
      state: 'unconfirmed',
      reason: 'mismatch',
      contradiction: { id: 'wd_1', by: 'check', text: JSON.stringify(object) },
    });
    object = { id: 'wd_1' };
    expect(await tab.check(id)).toMatchObject({ note: { found: 'mismatch' } });
    object = created();
    expect(await tab.check(id)).toMatchObject({ note: { found: 'succeeded' } });
    expect(recorded(device)).toMatchObject({ state: 'succeeded', contradiction: { by: 'check' } });
  });
});

it('headers that cannot be read: no negative counts as confirmed', async () => {
  const bare = { date: null, requestId: null, retryAfter: null, contentType: null };
  device.post = () => answer(503, '', bare);
  const { tab, id } = await started(device);
  await device.pass(10 * 60_000);
  expect(device.posts()).toHaveLength(4);
  device.post = () => answer(400, envelope('invalid_request_error'), bare);
  await tab.resend(id);
  await tab.settled();
  await device.pass(10 * 60_000);
  expect(recorded(device)).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
  device.get = () => answer(200, { data: [] }, { date: null });
  expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done' });
  await quiet();
  expect(new Set(device.posts().map(({ key }) => key)).size).toBe(1);
});
