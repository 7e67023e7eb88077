import { beforeEach, describe, expect, it } from 'vitest';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import { HOUR, SENT, START, T0, answer, created, envelope } from './testAnswers.ts';
import { type House, type Server, createHouse, quiet, viewIn } from './testWorld.ts';

// Timers, leases and the end of a server.

let house: House;
let server: Server;
beforeEach(() => {
  house = createHouse();
  server = house.server();
});

const view = async () => viewIn(await server.call('GET', '/key-1'));
const errorOf = ({ status, body }: Awaited<ReturnType<Server['put']>>) => [status, 'error' in body ? body.error : null];
const notDone = (message = '') => [
  409,
  expect.objectContaining({ code: 'not_done', message: expect.stringContaining(message) }),
];

async function started(): Promise<void> {
  await server.put();
  await server.settled();
}

describe('an automatic retry', () => {
  const busy = () => answer(503, '', { retryAfter: '5', date: T0 + 7 * 86_400 });

  it('goes on by the server that holds the timer, and a Date of a 503 is believed by nobody', async () => {
    house.post = busy;
    await started();
    expect(await view()).toMatchObject({ waiting: true, asleepUntil: START.server + 5_000, serviceNow: null });
    expect(house.recorded().ended).toBeUndefined();
    house.post = () => answer(201, created());
    await house.pass(4_999);
    expect(house.posts).toHaveLength(1);
    await house.pass(1);
    await server.settled();
    expect(house.recorded()).toMatchObject({ state: 'succeeded', attempts: [{ by: 'person' }, { by: 'automatic' }] });
  });

  it('ends after three', async () => {
    house.post = busy;
    await started();
    await house.pass(10 * 60_000);
    expect(house.posts).toHaveLength(4);
    expect(house.recorded()).toMatchObject({ state: 'unconfirmed', reason: 'no-answer' });
    expect(await view()).toMatchObject({ waiting: false, allowed: ['check', 'resend', 'close'] });
  });

  it('whose connection is refused ends there', async () => {
    house.post = busy;
    await started();
    house.connect = async () => Promise.reject(new Error('refused'));
    await house.pass(10 * 60_000);
    expect(house.recorded()).toMatchObject({
      state: 'unconfirmed',
      attempts: [{}, { by: 'automatic', outcome: 'not-made' }],
    });
    expect(house.posts).toHaveLength(1);
  });

  it.each([
    ['just in time', 10_000, 2],
    ['late', 10_001, 1],
  ])('that wakes %s', async (_what, late, posts) => {
    house.post = busy;
    await started();
    house.post = () => answer(201, created());
    house.sleep(5_000 + late);
    await house.pass(0);
    await server.settled();
    expect(house.posts).toHaveLength(posts);
    expect(house.recorded().retryAt).toBeUndefined();
  });

  it.each(['server', 'mono'] as const)('whose %s clock was moved meanwhile sends nothing', async (clock) => {
    house.post = busy;
    await started();
    house.skew[clock] += 30 * HOUR;
    await house.pass(60_000);
    expect(house.posts).toHaveLength(1);
  });

  it('that is on time for a machine which stood still, but not for the database, sends nothing', async () => {
    house.post = busy;
    await started();
    house.skew.database += HOUR;
    await house.pass(60_000);
    expect(house.posts).toHaveLength(1);
    expect(house.recorded().retryAt).toBeUndefined();
  });

  it('that a clock set back would put off for hours is given up at once', async () => {
    house.post = busy;
    // Recorded, sending, answered.
    house.afterWrite = (write) => {
      if (write === 3) house.skew.server -= 11 * HOUR;
    };
    await started();
    expect(house.recorded().retryAt).toBeUndefined();
    await house.pass(12 * HOUR);
    expect(house.posts).toHaveLength(1);
  });

  it('of a server that died is left to a person', async () => {
    house.post = busy;
    await started();
    const fresh = house.server();
    house.sleep(5_000);
    expect(viewIn(await fresh.call('GET', '/key-1'))).toMatchObject({
      waiting: false,
      allowed: ['check', 'resend', 'close'],
      disabled: {},
    });
  });

  it('while the database is away sends nothing, and is the person’s', async () => {
    house.post = busy;
    await started();
    house.away = true;
    await house.pass(6_000);
    house.away = false;
    await house.pass(60_000);
    expect([house.posts.length, house.destroyed]).toEqual([1, 1]);
    expect(await view()).toMatchObject({ waiting: false, disabled: {} });
  });
});

