import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '#src/api/http.ts';
import { type Device, HOUR, recorded, request, started } from './testActs.ts';
import { SESSION, T0, answer, created, createDevice, envelope, lost, record } from './testWorld.ts';
import { toRow } from './stored.ts';
import { viewOf, viewsOf } from './views.ts';

const NEW_KEY = { ...SESSION, account: 'b'.repeat(32) };
const WORDS = 'Their support says so.';

let device: Device;
/** What GET /v1/withdrawals/:id answers. */
let byId: (id: string) => Attempt;
beforeEach(() => {
  device = createDevice();
  byId = () => answer(404, envelope('not_found'));
  const { get } = device;
  device.get = (call) => {
    const id = /^\/v1\/withdrawals\/(.+)$/.exec(call.path)?.[1];
    return id === undefined ? get(call) : byId(id);
  };
});

const reads = () => device.calls.filter(({ path }) => path.startsWith('/v1/withdrawals/'));
const view = (tab: ReturnType<Device['tab']>, id: string) =>
  viewOf(tab.getSnapshot(), device.session, id, device.wall, tab.serviceNow());

/** An operation of the old key, and a tab in which the new one is signed in. */
async function underNewKey(came: Attempt) {
  device.post = () => came;
  const { id } = await started(device);
  await device.pass(20_000);
  device.session = NEW_KEY;
  device.calls.length = 0;
  return { id, tab: device.tab() };
}

const MISMATCH = answer(201, created({ amount: '9' }));

describe('an operation of another key', () => {
  it('is shown, check only, once this key reads the id that was recorded under it', async () => {
    const { id, tab } = await underNewKey(MISMATCH);
    byId = (wd) => answer(200, created({ id: wd, amount: '9' }));
    await tab.refresh();
    expect(reads()).toEqual([{ method: 'GET', path: '/v1/withdrawals/wd_1', account: NEW_KEY.account }]);
    const views = viewsOf(tab.getSnapshot(), NEW_KEY);
    expect(views).toMatchObject({ operations: [{ id }], blocks: [] });
    expect([...views.checkOnly]).toEqual([id]);
    expect(view(tab, id)).toMatchObject({
      status: 'found',
      checkOnly: true,
      allowed: ['check', 'close'],
      disabled: {},
    });
  });

  it('is checked by a read under this key, and concludes', async () => {
    const { id, tab } = await underNewKey(MISMATCH);
    byId = (wd) => answer(200, created({ id: wd, amount: '9' }));
    await tab.refresh();
    byId = (wd) => answer(200, created({ id: wd, status: 'completed' }));
    expect(await tab.check(id)).toMatchObject({ outcome: 'done', note: { found: 'succeeded' } });
    expect(recorded(device)).toMatchObject({ state: 'succeeded', account: SESSION.account });
    expect(view(tab, id)).toMatchObject({ status: 'found', allowed: ['check', 'start-another'] });
  });

  it('is closed by hand', async () => {
    const { id, tab } = await underNewKey(MISMATCH);
    byId = (wd) => answer(200, created({ id: wd, amount: '9' }));
    await tab.refresh();
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
    expect(recorded(device)).toMatchObject({ state: 'closed', ending: { by: 'hand', words: WORDS } });
  });

  it('is dropped 7 days after it was seen under this one: nobody may ever see it under its own again', async () => {
    const { id, tab } = await underNewKey(answer(201, created()));
    byId = (wd) => answer(200, created({ id: wd }), { date: device.date() });
    await tab.seen(id);
    expect(recorded(device).seenAt).toBeUndefined();
    await tab.refresh();
    await tab.seen(id);
    expect(recorded(device).seenAt).toBe(T0 + 20);
    device.sleep(7 * 24 * HOUR);
    await device.tab().refresh();
    expect(device.rows()).toEqual([]);
  });

  it('is never resent under this one, and by its own key again as before', async () => {
    const { id, tab } = await underNewKey(lost('timeout'));
    const row = record({ ...recorded(device), state: 'unconfirmed', reason: 'no-answer' });
    // An id that a late answer brought.
    const attempts = row.attempts.map((attempt) => ({ ...attempt, resultId: 'wd_1', outcome: 'mismatch' as const }));
    device.disk.rows.set(id, toRow({ ...row, attempts }));
    byId = (wd) => answer(200, created({ id: wd }));
    await tab.refresh();
    expect(view(tab, id)).toMatchObject({ checkOnly: true, allowed: ['check', 'close'] });
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done' });
    expect(await tab.send(id)).toMatchObject({ outcome: 'not-done' });
    expect(device.posts()).toEqual([]);
    device.session = SESSION;
    device.post = () => answer(201, created(), { replayed: true });
    expect(view(tab, id)).toMatchObject({ checkOnly: false, allowed: ['check', 'resend', 'close'] });
    expect(await tab.resend(id)).toMatchObject({ outcome: 'done' });
    await tab.settled();
    expect(device.posts()).toHaveLength(1);
  });

  it('without an id stays hidden, and nothing is asked', async () => {
    const { id, tab } = await underNewKey(lost('timeout'));
    byId = (wd) => answer(200, created({ id: wd }));
    await tab.refresh();
    expect(reads()).toEqual([]);
    expect(view(tab, id).status).toBe('blocked');
  });

  it.each<[string, (wd: string) => Attempt]>([
    ['unknown to this key', () => answer(404, envelope('not_found'))],
    ['another payment', (wd) => answer(200, created({ id: wd, address: 'elsewhere' }))],
    ['another id', () => answer(200, created({ id: 'wd_2' }))],
    ['cut short', (wd) => answer(200, created({ id: wd }), { complete: false })],
    ['not a withdrawal', () => answer(200, '<html>')],
  ])('stays hidden: %s', async (_what, come) => {
    const { id, tab } = await underNewKey(answer(201, created()));
    byId = come;
    await tab.refresh();
    expect(viewsOf(tab.getSnapshot(), NEW_KEY).operations).toEqual([]);
    expect(view(tab, id).status).toBe('blocked');
    expect(await tab.check(id)).toMatchObject({ outcome: 'not-done' });
  });

  it('is hidden again from a third one, which has to prove it itself', async () => {
    const { id, tab } = await underNewKey(answer(201, created()));
    byId = (wd) => answer(200, created({ id: wd }));
    await tab.refresh();
    expect(view(tab, id).status).toBe('found');
    device.session = { ...SESSION, account: 'c'.repeat(32) };
    expect(view(tab, id).status).toBe('blocked');
    byId = () => answer(404, envelope('not_found'));
    await tab.refresh();
    expect(view(tab, id).status).toBe('blocked');
    device.session = { ...SESSION, account: 'd'.repeat(32) };
    byId = (wd) => answer(200, created({ id: wd }));
    await tab.refresh();
    expect(view(tab, id).status).toBe('found');
  });
});

