import { READ_ONLY_RIGHTS } from '#src/server/people/testRights.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { operationListSchema } from '#src/shared/contract/gatewayContract.ts';
import type { AttemptResult } from '#src/shared/answers.ts';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import { webhookReplayRequest } from '#src/shared/operations/webhookReplay.ts';
import * as v from 'valibot';
import { ACCOUNT, SENT, SERVICE, START, answer, created, envelope, lost } from './testAnswers.ts';
import { type TestWorld, type Server, createTestWorld, quiet, viewInAnswer } from './testWorld.ts';

// Lists, unreadable rows, closing, and the view of another key of the account.

let world: TestWorld;
let server: Server;
beforeEach(() => {
  world = createTestWorld();
  server = world.server();
});

const OTHER = { account: 'b'.repeat(32), apiKey: 'sk_b' };
const other = { actor: OTHER };
const list = async (query = '', asked: { actor?: object } = {}) =>
  v.parse(operationListSchema, (await server.call('GET', query, null, asked)).body);
const keysIn = async (query: string) => (await list(query)).data.map(({ operation }) => operation.key);

describe('a list', () => {
  beforeEach(async () => {
    await server.put('k-1');
    await server.put('k-2', depositAddressRequest(SENT));
    await server.put('k-3', webhookReplayRequest('whd_1'));
    await server.settled();
    world.post = () => lost();
    await server.put('k-4', { second_send_of: ['k-1'] });
    await server.settled();
  });

  it('is newest first, and can be filtered by state, kind and subject', async () => {
    expect(await keysIn('')).toEqual(['k-4', 'k-3', 'k-2', 'k-1']);
    expect(await keysIn('?state=open')).toEqual(['k-4']);
    expect(await keysIn('?state=succeeded')).toEqual(['k-3', 'k-2', 'k-1']);
    expect(await keysIn('?kind=withdrawal')).toEqual(['k-4', 'k-1']);
    expect(await keysIn('?about=wd_1&kind=withdrawal')).toEqual(['k-1']);
    expect(await keysIn('?about=k-1')).toEqual(['k-4']);
    expect(await keysIn('?about=whd_1')).toEqual(['k-3']);
  });

  it('is read page by page', async () => {
    const first = await list('?limit=3');
    expect(first).toMatchObject({ has_more: true, data: { length: 3 } });
    expect(await list(`?limit=3&cursor=${first.next_cursor}`)).toMatchObject({
      has_more: false,
      next_cursor: null,
      data: { length: 1 },
    });
  });

  it.each(['?limit=-1', '?limit=x', '?limit=1000000'])('ignores the invalid parameter %s', async (query) => {
    expect((await server.call('GET', query)).status).toBe(200);
  });

  it.each([
    ['state', 'paid'],
    ['state', 'Open'],
    ['state', ''],
    ['state', 'toString'],
    ['kind', 'loan'],
    ['kind', ''],
    ['kind', 'open'],
  ])('refuses %s=%s, naming the parameter, rather than listing everything', async (name, value) => {
    expect(await server.call('GET', `?${name}=${value}`)).toMatchObject({
      status: 422,
      body: { error: { type: 'invalid_request_error', message: expect.stringContaining(`“${name}”`) } },
    });
  });

  it('contains only the account’s own operations', async () => {
    expect(await list('', other)).toMatchObject({ data: [], has_more: false });
  });
});

describe('a row that cannot be read', () => {
  const unreadable = {
    key: 'key-1',
    why: 'schema',
    firstSentAt: START.service,
    closed: null,
    service: SERVICE,
    account: ACCOUNT,
  } as const;
  beforeEach(async () => {
    world.held();
    await server.put();
    const entry = world.journal.entries.get('key-1');
    if (entry) world.journal.entries.set('key-1', { ...entry, unreadable });
  });
  const shown = { key: 'key-1', why: 'schema', firstSentAt: START.service, closed: null };
  const closing = { revision: 0, reason: 'Seen at the service.' };

  it('is shown as unreadable, alone and in the list, and only to its account', async () => {
    const read = await server.call('GET', '/key-1');
    expect(read).toMatchObject({ status: 409, body: { error: { code: 'unreadable' }, unreadable: shown } });
    expect(await list()).toMatchObject({ data: [], unreadable: [shown] });
    expect((await list('', other)).unreadable).toEqual([]);
    expect(await server.call('GET', '/key-1', null, other)).toMatchObject({ body: { error: { code: 'key_taken' } } });
  });

  it('is never sent, checked, discarded or advanced', async () => {
    for (const [method, act] of [
      ['POST', '/send'],
      ['POST', '/check'],
      ['DELETE', ''],
      ['PUT', ''],
    ] as const) {
      expect((await server.call(method, `/key-1${act}`, closing)).status).toBe(409);
    }
    expect((await server.put()).status).toBe(409);
    expect(world.posts).toHaveLength(1);
  });

  it('holds its duplicate key until a person closes it with a reason', async () => {
    expect(await server.put('key-2')).toMatchObject({ status: 409, body: { look_alikes: { existing: 'key-1' } } });
    expect((await server.call('POST', '/key-1/close', { revision: 0, reason: ' ' })).status).toBe(400);
    expect((await server.call('POST', '/key-1/close', closing, { actor: { rights: READ_ONLY_RIGHTS } })).status).toBe(
      403,
    );
    expect((await server.call('POST', '/key-1/close', closing, { actor: { apiKey: null } })).body).toMatchObject({
      unreadable: { closed: { words: 'Seen at the service.' } },
    });
    const again = await server.put('key-3');
    expect(again).toMatchObject({
      status: 409,
      body: { look_alikes: { existing: null, of: [{ id: 'key-1', status: 'closed' }] } },
    });
    expect((await server.put('key-4', { second_send_of: ['key-1'] })).status).toBe(201);
  });

  it('counts as a look-alike for other accounts', async () => {
    const came = await server.put('key-2', {}, other);
    expect(came.body).toMatchObject({ look_alikes: { existing: null, of: [{ source: 'others', count: 1 }] } });
  });
});

