import { beforeEach, describe, expect, it } from 'vitest';
import { type Device, HOUR, held, recorded, request, started } from './testActs.ts';
import { SESSION, answer, created, createDevice, envelope, lost } from './testWorld.ts';
import { viewOf } from './views.ts';

let device: Device;
beforeEach(() => {
  device = createDevice();
});

describe('after a lost answer', () => {
  beforeEach(() => {
    device.post = () => lost('timeout');
  });

  it('a reload sends nothing by itself, and Resend replays under the same key', async () => {
    const { id } = await started(device);
    const tab = device.tab();
    await tab.refresh();
    await device.pass(HOUR);
    expect(device.posts()).toHaveLength(1);
    device.post = () => answer(201, created(), { replayed: true });
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(recorded(device)).toMatchObject({
      state: 'succeeded',
      attempts: [{ outcome: 'no-answer' }, { replayed: true }],
    });
    expect(device.posts()).toHaveLength(2);
    expect(device.posts()[1]).toEqual(device.posts()[0]);
  });

  it('Resend clicked twice, or in two tabs, is one attempt', async () => {
    const { tab, id } = await started(device);
    await device.pass(20_000);
    const service = held(device);
    const other = device.tab();
    await Promise.all([tab.resend(id), tab.resend(id), other.resend(id)]);
    expect(device.posts()).toHaveLength(2);
    service.answer(answer(201, created()));
    await Promise.all([tab.settled(), other.settled()]);
    expect(recorded(device).state).toBe('succeeded');
  });

  it('nothing is sent from 23 h on by the service, whatever the device believes', async () => {
    const { tab, id } = await started(device);
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
    const { tab, id } = await started(device);
    await device.pass(20_000);
    device.wall += hours * HOUR;
    device.post = () => answer(201, created(), { replayed: true });
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(recorded(device).state).toBe('succeeded');
  });

  it('no usable Date: nothing is sent, the state stays', async () => {
    const { tab, id } = await started(device);
    await device.pass(20_000);
    device.get = () => lost('network');
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done' });
    expect(recorded(device)).toMatchObject({ state: 'unconfirmed', attempts: { length: 1 } });
  });

  it('a device that slept between the Date and the request sends nothing', async () => {
    const { get } = device;
    const { tab, id } = await started(device);
    await device.pass(20_000);
    device.get = (call) => {
      const came = get(call);
      if (call.path === '/v1/balances') device.sleep(2 * HOUR);
      return came;
    };
    await tab.resend(id);
    await tab.settled();
    expect(device.posts()).toHaveLength(1);
    expect(recorded(device)).toMatchObject({
      state: 'unconfirmed',
      reason: 'no-answer',
      attempts: [{}, { outcome: 'not-made' }],
    });
  });

  it('a late success is taken, also while another attempt runs', async () => {
    const first = held(device);
    const tab = device.tab();
    const { id } = (await tab.start(request())) as { id: string };
    await device.pass(41_000);
    const other = device.tab();
    await other.refresh();
    expect(recorded(device).state).toBe('unconfirmed');
    const second = held(device);
    await other.resend(id);
    first.answer(answer(201, created()));
    await tab.settled();
    expect(recorded(device).state).toBe('succeeded');
    second.answer(answer(409, envelope('idempotency_key_reused')));
    await other.settled();
    expect(recorded(device)).toMatchObject({
      state: 'succeeded',
      attempts: [{ late: true }, { late: true, outcome: 'key-conflict' }],
    });
  });
});