describe('the reads', () => {
  it('are made once per session and record', async () => {
    const { tab } = await underNewKey(answer(201, created()));
    await tab.refresh();
    await tab.refresh();
    await Promise.all([tab.refresh(), tab.refresh()]);
    expect(reads()).toHaveLength(1);
  });

  it('are one after the other, newest first, at most 20, and stop where the service wants none', async () => {
    for (let n = 1; n <= 25; n += 1) {
      const old = { id: `op_${n}`, key: `key-${n}`, firstSentAt: T0 + n, state: 'succeeded' as const };
      const result = { id: `wd_${n}`, text: '{}', requestId: null, by: 'answer' as const, confirmed: [] };
      device.disk.rows.set(`op_${n}`, toRow(record({ ...old, result })));
    }
    device.session = NEW_KEY;
    const tab = device.tab();
    byId = () => answer(429, envelope('rate_limited'));
    await tab.refresh();
    expect(reads().map(({ path }) => path)).toEqual(['/v1/withdrawals/wd_25']);
    let open = 0;
    byId = () => {
      open += 1;
      expect(open).toBe(1);
      queueMicrotask(() => {
        open -= 1;
      });
      return answer(404, envelope('not_found'));
    };
    await tab.refresh();
    await tab.refresh();
    expect(reads()).toHaveLength(21);
    expect(reads().at(-1)?.path).toBe('/v1/withdrawals/wd_6');
  });

  it('are none for another service', async () => {
    await underNewKey(answer(201, created()));
    device.session = { ...NEW_KEY, service: 'https://pay.example' };
    await device.tab().refresh();
    expect(reads()).toEqual([]);
  });
});

it('a place held under another key is held all the same', async () => {
  const { id, tab } = await underNewKey(MISMATCH);
  byId = (wd) => answer(200, created({ id: wd, amount: '9' }));
  await tab.refresh();
  await device.pass(HOUR);
  expect(await tab.start(request({ key: 'key-2' }))).toEqual({ outcome: 'existing', id, foreign: true });
});
