import { READ_ONLY_RIGHTS, VIEWER_RIGHTS } from '#src/server/people/testRights.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ITEMS_MAX, recipientId, viewId } from '#src/shared/contract/teamContract.ts';
import type { TeamActor } from './items.ts';
import { MADE, newActor, openRoutes } from './testRoutes.ts';

let routes: Awaited<ReturnType<typeof openRoutes>>;
beforeAll(async () => {
  routes = await openRoutes();
}, 60_000);
afterAll(() => routes.sql.close());

const acme = { name: 'Acme', chain: 'bitcoin', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
const FURTHER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const recipients = (id: string) => `recipients/${encodeURIComponent(id)}`;
const acmePath = recipients(recipientId(acme));
const ask: typeof routes.ask = (...asked) => routes.ask(...asked);
const put: typeof routes.put = (...asked) => routes.put(...asked);

describe('an item', () => {
  test('is written once, changed by its revision, removed, and comes back as another revision', async () => {
    const ana = newActor();
    const ben = { ...ana, who: 'Ben' };
    const first = await put(ana, acmePath, { ...acme, name: ' Acme ' }, 0);
    expect(first).toMatchObject({ status: 200, body: { revision: 1, who: 'Ana', deleted: false } });
    expect(first.body['value']).toEqual({ ...acme, asset: '', reference: '', note: '' });
    expect((await put(ben, acmePath, { ...acme, note: 'weekly' }, 1)).body).toMatchObject({ revision: 2, who: 'Ben' });
    expect(await put(ana, acmePath, { ...acme, name: 'Zeta' }, 1)).toMatchObject({
      status: 409,
      body: { error: { code: 'moved_on' }, item: { revision: 2, who: 'Ben', value: { note: 'weekly' } } },
    });
    expect((await ask(ana, 'GET', acmePath)).body).toMatchObject({ revision: 2, value: { name: 'Acme' } });
    expect((await ask(ana, 'DELETE', `${acmePath}?revision=1`)).status).toBe(409);
    expect((await ask(ana, 'DELETE', `${acmePath}?revision=2`)).body).toMatchObject({ revision: 3, deleted: true });
    expect((await ask(ana, 'GET', acmePath)).status).toBe(404);
    expect((await put(ben, acmePath, acme, 2)).status).toBe(409);
    expect((await put(ben, acmePath, acme, 0)).body).toMatchObject({ revision: 4, deleted: false });
  });

  test('of another account or another service is not found', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    expect((await ask(newActor(), 'GET', acmePath)).status).toBe(404);
    expect((await ask({ ...ana, service: 'https://pay.example' }, 'GET', acmePath)).status).toBe(404);
    expect((await ask(newActor(), 'GET', 'recipients')).body.data).toEqual([]);
    // An id that can't exist.
    expect(await ask(ana, 'GET', 'recipients?id=%00')).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('is written once if a request is repeated after a lost response; a colleague’s equal request isn’t a repetition', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    expect((await put(ana, acmePath, acme, 0)).body).toMatchObject({ revision: 1 });
    expect((await put({ ...ana, who: 'Ben' }, acmePath, acme, 0)).status).toBe(409);
    expect((await ask(ana, 'DELETE', `${acmePath}?revision=1`)).body).toMatchObject({ revision: 2 });
    expect((await ask(ana, 'DELETE', `${acmePath}?revision=1`)).body).toMatchObject({ revision: 2, deleted: true });
  });

  test('keeps every revision that a person wrote in its history', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    await put({ ...ana, who: 'Ben' }, acmePath, { ...acme, name: 'Beta' }, 1);
    await ask(ana, 'DELETE', `${acmePath}?revision=2`);
    const rows = await routes.sql.query(
      'select revision, value, who, deleted from team.history where account = $1 order by revision',
      [ana.account],
    );
    expect(rows).toMatchObject([
      { revision: 1, who: 'Ana', value: expect.stringContaining('"Acme"'), deleted: false },
      { revision: 2, who: 'Ben', value: expect.stringContaining('"Beta"'), deleted: false },
    ]);
    const [now] = await routes.sql.query('select value, who, deleted from team.items where account = $1', [
      ana.account,
    ]);
    expect(now).toMatchObject({ who: 'Ana', deleted: true, value: expect.stringContaining('"Beta"') });
  });

  test('if two people write at once, one succeeds and the other gets a conflict', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    const answers = await Promise.all(
      ['Ben', 'Cleo'].map((who) => put({ ...ana, who }, acmePath, { ...acme, name: who }, 1)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('standing payments and pay-by dates', () => {
  const HOSTING = {
    ...acme,
    asset: 'BTC',
    amount: '0.25',
    reference: 'Hosting',
    first: '2026-11-30',
    rhythm: { unit: 'month', count: 1, day: 31 },
    handled_through: null,
  };
  const asViewer = { rights: VIEWER_RIGHTS };
  const asApprover = { rights: { ...VIEWER_RIGHTS, permissions: ['view', 'approve'] as const } };

  test('if two people handle the same date, the second sees what the first did', async () => {
    const ana = newActor();
    const path = 'standing-payments/hosting';
    expect((await put(ana, path, HOSTING, 0)).body['value']).toEqual(HOSTING);
    const handled = { ...HOSTING, handled_through: '2026-11-30' };
    expect((await put(ana, path, handled, 1)).status).toBe(200);
    expect(await put({ ...ana, who: 'Ben' }, path, handled, 1)).toMatchObject({
      status: 409,
      body: { error: { code: 'moved_on' }, item: { who: 'Ana', value: { handled_through: '2026-11-30' } } },
    });
  });

  test.each([
    ['an address with a typo', { ...HOSTING, address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb' }],
    ['no asset', { ...HOSTING, asset: ' ' }],
    ['an amount of zero', { ...HOSTING, amount: '0.00' }],
    ['an amount that is a number', { ...HOSTING, amount: 0.25 }],
    ['a first day that the rhythm never has', { ...HOSTING, first: '2026-11-29' }],
    ['a day that no month has', { ...HOSTING, rhythm: { ...HOSTING.rhythm, day: 32 } }],
    ['a rhythm of nothing', { ...HOSTING, rhythm: { unit: 'week', count: 0 } }],
    ['a date that is none', { ...HOSTING, handled_through: '2026-02-30' }],
  ])('a standing payment with %s is refused', async (_, value) => {
    const ana = newActor();
    expect(await put(ana, 'standing-payments/hosting', value, 0)).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_request_error' } },
    });
    expect((await ask(ana, 'GET', 'standing-payments')).body.data).toEqual([]);
  });

  test('only an operator changes standing payments', async () => {
    const ana = newActor();
    await put(ana, 'standing-payments/hosting', HOSTING, 0);
    for (const other of [asViewer, asApprover]) {
      const ben = { ...ana, who: 'Ben', ...other };
      expect((await ask(ben, 'GET', 'standing-payments')).body.data).toHaveLength(1);
      for (const refused of [
        await put(ben, 'standing-payments/hosting', { ...HOSTING, handled_through: '2026-11-30' }, 1),
        await ask(ben, 'DELETE', 'standing-payments/hosting?revision=1'),
      ])
        expect(refused).toMatchObject({
          status: 403,
          body: { error: { message: 'Only an operator can change standing payments. Nothing was saved.' } },
        });
    }
  });

  test('only operators and approvers can set a pay-by date', async () => {
    const ana = newActor();
    expect((await put(ana, 'pay-by/key-1', { date: '2026-11-30' }, 0)).status).toBe(200);
    const approver = { ...ana, who: 'Bo', ...asApprover };
    expect((await put(approver, 'pay-by/key-1', { date: '2026-12-01' }, 1)).status).toBe(200);
    const viewer = { ...ana, who: 'Di', ...asViewer };
    expect(await put(viewer, 'pay-by/key-1', { date: '2026-12-02' }, 2)).toMatchObject({
      status: 403,
      body: { error: { message: 'Only an operator or an approver can set a pay-by date. Nothing was saved.' } },
    });
    expect((await put(ana, 'pay-by/key-1', { date: '2026-11-31' }, 2)).status).toBe(422);
    expect((await ask(viewer, 'GET', 'pay-by/key-1')).body).toMatchObject({ value: { date: '2026-12-01' }, who: 'Bo' });
  });
});

describe('what is refused', () => {
  test.each([
    ['no object', 7],
    ['a name that cannot be seen', { ...acme, name: '\u202Egnp.exe' }],
    ['no name', { ...acme, name: ' ' }],
    ['an address with a space', { ...acme, address: 'a b' }],
    ['an address with a zero-width character', { ...acme, address: `${acme.address}\u200B` }],
    ['an address that is turned around', { ...acme, chain: 'newchain', address: '\u202Eabcdefgh' }],
    ['an address in letters of another alphabet', { ...acme, chain: 'newchain', address: '1\u0410bcdefgh' }],
    ['an address with a typo', { ...acme, address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb' }],
    ['an address of another chain', { ...acme, chain: 'ethereum' }],
    ['a payment link', { ...acme, address: `bitcoin:${acme.address}` }],
    ['an asset that cannot be seen', { ...acme, asset: 'US\u200BDT' }],
    ['a member that nobody knows', { ...acme, colour: 'red' }],
  ])('a recipient: %s', async (_, value) => {
    const ana = newActor();
    const refused = { status: 422, body: { error: { code: 'invalid_request_error' } } };
    // Under its own id, so that it isn't refused for that.
    const own = typeof value === 'object' && 'address' in value ? recipientId(value) : recipientId(acme);
    expect(await put(ana, recipients(own), value, 0)).toMatchObject(refused);
    expect(await ask(ana, 'POST', 'recipients', { values: [value] })).toMatchObject(refused);
    expect((await ask(ana, 'GET', 'recipients')).body.data).toEqual([]);
  });

  test('a recipient under the id of another address', async () => {
    const other = { ...acme, address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' };
    expect((await put(newActor(), acmePath, other, 0)).status).toBe(422);
  });

  test('an address that an earlier version saved is still shown, and can be removed', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    const hidden = JSON.stringify({ ...acme, address: `${acme.address}\u200B`, asset: '', reference: '', note: '' });
    await routes.sql.query('update team.items set value = $1 where account = $2', [hidden, ana.account]);
    expect((await ask(ana, 'GET', acmePath)).text).toContain(hidden);
    expect((await put(ana, acmePath, JSON.parse(hidden), 1)).status).toBe(422);
    expect((await ask(ana, 'DELETE', `${acmePath}?revision=1`)).status).toBe(200);
  });

  test('the same address in another spelling has the same id', () => {
    const eth = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(recipientId({ chain: 'ETH', address: eth.toLowerCase() })).toBe(
      recipientId({ chain: 'ethereum', address: eth }),
    );
  });

  test('a malformed body, an unknown path, and an unsupported method', async () => {
    const ana = newActor();
    expect((await ask(ana, 'PUT', acmePath, '{')).status).toBe(400);
    expect((await ask(ana, 'PUT', acmePath, { value: acme })).status).toBe(400);
    expect((await ask(ana, 'GET', 'secrets')).status).toBe(404);
    expect((await ask(ana, 'GET', 'toString')).status).toBe(404);
    expect((await ask(ana, 'GET', 'recipients/a%00b')).status).toBe(404);
    expect((await ask(ana, 'GET', 'recipients/%')).status).toBe(404);
    expect((await ask(ana, 'GET', `${acmePath}/more/still`)).status).toBe(404);
    expect((await ask(ana, 'PATCH', acmePath)).status).toBe(405);
    expect((await ask(ana, 'DELETE', acmePath)).status).toBe(400);
    expect((await ask(ana, 'POST', 'closed-periods')).status).toBe(405);
  });

  test.each([
    ['NUL in its id', 'POST', 'marks', { values: [{ kind: 'deposit', id: 'dep_\0', mark: 'handled' }] }],
    ['half of a character in its id', 'POST', 'views', { values: [{ name: '\uD800', path: '/deposits', search: '' }] }],
    [
      'a value of 9,000 lists in lists',
      'PUT',
      acmePath,
      `{"revision":0,"value":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    ],
    [
      'values of 9,000 objects in objects',
      'POST',
      'recipients',
      `{"values":[${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}]}`,
    ],
    ['a cursor that is none', 'GET', 'recipients?cursor=abc', undefined],
    ['a cursor that is none, of addresses', 'GET', 'deposit-addresses?cursor=abc', undefined],
    ['a cursor beyond all positions', 'GET', `recipients?cursor=${'9'.repeat(19)}`, undefined],
  ])('%s is refused in the error envelope', async (_, method, path, body) => {
    expect(await ask(newActor(), method, path, body)).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_request_error', message: expect.any(String), request_id: 'req_1' } },
    });
  });

  test('everything but reading on a read-only server', async () => {
    const ana = { ...newActor(), rights: READ_ONLY_RIGHTS };
    expect((await ask(ana, 'GET', 'recipients')).status).toBe(200);
    for (const [method, path] of [
      ['PUT', acmePath],
      ['DELETE', `${acmePath}?revision=1`],
      ['POST', 'recipients'],
      ['PUT', 'closed-periods/1'],
    ] as const)
      expect(await ask(ana, method, path, {})).toMatchObject({ status: 403, body: { error: { code: 'read_only' } } });
  });

  test('a viewer who sets or removes the mark "handled"; "taken" is allowed', async () => {
    const ana = newActor();
    const viewer = { ...ana, rights: VIEWER_RIGHTS };
    const mark = (name: 'taken' | 'handled') => ({ kind: 'deposit', id: 'dep_1', mark: name });
    const path = 'marks/deposit:dep_1';
    const refused = { status: 403, body: { error: { code: 'not_permitted' } } };
    expect((await put(viewer, path, mark('taken'), 0)).status).toBe(200);
    expect(await put(viewer, path, mark('handled'), 1)).toMatchObject(refused);
    expect(await ask(viewer, 'POST', 'marks', { values: [mark('handled')] })).toMatchObject(refused);
    expect((await put(ana, path, mark('handled'), 1)).status).toBe(200);
    expect(await put(viewer, path, mark('taken'), 2)).toMatchObject(refused);
    expect(await ask(viewer, 'DELETE', `${path}?revision=2`)).toMatchObject(refused);
    expect(await put(viewer, acmePath, acme, 0)).toMatchObject(refused);
  });

  test('an item above a megabyte, and more items than a collection can hold', async () => {
    const ana = newActor();
    const note = { kind: 'deposit', id: 'dep_1', reference: '', note: 'x'.repeat(1_000_001) };
    expect((await put(ana, 'notes/deposit:dep_1', note, 0)).status).toBe(413);
    await put(ana, acmePath, acme, 0);
    await routes.sql.query(
      `insert into team.items select service, account, collection, 'id-' || n, value, bytes, 1, who, created_at,
         updated_at, false, 1000 + n from team.items, generate_series(2, $2) n where account = $1`,
      [ana.account, ITEMS_MAX],
    );
    const another = { ...acme, address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' };
    expect(await put(ana, recipients(recipientId(another)), another, 0)).toMatchObject({
      status: 422,
      body: { error: { code: 'full' } },
    });
    expect((await ask(ana, 'POST', 'recipients', { values: [another] })).body.error?.code).toBe('full');
    expect((await put(ana, acmePath, { ...acme, name: 'Zeta' }, 1)).status).toBe(200);
  });

  test('more than 60 changes a minute on one account, across all collections; reads don’t count', async () => {
    const ana = newActor();
    const ben = { ...ana, who: 'Ben' };
    for (let count = 0; count < 20; count += 1) {
      expect((await put(ana, acmePath, { ...acme, note: String(count) }, count)).status).toBe(200);
      expect((await ask(ben, 'POST', 'recipients', { values: [acme] })).status).toBe(200);
      expect((await ask(ana, 'DELETE', 'views/none?revision=1')).status).toBe(409);
    }
    const refused = { status: 429, retryAfter: 5, body: { error: { code: 'too_many' } } };
    expect(await put(ben, acmePath, { ...acme, note: 'late' }, 20)).toMatchObject(refused);
    expect(await ask(ben, 'POST', 'recipients', { values: [acme] })).toMatchObject(refused);
    expect((await ask(ana, 'GET', acmePath)).body).toMatchObject({ revision: 20, value: { note: '19' } });
    expect((await put(newActor(), acmePath, acme, 0)).status).toBe(200);
    routes.state.mono += 60_000;
    expect((await put(ben, acmePath, { ...acme, note: 'late' }, 20)).status).toBe(200);
  });

  test('more than 60 changes a minute of one person, not of the others on the account', async () => {
    const account = newActor();
    const [bo, cy] = [
      { ...account, person: 'bo' },
      { ...account, person: 'cy' },
    ];
    for (let count = 0; count < 60; count += 1) await ask(bo, 'DELETE', 'views/none?revision=1');
    expect((await ask(bo, 'DELETE', 'views/none?revision=1')).status).toBe(429);
    expect((await ask(cy, 'DELETE', 'views/none?revision=1')).status).toBe(409);
  });

  test('requests while the database is unreachable; the answer doesn’t claim whether anything was saved', async () => {
    routes.state.away = true;
    const answer = await ask(newActor(), 'GET', 'recipients');
    routes.state.away = false;
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'not_ready' } } });
  });
});

describe('a list', () => {
  const view = (n: number) => ({ name: `View ${n}`, path: '/deposits', search: `asset=A${n}` });
  const views = async (actor: TeamActor, query = '') => (await ask(actor, 'GET', `views${query}`)).body;

  test('takes several new items at once, and leaves existing ones unchanged', async () => {
    const ana = newActor();
    await put(ana, acmePath, { ...acme, name: 'Mine' }, 0);
    const beta = { ...acme, name: 'Beta', address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' };
    const added = await ask({ ...ana, who: 'Ben' }, 'POST', 'recipients', { values: [acme, beta, beta] });
    expect(added.body.data).toMatchObject([{ value: { name: 'Beta' }, who: 'Ben' }, { value: { name: 'Beta' } }]);
    expect((await ask(ana, 'GET', 'recipients')).body.data).toMatchObject([
      { value: { name: 'Mine' } },
      { value: { name: 'Beta' } },
    ]);
    const one = await ask(ana, 'POST', 'recipients', { values: [{ ...beta, address: FURTHER }, { name: 'x' }] });
    expect(one).toMatchObject({ status: 422, body: { error: { message: expect.stringMatching(/^Value 2/) } } });
    expect((await ask(ana, 'GET', 'recipients')).body.data).toHaveLength(2);
  });

  test('is paged, without missing an item that changes during paging', async () => {
    const ana = newActor();
    for (const n of [0, 1]) {
      const values = Array.from({ length: 400 }, (_, index) => view(n * 400 + index));
      expect((await ask(ana, 'POST', 'views', { values })).body.data).toHaveLength(400);
    }
    const first = await views(ana);
    expect(first).toMatchObject({ object: 'list', has_more: true, complete: true });
    expect(first.data).toHaveLength(500);
    const early = view(3);
    await put(ana, `views/${encodeURIComponent(viewId(early))}`, { ...early, search: 'asset=ZZZ' }, 1);
    const second = await views(ana, `?cursor=${String(first['next_cursor'])}`);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect(second.data).toHaveLength(301);
    expect(second.data?.at(-1)).toMatchObject({ value: { name: 'View 3', search: 'asset=ZZZ' } });
  });

  test('of large items comes in pages of some megabytes', async () => {
    const ana = newActor();
    for (const n of [0, 1, 2, 3]) {
      const { account, service } = ana;
      await routes.sql.query(
        `insert into team.items (service, account, collection, id, value, bytes, revision, created_at, updated_at, deleted, position)
         values ($1, $2, 'views', $3, to_json(repeat('A', 700000))::text, 700002, 1, 1, 1, false, $4)`,
        [service, account, `view-${n}`, n + 1],
      );
    }
    const first = await ask(ana, 'GET', 'views');
    expect(first.body).toMatchObject({ has_more: true, data: { length: 3 } });
  });

  test('returns the changes since a position, including removed items', async () => {
    const ana = newActor();
    await ask(ana, 'POST', 'views', { values: [view(1), view(2)] });
    const before = await views(ana);
    const since = `?updated_after=${String(before['position'])}`;
    expect(await views(ana, since)).toMatchObject({ data: [], complete: false, position: before['position'] });
    await ask(ana, 'DELETE', `views/${encodeURIComponent(viewId(view(1)))}?revision=1`);
    await ask(ana, 'POST', 'views', { values: [view(3)] });
    const after = await views(ana, since);
    expect(after.data).toMatchObject([
      { id: viewId(view(1)), deleted: true },
      { id: viewId(view(3)), deleted: false },
    ]);
    expect((await views(ana)).data).toHaveLength(2);
    // A position from another database, or from before a restore: all items are returned.
    for (const position of ['abc.1', `${String(after['position']).split('.')[0]}.999`, 'nonsense'])
      expect(await views(ana, `?updated_after=${position}`)).toMatchObject({ complete: true, data: { length: 2 } });
  });
});

describe('deposit addresses', () => {
  test('come from the journal; only their label can be changed', async () => {
    const ana = newActor();
    const first = (await ask(ana, 'GET', 'deposit-addresses')).body;
    expect(first).toMatchObject({
      has_more: true,
      next_cursor: '1',
      data: [{ ...MADE, label: '', revision: 0, labelled_by: null }],
    });
    expect((await ask(ana, 'GET', 'deposit-addresses?cursor=1')).body.data).toEqual([]);
    expect((await put(ana, 'deposit-addresses/key-1', { label: 'Order 7' }, 0)).status).toBe(200);
    expect((await put(ana, 'deposit-addresses/key-2', { label: 'Order 8' }, 0)).status).toBe(404);
    expect((await ask(ana, 'GET', 'deposit-addresses')).body.data).toMatchObject([
      { id: 'key-1', label: 'Order 7', revision: 1, labelled_by: 'Ana', labelled_at: expect.any(Number) },
    ]);
  });
});

test('marks and notes belong to one payment each', async () => {
  const ana = newActor();
  const mark = { kind: 'withdrawal', id: 'wd_1', mark: 'handled' };
  const note = { kind: 'operation', id: 'key-1', reference: 'INV-7', note: 'Second half' };
  expect((await put(ana, 'marks/withdrawal:wd_1', mark, 0)).status).toBe(200);
  expect((await put(ana, 'notes/operation:key-1', note, 0)).body).toMatchObject({ who: 'Ana', value: note });
  expect((await ask(ana, 'GET', 'notes?id=operation:key-1')).body).toMatchObject({ data: [{ value: note }] });
  expect((await ask(ana, 'GET', 'notes?id=operation:key-2')).body).toMatchObject({ data: [], complete: true });
  expect((await put(ana, 'marks/withdrawal:wd_2', mark, 0)).status).toBe(422);
  expect((await put(ana, 'marks/withdrawal:wd_1', { ...mark, mark: 'paid' }, 1)).status).toBe(422);
});
