import { beforeEach, describe, expect, it } from 'vitest';
import { PATHS } from '#src/api/contract.ts';
import { type Device, HOUR, held, recorded, request, started } from './testActs.ts';
import { SESSION, T0, answer, created, createDevice, lost } from './testWorld.ts';
import { viewOf } from './views.ts';

// Rows 33 to 35 of faults.md: the device's clock is wrong, the device sleeps, timers are late, locks stay.

let device: Device;
beforeEach(() => {
  device = createDevice();
  device.post = () => lost('timeout');
});

const WINDOW = 23 * HOUR;
const view = (tab: ReturnType<Device['tab']>, id: string) =>
  viewOf(tab.getSnapshot(), SESSION, id, device.wall, tab.serviceNow());

describe.each([-30, -1, 0, 1, 30])('a device clock %i h off', (hours) => {
  it.each(['from the start', 'after the first attempt'])('%s: the window is the service’s', async (when) => {
    const off = hours * HOUR;
    if (when === 'from the start') device.wall += off;
    const { tab, id } = await started(device);
    if (when !== 'from the start') device.wall += off;
    expect(recorded(device).firstSentAt).toBe(T0);
    device.sleep(WINDOW - 1_000);
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    device.sleep(16_000);
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done', reason: expect.stringContaining('23 hours') });
    expect(device.posts()).toHaveLength(2);
    expect(view(tab, id)).toMatchObject({ expired: true, disabled: { resend: expect.any(String) } });
  });

  it('what is ready is sent within the window, then only discarded', async () => {
    device.wall += hours * HOUR;
    device.post = () => lost('offline');
    const { tab, id } = await started(device);
    device.sleep(WINDOW - 1_000);
    expect(await tab.send(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    device.sleep(1_000);
    expect(await tab.send(id)).toMatchObject({ outcome: 'not-done' });
    expect(view(tab, id)).toMatchObject({ allowed: ['send', 'discard'], disabled: { send: expect.any(String) } });
    expect(await tab.discard(id)).toMatchObject({ outcome: 'done', record: { state: 'not-sent' } });
  });

  it('Resend rests no longer than 15 s, and nothing blocks for ever', async () => {
    const { tab, id } = await started(device);
    device.wall += hours * HOUR;
    device.sleep(15_000);
    expect(view(tab, id)).toMatchObject({ asleepUntil: null, allowed: ['check', 'resend', 'close'], disabled: {} });
  });

  it('an automatic retry goes out on time or not at all', async () => {
    device.post = () => answer(503, '', { retryAfter: '5' });
    const { tab, id } = await started(device);
    device.wall += hours * HOUR;
    await device.pass(10 * 60_000);
    expect(device.posts()).toHaveLength(hours === 0 ? 4 : 1);
    expect(recorded(device)).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(view(tab, id).waiting).toBe(false);
  });

  it('a lost tab’s attempt is over after 40 s at the latest', async () => {
    held(device);
    device.locksWork = false;
    await device.tab().start(request());
    device.wall += hours * HOUR;
    const tab = device.tab();
    await tab.refresh();
    await device.pass(41_000);
    expect(recorded(device).state).toBe('unconfirmed');
  });
});

describe('a device that slept', () => {
  it('for 25 h: check only, and no POST', async () => {
    const { tab, id } = await started(device);
    device.sleep(25 * HOUR);
    await tab.refresh();
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done' });
    expect(view(tab, id)).toMatchObject({ expired: true, disabled: { resend: expect.any(String) } });
    expect(device.posts()).toHaveLength(1);
  });

  it('with a steady clock that stood still: the service is asked before every send', async () => {
    const { tab, id } = await started(device);
    device.wall += 25 * HOUR;
    device.serviceSkew += 25 * 3_600;
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done', reason: expect.stringContaining('23 hours') });
    expect(device.posts()).toHaveLength(1);
  });

  // Else a payment would leave hours after its click, past the 24 h in which the second-send step looks back.
  it.each([PATHS.withdrawals, PATHS.balances])(
    'between the press of Send and its read of %s: nothing',
    async (path) => {
      const { get } = device;
      device.get = (call) => {
        if (call.path === path) device.sleep(29 * HOUR);
        return get(call);
      };
      expect(await device.tab().start(request())).toMatchObject({ outcome: 'not-recorded' });
      expect(device.rows()).toEqual([]);
      expect(device.posts()).toEqual([]);
    },
  );

  it.each([
    ['just in time', 10_000, 2],
    ['late', 10_001, 1],
  ])('a timer that wakes %s', async (_what, late, posts) => {
    device.post = () => answer(503, '', { retryAfter: '5' });
    const { tab } = await started(device);
    device.post = () => answer(201, created());
    device.sleep(5_000 + late);
    await device.pass(0);
    await tab.settled();
    expect(device.posts()).toHaveLength(posts);
  });

  it('a service whose clock goes back sends nothing twice', async () => {
    const { tab, id } = await started(device);
    device.sleep(HOUR);
    device.serviceSkew = -2 * 3_600;
    device.post = () => answer(201, created(), { replayed: true });
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(recorded(device).state).toBe('succeeded');
    expect(device.posts()[1]).toEqual(device.posts()[0]);
  });
});

describe('a web lock that is never freed', () => {
  it.each([true, false])('holds nothing up for longer than 40 s (locks can be asked: %s)', async (locksWork) => {
    device.locksWork = locksWork;
    held(device);
    await device.tab().start(request());
    const tab = device.tab();
    await tab.refresh();
    await device.pass(39_000);
    expect(recorded(device).state).toBe('sending');
    await device.pass(1_000);
    expect(view(tab, recorded(device).id).operation?.state).toBe('unconfirmed');
    device.post = () => answer(201, created(), { replayed: true });
    expect(await tab.resend(recorded(device).id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(recorded(device).state).toBe('succeeded');
  });
});
