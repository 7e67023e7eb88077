import { beforeEach, describe, expect, it } from 'vitest';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import { HOUR, SENT, START, T0, answer, created, envelope } from './testAnswers.ts';
import { type TestWorld, type Server, createTestWorld, errorOf, notDone, quiet, viewInAnswer } from './testWorld.ts';

// Timers, leases and the shutdown of a server.

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
});

const view = async () => viewInAnswer(await server.call('GET', '/key-1'));

async function started(): Promise<void> {
  await server.put();
  await server.settled();
}

describe('an automatic retry', () => {
  const busy = () => answer(503, '', { retryAfter: '5', date: T0 + 7 * 86_400 });

  it('is sent by the server that holds the timer, and the Date of a 503 is ignored', async () => {
    world.post = busy;
    await started();
    expect(await view()).toMatchObject({ waiting: true, asleepUntil: START.server + 5_000, serviceNow: null });
    expect(world.recorded().ended).toBeUndefined();
    world.post = () => answer(201, created());
    await world.pass(4_999);
    expect(world.posts).toHaveLength(1);
    await world.pass(1);
    await server.settled();
    expect(world.recorded()).toMatchObject({ state: 'succeeded', attempts: [{ by: 'person' }, { by: 'automatic' }] });
  });

  it('stops after three retries', async () => {
    world.post = busy;
    await started();
    await world.pass(10 * 60_000);
    expect(world.posts).toHaveLength(4);
    expect(world.recorded()).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(await view()).toMatchObject({ waiting: false, allowed: ['check', 'resend', 'close'] });
  });

  it('is the last one if its connection is refused', async () => {
    world.post = busy;
    await started();
    world.connect = async () => Promise.reject(new Error('refused'));
    await world.pass(10 * 60_000);
    expect(world.recorded()).toMatchObject({
      state: 'unconfirmed',
      attempts: [{}, { by: 'automatic', outcome: 'not-made' }],
    });
    expect(world.posts).toHaveLength(1);
  });

  it.each([
    ['just in time', 10_000, 2],
    ['late', 10_001, 1],
  ])('that wakes %s', async (_what, late, posts) => {
    world.post = busy;
    await started();
    world.post = () => answer(201, created());
    world.sleep(5_000 + late);
    await world.pass(0);
    await server.settled();
    expect(world.posts).toHaveLength(posts);
    expect(world.recorded().retryAt).toBeUndefined();
  });

  it.each(['server', 'mono'] as const)('sends nothing if the %s clock was moved meanwhile', async (clock) => {
    world.post = busy;
    await started();
    world.skew[clock] += 30 * HOUR;
    await world.pass(60_000);
    expect(world.posts).toHaveLength(1);
  });

  it('sends nothing if it is on time only for a machine that stood still, not for the database', async () => {
    world.post = busy;
    await started();
    world.skew.database += HOUR;
    await world.pass(60_000);
    expect(world.posts).toHaveLength(1);
    expect(world.recorded().retryAt).toBeUndefined();
  });

  it('is given up at once if a clock set back would delay it for hours', async () => {
    world.post = busy;
    // The third write records the answer, after "recorded" and "sending".
    world.afterWrite = (write) => {
      if (write === 3) world.skew.server -= 11 * HOUR;
    };
    await started();
    expect(world.recorded().retryAt).toBeUndefined();
    await world.pass(12 * HOUR);
    expect(world.posts).toHaveLength(1);
  });

  it('is left to a person if its server died', async () => {
    world.post = busy;
    await started();
    const fresh = world.server();
    world.sleep(5_000);
    expect(viewInAnswer(await fresh.call('GET', '/key-1'))).toMatchObject({
      waiting: false,
      allowed: ['check', 'resend', 'close'],
      disabled: {},
    });
  });

  it('sends nothing while the database is away, and is then left to a person', async () => {
    world.post = busy;
    await started();
    world.away = true;
    await world.pass(6_000);
    world.away = false;
    await world.pass(60_000);
    expect([world.posts.length, world.destroyed]).toEqual([1, 1]);
    expect(await view()).toMatchObject({ waiting: false, disabled: {} });
  });
});

