import { afterEach, describe, expect, it, vi } from 'vitest';
import { browserMirror } from './mirror.ts';
import { mirrored } from './mirrored.ts';
import { toRow } from './stored.ts';
import { HOUR, held, recorded, request, started } from './testActs.ts';
import { memoryJournal, memoryRows } from './testJournal.ts';
import { SESSION, answer, created, createDevice, lost, quiet, record } from './testWorld.ts';
import { viewsOf } from './views.ts';

afterEach(() => vi.unstubAllGlobals());

describe('tabs', () => {
  it('show what another one does, at once', async () => {
    const device = createDevice();
    const watching = device.tab();
    await watching.refresh();
    const states = () => viewsOf(watching.getSnapshot(), SESSION).operations.map(({ state }) => state);
    const service = held(device);
    const tab = device.tab();
    await tab.start(request());
    await quiet();
    expect(states()).toEqual(['sending']);
    service.answer(lost('timeout'));
    await tab.settled();
    await quiet();
    expect(states()).toEqual(['unconfirmed']);
    await tab.close(recorded(device).id, 'Said so.');
    await quiet();
    expect(states()).toEqual(['closed']);
    expect(device.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('settle what another one left behind, though nobody looks at them again', async () => {
    const device = createDevice();
    device.locksWork = false;
    held(device);
    const watching = device.tab();
    await device.tab().start(request());
    await quiet();
    await device.pass(41_000);
    expect(viewsOf(watching.getSnapshot(), SESSION).operations).toMatchObject([{ state: 'unconfirmed' }]);
  });

  it('read nothing of the service for it', async () => {
    const device = createDevice();
    device.post = () => lost('timeout');
    const { tab, id } = await started(device);
    device.tab();
    const before = device.calls.length;
    await device.pass(20_000);
    device.post = () => answer(201, created());
    await tab.resend(id);
    await tab.settled();
    await quiet();
    // The read of the clock and the POST.
    expect(device.calls.length - before).toBe(2);
  });

  it('are as safe without it', async () => {
    const device = createDevice();
    device.deaf = true;
    const [a, b] = [device.tab(), device.tab()];
    await b.refresh();
    await started(device, { tab: a });
    expect(await b.start(request({ key: 'key-2' }))).toMatchObject({ outcome: 'second-send' });
    await device.pass(HOUR);
    expect(device.posts()).toHaveLength(1);
  });
});

it('every change that was committed is told, and nothing else', async () => {
  const tell = vi.fn<() => void>();
  const disk = memoryRows();
  const journal = mirrored(memoryJournal(disk), { tell, listen: () => undefined });
  const tells = async (work: () => Promise<unknown>): Promise<number> => {
    tell.mockClear();
    await work();
    return tell.mock.calls.length;
  };
  const next = record({ state: 'refused', revision: 1 });
  expect(await tells(() => journal.insert(record()))).toBe(1);
  expect(await tells(() => journal.insert(record({ id: 'op_2' })))).toBe(0);
  expect(await tells(() => journal.replace(next, 7))).toBe(0);
  expect(await tells(() => journal.replace(next, 0))).toBe(1);
  expect(await tells(() => journal.all())).toBe(0);
  expect(await tells(() => journal.drop('op_1', 0))).toBe(0);
  expect(await tells(() => journal.drop('op_1', 1))).toBe(1);
  disk.rows.set('op_3', { ...toRow(record({ id: 'op_3' })), schema: 3 });
  const closure = { id: 'op_3', words: 'Said so.', at: 1, date: 1 };
  expect(await tells(() => journal.closeDamaged(closure))).toBe(1);
  expect(await tells(() => journal.closeDamaged(closure))).toBe(0);
});

describe('in the browser', () => {
  it('a tab hears of the others, not of itself', async () => {
    const [a, b] = [browserMirror('test'), browserMirror('test')];
    const heardByA = vi.fn<() => void>();
    a.listen(heardByA);
    const heardByB = new Promise<void>((resolve) => b.listen(resolve));
    a.tell();
    await heardByB;
    expect(heardByA).not.toHaveBeenCalled();
  });

  class Broken {
    addEventListener = () => undefined;
    postMessage = () => refused();
  }
  const refused = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  it.each([
    ['missing', undefined],
    ['refused', refused],
    ['broken', Broken],
  ])('goes on where BroadcastChannel is %s', (_what, channel) => {
    vi.stubGlobal('BroadcastChannel', channel);
    const mirror = browserMirror('test');
    expect(() => {
      mirror.listen(() => undefined);
      mirror.tell();
    }).not.toThrow();
  });
});
