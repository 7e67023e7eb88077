import { READ_ONLY_RIGHTS, REFUSED_KEY_RIGHTS, VIEWER_RIGHTS } from '#src/server/people/testRights.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import { withdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { SENT, answer, created, lost } from './testAnswers.ts';
import { type TestWorld, type Server, startRequest, createTestWorld, viewInAnswer } from './testWorld.ts';

// PUT and DELETE of a key, and what each response proves.

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
});

const other = { account: 'b'.repeat(32), apiKey: 'sk_b' };
const READ_ONLY = { actor: { rights: READ_ONLY_RIGHTS } };
const REFUSED_KEY = { actor: { apiKey: null, rights: REFUSED_KEY_RIGHTS, VIEWER_RIGHTS } };
const code = ({ status, body }: Awaited<ReturnType<Server['put']>>) => [
  status,
  'error' in body && typeof body.error === 'object'
    ? Object.entries(body.error ?? {}).find(([name]) => name === 'code')?.[1]
    : null,
];
const nothingLeft = (): void => expect([world.posts, world.records()]).toEqual([[], []]);

describe('a key that is recorded already', () => {
  it('with the same content: 200, whatever its not_after and outcome', async () => {
    await server.put();
    await server.settled();
    const again = await server.put('key-1', { not_after: 1 });
    expect([again.status, viewInAnswer(again).operation.state]).toEqual([200, 'succeeded']);
    expect(world.posts).toHaveLength(1);
  });

  it.each([
    { body: withdrawalBody({ ...SENT, amount: '1' }) },
    { second_send_of: ['wd_9'] },
    depositAddressRequest(SENT),
  ])('with other content: 409 key_reused, and the operation beside it (%#)', async (more) => {
    await server.put();
    const reused = await server.put('key-1', more);
    expect(code(reused)).toEqual([409, 'key_reused']);
    expect(viewInAnswer(reused).operation.key).toBe('key-1');
    expect(world.posts).toHaveLength(1);
  });

  it('by another account: 409 key_taken without details, for every request', async () => {
    world.post = () => lost();
    await server.put();
    await server.settled();
    const options = { actor: other };
    for (const came of [
      await server.put('key-1', {}, options),
      await server.call('GET', '/key-1', null, options),
      await server.call('DELETE', '/key-1', null, options),
      await server.send('key-1', {}, options),
      await server.end('close', 'key-1', {}, options),
      await server.call('POST', '/key-1/check', null, options),
    ]) {
      expect(code(came)).toEqual([409, 'key_taken']);
      expect(Object.keys(came.body)).toEqual(['error']);
    }
    expect((await server.call('GET', '', null, options)).body).toMatchObject({ data: [], unreadable: [] });
  });
});

