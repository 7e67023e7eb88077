import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '#src/server/database/sql.ts';
import { enterSetBack } from '#src/server/operations/setBack.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import { createApprovalWorld, FIELDS, readOperationState, recordAwaitingPayment } from './testApprovals.ts';
import type { TestBrowser } from './testBrowser.ts';
import { openPeopleDatabase } from './testPeopleWorld.ts';

// Payments waited for approval when the database was restored. People close them together.

let database: Database;
beforeAll(async () => {
  database = await openPeopleDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const PATH = '/api/operations/close-set-back';
const SERVER = { account: null, person: null, who: null };
const closeAll = (browser: TestBrowser) => browser.call('POST', PATH, { reason: 'Asked the provider.' });

/** Bo prepared two payments and Di one, to recipients of their own; then the database was restored, and people signed in again. */
async function createRestoredWorld() {
  const world = await createApprovalWorld(database);
  const { bo, cy, di, rows, owner } = world;
  const viewer = await world.colleague('Ev', ['view']);
  const keys = [
    await recordAwaitingPayment(bo, { address: 'bc1qfirst' }),
    await recordAwaitingPayment(bo, { address: 'bc1qsecond' }),
    await recordAwaitingPayment(di, { address: 'bc1qthird' }),
  ];
  await rows.write(async (transaction) => {
    const facts = await transaction.facts();
    const by = { service: owner.service, ...SERVER };
    await enterSetBack(transaction, { mark: { ...facts, nonce: 'lost' }, by });
  });
  const signInAll = async () => {
    for (const browser of [bo, cy, viewer]) expect((await browser.signIn()).status).toBe(201);
  };
  await signInAll();
  const end = async () => {
    await rows.write((transaction) => transaction.endSetBack('Nothing was sent.'));
    // A session learns of its new rights within seconds; a new session has them at once.
    await signInAll();
  };
  const states = () => Promise.all(keys.map((key) => readOperationState(cy, key)));
  return { ...world, viewer, end, keys, states };
}

test('they can’t be closed while the set-back lasts, or without the right', async () => {
  const { viewer, cy, end, states } = await createRestoredWorld();
  expect(await closeAll(cy)).toMatchObject({ status: 403, body: { error: { code: 'set_back' } } });
  expect(await cy.call('GET', PATH)).toMatchObject({ status: 200, body: { payments: 3, own: 0 } });
  await end();
  expect(await closeAll(viewer)).toMatchObject({ status: 403, body: { error: { code: 'not_permitted' } } });
  expect(await states()).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed']);
});

test('each is closed by somebody other than the person who prepared it, unless the provider lists one like it', async () => {
  const { bo, cy, provider, end, keys, states } = await createRestoredWorld();
  await end();
  const [first, second, third] = keys;
  provider.withdrawals = [{ id: 'wd_7', ...FIELDS, address: 'bc1qsecond', status: 'completed', created_at: 1 }];
  expect(await bo.call('GET', PATH)).toMatchObject({
    body: { payments: 1, totals: [{ asset: 'BTC', chain: 'bitcoin', amount: '0.5' }], own: 2 },
  });
  expect(await closeAll(bo)).toMatchObject({ status: 200, body: { closed: 1, left: [], own: 2 } });
  expect(await states()).toEqual(['unconfirmed', 'unconfirmed', 'closed']);
  expect((await closeAll(cy)).body).toMatchObject({ closed: 1, left: [{ key: second, why: 'look-alike' }], own: 0 });
  expect(await states()).toEqual(['closed', 'unconfirmed', 'closed']);
  expect((await cy.call('GET', '/api/activity?group=payments')).body['data']).toMatchObject([
    { kind: 'operation.closed', subject: first, who: 'Cy', facts: { words: 'Asked the provider.' } },
    { kind: 'operation.closed', subject: third, who: 'Bo' },
    { kind: 'journal.set-back' },
    ...Array.from(keys, () => ({ kind: 'operation.recorded' })),
  ]);
});
