import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#src/server/database/sql.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import {
  withdrawalPutBody,
  batchOf,
  createApprovalWorld,
  FIELDS,
  needing,
  outcomeIn,
  pausedBatch,
  recordSignedPayment,
  recordAwaitingPayment,
  sendPayment,
  signatureOverBatch,
  startBatch,
  readOperationState,
  upTo,
} from './testApprovals.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { openPeopleDatabase } from './testPeopleWorld.ts';
import { DEEP } from '#src/tests/depth.ts';

// Attempts to get around the limits of a policy, and around people's decisions.

let database: Database;
beforeAll(async () => {
  database = await openPeopleDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const createWorld = (policy?: Policy) => createApprovalWorld(database, policy);

describe('the limits of 24 hours', () => {
  test('don’t accept negative amounts, alone or in a batch', async () => {
    const { bo, sent } = await createWorld(upTo({}));
    const key = randomUUID();
    expect((await bo.call('PUT', `/api/operations/${key}`, withdrawalPutBody({ amount: '-1000' }))).status).toBe(422);
    const id = randomUUID();
    const body = batchOf(id, ['1000000', '-999999.9']);
    const proof = await signatureOverBatch(bo, id, body);
    expect((await bo.call('PUT', `/api/batches/${id}`, { ...body, proof })).status).toBe(422);
    expect(sent()).toEqual([]);
  });

  test('count payments last sent within 24 hours, whenever they were recorded', async () => {
    const { bo, sent, withoutRules } = await createWorld(upTo({}));
    const { key } = await recordSignedPayment(bo, { amount: '0.9', address: 'bc1qa' });
    await expect.poll(sent).toEqual([key]);
    const hours = 25 * 3_600;
    await withoutRules(
      `update operations.operations set first_service = first_service - $2::bigint, first_server = first_server - $3::bigint,
         first_database = first_database - $3::bigint where key = $1`,
      [key, hours, hours * 1_000],
    );
    expect((await recordSignedPayment(bo, { amount: '0.5', address: 'bc1qb' })).state).toBe('awaiting');
  });

  test('count payments first sent within 24 hours, even if the database says that they were last sent before', async () => {
    const { bo, sent } = await createWorld(upTo({}));
    const { key } = await recordSignedPayment(bo, { amount: '0.9', address: 'bc1qa' });
    await expect.poll(sent).toEqual([key]);
    const hours = 25 * 3_600;
    await database.query(
      `update operations.operations set last_service = last_service - $2::bigint, last_server = last_server - $3::bigint,
         last_database = last_database - $3::bigint where key = $1`,
      [key, hours, hours * 1_000],
    );
    expect((await recordSignedPayment(bo, { amount: '0.5', address: 'bc1qb' })).state).toBe('awaiting');
  });

  test('no longer count payments first and last sent before', async () => {
    const { bo, sent, withoutRules } = await createWorld(upTo({}));
    const { key } = await recordSignedPayment(bo, { amount: '0.9', address: 'bc1qa' });
    await expect.poll(sent).toEqual([key]);
    const earlier = ['first', 'last'].flatMap((send) => [
      `${send}_service = ${send}_service - 90000`,
      ...['server', 'database'].map((clock) => `${send}_${clock} = ${send}_${clock} - 90000000`),
    ]);
    await withoutRules(`update operations.operations set ${earlier.join(', ')} where key = $1`, [key]);
    const { key: next } = await recordSignedPayment(bo, { amount: '0.5', address: 'bc1qb' });
    await expect.poll(sent).toEqual([key, next]);
  });

  test('count a payment that was sent without approvals as such, even if it would need some now', async () => {
    const { bo, cy, policy, sent, withoutRules } = await createWorld(upTo({}));
    const { key } = await recordSignedPayment(bo, { amount: '0.9', address: 'bc1qa' });
    await expect.poll(sent).toEqual([key]);
    await expect.poll(() => readOperationState(bo, key)).toBe('unconfirmed');
    await withoutRules(
      "update operations.operations set reason = 'no-answer', retry_at = null, asleep_until = null where key = $1",
      [key],
    );
    await policy(upTo({ each: '0.5' }), 3);
    expect((await sendPayment(bo, key)).status).toBe(409);
    await cy.approve([key]);
    expect((await recordSignedPayment(bo, { amount: '0.5', address: 'bc1qc' })).state).toBe('awaiting');
  });

  test('count a payment that ended as refused but was executed', async () => {
    const { bo, sent, withoutRules } = await createWorld(upTo({}));
    const { key } = await recordSignedPayment(bo, { amount: '0.9', address: 'bc1qa' });
    await expect.poll(sent).toEqual([key]);
    await withoutRules(
      "update operations.operations set state = 'refused', reason = null, result_id = $2, result = '{}' where key = $1",
      [key, `wd_${key}`],
    );
    expect((await recordSignedPayment(bo, { amount: '0.9', address: 'bc1qb' })).state).toBe('awaiting');
  });
});

test('a payment that a blocked maker prepared is not sent when they get their role back', async () => {
  const { ada, bo, cy, di, sent, withoutRules } = await createWorld(needing(2));
  const key = await recordAwaitingPayment(bo);
  await cy.approve([key]);
  await ada.call('POST', `/api/people/${bo.person}/block`, {});
  await ada.act(`/api/people/${bo.person}/grant`, { permissions: ['view', 'prepare'] });
  // The block ended it. Even somebody who makes it wait again, in the database, can't have it sent.
  await withoutRules(
    `update operations.operations set state = 'awaiting', ending = null, ended_service = null, ended_server = null,
       ended_database = null where key = $1`,
    [key],
  );
  expect(outcomeIn(await di.approve([key]))).toMatchObject({ problem: expect.stringMatching('was blocked since') });
  expect(sent()).toEqual([]);
});

describe('another payment to the same address', () => {
  test('that is made later doesn’t count as seen by the maker, even if they named its key before', async () => {
    const { bo, cy, sent } = await createWorld();
    const [first, second] = [randomUUID(), randomUUID()];
    await bo.call('PUT', `/api/operations/${first}`, withdrawalPutBody({}, { second_send_of: [second] }));
    await bo.call('PUT', `/api/operations/${second}`, withdrawalPutBody({}, { second_send_of: [first] }));
    expect(outcomeIn(await cy.approve([first]))).toMatchObject({ problem: expect.stringMatching('did not see') });
    expect(sent()).toEqual([]);
    const { body } = await cy.call('GET', `/api/approvals/${first}`);
    expect(body['unusual']).toContainEqual(expect.objectContaining({ kind: 'look-alike', id: second }));
  });

  test('counts as seen only by approvers whose approval counts', async () => {
    const { bo, cy, di, colleague, sent } = await createWorld(needing(2));
    const ed = await colleague('Ed', ['view', 'approve']);
    const first = await recordAwaitingPayment(bo);
    // Approved too late to be sent, when there was nothing unusual to see.
    for (const one of [cy, di]) await one.approve([first], [], { not_after: Date.now() - 1 });
    const second = await recordAwaitingPayment(bo, {}, { second_send_of: [first] });
    await ed.approve([first], [second], { not_after: Date.now() - 1 });
    await database.query('update people.passkeys set ended_at = 1 where person = $1', [ed.person]);
    expect((await sendPayment(bo, first)).status).toBe(409);
    expect(sent()).toEqual([]);
  });

  test('in a waiting batch must be confirmed, and the batch waits for the payment that was made', async () => {
    const { bo, cy, sent } = await createWorld();
    const id = randomUUID();
    const request = batchOf(id, ['0.5']);
    await bo.call('PUT', `/api/batches/${id}`, request);
    await cy.approve([`${id}.2`]);
    const single = { ...withdrawalRequest(FIELDS), body: request.lines[0]?.body ?? '' };
    const refused = await bo.call('PUT', `/api/operations/${randomUUID()}`, { ...withdrawalPutBody(), ...single });
    expect(refused).toMatchObject({ status: 409, body: { look_alikes: { of: [{ id: `${id}.2` }] } } });
    await bo.call('PUT', `/api/operations/${randomUUID()}`, {
      ...withdrawalPutBody(),
      ...single,
      second_send_of: [`${id}.2`],
    });
    await startBatch(bo, id);
    expect(await pausedBatch(bo, id)).toMatchObject({ why: 'skipped' });
    expect(sent()).toEqual([]);
  });
});

describe('a batch', () => {
  test('needs, at each line, the approvals that the current rules require for the whole batch', async () => {
    const { bo, policy, sent } = await createWorld(NO_APPROVALS);
    const id = randomUUID();
    const request = batchOf(id, ['1', '1']);
    const [first] = request.lines;
    if (first) first.body = withdrawalRequest({ ...FIELDS, asset: 'USDT', chain: 'tron', amount: '1' }).body;
    const proof = await signatureOverBatch(bo, id, request);
    expect((await bo.call('PUT', `/api/batches/${id}`, { ...request, proof })).status).toBe(201);
    const steps = [{ approvals: 0, each: '10', day: '10', count: 9 }];
    await policy({ ...needing(1), assets: [{ asset: 'USDT', steps, above: 1 }] }, 3);
    await startBatch(bo, id);
    expect(await pausedBatch(bo, id)).toMatchObject({ why: 'unapproved', why_line: 2 });
    expect(sent()).toEqual([]);
  });

  test('needs the approvals of stricter rules at all its lines, also at one that waits for another payment', async () => {
    const { bo, cy, policy, sent } = await createWorld();
    const id = randomUUID();
    const request = batchOf(id, ['0.5', '0.5', '0.5']);
    await bo.call('PUT', `/api/batches/${id}`, request);
    await cy.approve([2, 3, 4].map((line) => `${id}.${line}`));
    await recordAwaitingPayment(bo, { address: `bc1q${id}0` }, { second_send_of: [`${id}.2`] });
    await policy(needing(2), 3);
    await startBatch(bo, id);
    expect(await pausedBatch(bo, id)).toMatchObject({ why: 'unapproved', why_line: 3 });
    expect(sent()).toEqual([]);
    const approval = { needs: 2, approved: [{ name: 'Cy' }] };
    expect((await bo.call('GET', `/api/batches/${id}`)).body).toMatchObject({ approval });
    expect((await bo.call('GET', '/api/approvals')).body).toMatchObject({ batches: [{ batch: { id }, approval }] });
    expect((await startBatch(bo, id)).body).toMatchObject({ error: { message: 'It needs 1 more approval.' } });
  });

  test('names those who approved each line', async () => {
    const { bo, cy, di } = await createWorld(needing(2));
    const id = randomUUID();
    await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5', '0.5', '0.5']));
    await cy.approve([`${id}.2`, `${id}.3`]);
    await di.approve([`${id}.3`]);
    expect((await bo.call('GET', `/api/batches/${id}`)).body).toMatchObject({
      lines: [{ approved_by: ['Cy'] }, { approved_by: ['Cy', 'Di'] }, { approved_by: [] }],
    });
  });

  test('whose server died while it was sent, and that lost its approvals, is listed in Approvals', async () => {
    const { bo, di } = await createWorld();
    const id = randomUUID();
    await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5']));
    await database.query(
      `update operations.batches set state = 'running', run = 'run_1', lease_until = 1, run_until = $2 where id = $1`,
      [id, Date.now() + 3_600_000],
    );
    expect((await di.call('GET', '/api/approvals')).body).toMatchObject({ batches: [{ batch: { id } }] });
  });

  test.runIf(DEEP)(
    'that was approved under stricter rules doesn’t stop at each line',
    async () => {
      const { bo, cy, di, policy, withoutRules } = await createWorld();
      const id = randomUUID();
      await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5', '0.5', '0.5']));
      const keys = [2, 3, 4].map((line) => `${id}.${line}`);
      await cy.approve(keys);
      await policy(needing(2), 3);
      await startBatch(bo, id);
      expect(await pausedBatch(bo, id)).toMatchObject({ why: 'unapproved', why_line: 2 });
      await di.approve(keys);
      await startBatch(bo, id);
      expect(await pausedBatch(bo, id)).toMatchObject({ why: 'unconfirmed', why_line: 2 });
      await withoutRules(
        "update operations.operations set state = 'refused', reason = null, retry_at = null where key = $1",
        [`${id}.2`],
      );
      await startBatch(bo, id);
      expect(await pausedBatch(bo, id)).toMatchObject({ why: 'unconfirmed', why_line: 3 });
    },
    60_000,
  );

  test('and its lines can’t be withdrawn by another operator; an approver’s withdrawal is a rejection', async () => {
    const { ada, bo, cy } = await createWorld();
    const id = randomUUID();
    await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5', '0.5']));
    expect((await ada.call('DELETE', `/api/operations/${id}.2`)).status).toBe(409);
    expect((await ada.call('POST', `/api/batches/${id}/exclude`, { line: 2 })).status).toBe(403);
    expect(await ada.call('POST', `/api/batches/${id}/withdraw`, {})).toMatchObject({
      status: 403,
      body: {
        error: { message: expect.stringMatching('Only an approver can end a batch that somebody else prepared') },
      },
    });
    expect((await cy.call('POST', `/api/batches/${id}/exclude`, { line: 2 })).status).toBe(200);
    expect((await cy.call('POST', `/api/batches/${id}/withdraw`, {})).status).toBe(200);
    const rejected = await database.query(
      "select subject from people.signed where subject like $1 and decision = 'reject' order by subject",
      [`${id}.%`],
    );
    expect(rejected).toEqual([{ subject: `${id}.2` }, { subject: `${id}.3` }]);
  });
});

test('an approver sees that the same payment was rejected before, however it was spelled', async () => {
  const { bo, cy } = await createWorld();
  const rejected = await recordAwaitingPayment(bo, { asset: 'BTC', amount: '0.5' });
  await cy.reject([rejected], 'Fraud');
  const again = await recordAwaitingPayment(bo, { asset: 'btc', amount: '0.50' });
  expect((await cy.call('GET', `/api/approvals/${again}`)).body['unusual']).toContainEqual(
    expect.objectContaining({ kind: 'rejected-before', operation: rejected }),
  );
});

test('a decision has room for the longest key and all its unusual findings; an invalid key is not found', async () => {
  const { bo, cy } = await createWorld();
  const key = 'k'.repeat(255);
  await bo.call('PUT', `/api/operations/${key}`, withdrawalPutBody());
  await cy.reject([key]);
  const again = await recordAwaitingPayment(bo);
  const { body } = await cy.call('GET', `/api/approvals/${again}`);
  const seen = (body['unusual'] as { id: string }[]).map(({ id }) => id);
  expect(seen).toContain(`rejected ${key}`);
  expect((await cy.approve([again], seen)).status).toBe(200);
  expect((await cy.call('GET', '/api/approvals/%00')).status).toBe(404);
});