describe('a tombstone', () => {
  it.each<[string, () => string | object, string]>([
    ['no JSON', () => '{', 'invalid'],
    ['no operation', () => ({}), 'invalid'],
    ['an unknown kind', () => ({ ...startRequest(world), kind: 'loan' }), 'invalid'],
    ['a body that is no text', () => ({ ...startRequest(world), body: {} }), 'invalid'],
    ['a body that no person reviewed', () => startRequest(world, { body: JSON.stringify(SENT, null, 1) }), 'invalid'],
    ['a path of another kind', () => startRequest(world, { path: '/v1/charges' }), 'invalid'],
    ['a member named twice', () => startRequest(world, { body: '{"asset":"BTC","asset":"ETH"}' }), 'invalid'],
    ['NUL', () => startRequest(world, { body: withdrawalBody({ ...SENT, address: 'a\0' }) }), 'invalid'],
    [
      'half of a character',
      () => startRequest(world, { body: withdrawalBody({ ...SENT, address: 'a\uD800' }) }),
      'invalid',
    ],
    [
      'more than 16 kB',
      () => startRequest(world, { body: withdrawalBody({ ...SENT, address: 'a'.repeat(16_000) }) }),
      'invalid',
    ],
    [
      'a nest without an end',
      () => startRequest(world, { kind: 'charge', path: '/v1/charges', body: nest(7_000) }),
      'invalid',
    ],
    ['an expired press of Send', () => startRequest(world, { not_after: world.database() - 1 }), 'too-late'],
    ['a press of Send too far ahead', () => startRequest(world, { not_after: world.database() + 130_001 }), 'invalid'],
  ])('for %s: 422, and a later PUT of the key sends nothing', async (_what, body, why) => {
    const refused = await server.call('PUT', '/key-1', body());
    expect([refused.status, refused.body]).toMatchObject([422, { not_sent: { why, at: world.database() } }]);
    expect(code(await server.put())).toEqual([410, 'not_sent']);
    expect((await server.call('GET', '/key-1')).body).toMatchObject({ not_sent: { why } });
    nothingLeft();
  });

  it('is not written for a press of Send at the very end or start of its time', async () => {
    expect((await server.put('key-1', { not_after: world.database() })).status).toBe(201);
    expect(
      (await server.put('key-2', { ...depositAddressRequest(SENT), not_after: world.database() + 130_000 })).status,
    ).toBe(201);
  });

  it('for a look-alike: 409, with the operation that blocks it', async () => {
    const service = world.held();
    await server.put();
    const second = await server.put('key-2');
    expect(code(second)).toEqual([409, 'look_alike']);
    expect(second.body).toMatchObject({ not_sent: { why: 'look-alike' }, look_alikes: { existing: 'key-1', of: [] } });
    service.answer(answer(201, created()));
    await server.settled();
    expect(code(await server.put('key-2', { second_send_of: ['key-1'] }))).toEqual([410, 'not_sent']);
    expect(world.posts).toHaveLength(1);
  });

  it('by DELETE of an unknown key: a late PUT sends nothing', async () => {
    const deleted = await server.call('DELETE', '/key-1');
    expect([deleted.status, deleted.body]).toEqual([200, { not_sent: { why: 'discarded', at: world.database() } }]);
    expect(code(await server.put())).toEqual([410, 'not_sent']);
    expect((await server.call('DELETE', '/key-1')).status).toBe(200);
    nothingLeft();
  });

  it('of another account reveals only that the key is taken', async () => {
    await server.call('DELETE', '/key-1', null, { actor: other });
    expect(code(await server.put())).toEqual([409, 'key_taken']);
    nothingLeft();
  });
});

describe('DELETE', () => {
  it('discards a ready operation; 409 for any other', async () => {
    world.connect = async () => Promise.reject(new Error('refused'));
    await server.put();
    expect(viewInAnswer(await server.call('DELETE', '/key-1')).operation).toMatchObject({ state: 'not-sent' });
    expect(code(await server.call('DELETE', '/key-1'))).toEqual([409, 'not_done']);
    world.connect = async () => undefined;
    world.post = () => lost();
    await server.put('key-2');
    await server.settled();
    expect(code(await server.call('DELETE', '/key-2'))).toEqual([409, 'not_done']);
    expect(world.recorded('key-2').state).toBe('unconfirmed');
  });

  it('409 for a ready operation that is about to be sent', async () => {
    world.connect = async () => {
      expect(code(await server.call('DELETE', '/key-1'))).toEqual([409, 'not_done']);
    };
    await server.put();
    await server.settled();
    expect(world.recorded().state).toBe('succeeded');
  });
});