describe('an attempt that nobody finishes', () => {
  it('is under way for 40 s, and then unconfirmed by whoever reads it first', async () => {
    house.held();
    await server.put();
    house.sleep(39_999);
    expect(await view()).toMatchObject({ underWay: true, allowed: [], operation: { state: 'sending' } });
    house.sleep(1);
    const other = house.server();
    const list = await other.call('GET', '?state=sending');
    expect(list.body).toMatchObject({
      data: [{ underWay: false, operation: { state: 'unconfirmed', reason: 'no-answer' } }],
    });
    expect((await other.send()).status).toBe(200);
    await quiet();
    expect(house.posts).toHaveLength(2);
  });

  it('a lease from the future is over', async () => {
    house.held();
    await server.put();
    house.skew.database -= 2 * HOUR;
    expect((await view()).operation.state).toBe('unconfirmed');
  });

  it('a ready one under way, whoever asks: no actions until the lease is over', async () => {
    let seen: unknown;
    house.connect = async () => {
      seen = await view();
      throw new Error('refused');
    };
    await server.put();
    expect(seen).toMatchObject({ underWay: true, allowed: [], operation: { state: 'ready' } });
    expect(await view()).toMatchObject({ underWay: false, allowed: ['send', 'discard'] });
  });

  it('a late success is taken, also while another attempt runs', async () => {
    const first = house.held();
    await server.put();
    await house.pass(41_000);
    await view();
    const second = house.held();
    await house.server().send();
    first.answer(answer(201, created()));
    await quiet();
    expect(house.recorded().state).toBe('succeeded');
    second.answer(answer(409, envelope('idempotency_key_reused')));
    await quiet();
    expect(house.recorded()).toMatchObject({
      state: 'succeeded',
      attempts: [{ late: true }, { late: true, outcome: 'key-conflict' }],
    });
  });
});

describe('SIGTERM', () => {
  it('begins nothing more, and ends timers as no answer', async () => {
    house.post = () => answer(503, '', { retryAfter: '30' });
    await started();
    await server.operations.attempts.stop();
    expect(await view()).toMatchObject({ waiting: false, operation: { state: 'unconfirmed', reason: 'no-answer' } });
    await house.pass(60_000);
    expect(errorOf(await server.send())).toEqual(notDone('stopping'));
    expect((await server.put('key-2', depositAddressRequest(SENT))).status).toBe(503);
    expect(house.records()).toHaveLength(1);
    expect(house.posts).toHaveLength(1);
  });

  it('waits for what is running, and starts no retry of it', async () => {
    const service = house.held();
    await server.put();
    let isStopped = false;
    const stopping = server.operations.attempts.stop().then(() => (isStopped = true));
    await quiet();
    expect(isStopped).toBe(false);
    service.answer(answer(503, '', { retryAfter: '5' }));
    await stopping;
    await house.pass(60_000);
    expect(house.posts).toHaveLength(1);
    expect(await view()).toMatchObject({ waiting: false });
  });

  it('lists what the journal did not take, for whoever comes next', async () => {
    const service = house.held();
    await server.put();
    house.away = true;
    const stopping = server.operations.attempts.stop();
    service.answer(answer(201, created()));
    await stopping;
    const [unwritten] = server.operations.attempts.unwritten();
    expect(unwritten).toMatchObject({ key: 'key-1', event: { type: 'answer' } });
    house.away = false;
    const fresh = house.server();
    const { event } = JSON.parse(JSON.stringify(unwritten));
    await fresh.operations.journal.advance(fresh.actorOf(), 'key-1', event);
    expect(house.recorded().state).toBe('succeeded');
  });
});
