import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR, answer, created, envelope, lost, listBody } from './testAnswers.ts';
import { type TestWorld, type Server, createTestWorld, errorOf, notDone, viewInAnswer } from './testWorld.ts';

// What a person may do after an inconclusive response, and by which clock.

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
  world.post = () => lost();
});

const WINDOW = 23 * HOUR;
const CLOCKS = ['service', 'server', 'database'] as const;
const move = (clock: (typeof CLOCKS)[number], ms: number): void => {
  world.skew[clock] += clock === 'service' ? Math.round(ms / 1_000) : ms;
};
const view = async () => viewInAnswer(await server.call('GET', '/key-1'));

async function started(): Promise<void> {
  await server.put();
  await server.settled();
}

describe('Resend', () => {
  it('is only done by a person: a new server sends nothing by itself', async () => {
    await started();
    const fresh = world.server();
    await fresh.call('GET', '');
    await world.pass(HOUR);
    expect(world.posts).toHaveLength(1);
  });

  it('replays under the same key, with the same bytes', async () => {
    await started();
    await world.pass(20_000);
    world.post = () => answer(201, created(), { replayed: true });
    expect((await server.send('key-1', {}, { actor: { who: 'Bob' } })).status).toBe(200);
    await server.settled();
    expect(world.recorded()).toMatchObject({
      state: 'succeeded',
      attempts: [{ who: 'Ann' }, { who: 'Bob', replayed: true }],
    });
    const [first, second] = world.posts;
    expect(second).toEqual({ ...first, attempt: second?.attempt });
  });

  it('pressed twice, or on two servers, is one attempt; the other gets moved_on', async () => {
    await started();
    await world.pass(20_000);
    world.held();
    const { revision } = world.recorded();
    const both = await Promise.all([server.send('key-1', { revision }), world.server().send('key-1', { revision })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const late = both.find(({ status }) => status === 409);
    expect(late && errorOf(late)).toEqual([409, expect.objectContaining({ code: 'moved_on' })]);
    expect(late && viewInAnswer(late).operation.state).toBe('sending');
    expect(world.posts).toHaveLength(2);
  });

  it('is possible for two minutes after the press', async () => {
    await started();
    await world.pass(20_000);
    expect(errorOf(await server.send('key-1', { not_after: world.database() - 1 }))).toEqual(notDone('two minutes'));
    expect(errorOf(await server.send('key-1', { not_after: world.database() + 130_001 }))).toEqual(notDone('too far'));
    expect((await server.call('POST', '/key-1/send', { revision: 2 })).status).toBe(400);
    expect(world.posts).toHaveLength(1);
  });

  it('is disabled until the first attempt has had time to finish', async () => {
    await started();
    expect(errorOf(await server.send())).toEqual(notDone());
    expect(await view()).toMatchObject({
      asleepUntil: world.wall() + 15_000,
      disabled: { resend: expect.any(String) },
    });
    await world.pass(15_000);
    expect(await view()).toMatchObject({ asleepUntil: null, disabled: {}, allowed: ['check', 'resend', 'close'] });
  });

  it('sends and changes nothing without a usable Date', async () => {
    await started();
    await world.pass(20_000);
    for (const came of [lost(), answer(200, listBody([]), { date: null }), answer(503, envelope('x'))]) {
      world.get = () => came;
      expect(errorOf(await server.send())).toEqual(notDone());
    }
    expect(world.recorded().attempts).toHaveLength(1);
  });

  it('sends nothing if the machine slept between the Date and the connection', async () => {
    await started();
    await world.pass(20_000);
    world.connect = async () => world.sleep(23 * HOUR);
    expect(errorOf(await server.send('key-1', { not_after: world.database() + 120_000 }))).toEqual(notDone());
    expect(world.posts).toHaveLength(1);
  });
});

describe.each(CLOCKS)('by the %s’s clock', (clock) => {
  const words = `The clocks disagree: by the ${clock === 'service' ? 'provider' : clock}’s clock,`;
  const late = notDone(`${words} more than 23 hours have passed`);

  it('nothing is sent from 23 h on', async () => {
    await started();
    world.sleep(20_000);
    move(clock, WINDOW - 21_000);
    expect((await server.send()).status).toBe(200);
    await server.settled();
    world.sleep(20_000);
    expect(errorOf(await server.send())).toEqual(late);
    expect(world.posts).toHaveLength(2);
    expect(await view()).toMatchObject({ expired: true, disabled: { resend: expect.any(String) } });
  });

  it('nothing is sent a minute before the first send', async () => {
    await started();
    world.sleep(20_000);
    move(clock, -81_000);
    // The time for which Resend is disabled is over as well.
    expect(errorOf(await server.send())).toEqual(notDone(`${words} it was recorded in the future`));
    move(clock, 1_000);
    expect((await server.send()).status).toBe(200);
  });

  it('a ready operation can only be discarded after the window', async () => {
    world.connect = async () => Promise.reject(new Error('refused'));
    await started();
    world.connect = async () => undefined;
    move(clock, WINDOW);
    expect(errorOf(await server.send())).toEqual(late);
    expect((await server.call('DELETE', '/key-1')).status).toBe(200);
    expect(world.posts).toEqual([]);
  });
});

describe.each(['server', 'database'] as const)('the %s’s clock is wrong, and the provider’s is unknown', (clock) => {
  it.each([24, -1])('by %i h: view and send give the same reason, which names that clock', async (hours) => {
    await started();
    world.sleep(16_000);
    move(clock, hours * HOUR);
    const { disabled, expired, serviceNow } = await view();
    expect({ expired, serviceNow }).toEqual({ expired: true, serviceNow: null });
    expect(disabled['resend']).toMatch(new RegExp(`^The clocks disagree: by the ${clock}’s clock, `));
    const [reason = ''] = disabled['resend']?.split('.') ?? [];
    expect(errorOf(await server.send())).toEqual(notDone(reason));
  });
});

describe('clocks that are wrong from the start', () => {
  it.each([-30, 30])('%i h off, each in turn: the window counts elapsed time', async (hours) => {
    for (const clock of CLOCKS) move(clock, hours * HOUR * (clock === 'server' ? -1 : 1));
    await started();
    world.sleep(WINDOW - 1_000);
    expect((await server.send()).status).toBe(200);
    await server.settled();
    world.sleep(16_000);
    expect(errorOf(await server.send())).toEqual(notDone('23 hours'));
  });
});
