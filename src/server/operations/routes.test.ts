import { beforeEach, describe, expect, test } from 'vitest';
import { WRITES_A_MINUTE } from './writeQuota.ts';
import { type TestWorld, type Server, startRequest, createTestWorld } from './testWorld.ts';

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
});

describe('a path of /api/operations', () => {
  test.each([
    ['GET', '', 200],
    ['GET', '/', 200],
    ['GET', '//', 404],
    ['PUT', '', 404],
    ['POST', '//send', 404],
    ['PUT', '/%zz', 404],
    ['PUT', '/%ED%A0%80', 404],
    ['PUT', '/k/send/more', 404],
    ['POST', '/k/send/', 404],
    ['GET', '/review', 405],
    ['PUT', '/review', 405],
    ['PUT', '/%72eview', 405],
    ['POST', '/review/send', 405],
    ['GET', '/k/send', 405],
    ['POST', '/k', 405],
    ['PATCH', '/k', 405],
    ['POST', '/k/resend', 405],
  ])('%s %s is answered with %i and the journal’s mark, and records nothing', async (method, path, status) => {
    const answer = await server.call(method, path, startRequest(world));
    expect(answer.status).toBe(status);
    expect(world.marks.read(answer.mark ?? '')).not.toBeNull();
    expect([world.journal.entries.size, world.journal.tombstones.size]).toEqual([0, 0]);
  });

  test.each([
    ['/k/', 'k'],
    ['/a%2Fb', 'a/b'],
    ['/%2561', '%61'],
    ['/%61', 'a'],
    ['/k%3F', 'k?'],
  ])('%s names the key %s', async (path, key) => {
    expect((await server.call('PUT', path, startRequest(world))).status).toBe(201);
    expect([...world.journal.entries.keys()]).toEqual([key]);
  });
});

test('a request with a wrong method counts as a change, one to a path that doesn’t exist does not', async () => {
  for (let count = 0; count < WRITES_A_MINUTE; count += 1) {
    expect((await server.call('POST', '/k/send/more')).status).toBe(404);
    expect((await server.call('PATCH', '/k')).status).toBe(405);
  }
  for (const [method, path] of [
    ['PATCH', '/k'],
    ['PUT', '/k'],
    ['POST', '/review'],
    ['PUT', '/review'],
  ] as const) {
    const refused = await server.call(method, path);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '5']);
    expect(refused.mark).not.toBeNull();
  }
  expect((await server.call('PUT', '/%00')).status).toBe(404);
  expect((await server.call('GET', '')).status).toBe(200);
});

test('the quota of changes is a person’s own, not the account’s', async () => {
  const as = (person: string) => ({ actor: { person } });
  for (let count = 0; count < WRITES_A_MINUTE; count += 1) await server.call('PATCH', '/k', null, as('bo'));
  expect((await server.call('PATCH', '/k', null, as('bo'))).status).toBe(429);
  expect((await server.call('PATCH', '/k', null, as('cy'))).status).toBe(405);
});

test('an error that isn’t the journal’s is passed to the caller of the app', async () => {
  const broken = world.server({
    rows: { ...server.operations.ports.rows, list: () => Promise.reject(new TypeError('x')) },
  });
  await expect(broken.call('GET', '')).rejects.toThrow(TypeError);
});
