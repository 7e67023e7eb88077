import { beforeEach, describe, expect, it } from 'vitest';
import { type Device, recorded, request, started } from './testActs.ts';
import { SESSION, createDevice, lost } from './testWorld.ts';
import { viewOf, viewsOf } from './views.ts';

let device: Device;
beforeEach(() => {
  device = createDevice();
});

describe('another account', () => {
  it('sees nothing of it, sends nothing of it, and learns only that one exists', async () => {
    device.post = () => lost('timeout');
    const { tab, id } = await started(device);
    await device.pass(20_000);
    device.session = { ...SESSION, account: 'b'.repeat(32) };
    const views = viewsOf(tab.getSnapshot(), device.session);
    expect(views.operations).toEqual([]);
    expect(views.blocks).toEqual([{ id, firstSentAt: recorded(device).firstSentAt }]);
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
