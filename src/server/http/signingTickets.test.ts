import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '#src/server/database/sql.ts';
import { sha256 } from '#src/server/operations/rowText.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import { createAuthenticator } from '#src/server/people/testAuthenticator.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import type { TestBrowser } from './testBrowser.ts';
import { createPeopleWorld, openPeopleDatabase } from './testPeopleWorld.ts';

// Payments in people mode: each is signed by its maker's passkey, over exactly its content.

let database: Database;
beforeAll(async () => {
  database = await openPeopleDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const FIELDS = { asset: 'BTC', chain: 'bitcoin', amount: '0.5', address: 'bc1qrecipient' };
const request = withdrawalRequest(FIELDS);
const putBody = (more: object = {}) => ({ ...request, second_send_of: [], not_after: Date.now() + 60_000, ...more });
const toSign = (key: string, body = request.body) => ({ key, body, second_send_of: [] });

/** An admin who is also an operator, and an operator; `sent`: the keys of the payments that the provider received. */
async function createWorld() {
  const world = await createPeopleWorld(database);
  const ada = await world.firstAdmin();
  const bo = await world.colleague('Bo', ['view', 'prepare']);
  const sent = () =>
    world.service.seen.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
  return { ...world, ada, bo, sent };
}

async function pay(browser: TestBrowser, key: string): Promise<number> {
  const proof = await browser.signatureOver([toSign(key)]);
  return (await browser.call('PUT', `/api/operations/${key}`, putBody({ proof }))).status;
}

test('a payment that its maker signed is sent, and the signature is stored', async () => {
  const { bo, sent } = await createWorld();
  const key = randomUUID();
  expect(await pay(bo, key)).toBe(201);
  await expect.poll(sent).toEqual([key]);
  const [row] = await database.query(
    `select o.maker, s.person, s.passkey, s.decision, s.items = jsonb_build_array(o.content_sha256)::text as is_same
     from operations.operations o join people.signed d on d.subject = o.key and d.content_sha256 = o.content_sha256
     join people.signatures s on s.id = d.signature where o.key = $1`,
    [key],
  );
  const signed = { passkey: bo.authenticator.id, decision: 'send', is_same: true };
  expect(row).toEqual({ maker: bo.person, person: bo.person, ...signed });
});

test('a repeated request returns the record of the first one', async () => {
  const { bo, sent } = await createWorld();
  const key = randomUUID();
  const proof = await bo.signatureOver([toSign(key)]);
  const first = await bo.call('PUT', `/api/operations/${key}`, putBody({ proof }));
  expect(first.status).toBe(201);
  await expect.poll(sent).toEqual([key]);
  expect((await bo.call('PUT', `/api/operations/${key}`, putBody({ proof }))).status).toBe(200);
  expect(sent()).toEqual([key]);
});

test('nothing is sent without a signature over exactly this payment, and its key is spent', async () => {
  const { ada, bo, clock, sent } = await createWorld();
  const other = randomUUID();
  const refuse = async (proofOf: (key: string) => Promise<unknown>, more: object = {}): Promise<void> => {
    const key = randomUUID();
    const reply = await bo.call('PUT', `/api/operations/${key}`, putBody({ proof: await proofOf(key), ...more }));
    expect(reply).toMatchObject({ status: 422, body: { not_sent: { why: 'invalid' } } });
    expect((await bo.call('GET', `/api/operations/${key}`)).status).toBe(410);
  };
  await refuse(async () => undefined);
  await refuse(() => bo.signatureOver([toSign(other)]));
  await refuse((key) => bo.signatureOver([toSign(key, request.body.replace('0.5', '0.6'))]));
  await refuse((key) => bo.signatureOver([{ ...toSign(key), second_send_of: ['another'] }]));
  await refuse((key) => bo.signatureOver([{ ...toSign(key), batch: { id: 'batch', line: 2 } }]));
  await refuse((key) => bo.signatureOver([toSign(key), toSign(other)]));
  // Signed by another person, with an unknown passkey, and for another act.
  await refuse((key) => ada.signatureOver([toSign(key)]));
  await refuse((key) => bo.signatureOver([toSign(key)], ada.authenticator));
  await refuse((key) => bo.signatureOver([toSign(key)], createAuthenticator()));
  await refuse((key) => bo.proofOf('PUT', `/api/operations/${key}`, putBody()));
  await refuse(async (key) => {
    const proof = await bo.signatureOver([toSign(key)]);
    clock.now += 6 * 60_000;
    return proof;
  });
  expect(sent()).toEqual([]);
});

test('only an operator gets a ticket, and only with a passkey', async () => {
  const { bo, colleague } = await createWorld();
  const viewer = await colleague('Cy', ['view']);
  await expect(viewer.signatureOver([toSign('k')])).rejects.toThrow('403 not_permitted');
  await database.query('update people.passkeys set ended_at = 1 where person = $1', [bo.person]);
  await expect(bo.signatureOver([toSign('k')])).rejects.toThrow('403 passkey_needed');
});

const LINES = [2, 3].map((line) => ({
  line,
  body: withdrawalRequest({ ...FIELDS, address: `bc1qrecipient${line}` }).body,
  recipient: null,
  reference: null,
  second_send_of: [],
}));
const FILE = { name: null, text: 'as pasted' };

async function recordBatch(browser: TestBrowser, id: string) {
  const proof = await browser.signatureOver(
    LINES.map(({ line, body }) => ({ ...toSign(`${id}.${line}`, body), batch: { id, line } })),
  );
  const body = { lines: LINES, file: FILE, again: null, not_after: Date.now() + 60_000, proof };
  return browser.call('PUT', `/api/batches/${id}`, body);
}

const START = { revision: 0, not_after: Date.now() + 90_000 };

test('one signature covers the lines of a batch, and a batch without it is not recorded', async () => {
  const { bo } = await createWorld();
  const id = randomUUID();
  const body = { lines: LINES, file: FILE, again: null, not_after: Date.now() + 60_000 };
  expect(await bo.call('PUT', `/api/batches/${id}`, body)).toMatchObject({
    status: 403,
    body: { error: { code: 'passkey_refused' } },
  });
  expect(await recordBatch(bo, id)).toMatchObject({ status: 201, body: { batch: { state: 'waiting', lines: 2 } } });
  expect(await database.query('select 1 as one from people.signed where subject like $1', [`${id}.%`])).toHaveLength(2);
});

/** Undoes in the database that a batch and its payments ended, so that only the check of its signature is left. */
async function waitAgain(id: string): Promise<void> {
  await database.script('alter table operations.operations disable trigger user');
  await database.query(
    `update operations.operations set state = 'awaiting', ending = null, ended_service = null, ended_server = null,
       ended_database = null where key like $1`,
    [`${id}.%`],
  );
  await database.query("update operations.batches set state = 'waiting', why = null where id = $1", [id]);
  await database.script('alter table operations.operations enable trigger user');
}

type World = Awaited<ReturnType<typeof createWorld>>;

test.each<[string, (world: World, id: string) => Promise<unknown>]>([
  ['its maker is blocked', ({ ada, bo }) => ada.call('POST', `/api/people/${bo.person}/block`, {})],
  [
    'its maker was blocked and is an operator again',
    async ({ ada, bo }) => {
      await ada.call('POST', `/api/people/${bo.person}/block`, {});
      await ada.act(`/api/people/${bo.person}/grant`, { permissions: ['view', 'prepare'] });
    },
  ],
  ['its maker may only look', ({ ada, bo }) => ada.act(`/api/people/${bo.person}/grant`, { permissions: ['view'] })],
  [
    'the passkey has ended',
    ({ bo }) => database.query('update people.passkeys set ended_at = 1 where person = $1', [bo.person]),
  ],
  [
    'the passkey was replaced in the database',
    ({ bo }) =>
      database.query('update people.passkeys set public_key = $2 where person = $1', [
        bo.person,
        createAuthenticator().publicKey,
      ]),
  ],
  [
    'the amount was changed in the database, with its hashes',
    async (_, id) => {
      const body = LINES[0]?.body.replace('0.5', '9') ?? '';
      await database.script('alter table operations.operations disable trigger user');
      await database.query('update operations.operations set body = $2, body_sha256 = $3, amount = 9 where key = $1', [
        `${id}.2`,
        body,
        sha256(body),
      ]);
      await database.script('alter table operations.operations enable trigger user');
    },
  ],
])('a recorded batch isn’t sent once %s', async (_, change) => {
  const world = await createWorld();
  const { ada, bo, sent } = world;
  const id = randomUUID();
  expect((await recordBatch(bo, id)).status).toBe(201);
  await change(world, id);
  await waitAgain(id);
  expect(await ada.call('POST', `/api/batches/${id}/start`, START)).toMatchObject({
    status: 409,
    body: { error: { code: 'not_done', message: expect.stringMatching(/no longer send|doesn’t count any more/) } },
  });
  expect(sent()).toEqual([]);
});

test('a recorded batch isn’t sent on a signature of nine days ago', async () => {
  const { ada, bo, clock, sent } = await createWorld();
  const id = randomUUID();
  await recordBatch(bo, id);
  clock.now += 9 * 24 * 60 * 60_000;
  expect(await ada.call('POST', `/api/batches/${id}/start`, START)).toMatchObject({
    status: 409,
    body: { error: { code: 'not_done', message: expect.stringMatching(/no longer send|doesn’t count any more/) } },
  });
  expect(sent()).toEqual([]);
});

test('the database itself doesn’t let a payment be sent that its maker didn’t sign', async () => {
  const { bo } = await createWorld();
  const [id, other] = [randomUUID(), randomUUID()];
  await recordBatch(bo, id);
  await database.script('alter table people.signed disable trigger user');
  await database.query('update people.signed set subject = $2 where subject = $1', [`${id}.2`, other]);
  await database.script('alter table people.signed enable trigger user');
  const send = "update operations.operations set state = 'sending' where key = $1";
  await expect(database.query(send, [`${id}.2`])).rejects.toThrow('did not sign');
  await database.query(send, [`${id}.3`]);
});

test('signatures can’t be changed or deleted', async () => {
  const { bo } = await createWorld();
  await pay(bo, randomUUID());
  for (const text of [
    'update people.signatures set person = person',
    'delete from people.signed',
    "update operations.operations set maker = 'other'",
    "update operations.operations set content_sha256 = 'other'",
  ])
    await expect(database.script(text)).rejects.toThrow(/never changed|cannot change/);
});

test('outside the sandbox, the database refuses a decision without a passkey’s signature', async () => {
  const { bo } = await createWorld();
  await expect(
    database.query(
      `insert into people.signatures (id, service, person, decision, items, ticket, session, at)
       values ('s', 'https://pay.example', $1, 'send', '[]', '', '', 0)`,
      [bo.person],
    ),
  ).rejects.toThrow('check');
});
