import { beforeEach, describe, expect, it } from 'vitest';
import { type Device, HOUR, held, recorded, request, started } from './testActs.ts';
import { SESSION, T0, answer, created, createDevice, envelope, lost } from './testWorld.ts';
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

describe('closing by hand', () => {
  it('ends an unconfirmed operation with the typed reason and the service’s time', async () => {
    const { tab, id } = await started(device);
    await device.pass(HOUR);
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done', record: { state: 'closed' } });
    expect(recorded(device)).toMatchObject({
      state: 'closed',
      endedAt: T0 + 3_600,
      ending: { by: 'hand', words: WORDS, at: device.wall },
      attempts: [{ outcome: 'no-answer' }],
    });
    expect(recorded(device).reason).toBeUndefined();
    expect(view(tab, id).allowed).toEqual(['start-another']);
    expect(device.posts()).toHaveLength(1);
  });

  it.each([
    ['stored-failure', answer(500, envelope('x'), { replayed: true })],
    ['key-conflict', answer(409, envelope('idempotency_key_reused'))],
    ['mismatch', answer(201, created({ amount: '9' }))],
    ['signed-out', answer(403, envelope('x'))],
  ])('whatever the reason: %s', async (reason, came) => {
    device.post = () => came;
    const { tab, id } = await started(device);
    expect(recorded(device).reason).toBe(reason);
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
  });

  it('never without words, nor in any other state', async () => {
    const { tab, id } = await started(device);
    expect(await tab.close(id, ' \n')).toMatchObject({ outcome: 'not-done' });
    expect(await tab.close('op_none', WORDS)).toMatchObject({ outcome: 'not-done' });
    await device.pass(20_000);
    const service = held(device);
    await tab.resend(id);
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    service.answer(answer(201, created()));
    await tab.settled();
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    expect(recorded(device).state).toBe('succeeded');
  });

  it('not while an automatic retry is due', async () => {
    device.post = () => answer(503, '', { retryAfter: '30' });
    const { tab, id } = await started(device);
    expect(view(tab, id).disabled.close).toEqual(expect.any(String));
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    device.timers.length = 0;
    await device.pass(31_000);
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
  });

  it('a success that comes after it is only logged', async () => {
    const service = held(device);
    const frozen = device.tab();
    await frozen.start(request());
    await device.pass(41_000);
    const tab = device.tab();
    await tab.refresh();
    const { id } = recorded(device);
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
    service.answer(answer(201, created()));
    await frozen.settled();
    expect(recorded(device)).toMatchObject({
      state: 'closed',
      attempts: [{ outcome: 'success', late: true, resultId: 'wd_1' }],
    });
  });

  it('also where the service cannot tell the time: then it counts as of now until somebody sees it', async () => {
    const { tab, id } = await started(device);
    const { get } = device;
    device.get = () => lost('network');
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
    expect(recorded(device).endedAt).toBeUndefined();
    device.get = get;
    device.sleep(48 * HOUR);
    expect(await tab.start(second())).toMatchObject({ outcome: 'second-send', of: [{ id, status: 'closed' }] });
    await tab.seen(id);
    expect(recorded(device)).toMatchObject({ endedAt: T0 + 48 * 3_600, seenAt: T0 + 48 * 3_600 });
    device.sleep(24 * HOUR);
    expect(await tab.start(second())).toMatchObject({ outcome: 'started' });
  });

  it('asks for the second-send step within 24 h of the closing', async () => {
    const { tab, id } = await started(device);
    await device.pass(30 * HOUR);
    await tab.close(id, WORDS);
    await device.pass(24 * HOUR - 2_000);
    expect(await tab.start(second())).toMatchObject({ outcome: 'second-send', of: [{ id, foreign: false }] });
    await device.pass(2_000);
    expect(await tab.start(second())).toMatchObject({ outcome: 'started' });
  });

  it('one click is one act, and another act waits', async () => {
    const { tab, id } = await started(device);
    await device.pass(20_000);
    const [a, b, c] = await Promise.all([tab.close(id, WORDS), tab.close(id, WORDS), tab.resend(id)]);
    expect(a).toBe(b);
    expect(c).toMatchObject({ outcome: 'not-done' });
    expect(device.posts()).toHaveLength(1);
  });
});

describe('what another account recorded', () => {
  it('blocks until it is closed from the block’s own page, and is closed for that account, too', async () => {
    const { tab, id } = await started(device);
    await device.pass(20_000);
    device.session = OTHER;
    expect(await tab.start(second())).toEqual({ outcome: 'existing', id, foreign: true });
    expect(view(tab, id)).toMatchObject({
      status: 'blocked',
      blocked: { firstSentAt: T0, unresolved: true },
      allowed: ['close'],
      disabled: {},
    });
    expect(view(tab, id).operation).toBeUndefined();
    expect(viewsOf(tab.getSnapshot(), OTHER).blocks).toEqual([{ id, firstSentAt: T0 }]);
    const saved = await tab.evidence(id);
    expect(JSON.parse(saved ?? '')).toMatchObject({ id, key: 'key-1', attempts: [{ outcome: 'no-answer' }] });
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
    expect(view(tab, id)).toMatchObject({ status: 'blocked', blocked: { unresolved: false }, allowed: [] });
    expect(await tab.start(second())).toEqual({
      outcome: 'second-send',
      of: [{ source: 'journal', id, foreign: true, amount: null, createdAt: null, status: null }],
    });
    expect(await tab.start(request({ key: 'key-2', secondSendOf: [id] }))).toMatchObject({ outcome: 'started' });
    await tab.settled();
    device.session = SESSION;
    expect(await tab.resend(id)).toMatchObject({ outcome: 'not-done' });
    expect(view(tab, id).operation).toMatchObject({ state: 'closed', ending: { words: WORDS } });
    expect(device.posts()).toHaveLength(2);
  });

  it('and provably never sent, is discarded', async () => {
    device.post = () => lost('offline');
    const { tab, id } = await started(device);
    expect(recorded(device).state).toBe('ready');
    device.session = OTHER;
    expect(await tab.discard(id)).toMatchObject({ outcome: 'not-done' });
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
    expect(recorded(device)).toMatchObject({ state: 'not-sent', ending: { by: 'discard', words: WORDS } });
    expect(await tab.start(second())).toMatchObject({ outcome: 'started' });
  });

  it('and is being sent, waits: it is over when its lock is free or after 40 s', async () => {
    held(device);
    await device.tab().start(request());
    const { id } = recorded(device);
    device.session = OTHER;
    const tab = device.tab();
    await tab.refresh();
    expect(view(tab, id)).toMatchObject({ allowed: ['close'], disabled: { close: expect.any(String) } });
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    await device.pass(41_000);
    expect(view(tab, id).disabled).toEqual({});
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'done' });
  });

  it('on another service is none of this one’s', async () => {
    const { tab, id } = await started(device);
    device.session = { ...OTHER, service: 'https://pay.example' };
    await tab.refresh();
    expect(view(tab, id).status).toBe('absent');
    expect(await tab.close(id, WORDS)).toMatchObject({ outcome: 'not-done' });
    expect(recorded(device).state).toBe('unconfirmed');
  });
});
