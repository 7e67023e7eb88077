import { beforeEach, expect, test } from 'vitest';
import { HOUR, answer, listBody, lost, SENT } from './testAnswers.ts';
import { createTestWorld, type Server, type TestWorld } from './testWorld.ts';

// Every command of a person on an operation adds one line to the activity, in the same transaction.

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
  world.post = () => lost();
});

const kinds = () => world.journal.lines.map(({ kind }) => kind);

test('sending a withdrawal adds two lines, recorded and sent, with the person and the withdrawal', async () => {
  await server.put('key-1', {}, { actor: { person: 'p1', who: 'Ada' } });
  await server.settled();
  const line = { subject: 'key-1', person: 'p1', who: 'Ada', account: server.actorOf().account };
  const facts = { operation: 'withdrawal', ...SENT };
  expect(world.journal.lines).toEqual([
    expect.objectContaining({ ...line, kind: 'operation.recorded', facts }),
    expect.objectContaining({ ...line, kind: 'operation.sent', facts }),
  ]);
});

test('automatic retries, answers, checks and repeated requests add no line', async () => {
  world.post = () => answer(503, '', { retryAfter: '5' });
  await server.put();
  await server.settled();
  await world.pass(30_000);
  await server.settled();
  expect(world.posts.length).toBeGreaterThan(1);
  await server.put();
  await server.call('POST', '/key-1/check');
  expect(kinds()).toEqual(['operation.recorded', 'operation.sent']);
});

test('a refused request adds no line', async () => {
  expect((await server.put('key-1', { not_after: world.database() - 1 })).status).toBe(422);
  expect(
    (await server.put('key-2', {}, { actor: { rights: { ...server.actorOf().rights, readOnly: true } } })).status,
  ).toBe(403);
  expect(kinds()).toEqual([]);
});

test('discarding an unused key and closing add one line each, with the reason', async () => {
  await server.call('DELETE', '/key-0');
  await server.call('DELETE', '/key-0');
  expect(world.journal.lines).toMatchObject([{ kind: 'operation.discarded', subject: 'key-0' }]);

  await server.put();
  await server.settled();
  expect((await server.end('close')).status).toBe(200);
  expect((await server.end('close')).status).toBe(409);
  expect(world.journal.lines.slice(3)).toMatchObject([
    { kind: 'operation.closed', subject: 'key-1', facts: { words: 'Said so.' } },
  ]);
});

test('confirming as not sent adds one line with the reason', async () => {
  await server.put();
  await server.settled();
  world.sleep(26 * HOUR);
  world.get = () => answer(200, listBody([]), { date: world.date() });
  expect((await server.end('not-sent')).status).toBe(200);
  expect(world.journal.lines.slice(2)).toMatchObject([
    { kind: 'operation.confirmed-not-sent', subject: 'key-1', facts: { words: 'Said so.' } },
  ]);
});

test('a transaction that fails adds no line', async () => {
  world.away = true;
  await server.put();
  world.away = false;
  expect(kinds()).toEqual([]);
});