describe('an attempt whose server is gone', () => {
  it('is under way for 40 s, and becomes unconfirmed when any server reads it after that', async () => {
    world.held();
    await server.put();
    world.sleep(39_999);
    expect(await view()).toMatchObject({ underWay: true, allowed: [], operation: { state: 'sending' } });
    world.sleep(1);
    const other = world.server();
    const list = await other.call('GET', '?state=sending');
    expect(list.body).toMatchObject({
      data: [{ underWay: false, operation: { state: 'unconfirmed', reason: 'no-answer' } }],
    });
    expect((await other.send()).status).toBe(200);
    await quiet();
    expect(world.posts).toHaveLength(2);
  });

  it('a lease too far in the future counts as expired', async () => {
    world.held();
    await server.put();
    world.skew.database -= 2 * HOUR;
    expect((await view()).operation.state).toBe('unconfirmed');
  });

  it('a ready operation about to be sent offers no actions until its lease is over', async () => {
    let seen: unknown;
    world.connect = async () => {
      seen = await view();
      throw new Error('refused');
    };
    await server.put();
    expect(seen).toMatchObject({ underWay: true, allowed: [], operation: { state: 'ready' } });
    expect(await view()).toMatchObject({ underWay: false, allowed: ['send', 'discard'] });
  });

  it('a late success is recorded, also while another attempt runs', async () => {
    const first = world.held();
    await server.put();
    await world.pass(41_000);
    await view();
    const second = world.held();
    await world.server().send();
    first.answer(answer(201, created()));
    await quiet();
    expect(world.recorded().state).toBe('succeeded');
    second.answer(answer(409, envelope('idempotency_key_reused')));
    await quiet();
    expect(world.recorded()).toMatchObject({
      state: 'succeeded',
      attempts: [{ late: true }, { late: true, outcome: 'key-conflict' }],
    });
  });
});

describe('SIGTERM', () => {
  it('starts no more attempts, and ends timers as no answer', async () => {
    world.post = () => answer(503, '', { retryAfter: '30' });
    await started();
    await server.operations.attempts.stop();
    expect(await view()).toMatchObject({ waiting: false, operation: { state: 'unconfirmed', reason: 'no-answer' } });
    await world.pass(60_000);
    expect(errorOf(await server.send())).toEqual(notDone('stopping'));
    expect((await server.put('key-2', depositAddressRequest(SENT))).status).toBe(503);
    expect(world.records()).toHaveLength(1);
    expect(world.posts).toHaveLength(1);
  });

  it('waits for the running attempt, and starts no retry of it', async () => {
    const service = world.held();
    await server.put();
    let isStopped = false;
    const stopping = server.operations.attempts.stop().then(() => (isStopped = true));
    await quiet();
    expect(isStopped).toBe(false);
    service.answer(answer(503, '', { retryAfter: '5' }));
    await stopping;
    await world.pass(60_000);
    expect(world.posts).toHaveLength(1);
    expect(await view()).toMatchObject({ waiting: false });
  });

  it('lists responses that could not be recorded, so that the next server can record them', async () => {
    const service = world.held();
    await server.put();
    world.away = true;
    const stopping = server.operations.attempts.stop();
    service.answer(answer(201, created()));
    await stopping;
    const [unwritten] = server.operations.attempts.unwritten();
    expect(unwritten).toMatchObject({ key: 'key-1', event: { type: 'answer' } });
    world.away = false;
    const fresh = world.server();
    const { event } = JSON.parse(JSON.stringify(unwritten));
    await fresh.operations.journal.advance(fresh.actorOf(), 'key-1', event);
    expect(world.recorded().state).toBe('succeeded');
  });
});
