import { beforeEach, describe, expect, it } from 'vitest';
import { type Device, HOUR, recorded, started } from './testActs.ts';
import { SESSION, answer, created, createDevice } from './testWorld.ts';
import { viewOf } from './views.ts';

let device: Device;
beforeEach(() => {
  device = createDevice();
});

describe('automatic retry', () => {
  const busy = () => answer(503, '', { retryAfter: '5' });

  it('goes on by the tab that holds the timer', async () => {
    device.post = busy;
    const { tab } = await started(device);
    device.post = () => answer(201, created());
    await device.pass(4_000);
    expect(device.posts()).toHaveLength(1);
    await device.pass(2_000);
    await tab.settled();
    expect(recorded(device)).toMatchObject({ state: 'succeeded', attempts: [{ by: 'person' }, { by: 'automatic' }] });
  });

  it('ends after three', async () => {
    device.post = busy;
    await started(device);
    await device.pass(10 * 60_000);
    expect(device.posts()).toHaveLength(4);
    expect(recorded(device)).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
  });

  it('a timer that wakes late sends nothing', async () => {
    device.post = busy;
    const { tab } = await started(device);
    device.sleep(25 * HOUR);
    await device.pass(0);
    await tab.settled();
    expect(device.posts()).toHaveLength(1);
    expect(recorded(device).retryAt).toBeUndefined();
  });

  it('nobody holds the timer after a reload', async () => {
    device.post = busy;
    await started(device);
    device.timers.length = 0;
    const { id } = recorded(device) ?? { id: '' };
    const tab = device.tab();
    await tab.refresh();
    expect(viewOf(tab.getSnapshot(), SESSION, id, device.wall, null)).toMatchObject({ waiting: true });
    await device.pass(HOUR);
    expect(device.posts()).toHaveLength(1);
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
  });

  it('sends nothing once another account is signed in', async () => {
    device.post = busy;
    const { tab } = await started(device);
    device.session = { ...SESSION, account: 'b'.repeat(32) };
    await device.pass(60_000);
    await tab.settled();
    expect(device.posts()).toHaveLength(1);
  });
});