describe('a request that decides nothing about the key', () => {
  it('from a read-only session: the record, or 403 without a tombstone', async () => {
    expect(code(await server.put('key-1', {}, READ_ONLY))).toEqual([403, 'read_only']);
    expect(code(await server.call('PUT', '/key-1', '{', READ_ONLY))).toEqual([403, 'read_only']);
    expect(code(await server.call('DELETE', '/key-1', null, READ_ONLY))).toEqual([403, 'read_only']);
    expect(code(await server.call('GET', '/key-1', null, READ_ONLY))).toEqual([404, 'not_recorded']);
    expect((await server.put()).status).toBe(201);
    await server.settled();
    expect((await server.put('key-1', {}, READ_ONLY)).status).toBe(200);
    expect(code(await server.put('key-1', { second_send_of: ['x'] }, READ_ONLY))).toEqual([409, 'key_reused']);
    await server.call('DELETE', '/key-2');
    expect((await server.call('DELETE', '/key-2', null, READ_ONLY)).status).toBe(200);
    expect(world.posts).toHaveLength(1);
  });

  it('from a session whose API key is refused', async () => {
    expect(code(await server.put('key-1', {}, REFUSED_KEY))).toEqual([403, 'key_refused']);
    expect((await server.put()).status).toBe(201);
    await server.settled();
    expect((await server.put('key-1', {}, REFUSED_KEY)).status).toBe(200);
  });

  it('from a person who may only view', async () => {
    const viewer = { actor: { rights: VIEWER_RIGHTS } };
    expect(code(await server.put('key-1', {}, viewer))).toEqual([403, 'not_permitted']);
    expect(code(await server.call('DELETE', '/key-1', null, viewer))).toEqual([403, 'not_permitted']);
    expect((await server.put()).status).toBe(201);
    await server.settled();
    expect((await server.put('key-1', {}, viewer)).status).toBe(200);
    expect(world.posts).toHaveLength(1);
  });

  it.each(['%00', 'a%20b', '%D0%BA', 'k'.repeat(256), 'a%0Ab', ''])(
    'for a key that no header can carry: %j',
    async (key) => {
      expect((await server.call('PUT', `/${key}`, startRequest(world))).status).toBe(404);
      nothingLeft();
    },
  );

  it.each(['/review', '/key-1/send/more', '/key-1/pay', ''])('for an unknown path: PUT %s', async (path) => {
    expect([404, 405]).toContain((await server.call('PUT', path, startRequest(world))).status);
    nothingLeft();
  });
});

describe('limits', () => {
  it('60 changes a minute per account, and the refusal makes no claim about the operation', async () => {
    await server.put();
    await server.settled();
    for (let more = 1; more < 60; more += 1) expect((await server.put()).status).toBe(200);
    const refused = await server.put();
    expect(code(refused)).toEqual([429, 'too_many']);
    expect(JSON.stringify(refused.body)).not.toMatch(/nothing was (sent|recorded)/i);
    expect((await server.call('GET', '/key-1')).status).toBe(200);
    expect((await server.put('key-2', depositAddressRequest(SENT), { actor: other })).status).toBe(201);
    world.sleep(60_000);
    expect((await server.put()).status).toBe(200);
  });

  it('500 unresolved operations per account', async () => {
    await server.put();
    await server.settled();
    const { entries } = world.journal;
    const [entry] = entries.values();
    if (!entry) throw new Error('Nothing is recorded.');
    for (let seq = 2; seq <= 501; seq += 1) {
      const record = { ...entry.record, key: `k${seq}`, state: 'unconfirmed' as const };
      entries.set(`k${seq}`, { ...entry, seq: BigInt(seq), duplicateKey: `duplicate key ${seq}`, record });
    }
    expect(code(await server.put('key-9', depositAddressRequest(SENT)))).toEqual([429, 'too_many']);
    world.journal.entries.delete('k2');
    expect((await server.put('key-9', depositAddressRequest(SENT))).status).toBe(201);
  });
});

it('every response carries the mark of the latest write', async () => {
  world.held();
  const put = await server.put();
  expect(world.marks.read(put.mark ?? '')).toMatchObject({ id: 'jnl_1', position: 2n });
});

it.each(['abc', '-1', '1e3', '99999999999999999999', '9223372036854775808', ''])(
  'a cursor that is not a position of the journal is refused: %j',
  async (cursor) => expect((await server.call('GET', `?cursor=${cursor}`)).status).toBe(422),
);

function nest(levels: number): string {
  return `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
}
