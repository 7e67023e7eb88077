import { beforeEach, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import type { AttemptResult } from '#src/shared/answers.ts';
import { withdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { JournalAway, JournalUnsure } from './ports.ts';
import { SENT, START, T0, answer, created, envelope, lost, listBody } from './testAnswers.ts';
import { type TestWorld, type Server, createTestWorld, quiet, viewInAnswer } from './testWorld.ts';

// The order of writes: record, connection, "sending", bytes, answer.

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
});

const refuse = async (): Promise<void> => {
  throw new Error('ECONNREFUSED');
};

describe('a start', () => {
  it('records, connects, records "sending", then posts exactly the recorded bytes under the recorded key', async () => {
    const seen: unknown[] = [];
    world.connect = async () => void seen.push({ ...world.recorded() });
    world.post = () => {
      seen.push({ ...world.recorded() });
      return answer(201, created());
    };
    const put = await server.put();
    expect(put.status).toBe(201);
    expect(viewInAnswer(put)).toMatchObject({
      underWay: true,
      allowed: [],
      operation: { key: 'key-1', state: 'sending' },
    });
    await server.settled();
    const recorded = { key: 'key-1', body: withdrawalBody(SENT), firstSent: START, who: 'Ann' };
    expect(seen).toMatchObject([
      { ...recorded, state: 'ready', attempts: [], leaseUntil: START.database + 40_000 },
      { ...recorded, state: 'sending', attempts: { length: 1 } },
    ]);
    expect(world.posts).toEqual([
      {
        apiKey: 'sk_a',
        key: 'key-1',
        path: '/v1/withdrawals',
        body: withdrawalBody(SENT),
        attempt: expect.any(String),
      },
    ]);
    expect(world.recorded()).toMatchObject({ state: 'succeeded', result: { id: 'wd_1', confirmed: { length: 4 } } });
  });

  it('responds when the attempt is under way, not when it is over', async () => {
    const service = world.held();
    expect((await server.put()).status).toBe(201);
    service.answer(answer(201, created()));
    await server.settled();
    expect(viewInAnswer(await server.call('GET', '/key-1')).operation.state).toBe('succeeded');
  });

  it('creates one record and one POST, however often and at whichever server the PUT arrives', async () => {
    const service = world.held();
    const other = world.server();
    const answers = await Promise.all([server.put(), server.put(), other.put(), other.put()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 201]);
    service.answer(answer(201, created()));
    await Promise.all([server.settled(), other.settled()]);
    expect((await server.put('key-1', { not_after: 0 })).status).toBe(200);
    expect(world.posts).toHaveLength(1);
    expect(world.records()).toHaveLength(1);
  });
});

describe('a refused connection', () => {
  it('of the first attempt leaves the operation ready to send or discard', async () => {
    world.connect = refuse;
    const put = await server.put();
    expect([put.status, viewInAnswer(put)]).toMatchObject([
      201,
      { underWay: false, allowed: ['send', 'discard'], disabled: {}, operation: { state: 'ready' } },
    ]);
    world.connect = async () => undefined;
    expect((await server.send()).status).toBe(200);
    await server.settled();
    expect(world.recorded()).toMatchObject({
      state: 'succeeded',
      attempts: [{ outcome: 'not-made', lost: 'network' }, {}],
    });
    expect((await server.call('DELETE', '/key-1')).status).toBe(409);
  });

  it('of a later attempt leaves the operation unconfirmed, and DELETE refuses', async () => {
    world.post = () => lost();
    await server.put();
    await server.settled();
    await world.pass(20_000);
    world.connect = refuse;
    await server.send();
    expect(world.recorded()).toMatchObject({ state: 'unconfirmed', attempts: [{}, { outcome: 'not-made' }] });
    expect((await server.call('DELETE', '/key-1')).status).toBe(409);
    expect(world.posts).toHaveLength(1);
  });
});

describe('a process that was frozen between commit and bytes', () => {
  const freeze = (act: () => void): void => {
    world.afterWrite = (write) => {
      if (write === 2) act();
    };
  };

  it.each([
    ['by all clocks', () => world.sleep(10_000)],
    ['by the wall clock alone', () => void (world.skew.server += 10_000)],
    ['by a wall clock set back', () => void (world.skew.server -= 10_000)],
    ['by the steady clock alone', () => void (world.skew.mono += 10_000)],
  ])('for 10 s %s: not made, and the socket is gone', async (_what, act) => {
    freeze(act);
    await server.put();
    await server.settled();
    expect([world.posts, world.destroyed]).toEqual([[], 1]);
    expect(world.recorded()).toMatchObject({ state: 'ready', attempts: [{ outcome: 'not-made' }] });
  });

  it('for a shorter time sends the bytes', async () => {
    freeze(() => world.sleep(9_999));
    await server.put();
    await server.settled();
    expect(world.posts).toHaveLength(1);
  });
});

