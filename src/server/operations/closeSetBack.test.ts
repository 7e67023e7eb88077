import { beforeEach, describe, expect, it } from 'vitest';
import { withdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { READ_ONLY_RIGHTS } from '#src/server/people/testRights.ts';
import { answer, created, HOUR, listBody, lost, SENT, SERVICE, T0 } from './testAnswers.ts';
import { createMarks } from './marks.ts';
import { createTestWorld, errorOf, notDone, quiet, type Server, type TestWorld } from './testWorld.ts';

// What waited to be sent when the database was restored, closed together.

let world: TestWorld;
let server: Server;
/** Older than a day before the first of them was recorded, so a list that has it is complete. */
const OLD = created({ id: 'wd_old', address: 'elsewhere', created_at: T0 - 90_000 });
const ADDRESSES = [1, 2, 3].map((n) => `0x${String(n).padStart(40, '0')}`);
const KEYS = ['batch_0001.1', 'batch_0001.2', 'batch_0001.3'];
const brings = {
  marks: [createMarks(new Uint8Array(32), SERVICE).write({ id: 'jnl_1', position: 1n, nonce: 'lost' })],
};
const fieldsOf = (line: number) => ({
  ...SENT,
  asset: 'ETH',
  chain: 'ethereum',
  amount: '1.5',
  address: ADDRESSES[line - 1] ?? '',
});

beforeEach(async () => {
  world = createTestWorld();
  server = world.server();
  lists(listBody([OLD]));
  const lines = [1, 2, 3].map((line) => ({
    line,
    body: withdrawalBody(fieldsOf(line)),
    recipient: null,
    reference: null,
    second_send_of: [],
    earlier_lines: 0,
  }));
  const file = { name: 'may.csv', text: 'address' };
  const batch = { lines, file, again: null, not_after: world.database() + 60_000 };
  await server.callBatches('PUT', '/batch_0001', batch);
});

/** Makes the service list these pages. */
function lists(...pages: object[]): void {
  const cursors = [null, ...pages.map((page) => ('next_cursor' in page ? page.next_cursor : null))];
  const { get } = world;
  world.get = (target) => {
    if (!target.startsWith('/v1/withdrawals?')) return get(target);
    const cursor = new URL(`http://world${target}`).searchParams.get('starting_after');
    return answer(200, pages[cursors.indexOf(cursor)] ?? {}, { date: world.date() });
  };
}

const restore = () => server.call('GET', '', null, brings);
const unsent = async (options?: object) => (await server.call('GET', '/close-set-back', null, options)).body;
const closeAll = (reason = 'Asked the provider.', options?: object) =>
  server.call('POST', '/close-set-back', { reason }, options);
const states = () => KEYS.map((key) => world.recorded(key).state);
const closedLines = () => world.journal.lines.filter(({ kind }) => kind === 'operation.closed');
const alike = (line: number, more: object = {}) =>
  created({ id: 'wd_7', ...fieldsOf(line), created_at: T0 - 60, ...more });

describe('payments that waited when the database was restored', () => {
  beforeEach(restore);

  it('are counted and summed', async () => {
    expect(await unsent()).toEqual({
      payments: 3,
      totals: [{ asset: 'ETH', chain: 'ethereum', amount: '4.5' }],
      own: 0,
    });
  });

  it('are closed together as one by one, with the reason, a line of the activity each, and nothing sent', async () => {
    expect(await closeAll()).toMatchObject({ status: 200, body: { closed: 3, left: [], own: 0 } });
    for (const key of KEYS)
      expect(world.recorded(key)).toMatchObject({
        state: 'closed',
        ending: { by: 'hand', words: 'Asked the provider.', who: 'Ann', requestId: null },
      });
    expect(closedLines().map(({ subject, facts, who }) => [subject, facts['words'], who])).toEqual(
      KEYS.map((key) => [key, 'Asked the provider.', 'Ann']),
    );
    expect(await unsent()).toMatchObject({ payments: 0, totals: [] });
    expect(world.posts).toEqual([]);
  });

  it('stay open if the provider lists one that looks like it, which is named', async () => {
    lists(listBody([alike(2), OLD]));
    expect((await closeAll()).body).toEqual({
      closed: 2,
      left: [{ key: KEYS[1], why: 'look-alike', ...fieldsOf(2) }],
      own: 0,
    });
    expect(states()).toEqual(['closed', 'unconfirmed', 'closed']);
  });

  it.each<[string, object]>([
    ['without an address', { address: null }],
    ['without an asset', { asset: undefined }],
    ['that is older than all of them', { created_at: T0 - 80_000 }],
    ['of a chain spelled otherwise', { chain: 'ETH' }],
  ])('stay open if the provider lists one %s', async (_what, more) => {
    lists(listBody([alike(3, more), OLD]));
    expect((await closeAll()).body).toMatchObject({
      left: expect.arrayContaining([expect.objectContaining({ key: KEYS[2] })]),
    });
    expect(world.recorded(KEYS[2]).state).toBe('unconfirmed');
  });

  it('are closed although the provider lists one like it that another operation made', async () => {
    lists(listBody([alike(2), OLD]));
    const entry = world.journal.entries.get(KEYS[0] ?? '');
    if (entry === undefined) throw new Error('There is no such line.');
    const result = { id: 'wd_7', text: '{}', requestId: null, by: 'answer' as const, confirmed: [] };
    world.journal.entries.set('key-9', {
      ...entry,
      record: { ...entry.record, key: 'key-9', state: 'succeeded', result },
    });
    expect((await closeAll()).body).toMatchObject({ closed: 3, left: [] });
  });

  it.each<[string, () => void]>([
    ['breaks off before the first of them was recorded', () => lists(listBody([alike(9, { id: 'wd_8' })], 'c1'))],
    ['has a row without an id', () => lists(listBody([{ ...OLD, id: undefined }]))],
    ['isn’t offered', () => void (world.get = () => answer(404, {}))],
    ['can’t be loaded', () => void (world.get = () => lost('network'))],
  ])('all stay open if the provider’s list %s', async (_what, change) => {
    change();
    expect(errorOf(await closeAll())).toEqual(notDone('Nothing was closed.'));
    expect(states()).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed']);
    expect(closedLines()).toEqual([]);
  });

  it('are compared with the list as it is now, read once for all', async () => {
    expect((await server.call('POST', `/${KEYS[0]}/check`)).status).toBe(200);
    const before = world.reads.length;
    lists(listBody([alike(1), alike(2), alike(3), OLD]));
    expect((await closeAll()).body).toMatchObject({ closed: 0, left: { length: 3 } });
    expect(world.reads).toHaveLength(before + 1);
  });

  it('take a reason', async () => {
    for (const reason of ['', ' ', 'a\0', 'x'.repeat(2_001)]) expect((await closeAll(reason)).status).toBe(400);
    expect((await server.call('POST', '/close-set-back', {})).status).toBe(400);
    expect(states()).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed']);
  });

  it.each<[string, object, string]>([
    [
      'may not close operations',
      { rights: { permissions: ['view'], readOnly: false, keyRefused: false } },
      'not_permitted',
    ],
    ['is on a read-only server', { rights: READ_ONLY_RIGHTS }, 'read_only'],
    [
      'has an API key that the provider refuses',
      { apiKey: null, rights: { permissions: ['view', 'prepare'], readOnly: false, keyRefused: true } },
      'key_refused',
    ],
  ])('aren’t closed by a session that %s', async (_what, actor, code) => {
    expect(errorOf(await closeAll('x', { actor }))).toEqual([403, expect.objectContaining({ code })]);
    expect(states()).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed']);
  });

  it('are closed once, if that is asked for again or twice at the same time', async () => {
    const both = await Promise.all([closeAll(), closeAll('At the same time.')]);
    expect(both.map(({ body }) => body)).toMatchObject([
      { closed: 3, left: [] },
      { closed: 0, left: KEYS.map((key) => ({ key, why: 'changed' })) },
    ]);
    expect((await closeAll('Again.')).body).toEqual({ closed: 0, left: [], own: 0 });
    expect(closedLines()).toHaveLength(3);
    expect(KEYS.map((key) => world.recorded(key).ending?.words)).toEqual(Array.from(KEYS, () => 'Asked the provider.'));
  });

  it('stay open if one was sent while the list was loaded', async () => {
    world.journal.setBackAt = null;
    world.journal.setBackPosition = null;
    world.post = () => lost();
    const [key = ''] = KEYS;
    const { get } = world;
    world.get = async (target) => {
      const came = await get(target);
      if (target.startsWith('/v1/withdrawals?')) {
        world.get = get;
        await server.send(key);
        await quiet();
      }
      return came;
    };
    expect((await closeAll()).body).toMatchObject({ closed: 2, left: [{ key, why: 'changed' }] });
    expect(world.posts).toHaveLength(1);
    expect(world.recorded(key).state).not.toBe('closed');
  });

  it('are left to others by the person who prepared them, if they needed approval', async () => {
    for (const entry of [...world.journal.entries.values()].slice(0, 2))
      Object.assign(entry.record, {
        approval: { needs: 1, policy: null, hours: 72 },
        signed: { maker: 'p_bo', contentHash: 'x' },
      });
    const own = { actor: { person: 'p_bo' } };
    expect(await unsent(own)).toEqual({ payments: 1, totals: [expect.objectContaining({ amount: '1.5' })], own: 2 });
    expect((await closeAll('Mine.', own)).body).toEqual({ closed: 1, left: [], own: 2 });
    expect(states()).toEqual(['unconfirmed', 'unconfirmed', 'closed']);
    expect((await closeAll('Not mine.', { actor: { person: 'p_cy' } })).body).toMatchObject({ closed: 2, own: 0 });
  });
});

it('a payment that may have been sent isn’t among them, nor one of another account', async () => {
  world.post = () => lost();
  await server.put('key-1');
  await server.settled();
  await restore();
  await world.pass(HOUR);
  expect(world.recorded('key-1').state).toBe('unconfirmed');
  expect(await unsent()).toMatchObject({ payments: 3 });
  expect((await closeAll()).body).toMatchObject({ closed: 3, left: [] });
  expect(world.recorded('key-1').state).toBe('unconfirmed');
  const other = { actor: { account: 'b'.repeat(32), apiKey: 'sk_b' } };
  expect(await unsent(other)).toEqual({ payments: 0, totals: [], own: 0 });
});

it('without a restore there is nothing to close, and the provider isn’t asked', async () => {
  world.reads.length = 0;
  expect((await closeAll()).body).toEqual({ closed: 0, left: [], own: 0 });
  expect(world.reads).toEqual([]);
  expect(states()).toEqual(['awaiting', 'awaiting', 'awaiting']);
});

it('one that was recorded, but for which no connection was made, is closed with them', async () => {
  world.connect = async () => Promise.reject(new Error('refused'));
  await server.put('key-1');
  expect(world.recorded('key-1').state).toBe('ready');
  await restore();
  expect((await closeAll()).body).toMatchObject({ closed: 4, left: [] });
  expect(world.recorded('key-1').state).toBe('closed');
});
