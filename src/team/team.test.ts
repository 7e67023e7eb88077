import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ITEMS_MAX, recipientId, viewId } from '#src/api/teamContract.ts';
import { type Book, partId, type Statement } from '#src/api/statementContract.ts';
import { openDatabase } from '#src/database/openDatabase.ts';
import type { Database } from '#src/database/sql.ts';
import { createTeamRoutes, type TeamActor } from './routes.ts';
import { type MadeAddress, openTeam } from './team.ts';

const MADE: MadeAddress = {
  id: 'key-1',
  asset: 'BTC',
  chain: 'bitcoin',
  address: 'bc1q',
  along: [{ name: 'memo', value: '007' }],
  who: 'Ana',
  at: 1_790_000_000,
};

let sql: Database;
let broken = false;
let handle: ReturnType<typeof createTeamRoutes>;

beforeAll(async () => {
  sql = await openDatabase({ directory: 'memory' });
  const failing = {
    ...sql,
    query: ((...asked) => (broken ? Promise.reject(new Error('away')) : sql.query(...asked))) as typeof sql.query,
  };
  const team = await openTeam(failing, {
    list: async ({ account }, cursor) =>
      cursor === null && account !== 'empty' ? { data: [MADE], next: '1' } : { data: [], next: null },
    has: async (_owner, id) => id === MADE.id,
  });
  handle = createTeamRoutes(
    team,
    () => 'req_1',
    () => undefined,
  );
}, 60_000);
afterAll(() => sql.close());

let accounts = 0;
function newActor(): TeamActor {
  accounts += 1;
  return { service: 'sandbox', account: `account-${accounts}`, who: 'Ana', readOnly: false };
}

interface Answer {
  status: number;
  body: { [name: string]: unknown; error?: { code: string; message: string }; data?: unknown[] };
  text: string;
}

async function ask(actor: TeamActor, method: string, path: string, body?: unknown): Promise<Answer> {
  const url = new URL(`http://x/api/team/${path}`);
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  const answer = await handle({ method, pathname: url.pathname, query: url.searchParams, body: text }, actor);
  return { status: answer.status, body: JSON.parse(answer.text), text: answer.text };
}

