import { beforeEach, describe, expect, it } from 'vitest';
import { type Device, HOUR, recorded, request, started } from './testActs.ts';
import { SESSION, T0, createDevice, lost, quiet } from './testWorld.ts';
import { viewOf, viewsOf } from './views.ts';

let device: Device;
beforeEach(() => {
  device = createDevice();
  device.post = () => lost('timeout');
});

const OTHER = { ...SESSION, account: 'b'.repeat(32) };
const WORDS = 'Their support says that it was never carried out.';
const second = () => request({ key: 'key-2' });
const view = (tab: ReturnType<Device['tab']>, id: string) =>
  viewOf(tab.getSnapshot(), device.session, id, device.wall, tab.serviceNow());

/** Changes the stored row behind the app's back. */
function spoil(id: string, change: (row: Record<string, unknown>) => object): void {
  device.disk.rows.set(id, change({ ...device.disk.rows.get(id) }));
}

describe('what cannot be read', () => {
  const damage = (row: Record<string, unknown>): object => ({ ...row, firstSentAt: T0 + 1 });
  const unreadable = (row: Record<string, unknown>): object => ({ id: row['id'], body: 'x' });
  const newer = (row: Record<string, unknown>): object => ({ ...row, schema: 3 });

  it.each([
    ['damaged', damage],
    ['unreadable', unreadable],
    ['newer', newer],
  ])('(%s) blocks until it is closed beside its row, which stays as it is', async (_what, change) => {
    const { tab, id } = await started(device);
    spoil(id, change);
    const row = device.disk.rows.get(id);
    await device.pass(60_000);
    await tab.refresh();
    expect(await tab.start(second())).toEqual({ outcome: 'existing', id, damaged: true });
    expect(view(tab, id)).toMatchObject({ status: 'damaged', allowed: ['close'] });
    expect(JSON.parse((await tab.evidence(id)) ?? '')).toEqual(row);

    expect(await tab.close(id, WORDS)).toEqual({ outcome: 'done', record: null });
    expect(device.disk.rows.get(id)).toBe(row);
    expect(view(tab, id)).toMatchObject({
      status: 'damaged',
      damaged: { closed: { words: WORDS, at: device.wall, date: T0 + 60 } },
      allowed: [],
    });
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    expect(await tab.start(second())).toMatchObject({
      outcome: 'second-send',
      of: [{ id, foreign: true, amount: null, status: null }],
    });
    await device.pass(24 * HOUR);
    expect(await tab.start(second())).toMatchObject({ outcome: 'started' });
  });

  it('stays closed, and is never sent, when a newer version reads it again', async () => {
    const { tab, id } = await started(device);
    const row = device.disk.rows.get(id);
    spoil(id, newer);
    await tab.refresh();
    await tab.close(id, WORDS);
    if (row) device.disk.rows.set(id, row);
    const updated = device.tab();
    await updated.refresh();
    expect(view(updated, id).operation).toMatchObject({ state: 'closed', endedAt: T0, ending: { words: WORDS } });
    expect(await updated.resend(id)).toMatchObject({ outcome: 'not-done' });
    await updated.seen(id);
    expect(recorded(device)).toMatchObject({ state: 'closed', seenAt: T0 });
    expect(device.posts()).toHaveLength(1);
  });

  it('is not closed without the service’s time: until when it counts would be unknown', async () => {
    const { tab, id } = await started(device);
    spoil(id, damage);
    device.get = () => lost('network');
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    expect(device.disk.closures.size).toBe(0);
  });

  it('of another account blocks like any other of it', async () => {
    const { tab, id } = await started(device);
    spoil(id, damage);
    device.session = OTHER;
    await tab.refresh();
    expect(await tab.start(second())).toEqual({ outcome: 'existing', id, foreign: true, damaged: true });
    expect(view(tab, id)).toMatchObject({ status: 'blocked', blocked: { firstSentAt: T0 }, allowed: ['close'] });
    expect(viewsOf(tab.getSnapshot(), OTHER)).toMatchObject({ damaged: [], blocks: [{ id }] });
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
    await quiet();
    expect(view(tab, id)).toMatchObject({ blocked: { unresolved: false }, allowed: [] });
    expect(viewsOf(tab.getSnapshot(), OTHER).blocks).toEqual([]);
  });
});
