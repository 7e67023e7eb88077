import { beforeEach, describe, expect, it } from 'vitest';
import { type Device, held, recorded, request, started } from './testActs.ts';
import { SESSION, answer, created, createDevice, lost } from './testWorld.ts';
import { viewOf, viewsOf } from './views.ts';

let device: Device;
beforeEach(() => {
  device = createDevice();
});

describe('read back', () => {
  it('a tab killed between record and send leaves it ready: Send or Discard', async () => {
    device.post = () => lost('offline');
    const { id, tab } = await started(device);
    expect(recorded(device)).toMatchObject({ state: 'ready', attempts: [{ outcome: 'not-made' }] });
    device.post = () => answer(201, created());
    expect(await tab.send(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(recorded(device).state).toBe('succeeded');
    expect(await tab.discard(id)).toMatchObject({ outcome: 'not-done' });
  });

  it('a tab killed in flight: unconfirmed at once when its lock is free', async () => {
    held(device);
    await device.tab().start(request());
    const living = device.tab();
    await living.refresh();
    expect(recorded(device).state).toBe('sending');
    device.heldLocks.clear();
    await device.tab().refresh();
    expect(recorded(device)).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
  });

  it.each([true, false])(
    'a lock never freed holds nothing up for longer than 40 s (locks work: %s)',
    async (locksWork) => {
      device.locksWork = locksWork;
      held(device);
      await device.tab().start(request());
      const tab = device.tab();
      await tab.refresh();
      await device.pass(38_000);
      expect(recorded(device).state).toBe('sending');
      await device.pass(3_000);
      expect(recorded(device).state).toBe('unconfirmed');
      expect(viewsOf(tab.getSnapshot(), SESSION).operations[0]?.state).toBe('unconfirmed');
    },
  );

  it('reads the service by id when the answer left fields open, and sends nothing for it', async () => {
    device.post = () => answer(201, { id: 'wd_1' });
    const { get } = device;
    device.get = (call) => (call.path === '/v1/withdrawals/wd_1' ? answer(200, created()) : get(call));
    await started(device);
    expect(recorded(device)).toMatchObject({ state: 'succeeded', result: { by: 'check', confirmed: { length: 4 } } });
  });

  it('looks once for withdrawals like an unconfirmed one, and concludes nothing from them', async () => {
    device.post = () => lost('timeout');
    const { id } = await started(device);
    const list = { object: 'list', data: [created({ id: 'wd_7' })], has_more: false, next_cursor: null };
    const { get } = device;
    device.get = (call) => (call.path === '/v1/withdrawals' ? answer(200, list) : get(call));
    const tab = device.tab();
    await tab.refresh();
    await tab.refresh();
    const view = viewOf(tab.getSnapshot(), SESSION, id, device.wall, tab.serviceNow());
    expect(view.checks).toMatchObject([{ found: 'nothing', lookAlikes: [{ id: 'wd_7' }] }]);
    expect(recorded(device).state).toBe('unconfirmed');
  });
});