const acme = { name: 'Acme', chain: 'bitcoin', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
const recipients = (id: string) => `recipients/${encodeURIComponent(id)}`;
const acmePath = recipients(recipientId(acme));
const put = (actor: TeamActor, path: string, value: unknown, revision: number) =>
  ask(actor, 'PUT', path, { value, revision });

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

  test('of another account, or of another service, is not there', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    expect((await ask(newActor(), 'GET', acmePath)).status).toBe(404);
    expect((await ask({ ...ana, service: 'https://pay.example' }, 'GET', acmePath)).status).toBe(404);
    expect((await ask(newActor(), 'GET', 'recipients')).body.data).toEqual([]);
  });

  test('a request whose answer was lost is repeated and written once; a colleague’s same words are not it', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    expect((await put(ana, acmePath, acme, 0)).body).toMatchObject({ revision: 1 });
    expect((await put({ ...ana, who: 'Ben' }, acmePath, acme, 0)).status).toBe(409);
    expect((await ask(ana, 'DELETE', `${acmePath}?revision=1`)).body).toMatchObject({ revision: 2 });
    expect((await ask(ana, 'DELETE', `${acmePath}?revision=1`)).body).toMatchObject({ revision: 2, deleted: true });
  });

  test('nothing that a person wrote vanishes', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    await put({ ...ana, who: 'Ben' }, acmePath, { ...acme, name: 'Beta' }, 1);
    await ask(ana, 'DELETE', `${acmePath}?revision=2`);
    const rows = await sql.query(
      'select revision, value, who, deleted from team.history where account = $1 order by revision',
      [ana.account],
    );
    expect(rows).toMatchObject([
      { revision: 1, who: 'Ana', value: expect.stringContaining('"Acme"'), deleted: false },
      { revision: 2, who: 'Ben', value: expect.stringContaining('"Beta"'), deleted: false },
    ]);
    const [now] = await sql.query('select value, who, deleted from team.items where account = $1', [ana.account]);
    expect(now).toMatchObject({ who: 'Ana', deleted: true, value: expect.stringContaining('"Beta"') });
  });

  test('two who write at once: one does, the other is told', async () => {
    const ana = newActor();
    await put(ana, acmePath, acme, 0);
    const answers = await Promise.all(
      ['Ben', 'Cleo'].map((who) => put({ ...ana, who }, acmePath, { ...acme, name: who }, 1)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('what is refused', () => {
  test.each([
    ['no object', 7],
    ['a name that cannot be seen', { ...acme, name: '\u202Egnp.exe' }],
    ['no name', { ...acme, name: ' ' }],
    ['an address with a space', { ...acme, address: 'a b' }],
    ['a member that nobody knows', { ...acme, colour: 'red' }],
    ['a value of another id', { ...acme, address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' }],
  ])('a recipient: %s', async (_, value) => {
    const ana = newActor();
    expect(await put(ana, acmePath, value, 0)).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_request_error' } },
    });
    expect((await ask(ana, 'GET', 'recipients')).body.data).toEqual([]);
  });

  test('the same address in another spelling has the same id', () => {
    const eth = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(recipientId({ chain: 'ETH', address: eth.toLowerCase() })).toBe(
      recipientId({ chain: 'ethereum', address: eth }),
    );
  });

  test('a body that is none, a path that is none, a method that does nothing', async () => {
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
    for (const path of ['statements/b.1', 'statement-parts/c.0'])
      expect((await ask(ana, 'DELETE', `${path}?revision=1`)).status).toBe(405);
    expect((await put(ana, 'statements/b.1', {}, 0)).status).toBe(405);
  });

  test('everything but reading where the server is read-only', async () => {
    const ana = { ...newActor(), readOnly: true };
    expect((await ask(ana, 'GET', 'recipients')).status).toBe(200);
    for (const [method, path] of [
      ['PUT', acmePath],
      ['DELETE', `${acmePath}?revision=1`],
      ['POST', 'recipients'],
      ['POST', 'reconciliations/b/close'],
    ] as const)
      expect(await ask(ana, method, path, {})).toMatchObject({ status: 403, body: { error: { code: 'read_only' } } });
  });

  test('more than a megabyte, and more items than there is room for', async () => {
    const ana = newActor();
    const note = { kind: 'deposit', id: 'dep_1', reference: '', note: 'x'.repeat(1_000_001) };
    expect((await put(ana, 'notes/deposit:dep_1', note, 0)).status).toBe(413);
    await put(ana, acmePath, acme, 0);
    await sql.query(
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

  test('a database that cannot be reached says so, and claims nothing', async () => {
    broken = true;
    const answer = await ask(newActor(), 'GET', 'recipients');
    broken = false;
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'not_ready' } } });
  });
});

describe('a list', () => {
  const view = (n: number) => ({ name: `View ${n}`, path: '/deposits', search: `asset=A${n}` });
  const views = async (actor: TeamActor, query = '') => (await ask(actor, 'GET', `views${query}`)).body;

  test('several are added at once: those that are there stay as they are', async () => {
    const ana = newActor();
    await put(ana, acmePath, { ...acme, name: 'Mine' }, 0);
    const beta = { ...acme, name: 'Beta', address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' };
    const added = await ask({ ...ana, who: 'Ben' }, 'POST', 'recipients', { values: [acme, beta, beta] });
    expect(added.body.data).toMatchObject([{ value: { name: 'Beta' }, who: 'Ben' }, { value: { name: 'Beta' } }]);
    expect((await ask(ana, 'GET', 'recipients')).body.data).toMatchObject([
      { value: { name: 'Mine' } },
      { value: { name: 'Beta' } },
    ]);
    const one = await ask(ana, 'POST', 'recipients', { values: [{ ...beta, address: 'new' }, { name: 'x' }] });
    expect(one).toMatchObject({ status: 422, body: { error: { message: expect.stringMatching(/^Value 2/) } } });
    expect((await ask(ana, 'GET', 'recipients')).body.data).toHaveLength(2);
  });

  test('is paged, and one that changes meanwhile is not left out', async () => {
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
      const fresh = [row(`d${n}`, JSON.stringify('1'.repeat(700_000)))];
      expect((await ask(ana, 'PUT', `statement-parts/closing_1.${n}`, partText('closing_1', n, fresh))).status).toBe(
        200,
      );
    }
    const first = await ask(ana, 'GET', 'statement-parts?of=closing_1');
    expect(first.body).toMatchObject({ has_more: true, data: { length: 3 } });
    expect((await ask(ana, 'GET', 'statement-parts?of=closing_2')).body.data).toEqual([]);
  });

  test('tells what changed since, removed items too', async () => {
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
    // Of another database, or of this one before it was set back: everything is told.
    for (const position of ['abc.1', `${String(after['position']).split('.')[0]}.999`, 'nonsense'])
      expect(await views(ana, `?updated_after=${position}`)).toMatchObject({ complete: true, data: { length: 2 } });
  });
});

const row = (id: string, amount = '"1"') =>
  `{"id":"${id}","status":"completed","asset":"BTC","chain":null,"received_amount":${amount},"created_at":1}`;

const partText = (closing: string, part: number, fresh: string[]) =>
  `{"revision":0,"value":{"closing":"${closing}","part":${part},"fresh":[${fresh.join(',')}],"late":[],"changed":[],"givenUp":[],"carried":[]}}`;

describe('a reconciliation', () => {
  const BOOK: Book = { name: 'Month close', since: null, statements: 0, last: null, followed: 0, ledger: null };
  const statement = (number: number, closing: string): Statement => ({
    book: 'book_1',
    number,
    closing,
    parts: 1,
    asOf: 1_790_000_000,
    after: null,
    last: { id: `dep_${number}`, created_at: 1 },
    counts: { fresh: 1, late: 0, changed: 0, givenUp: 0, carried: 3 },
    totals: [],
  });
  const close = (actor: TeamActor, number: number, closing: string, revision: number) =>
    ask(actor, 'POST', 'reconciliations/book_1/close', {
      revision,
      statement: statement(number, closing),
      ledger: null,
    });
  const upload = (actor: TeamActor, closing: string, amount?: string) =>
    ask(actor, 'PUT', `statement-parts/${partId({ closing, part: 0 })}`, partText(closing, 0, [row('dep_1', amount)]));
  const begun = async () => {
    const ana = newActor();
    expect((await put(ana, 'reconciliations/book_1', BOOK, 0)).status).toBe(200);
    return ana;
  };

  test('two who close at once: one statement, and the other learns who closed', async () => {
    const ana = await begun();
    const ben = { ...ana, who: 'Ben' };
    await Promise.all([upload(ana, 'closing_ana'), upload(ben, 'closing_ben')]);
    const answers = await Promise.all([close(ana, 1, 'closing_ana', 1), close(ben, 1, 'closing_ben', 1)]);
    const winner = answers.find(({ status }) => status === 200);
    const loser = answers.find(({ status }) => status === 409);
    expect(winner?.body).toMatchObject({ revision: 2, value: { statements: 1, followed: 3, last: { id: 'dep_1' } } });
    expect(loser?.body).toMatchObject({ error: { code: 'moved_on' }, item: { who: winner?.body['who'], revision: 2 } });
    const { data } = (await ask(ana, 'GET', 'statements?of=book_1')).body;
    expect(data).toMatchObject([{ id: 'book_1.1', who: winner?.body['who'], value: { number: 1 } }]);
  });

  test('a closing whose answer was lost may be repeated', async () => {
    const ana = await begun();
    await upload(ana, 'closing_1');
    const first = await close(ana, 1, 'closing_1', 1);
    expect(await close(ana, 1, 'closing_1', 1)).toEqual(first);
    expect((await ask(ana, 'GET', 'statements?of=book_1')).body.data).toHaveLength(1);
  });

  test('moves on by closing alone, statement after statement, with every part', async () => {
    const ana = await begun();
    expect((await close(ana, 1, 'closing_1', 1)).body.error?.message).toMatch('Parts');
    await upload(ana, 'closing_1');
    expect((await close(ana, 2, 'closing_1', 1)).body.error?.message).toMatch('number 1');
    await close(ana, 1, 'closing_1', 1);
    expect((await put(ana, 'reconciliations/book_1', { ...BOOK, name: 'Other' }, 2)).status).toBe(422);
    const named = { ...BOOK, name: 'Other', statements: 1, followed: 3, last: { id: 'dep_1', created_at: 1 } };
    expect((await put(ana, 'reconciliations/book_1', named, 2)).body).toMatchObject({ revision: 3 });
    expect((await put(newActor(), 'reconciliations/book_1', named, 0)).status).toBe(422);
    expect((await close(newActor(), 1, 'closing_1', 0)).status).toBe(409);
  });

  test('keeps every number digit for digit, and never changes what was stated', async () => {
    const ana = await begun();
    await upload(ana, 'closing_1', '7.00000000000000000001');
    const read = await ask(ana, 'GET', 'statement-parts/closing_1.0');
    expect(read.text).toContain('"received_amount":7.00000000000000000001');
    expect((await upload(ana, 'closing_1', '8')).status).toBe(409);
    const changed = partText('closing_1', 0, []).replace('"revision":0', '"revision":1');
    expect((await ask(ana, 'PUT', 'statement-parts/closing_1.0', changed)).status).toBe(422);
  });
});

describe('deposit addresses', () => {
  test('come from the journal, and only their label is written', async () => {
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

test('marks and notes are of one payment each', async () => {
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