describe('the database', () => {
  const fail = (at: number, error: Error, when: 'beforeWrite' | 'afterWrite' = 'beforeWrite'): void => {
    world[when] = (write) => {
      if (write === at) throw error;
    };
  };

  it('away before the record: 503, nothing recorded, nothing sent', async () => {
    fail(1, new JournalAway());
    expect(await server.put()).toMatchObject({ status: 503, body: { error: { code: 'not_ready' } } });
    expect([world.records(), world.posts]).toEqual([[], []]);
  });

  it('away before "sending": 503, nothing sent, and the operation stays ready', async () => {
    fail(2, new JournalAway());
    expect((await server.put()).status).toBe(503);
    expect([world.posts, world.destroyed, world.recorded().state]).toEqual([[], 1, 'ready']);
    expect((await server.put()).status).toBe(200);
    expect(world.posts).toEqual([]);
  });

  it.each(['beforeWrite', 'afterWrite'] as const)(
    'unsure of the record (%s): 503, and repeating the request tells',
    async (when) => {
      fail(1, new JournalUnsure(), when);
      expect((await server.put()).status).toBe(503);
      expect(world.posts).toEqual([]);
      expect((await server.put()).status).toBe(when === 'afterWrite' ? 200 : 201);
      expect(world.posts).toHaveLength(when === 'afterWrite' ? 0 : 1);
    },
  );

  it.each(['beforeWrite', 'afterWrite'] as const)(
    'unsure of "sending" (%s): nothing is sent, and the operation is ready again',
    async (when) => {
      fail(2, new JournalUnsure(), when);
      expect((await server.put()).status).toBe(503);
      await server.settled();
      expect([world.posts, world.destroyed]).toEqual([[], 1]);
      expect(world.recorded().state).toBe('ready');
    },
  );

  it('away after the answer: the answer is kept in memory and recorded later, once', async () => {
    const service = world.held();
    await server.put();
    world.away = true;
    service.answer(answer(201, created()));
    await quiet();
    await world.pass(5_000);
    expect(server.operations.attempts.unwritten()).toMatchObject([{ key: 'key-1', event: { type: 'answer' } }]);
    world.away = false;
    await world.pass(1_000);
    await server.settled();
    expect(world.recorded().state).toBe('succeeded');
    expect([server.operations.attempts.unwritten(), world.posts.length]).toEqual([[], 1]);
  });

  it('unsure of the answer: recorded again, which changes nothing', async () => {
    fail(3, new JournalUnsure(), 'afterWrite');
    await server.put();
    await quiet();
    await world.pass(1_000);
    await server.settled();
    expect(world.recorded()).toMatchObject({ state: 'succeeded', revision: 2 });
  });

  it('away right after the bytes were sent: the operation is not called unsent', async () => {
    const service = world.held();
    world.post = (post) => {
      world.away = true;
      return post.key === 'key-1' ? new Promise(() => service) : lost();
    };
    const put = await server.put();
    expect(put.status).toBe(503);
    expect(JSON.stringify(put.body)).not.toMatch(/nothing was sent/i);
  });
});

describe('nothing is recorded', () => {
  it.each([200, 401, 403, 503])(
    'and the API key is not blamed if the response is a web page with status %i',
    async (status) => {
      world.get = () => answer(status, '<html>Sign in to Example Inc.</html>', { contentType: 'text/html' });
      const { message } = v.parse(
        v.object({ error: v.object({ message: v.string() }) }),
        (await server.put()).body,
      ).error;
      expect(message).toContain('A web page came back');
      expect(message).not.toContain('key');
    },
  );

  it.each<[string, AttemptResult]>([
    ['no connection', lost('network')],
    ['no Date', answer(200, listBody([]), { date: null })],
    ['a captive portal', answer(200, '<html>Welcome</html>')],
    ['a sign-in page', answer(401, '<html>Sign in</html>')],
    ['a list cut short', answer(200, listBody([]), { complete: false })],
    ['a key that is refused', answer(401, envelope('authentication_error'))],
    ['a failing service, dated next week', answer(503, envelope('x'), { date: T0 + 7 * 86_400 })],
    ['a redirect', lost('redirect')],
    ['a list under a 503, dated next week', answer(503, listBody([]), { date: T0 + 7 * 86_400 })],
    ['a list under a 404', answer(404, listBody([]))],
  ])('if the read before it has no usable Date: %s', async (_what, came) => {
    world.get = () => came;
    const put = await server.put();
    expect(put).toMatchObject({ status: 503, body: { error: { code: 'not_ready' } } });
    expect(put.headers.get('Retry-After')).toBe('5');
    expect([world.records(), world.posts]).toEqual([[], []]);
    expect((await server.call('GET', '/key-1')).status).toBe(404);
  });
});
