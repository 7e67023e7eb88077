import { KEY_RIGHTS, VIEWER_RIGHTS } from '#src/server/people/testRights.ts';
import { describe, expect, test } from 'vitest';
import { NotPermitted, SessionEnded } from '#src/server/people/actor.ts';
import { createTestWorld, type Server, type TestWorld } from './testWorld.ts';

// A session that ends, or a right that is lost, between the request and its transaction.

const options = { actor: { session: 'session-1' } };

/** An operation of this session, unconfirmed and past every wait. */
async function unconfirmed(): Promise<{ world: TestWorld; server: Server }> {
  const world = createTestWorld();
  const server = world.server();
  world.sessions.set('session-1', KEY_RIGHTS);
  world.post = () => ({ kind: 'no-answer', reason: 'network', ms: 1 });
  await server.put('key-1', {}, options);
  await server.settled();
  await world.pass(120_000);
  expect(world.recorded().state).toBe('unconfirmed');
  return { world, server };
}

const unreadable = (world: TestWorld): void => {
  const entry = world.journal.entries.get('key-1');
  if (!entry) throw new Error('Nothing is recorded.');
  const { service, account, key } = entry.record;
  world.journal.entries.set('key-1', {
    ...entry,
    unreadable: { service, account, key, why: 'checksum', firstSentAt: null, closed: null },
  });
};

describe.each([
  {
    of: 'a session that has ended',
    end: (world: TestWorld) => world.sessions.clear(),
    error: SessionEnded,
    answer: { name: 'SessionEnded' },
  },
  {
    of: 'somebody who may only view by now',
    end: (world: TestWorld) => world.sessions.set('session-1', VIEWER_RIGHTS),
    error: NotPermitted,
    answer: { status: 403, body: { error: { code: 'not_permitted' } } },
  },
])('for $of', ({ end, error, answer }) => {
  test.each<[string, (server: Server, world: TestWorld) => Promise<unknown>]>([
    ['nothing is recorded', (server) => server.put('key-2', {}, options)],
    ['an invalid operation spends no key', (server) => server.call('PUT', '/key-2', { kind: 'x' }, options)],
    ['a discard spends no key', (server) => server.call('DELETE', '/key-2', undefined, options)],
    ['nothing is sent again', (server) => server.send('key-1', {}, options)],
    ['nothing is closed', (server) => server.end('close', 'key-1', {}, options)],
    [
      'no unreadable record is closed',
      (server, world) => (
        unreadable(world),
        server.call('POST', '/key-1/close', { revision: 0, reason: 'So.' }, options)
      ),
    ],
  ])('%s', async (_, request) => {
    const { world, server } = await unconfirmed();
    end(world);
    const [posts, before] = [world.posts.length, JSON.stringify(world.recorded())];
    expect(await request(server, world).catch((thrown: unknown) => thrown)).toMatchObject(answer);
    expect(world.posts).toHaveLength(posts);
    expect(JSON.stringify(world.recorded())).toBe(before);
    expect([world.journal.entries.size, world.journal.tombstones.size]).toEqual([1, 0]);
  });

  test('a ready operation is not discarded, and nothing is confirmed as not sent by absence', async () => {
    const { world, server } = await unconfirmed();
    end(world);
    const actor = server.actorOf(options.actor);
    const { journal } = server.operations;
    await expect(journal.advance(actor, 'key-1', { type: 'discard', who: 'Ann', person: null })).rejects.toBeInstanceOf(
      error,
    );
    const absent = {
      type: 'absent',
      who: 'Ann',
      person: null,
      words: 'So.',
      date: world.date(),
      requestId: null,
    } as const;
    await expect(journal.advance(actor, 'key-1', absent)).rejects.toBeInstanceOf(error);
  });

  test('the answer to an attempt that is under way is still recorded', async () => {
    const world = createTestWorld();
    const server = world.server();
    world.sessions.set('session-1', KEY_RIGHTS);
    const held = world.held();
    await server.put('key-1', {}, options);
    end(world);
    held.answer({ kind: 'no-answer', reason: 'network', ms: 1 });
    await server.settled();
    expect(world.recorded().state).toBe('unconfirmed');
  });
});
