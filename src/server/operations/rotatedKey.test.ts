import { describe, expect, test } from 'vitest';
import { createTestWorld, errorOf, type Server, type TestWorld, viewInAnswer } from './testWorld.ts';
import { ACCOUNT, credentialFor } from './testAnswers.ts';

// An account whose API key was replaced: the new key belongs to the same account, under another credential.

const rotated = { actor: { account: ACCOUNT, credential: 'b'.repeat(32), apiKey: 'sk_b' } };

/** An operation recorded under the old key, whose outcome is unknown. */
async function unconfirmed(): Promise<{ world: TestWorld; server: Server }> {
  const world = createTestWorld();
  const server = world.server();
  world.post = () => ({ kind: 'no-answer', reason: 'network', ms: 1 });
  await server.put();
  await server.settled();
  expect(world.recorded()).toMatchObject({
    state: 'unconfirmed',
    account: ACCOUNT,
    credential: credentialFor(ACCOUNT),
  });
  await world.pass(120_000);
  return { world, server };
}

describe('an operation recorded under an account’s old key', () => {
  test('is listed for the new key, to check and close but never to send', async () => {
    const { world, server } = await unconfirmed();
    const posts = world.posts.length;
    const list = await server.call('GET', '', undefined, rotated);
    expect(list.body).toMatchObject({ data: [{ operation: { key: 'key-1' }, allowed: ['check', 'close'] }] });
    const sent = await server.send('key-1', {}, rotated);
    expect(errorOf(sent)).toEqual([403, expect.objectContaining({ code: 'not_done' })]);
    expect(world.posts).toHaveLength(posts);
    const closed = await server.end('close', 'key-1', {}, rotated);
    expect(viewInAnswer(closed).operation.state).toBe('closed');
  });

  test('is also rejected by the journal if a route lets the send through', async () => {
    const { world, server } = await unconfirmed();
    const actor = server.actorOf(rotated.actor);
    const step = await server.operations.journal.advance(actor, 'key-1', {
      type: 'send',
      attemptId: 'at_x',
      date: world.date(),
      who: 'Ann',
      person: null,
    });
    expect(step).toMatchObject({ record: null, rejection: 'It was recorded under another API key.' });
  });

  test('blocks the same payment under the new key, as an operation of the same account', async () => {
    const { server } = await unconfirmed();
    const again = await server.put('key-2', {}, rotated);
    expect(again).toMatchObject({ status: 409, body: { look_alikes: { existing: 'key-1' } } });
  });
});