describe('closing', () => {
  it('takes a revision and a reason, records who did it, and works with an API key that the service refuses', async () => {
    world.post = () => lost();
    await server.put();
    await server.settled();
    expect((await server.call('POST', '/key-1/close', { revision: 2 })).status).toBe(400);
    expect(await server.end('close', 'key-1', { revision: 1 })).toMatchObject({
      status: 409,
      body: { error: { code: 'moved_on' } },
    });
    expect(await server.end('close', 'key-1', { reason: ' ' })).toMatchObject({
      status: 409,
      body: { error: { code: 'not_done' } },
    });
    expect((await server.end('close', 'key-1', { reason: 'a\0' })).status).toBe(400);
    expect((await server.end('close', 'key-1', {}, { actor: { rights: READ_ONLY_RIGHTS } })).status).toBe(403);
    const closed = await server.end('close', 'key-1', {}, { actor: { apiKey: null, who: 'Bob' } });
    expect(viewInAnswer(closed).operation).toMatchObject({
      state: 'closed',
      ending: { by: 'hand', words: 'Said so.', who: 'Bob' },
    });
  });
});

describe('another key of the account', () => {
  const MISMATCH = answer(201, created({ amount: '9' }));
  let byId: (id: string) => AttemptResult;
  beforeEach(() => {
    byId = (id) => answer(200, created({ id, amount: '9' }));
    const { get } = world;
    world.get = (target) => {
      const id = /^\/v1\/withdrawals\/([^?]+)$/.exec(target)?.[1];
      return id === undefined ? get(target) : byId(id);
    };
  });
  async function under(came: AttemptResult): Promise<void> {
    world.post = () => came;
    await server.put();
    await server.settled();
    await world.pass(20_000);
    world.reads.length = 0;
  }
  const looked = async () => {
    await list('', other);
    await quiet();
    return list('', other);
  };

  it('sees the operation, to check only, once it can read the withdrawal recorded under the old key', async () => {
    await under(MISMATCH);
    expect((await list('', other)).data).toEqual([]);
    await quiet();
    expect(world.reads).toEqual(['/v1/withdrawals/wd_1']);
    expect((await looked()).data).toMatchObject([
      { checkOnly: true, allowed: ['check', 'close'], disabled: {}, operation: { key: 'key-1' } },
    ]);
    expect(await server.send('key-1', {}, other)).toMatchObject({ status: 403 });
    expect(await server.end('not-sent', 'key-1', {}, other)).toMatchObject({ status: 403 });
    expect(world.posts).toHaveLength(1);
  });

  it('can check it, which may conclude it, and close it', async () => {
    await under(MISMATCH);
    await looked();
    byId = (id) => answer(200, created({ id, status: 'completed' }));
    expect(viewInAnswer(await server.call('POST', '/key-1/check', null, other)).operation).toMatchObject({
      state: 'succeeded',
    });
    expect(world.recorded().account).toBe(ACCOUNT);
  });

  it.each<[string, (id: string) => AttemptResult]>([
    ['unknown to this key', () => answer(404, envelope('not_found'))],
    ['another payment', (id) => answer(200, created({ id, address: 'elsewhere' }))],
    ['another id', () => answer(200, created({ id: 'wd_2', amount: '9' }))],
    ['cut short', (id) => answer(200, created({ id, amount: '9' }), { complete: false })],
    ['no withdrawal', () => answer(200, '<html>')],
    ['no answer', () => lost()],
  ])('sees nothing of it: %s', async (_what, come) => {
    await under(MISMATCH);
    byId = come;
    expect((await looked()).data).toEqual([]);
    expect((await server.call('GET', '/key-1', null, other)).body).toMatchObject({ error: { code: 'key_taken' } });
  });

  it.each(['wd_/../admin', 'wd_1;x', 'wd_1?limit=1', 'wd_%2e', `wd_${'x'.repeat(200)}`])(
    'reads no id that could lead to another path, nor does the check: %s',
    async (id) => {
      await under(answer(201, created({ id, amount: '9' })));
      await looked();
      const { checks } = viewInAnswer(await server.call('POST', '/key-1/check', null, {}));
      expect([checks.map(({ found }) => found), world.reads]).toEqual([['unreadable'], []]);
    },
  );

  it('reads nothing if no id is known or accounts are separate', async () => {
    await under(lost());
    await looked();
    server = world.server({ separateAccounts: true });
    await under(MISMATCH);
    await looked();
    expect(world.reads).toEqual([]);
  });
});
