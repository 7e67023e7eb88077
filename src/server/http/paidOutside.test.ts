import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as v from 'valibot';
import type { Database } from '#src/server/database/sql.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import {
  batchOf,
  createApprovalWorld,
  FIELDS,
  needing,
  outcomeIn,
  readOperationState,
  recordAwaitingPayment,
  sendPayment,
} from './testApprovals.ts';
import type { TestBrowser } from './testBrowser.ts';
import { openPeopleDatabase } from './testPeopleWorld.ts';
import { DEEP } from '#src/tests/depth.ts';

// While a payment waits for approval, its recipient is paid with the same API key, outside this dashboard.

let database: Database;
beforeAll(async () => {
  database = await openPeopleDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** A withdrawal to the recipient of the tests, as the provider lists it. */
const listed = (id: string, more: object = {}) => ({
  id,
  ...FIELDS,
  status: 'completed',
  created_at: nowSeconds(),
  ...more,
});

const approvalSchema = v.object({
  listed: v.string(),
  unusual: v.array(v.object({ id: v.string(), kind: v.string(), text: v.string() })),
});
async function outsideShown(browser: TestBrowser, key: string, query = '') {
  const { body } = await browser.call('GET', `/api/approvals/${key}${query}`);
  return v.parse(approvalSchema, body).unusual.filter(({ kind }) => kind === 'paid-outside');
}

/** The status of the provider's list in two reviews of a batch: before it is recorded, and afterwards. */
async function listedInReviews(browser: TestBrowser): Promise<unknown[]> {
  const id = randomUUID();
  const batch = batchOf(id, ['0.5']);
  const lines = batch.lines.map(({ line, body, recipient, reference }) => ({ line, body, recipient, reference }));
  const made = await browser.call('POST', '/api/batches/review', { lines });
  await browser.call('PUT', `/api/batches/${id}`, batch);
  const recorded = await browser.call('GET', `/api/batches/${id}/review`);
  return [made.body['listed'], recorded.body['listed']];
}

const UNSEEN = expect.stringMatching('paid outside this dashboard, and the last approver did not see that');

test('the approvers of a batch are shown what was paid since a day before it was recorded', async () => {
  const { bo, cy, provider, withoutRules } = await createApprovalWorld(database);
  const id = randomUUID();
  expect((await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5']))).status).toBe(201);
  const days = 2 * 86_400;
  await withoutRules(
    `update operations.operations set recorded_service = recorded_service - $2::bigint, recorded_server = recorded_server - $3::bigint,
       recorded_database = recorded_database - $3::bigint where batch = $1`,
    [id, days, days * 1_000],
  );
  const paid = { address: `bc1q${id}0`, created_at: nowSeconds() - 30 * 3_600 };
  provider.withdrawals = [
    listed('wd_shop', paid),
    listed('wd_long_ago', { ...paid, created_at: nowSeconds() - 2 * days }),
  ];
  expect((await cy.call('GET', `/api/batches/${id}/review`)).body).toMatchObject({
    lines: [{ line: 2, of: [{ id: 'wd_shop' }] }],
  });
});

test('an approver is shown it, must have seen it, and isn’t asked again', async () => {
  const { bo, cy, provider, sent } = await createApprovalWorld(database);
  const key = await recordAwaitingPayment(bo);
  provider.withdrawals = [listed('wd_shop', { amount: '0.70' })];
  expect(outcomeIn(await cy.approve([key], []))).toMatchObject({ recorded: true, problem: UNSEEN });
  expect(await outsideShown(cy, key)).toEqual([
    {
      id: 'wd_shop',
      kind: 'paid-outside',
      text: 'Paid outside this dashboard, and not seen by its maker: 0.70 BTC (completed, listed by the provider).',
    },
  ]);
  expect((await cy.call('GET', '/api/approvals')).body['waiting']).toMatchObject([
    { unusual: expect.arrayContaining([expect.objectContaining({ id: 'wd_shop' })]) },
  ]);
  expect(await sendPayment(bo, key)).toMatchObject({ status: 409, body: { error: { message: UNSEEN } } });
  expect(await readOperationState(bo, key)).toBe('awaiting');
  expect(sent()).toEqual([]);
  expect(outcomeIn(await cy.approve([key], ['wd_shop']))).toMatchObject({ recorded: true, problem: null });
  await expect.poll(sent).toEqual([key]);
});

test.runIf(DEEP)(
  'the list is read when a page is opened and before sending, and not each time that a page reloads',
  async () => {
    const { bo, cy, provider, service, sent } = await createApprovalWorld(database);
    const key = await recordAwaitingPayment(bo);
    const lists = () => service.seen.filter(({ url }) => url.includes('/v1/withdrawals?')).length;
    const before = lists();
    expect(await outsideShown(cy, key)).toEqual([]);
    provider.withdrawals = [listed('wd_shop')];
    expect(await outsideShown(bo, key)).toEqual([]);
    expect(lists()).toBe(before + 1);
    expect(outcomeIn(await cy.approve([key]))).toMatchObject({ problem: UNSEEN });
    expect(await outsideShown(cy, key)).toMatchObject([{ id: 'wd_shop' }]);
    expect(lists()).toBe(before + 2);
    provider.withdrawals = [listed('wd_shop'), listed('wd_other')];
    expect(await outsideShown(cy, key, '?opened=true')).toHaveLength(2);
    expect(lists()).toBe(before + 3);
    expect(sent()).toEqual([]);
  },
);

test('the newest approval is the one that must have seen it, and Send then asks nothing', async () => {
  const { bo, cy, di, provider, sent } = await createApprovalWorld(database, needing(2));
  const key = await recordAwaitingPayment(bo);
  await cy.approve([key]);
  provider.withdrawals = [listed('wd_shop')];
  expect(outcomeIn(await di.approve([key], ['wd_other']))).toMatchObject({ problem: UNSEEN });
  provider.withdrawals = 'away';
  expect(outcomeIn(await di.approve([key], ['wd_shop']))).toMatchObject({ problem: expect.any(String) });
  provider.withdrawals = [listed('wd_shop')];
  expect((await sendPayment(bo, key)).status).toBe(200);
  await expect.poll(sent).toEqual([key]);
});

test('nobody is asked about what is older, known here, confirmed by the maker, or to others', async () => {
  const { bo, cy, provider, sent, withoutRules } = await createApprovalWorld(database);
  provider.withdrawals = [
    listed('wd_own'),
    listed('wd_confirmed'),
    listed('wd_other', { address: 'bc1qsomebody' }),
    listed('wd_old', { created_at: nowSeconds() - 25 * 3_600 }),
  ];
  const own = await recordAwaitingPayment(bo, { address: 'bc1qother' });
  await cy.approve([own]);
  await withoutRules(`update operations.operations set result_id = 'wd_own' where key = $1`, [own]);
  const key = await recordAwaitingPayment(bo, {}, { second_send_of: ['wd_confirmed'] });
  expect(await outsideShown(cy, key)).toEqual([]);
  await cy.approve([key]);
  await expect.poll(sent).toEqual([own, key]);
});

test('an approver is shown it though the provider’s created_at is an hour behind its clock', async () => {
  const { bo, cy, provider } = await createApprovalWorld(database);
  const key = await recordAwaitingPayment(bo);
  provider.withdrawals = [listed('wd_outside', { created_at: nowSeconds() - 3_600 })];
  expect(await outsideShown(cy, key)).toHaveLength(1);
});

describe('if the provider', () => {
  const listedOf = async (browser: TestBrowser, key: string) =>
    v.parse(approvalSchema, (await browser.call('GET', `/api/approvals/${key}`)).body).listed;

  test.runIf(DEEP)('doesn’t offer the list, the page says so, and the payment is sent', async () => {
    const { bo, cy, provider, sent } = await createApprovalWorld(database);
    provider.withdrawals = 'not-offered';
    const key = await recordAwaitingPayment(bo);
    expect(await listedOf(cy, key)).toBe('not-offered');
    await cy.approve([key]);
    await expect.poll(sent).toEqual([key]);
  });

  test.runIf(DEEP)('lists some that can’t be compared, the page says so, and the payment is sent', async () => {
    const { bo, cy, provider, sent } = await createApprovalWorld(database);
    provider.withdrawals = [{ ...listed('wd_1'), id: undefined }];
    const key = await recordAwaitingPayment(bo);
    expect(await listedOf(cy, key)).toBe('partly');
    await cy.approve([key]);
    await expect.poll(sent).toEqual([key]);
  });

  test('lists some that can’t be compared, the review of a batch says so', async () => {
    const { bo, provider } = await createApprovalWorld(database);
    expect(await listedInReviews(bo)).toEqual(['listed', 'listed']);
    provider.withdrawals = [{ ...listed('wd_1'), id: undefined }];
    expect(await listedInReviews(bo)).toEqual(['partly', 'partly']);
  });

  test('doesn’t answer, the page says so, and nothing is sent until it does', async () => {
    const { bo, cy, provider, sent } = await createApprovalWorld(database);
    provider.withdrawals = 'away';
    const key = await recordAwaitingPayment(bo);
    expect(await listedOf(cy, key)).toBe('unreadable');
    expect(outcomeIn(await cy.approve([key]))).toMatchObject({
      recorded: true,
      problem: expect.stringMatching('list of withdrawals couldn’t be loaded'),
    });
    expect(sent()).toEqual([]);
    provider.withdrawals = [];
    expect(await listedOf(cy, key)).toBe('listed');
    expect((await sendPayment(bo, key)).status).toBe(200);
    await expect.poll(sent).toEqual([key]);
  });
});

test('payments approved together are compared with one list', async () => {
  const { bo, cy, provider, service, sent } = await createApprovalWorld(database);
  const keys = [await recordAwaitingPayment(bo), await recordAwaitingPayment(bo, { address: 'bc1qother' })];
  provider.withdrawals = [listed('wd_shop')];
  const lists = () => service.seen.filter(({ url }) => url.includes('/v1/withdrawals?')).length;
  const before = lists();
  expect((await cy.approve(keys)).body['data']).toMatchObject([{ problem: UNSEEN }, { problem: null }]);
  expect(lists()).toBe(before + 1);
  await expect.poll(sent).toEqual([keys[1]]);
});
