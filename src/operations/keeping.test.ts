import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '#src/api/http.ts';
import { webhookReplayRequest } from './kinds.ts';
import { type Device, HOUR, recorded, request, started } from './testActs.ts';
import { SESSION, T0, answer, created, createDevice, envelope, lost } from './testWorld.ts';

// Finished records go 7 days after they were seen, by the service's clock alone.

let device: Device;
beforeEach(() => {
  device = createDevice();
});

const DAY = 24 * HOUR;
const OTHER = { ...SESSION, account: 'b'.repeat(32) };

/** The browser is opened again, days later. */
async function later(ms: number): Promise<void> {
  device.sleep(ms);
  await device.tab().refresh();
}

async function seen(came: Attempt) {
  device.post = () => came;
  const { tab, id, result } = await started(device);
  await tab.seen(id);
  return { tab, id, result };
}

describe('seen', () => {
  it('is noted once, by the service’s clock', async () => {
    const { tab, id } = await seen(answer(201, created()));
    expect(recorded(device)).toMatchObject({ seenAt: T0, revision: 3 });
    device.sleep(DAY);
    await tab.seen(id);
    expect(recorded(device)).toMatchObject({ seenAt: T0, revision: 3 });
  });

  it('asks the service for the time where it is not known', async () => {
    device.post = () => answer(201, created());
    const { id } = await started(device);
    device.sleep(HOUR);
    device.wall -= 30 * HOUR;
    await device.tab().seen(id);
    expect(recorded(device).seenAt).toBe(T0 + 3_600);
  });

  it('is not noted without that time, of what is not finished, nor by another account', async () => {
    device.post = () => lost('timeout');
    const { tab, id } = await started(device);
    await tab.seen(id);
    device.post = () => answer(201, created());
    await device.pass(20_000);
    await tab.resend(id);
    await tab.settled();
    device.session = OTHER;
    await tab.seen(id);
    device.session = SESSION;
    device.get = () => lost('network');
    await device.tab().seen(id);
    expect(recorded(device)).toMatchObject({ state: 'succeeded' });
    expect(recorded(device).seenAt).toBeUndefined();
  });

  it('is nothing that storage may fail over', async () => {
    const { tab, id } = await seen(answer(201, created()));
    device.disk.refuses = 'No.';
    await expect(tab.seen(id)).resolves.toBeUndefined();
  });
});

describe('dropped', () => {
  it.each<[string, Attempt]>([
    ['succeeded', answer(201, created())],
    ['refused', answer(400, envelope('x'))],
  ])('7 days after it was seen: %s', async (state, came) => {
    await seen(came);
    expect(recorded(device).state).toBe(state);
    await later(7 * DAY - 1_000);
    expect(device.rows()).toHaveLength(1);
    await later(1_000);
    expect(device.disk.rows.size).toBe(0);
  });

  it('never by the device’s clock', async () => {
    await seen(answer(201, created()));
    device.wall += 400 * DAY;
    await later(2 * DAY);
    expect(device.rows()).toHaveLength(1);
    device.get = () => lost('network');
    await later(8 * DAY);
    expect(device.rows()).toHaveLength(1);
  });

  it('never by the clock of a web page that answers in the service’s place', async () => {
    const { tab } = await seen(answer(201, created()));
    device.get = () => answer(200, '<html>Welcome</html>', { date: T0 + 400 * 86_400 });
    device.wall += 8 * DAY;
    await tab.refresh();
    await device.tab().refresh();
    expect(device.rows()).toHaveLength(1);
  });

  it('never unseen, never unresolved', async () => {
    device.post = () => answer(201, created());
    await started(device);
    device.post = () => lost('timeout');
    const { tab, id } = await started(device, { asks: request({ key: 'key-2', address: '1Other' }) });
    await tab.seen(id);
    await later(400 * DAY);
    expect(device.rows().map(({ state }) => state)).toEqual(['succeeded', 'unconfirmed']);
  });

  it('never another account’s: its service’s clock was not heard', async () => {
    await seen(answer(201, created()));
    device.session = OTHER;
    await later(8 * DAY);
    expect(device.rows()).toHaveLength(1);
    device.session = SESSION;
    await later(0);
    expect(device.rows()).toHaveLength(0);
  });

  it('never what still asks for the second-send step', async () => {
    device.post = () => lost('timeout');
    const { tab, id } = await started(device);
    device.sleep(30 * DAY);
    await tab.close(id, 'Said so.');
    // The service's clock was once days behind, when it was seen.
    device.serviceSkew = -20 * 86_400;
    await device.tab().seen(id);
    expect(recorded(device)).toMatchObject({ seenAt: T0 + 10 * 86_400, endedAt: T0 + 30 * 86_400 });
    device.serviceSkew = 0;
    await later(23 * HOUR);
    expect(device.rows()).toHaveLength(1);
    await later(HOUR);
    expect(device.rows()).toHaveLength(0);
  });

  it('a replay of a webhook, too', async () => {
    device.post = () => answer(204, '');
    const { tab, id } = await started(device, { asks: webhookReplayRequest('key-1', 'whd_1', []) });
    await tab.seen(id);
    await later(6 * DAY);
    expect(await tab.start(webhookReplayRequest('key-2', 'whd_1', []))).toMatchObject({ outcome: 'second-send' });
    await later(DAY);
    expect(device.rows()).toHaveLength(0);
  });

  it('with the closure of one that could not be read', async () => {
    const { id } = await seen(answer(201, created()));
    device.disk.closures.set(id, { id });
    await later(7 * DAY);
    expect([device.disk.rows.size, device.disk.closures.size]).toEqual([0, 0]);
  });
});
