import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serverActor } from '#src/server/commands/unwrittenAnswers.ts';
import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import type { Database } from '#src/server/database/sql.ts';
import { loadTeamRecords } from '#src/server/jobs/teamRecords.ts';
import { sha256 } from '#src/server/operations/rowText.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import { NO_RECIPIENT_RULES, type Policy } from '#src/shared/policy/policy.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import {
  type ApprovalWorld,
  withdrawalPutBody,
  batchOf,
  createApprovalWorld,
  FIELDS,
  needing,
  outcomeIn,
  recordSignedPayment,
  recordAwaitingPayment,
  sendPayment,
  startBatch,
  readOperationState,
  upTo,
} from './testApprovals.ts';
import type { TestBrowser } from './testBrowser.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { openPeopleDatabase } from './testPeopleWorld.ts';
import { DEEP } from '#src/tests/depth.ts';

// Payments that other people have to approve before they are sent.

let database: Database;
beforeAll(async () => {
  database = await openPeopleDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const createWorld = (policy?: Policy | null) => createApprovalWorld(database, policy);

test('a payment is sent once another person has approved it', async () => {
  const { bo, cy, sent } = await createWorld();
  const key = await recordAwaitingPayment(bo);
  expect(sent()).toEqual([]);
  expect(outcomeIn(await cy.approve([key]))).toMatchObject({ recorded: true, problem: null });
  await expect.poll(sent).toEqual([key]);
  expect((await bo.call('GET', `/api/operations/${key}`)).body).toMatchObject({
    operation: { approval: { needs: 1, policy: 2 } },
    approved: [{ person: cy.person, name: 'Cy' }],
  });
});

test('a payment, its attempts and its end name the people by id', async () => {
  const { bo, cy, sent } = await createWorld();
  const key = await recordAwaitingPayment(bo);
  await cy.approve([key]);
  await expect.poll(sent).toEqual([key]);
  expect((await bo.call('GET', `/api/operations/${key}`)).body).toMatchObject({
    operation: { who: 'Bo', person: bo.person, attempts: [{ who: 'Cy', person: cy.person }] },
  });
  const rejected = await recordAwaitingPayment(bo, { address: 'bc1qother' });
  await cy.call('POST', '/api/approvals', { decision: 'reject', keys: [rejected], reason: 'Paid already' });
  expect((await bo.call('GET', `/api/operations/${rejected}`)).body).toMatchObject({
    operation: { person: bo.person, ending: { who: 'Cy', person: cy.person } },
  });
});

test('people can’t approve their own payments, and operators and admins can’t approve any', async () => {
  const { ada, bo, di, sent } = await createWorld();
  const key = await recordAwaitingPayment(di);
  expect(outcomeIn(await di.approve([key]))).toMatchObject({
    recorded: false,
    problem: expect.stringMatching('prepared it yourself'),
  });
  for (const other of [ada, bo]) await expect(other.approve([key])).rejects.toThrow('403 not_permitted');
  expect(await readOperationState(bo, key)).toBe('awaiting');
  expect(sent()).toEqual([]);
});

test('if the rules ask for two approvals, two people must approve: signing twice counts once', async () => {
  const { bo, cy, di, sent } = await createWorld(needing(2));
  const key = await recordAwaitingPayment(bo);
  await cy.approve([key]);
  await cy.approve([key]);
  expect(await readOperationState(bo, key)).toBe('awaiting');
  expect(
    await bo.call('POST', `/api/operations/${key}/send`, { revision: 0, not_after: Date.now() + 60_000 }),
  ).toMatchObject({ status: 409, body: { error: { message: 'It needs 1 more approval.' } } });
  expect(sent()).toEqual([]);
  await di.approve([key]);
  await expect.poll(sent).toEqual([key]);
});

test('without a policy every payment needs one approval', async () => {
  const { bo } = await createWorld(null);
  const reply = await bo.call('POST', '/api/operations/review', withdrawalRequest(FIELDS));
  expect(reply.body['approval']).toEqual({
    needs: 1,
    why: ['no approval rules are set yet'],
  });
  await recordAwaitingPayment(bo);
});

describe('a signature', () => {
  test('covers exactly the payments and the unusual findings that the approver saw', async () => {
    const { bo, cy, sent } = await createWorld();
    const [key, other] = [await recordAwaitingPayment(bo), await recordAwaitingPayment(bo, { address: 'bc1qother' })];
    expect((await cy.approve([key], [], { keys: [other] })).status).toBe(403);
    expect((await cy.approve([key], [], { keys: [key, other] })).status).toBe(403);
    expect((await cy.approve([key], ['something'], { seen: [] })).status).toBe(403);
    expect((await cy.approve([key], [], { decision: 'send' })).status).toBe(422);
    expect(sent()).toEqual([]);
    expect((await bo.call('GET', `/api/operations/${key}`)).body['approved']).toEqual([]);
  });

  test('must be the signer’s own, and at most five minutes old', async () => {
    const { bo, cy, di, clock, sent } = await createWorld();
    const key = await recordAwaitingPayment(bo);
    const decision = { decision: 'approve', keys: [key], seen: [] };
    const rest = { ...decision, not_after: Date.now() + 60_000 };
    const others = { ...rest, proof: await bo.proofOf('POST', '/api/approvals', decision) };
    expect((await cy.call('POST', '/api/approvals', others)).status).toBe(403);
    const ticket = (await cy.call('POST', '/api/approvals/ticket', decision)).body;
    const { challenge } = ticket['options'] as { challenge: string };
    const here = { challenge, origin: 'https://money.example', rpId: 'money.example' };
    const signed = (by: TestBrowser) => ({
      ...rest,
      proof: { ticket: ticket['ticket'], response: by.authenticator.sign(here) },
    });
    expect((await cy.call('POST', '/api/approvals', signed(di))).status).toBe(403);
    expect((await di.call('POST', '/api/approvals', signed(cy))).status).toBe(403);
    clock.now += 6 * 60_000;
    expect((await cy.call('POST', '/api/approvals', signed(cy))).status).toBe(403);
    expect(sent()).toEqual([]);
  });

  test('of another account’s payment is impossible', async () => {
    const { bo } = await createWorld();
    const { cy } = await createWorld();
    const key = await recordAwaitingPayment(bo);
    await expect(cy.approve([key])).rejects.toThrow('404 not_recorded');
    expect(outcomeIn(await cy.reject([key]))).toEqual({
      key,
      recorded: false,
      problem: 'There is no such payment.',
      view: null,
    });
    expect(await readOperationState(bo, key)).toBe('awaiting');
  });
});

describe('an approval no longer counts', () => {
  const changes: [string, (world: ApprovalWorld, key: string) => Promise<unknown>][] = [
    ['the approver is blocked', ({ ada, cy }) => ada.call('POST', `/api/people/${cy.person}/block`, {})],
    [
      'the approver is only an operator now',
      ({ ada, cy }) => ada.act(`/api/people/${cy.person}/grant`, { permissions: ['view', 'prepare'] }),
    ],
    [
      'the approver lost the role and has it again',
      async ({ ada, cy }) => {
        await ada.act(`/api/people/${cy.person}/grant`, { permissions: ['view'] });
        await ada.act(`/api/people/${cy.person}/grant`, { permissions: ['view', 'approve'] });
      },
    ],
    ['the maker is blocked', ({ ada, bo }) => ada.call('POST', `/api/people/${bo.person}/block`, {})],
    [
      'the approver’s passkey has ended in the database',
      ({ cy }) => database.query('update people.passkeys set ended_at = 1 where person = $1', [cy.person]),
    ],
    [
      'somebody wrote another amount into the database, with its hashes',
      async (_, key) => {
        await database.script('alter table operations.operations disable trigger user');
        const [row] = await database.query<{ body: string }>('select body from operations.operations where key = $1', [
          key,
        ]);
        const body = (row?.body ?? '').replace('0.5', '5.5');
        await database.query(
          `update operations.operations set body = $2, body_sha256 = $3, content_sha256 = 'x', amount = 5.5 where key = $1`,
          [key, body, sha256(body)],
        );
        await database.script('alter table operations.operations enable trigger user');
      },
    ],
  ];

  test.each(changes)('once %s', async (_, change) => {
    const world = await createWorld(needing(2));
    const { bo, cy, di, sent } = world;
    const key = await recordAwaitingPayment(bo);
    await cy.approve([key]);
    await change(world, key);
    // One more approval would be enough if the first still counted.
    expect((await di.approve([key])).status).toBe(200);
    expect(sent()).toEqual([]);
  });

  test('and the payment then waits for another person, who can approve it', async () => {
    const { ada, bo, cy, di, colleague, sent } = await createWorld(needing(2));
    const key = await recordAwaitingPayment(bo);
    await cy.approve([key]);
    await ada.call('POST', `/api/people/${cy.person}/block`, {});
    expect(outcomeIn(await di.approve([key]))).toMatchObject({
      recorded: true,
      problem: null,
      view: { approved: [{ person: di.person }], disabled: { send: 'It needs 1 more approval.' } },
    });
    expect(sent()).toEqual([]);
    const eve = await colleague('Eve', ['view', 'approve']);
    expect((await eve.call('GET', `/api/approvals/${key}`)).body['approvers']).toMatchObject([{ name: 'Eve' }]);
    await eve.approve([key]);
    await expect.poll(sent).toEqual([key]);
  });

  test('if somebody wrote it directly to the database', async () => {
    const { bo, cy, di, sent } = await createWorld(needing(2));
    const key = await recordAwaitingPayment(bo);
    await cy.approve([key]);
    await database.query(
      `insert into people.signatures (id, service, person, passkey, decision, items, seen, ticket, client_data, authenticator_data, signature, session, at)
       select $3, service, $1, (select id from people.passkeys where person = $1), decision, items, seen, ticket, client_data, authenticator_data, signature, session, at
       from people.signatures where id = (select signature from people.signed where subject = $2)`,
      [di.person, key, `forged ${key}`],
    );
    await database.query(
      `insert into people.signed (signature, subject, content_sha256, person, decision)
       select $3, subject, content_sha256, $1, decision from people.signed where subject = $2`,
      [di.person, key, `forged ${key}`],
    );
    const send = { revision: 0, not_after: Date.now() + 60_000 };
    expect(await bo.call('POST', `/api/operations/${key}/send`, send)).toMatchObject({
      status: 409,
      body: { error: { message: 'It needs 1 more approval.' } },
    });
    expect(sent()).toEqual([]);
  });
});

describe('a rejection', () => {
  test('is final, needs a reason, and is shown to everybody', async () => {
    const { bo, cy, di, sent } = await createWorld();
    const key = await recordAwaitingPayment(bo);
    expect((await cy.reject([key], ' ')).status).toBe(422);
    expect(outcomeIn(await cy.reject([key], 'Wrong amount'))).toMatchObject({ recorded: true, problem: null });
    expect((await bo.call('GET', `/api/operations/${key}`)).body).toMatchObject({
      operation: { state: 'not-sent', ending: { by: 'reject', words: 'Wrong amount', who: 'Cy' } },
    });
    expect(outcomeIn(await di.approve([key]))).toMatchObject({ recorded: false });
    expect(
      (await bo.call('POST', `/api/operations/${key}/send`, { revision: 1, not_after: Date.now() + 60_000 })).status,
    ).toBe(409);
    expect(sent()).toEqual([]);
    const [line] = await database.query<{ kind: string; facts: string }>(
      'select kind, facts from activity.lines where subject = $1 order by number desc limit 1',
      [key],
    );
    expect(line).toMatchObject({ kind: 'operation.rejected', facts: expect.stringContaining('Wrong amount') });
  });

  test('overrides approvals, even in the database itself', async () => {
    const { bo, cy, di } = await createWorld(needing(2));
    const key = await recordAwaitingPayment(bo);
    await cy.approve([key]);
    await di.approve([key], []).then(() => undefined);
    const other = await recordAwaitingPayment(bo, { address: 'bc1qother' });
    await cy.approve([other]);
    await di.reject([other]);
    await database.script('alter table operations.operations disable trigger check_change');
    await expect(
      database.query("update operations.operations set state = 'sending' where key = $1", [other]),
    ).rejects.toThrow('rejected or stopped');
    await database.script('alter table operations.operations enable trigger check_change');
  });

  test('of one’s own payment is a withdrawal, which only the maker can make', async () => {
    const { bo, di } = await createWorld();
    const key = await recordAwaitingPayment(di);
    expect(outcomeIn(await di.reject([key]))).toMatchObject({ recorded: false });
    expect((await bo.call('DELETE', `/api/operations/${key}`)).status).toBe(409);
    expect((await di.call('DELETE', `/api/operations/${key}`)).body).toMatchObject({
      operation: { state: 'not-sent' },
    });
  });
});

describe('limits', () => {
  test('of one payment', async () => {
    const { bo, sent } = await createWorld(upTo({ each: '0.5' }));
    expect((await recordSignedPayment(bo, { amount: '0.500000000000000001' })).state).toBe('awaiting');
    expect(sent()).toEqual([]);
    expect((await recordSignedPayment(bo, { amount: '0.50', address: 'bc1qother' })).state).not.toBe('awaiting');
  });

  test('of 24 hours: the sum and the number of payments', async () => {
    const { bo } = await createWorld(upTo({ day: '0.9' }));
    expect((await recordSignedPayment(bo, { amount: '0.5' })).state).not.toBe('awaiting');
    expect((await recordSignedPayment(bo, { amount: '0.4000000001', address: 'bc1q2' })).state).toBe('awaiting');
    expect((await recordSignedPayment(bo, { amount: '0.4', address: 'bc1q3' })).state).not.toBe('awaiting');
    const second = await createWorld(upTo({ count: 1 }));
    expect((await recordSignedPayment(second.bo, { amount: '0.1', address: 'bc1q4' })).state).not.toBe('awaiting');
    expect((await recordSignedPayment(second.bo, { amount: '0.1', address: 'bc1q5' })).state).toBe('awaiting');
  });

  test('of 24 hours still count a payment that was sent with fewer approvals than it needed later', async () => {
    const { bo, policy } = await createWorld(upTo({ day: '0.9' }));
    expect((await recordSignedPayment(bo, { amount: '0.5' })).state).not.toBe('awaiting');
    await database.query('update operations.operations set needs = 1');
    await policy(upTo({ day: '0.8' }), 3);
    expect((await recordSignedPayment(bo, { amount: '0.4', address: 'bc1q2' })).state).toBe('awaiting');
  });

  test('that become stricter require more approvals, even of waiting payments', async () => {
    const { bo, cy, di, policy, sent } = await createWorld();
    const key = await recordAwaitingPayment(bo);
    await policy(needing(2), 3);
    expect(outcomeIn(await cy.approve([key]))).toMatchObject({
      recorded: true,
      problem: expect.stringMatching('needs 2 approvals now'),
    });
    expect(sent()).toEqual([]);
    await policy(needing(1), 4);
    // A payment never needs fewer approvals than before.
    expect((await bo.call('GET', `/api/operations/${key}`)).body).toMatchObject({
      operation: { approval: { needs: 2 } },
    });
    await di.approve([key]);
    await expect.poll(sent).toEqual([key]);
  });

  test('a payment needs at least as many approvals as its maker was shown', async () => {
    const { bo } = await createWorld(NO_APPROVALS);
    const key = await recordAwaitingPayment(bo, {}, { needs: 1 });
    expect(await readOperationState(bo, key)).toBe('awaiting');
  });

  test('a first payment to an address', async () => {
    const { bo } = await createWorld({
      ...needing(1),
      other_assets: 1,
      recipients: { ...NO_RECIPIENT_RULES, first_payment: 2 },
    });
    const reply = await bo.call('POST', '/api/operations/review', withdrawalRequest(FIELDS));
    expect(reply.body['approval']).toEqual({ needs: 2, why: ['first payment to this address'] });
  });
});

describe('other payments to the same address', () => {
  test('are shown as unusual, and an approver must have seen them', async () => {
    const { bo, cy, sent } = await createWorld();
    const first = await recordAwaitingPayment(bo);
    const refused = await bo.call('PUT', `/api/operations/${randomUUID()}`, withdrawalPutBody());
    expect(refused).toMatchObject({ status: 409, body: { look_alikes: { of: [{ id: first, status: 'awaiting' }] } } });
    const second = await recordAwaitingPayment(bo, {}, { second_send_of: [first] });
    expect(outcomeIn(await cy.approve([first]))).toMatchObject({
      recorded: true,
      problem: expect.stringMatching('did not see'),
    });
    expect(sent()).toEqual([]);
    const { body } = await cy.call('GET', `/api/approvals/${first}`);
    expect(body['unusual']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'look-alike',
          id: second,
          operation: second,
          text: 'Another payment of 0.5 BTC to this address waits for approval.',
        }),
      ]),
    );
    await cy.approve([first], [second]);
    await expect.poll(sent).toEqual([first]);
    await expect.poll(() => readOperationState(bo, first)).toBe('unconfirmed');
    expect((await cy.call('GET', `/api/approvals/${second}`)).body['unusual']).toContainEqual(
      expect.objectContaining({ kind: 'unresolved', operation: first }),
    );
  });
});

test('the list says who can approve, why it is needed, and by when', async () => {
  const { bo, cy, di } = await createWorld();
  const key = await recordAwaitingPayment(bo);
  const { body } = await cy.call('GET', '/api/approvals');
  expect(body).toMatchObject({
    waiting: [
      {
        view: { operation: { key } },
        maker: { person: bo.person, name: 'Bo' },
        why: ['payments of BTC'],
        unusual: [{ kind: 'first-payment' }],
        approvers: [
          { person: cy.person, name: 'Cy' },
          { person: di.person, name: 'Di' },
        ],
        earlier: [],
      },
    ],
    decided: [],
  });
});

test.runIf(DEEP)(
  'the list has 200 payments that wait, says how many more do, and goes on with those',
  async () => {
    const { bo, cy, withoutRules } = await createWorld();
    const key = await recordAwaitingPayment(bo);
    await withoutRules(
      `insert into operations.operations select (jsonb_populate_record(o,
       jsonb_build_object('key', 'copy ' || n, 'seq', o.seq + 1000 + n, 'place', 'place ' || n))).*
     from operations.operations o, generate_series(1, 202) n where o.key = $1`,
      [key],
    );
    const keysOf = (list: object) =>
      v
        .parse(
          v.object({ waiting: v.array(v.object({ view: v.object({ operation: v.object({ key: v.string() }) }) })) }),
          list,
        )
        .waiting.map(({ view }) => view.operation.key);
    const first = (await cy.call('GET', '/api/approvals')).body;
    expect(keysOf(first)).toHaveLength(200);
    expect(keysOf(first)[0]).toBe(key);
    const more = v.parse(v.object({ count: v.number(), after: v.string() }), first['more']);
    expect(more.count).toBe(3);
    const second = (await cy.call('GET', `/api/approvals?after=${more.after}`)).body;
    expect(keysOf(second)).toEqual(['copy 200', 'copy 201', 'copy 202']);
    expect(second['more']).toBeNull();
    expect((await cy.call('GET', '/api/approvals?after=x')).status).toBe(422);
  },
  60_000,
);

/** Ages a payment, or the lines of a batch, by this many hours. */
async function letLapse({ withoutRules }: ApprovalWorld, id: string, hours = 73): Promise<void> {
  const later = hours * 3_600;
  await withoutRules(
    `update operations.operations set recorded_service = recorded_service - $2::bigint, recorded_server = recorded_server - $3::bigint,
       recorded_database = recorded_database - $3::bigint, last_service = last_service - $2::bigint, last_server = last_server - $3::bigint
     where key = $1 or batch = $1`,
    [id, later, later * 1_000],
  );
}

test('the server ends payments that weren’t approved in time, and no others', async () => {
  const world = await createWorld();
  const { bo, operations } = world;
  const [key, other] = [await recordAwaitingPayment(bo), await recordAwaitingPayment(bo, { address: 'bc1qother' })];
  await letLapse(world, key);
  await operations.approvals.endLapsed(serverActor);
  const [row] = await database.query<{ state: string }>('select state from operations.operations where key = $1', [
    key,
  ]);
  expect(row?.state).toBe('not-sent');
  expect(await readOperationState(bo, other)).toBe('awaiting');
});

test('a payment that isn’t approved in time ends, and its status says so', async () => {
  const world = await createWorld();
  const { bo, cy, sent } = world;
  const key = await recordAwaitingPayment(bo);
  await letLapse(world, key);
  expect(outcomeIn(await cy.approve([key]))).toMatchObject({ recorded: true, problem: expect.any(String) });
  expect((await bo.call('GET', `/api/operations/${key}`)).body).toMatchObject({
    operation: { state: 'not-sent', ending: { by: 'lapse', words: 'It was not approved and sent within 72 hours.' } },
  });
  expect(sent()).toEqual([]);
});

test('the maker of a payment that needed approval can’t close it', async () => {
  const { bo, cy } = await createWorld();
  const key = await recordAwaitingPayment(bo);
  await database.script('alter table operations.operations disable trigger user');
  await database.query(`update operations.operations set state = 'unconfirmed', reason = 'no-answer' where key = $1`, [
    key,
  ]);
  await database.script('alter table operations.operations enable trigger user');
  const ending = { revision: 0, reason: 'It is known.' };
  expect((await bo.call('POST', `/api/operations/${key}/close`, ending)).status).toBe(409);
  expect((await cy.call('POST', `/api/operations/${key}/close`, ending)).status).toBe(200);
});

describe('an unconfirmed payment whose resends an approver stopped', () => {
  const stop = (browser: TestBrowser, key: string) =>
    browser.call('POST', '/api/approvals', { decision: 'stop', keys: [key], reason: 'The provider has it' });

  /** A payment of Bo's that was sent once and got no answer. */
  async function createUnconfirmed() {
    const world = await createWorld();
    const key = await recordAwaitingPayment(world.bo);
    await world.cy.approve([key]);
    await expect.poll(world.sent).toEqual([key]);
    await expect.poll(() => readOperationState(world.bo, key)).toBe('unconfirmed');
    await world.withoutRules(
      `update operations.operations set reason = 'no-answer', retry_at = null, asleep_until = null where key = $1`,
      [key],
    );
    return { ...world, key };
  }

  test('is never sent again, and its status says so', async () => {
    const { bo, cy, key, sent } = await createUnconfirmed();
    expect((await stop(bo, key)).status).toBe(403);
    expect((await bo.call('GET', `/api/operations/${key}`)).body['allowed']).toContain('resend');
    expect(outcomeIn(await stop(cy, key))).toMatchObject({ recorded: true, problem: null });
    expect((await bo.call('GET', `/api/operations/${key}`)).body).toMatchObject({
      operation: { state: 'unconfirmed' },
      allowed: ['check', 'close'],
      stopped: { name: 'Cy', reason: 'The provider has it' },
    });
    expect(await sendPayment(bo, key)).toMatchObject({
      status: 409,
      body: { error: { message: 'An approver stopped resending it. It can only be checked or closed.' } },
    });
    await cy.approve([key]);
    expect((await sendPayment(bo, key)).status).toBe(409);
    expect(sent()).toEqual([key]);
    expect(outcomeIn(await stop(cy, key))).toMatchObject({ recorded: false });
    expect(
      await database.query(
        "select kind, person from activity.lines where kind = 'operation.stopped' and subject = $1",
        [key],
      ),
    ).toEqual([{ kind: 'operation.stopped', person: cy.person }]);
  });

  test('is listed in its month’s files with the person who stopped it', async () => {
    const { cy, key, rows, owner } = await createUnconfirmed();
    await stop(cy, key);
    const team = { list: async () => ({ items: [], next: null, position: '0', complete: true }) };
    const { operations } = await loadTeamRecords({ team, rows, checksOf: () => [] }, owner, { from: 0, to: Infinity });
    expect(operations).toMatchObject([{ operation: { key }, stopped: { name: 'Cy', reason: 'The provider has it' } }]);
  });

  test('can’t be sent in the database itself, either', async () => {
    const { cy, key } = await createUnconfirmed();
    const update = () =>
      database.transaction(async (tx) => {
        await tx.query("update operations.operations set state = 'sending' where key = $1", [key]);
        throw new Error('The rules allow it.');
      });
    await expect(update()).rejects.toThrow('The rules allow it.');
    await stop(cy, key);
    await expect(update()).rejects.toThrow('rejected or stopped');
  });

  test('must be unconfirmed: a waiting payment can only be rejected', async () => {
    const { bo, cy } = await createWorld();
    const key = await recordAwaitingPayment(bo);
    expect(outcomeIn(await stop(cy, key))).toMatchObject({
      recorded: false,
      problem: 'Only what is unconfirmed is sent again.',
    });
    expect(await readOperationState(bo, key)).toBe('awaiting');
  });
});

test.each([
  ['', ''],
  [', recorded before anybody approved payments', ', needs = null, policy = null, wait_hours = null'],
])('an unconfirmed payment%s is resent only with the approvals of stricter rules', async (_, more) => {
  const { bo, cy, policy, sent } = await createWorld(NO_APPROVALS);
  const key = randomUUID();
  const request = withdrawalPutBody();
  const proof = await bo.signatureOver([{ key, body: request.body, second_send_of: [] }]);
  await bo.call('PUT', `/api/operations/${key}`, { ...request, proof });
  await expect.poll(sent).toEqual([key]);
  await expect.poll(() => readOperationState(bo, key)).toBe('unconfirmed');
  await database.script('alter table operations.operations disable trigger user');
  await database.query(
    `update operations.operations set reason = 'no-answer', retry_at = null, asleep_until = null ${more} where key = $1`,
    [key],
  );
  await database.script('alter table operations.operations enable trigger user');
  await policy(needing(1), 3);
  expect(await sendPayment(bo, key)).toMatchObject({
    status: 409,
    body: { error: { message: 'It needs 1 approval now: payments of BTC.' } },
  });
  expect(outcomeIn(await cy.approve([key]))).toMatchObject({ recorded: true, problem: null });
  expect(sent()).toEqual([key]);
  expect((await sendPayment(bo, key)).status).toBe(200);
  await expect.poll(sent).toEqual([key, key]);
});

test('the lines of a batch are approved by one signature, and sent when an operator starts it', async () => {
  const { bo, cy, sent } = await createWorld();
  const id = randomUUID();
  const lines = [2, 3].map((line) => ({
    line,
    body: withdrawalRequest({ ...FIELDS, address: `bc1qrecipient${line}` }).body,
    recipient: null,
    reference: null,
    second_send_of: [],
  }));
  const body = { lines, file: { name: null, text: 'pasted' }, again: null, not_after: Date.now() + 60_000 };
  const approval = { needs: 1, maker: bo.person, approved: [] };
  expect(await bo.call('PUT', `/api/batches/${id}`, body)).toMatchObject({ status: 201, body: { approval } });
  expect((await cy.call('GET', '/api/approvals')).body).toMatchObject({
    waiting: [],
    batches: [{ batch: { id, lines: 2 }, approval }],
  });
  const start = { revision: 0, not_after: Date.now() + 90_000 };
  expect((await bo.call('POST', `/api/batches/${id}/start`, start)).body).toMatchObject({
    error: { message: 'It needs 1 more approval.' },
  });
  await cy.approve(lines.map(({ line }) => `${id}.${line}`));
  expect((await bo.call('GET', `/api/batches/${id}`)).body).toMatchObject({ approval: { approved: [{ name: 'Cy' }] } });
  const listed = async () => (await bo.call('GET', '/api/approvals')).body['batches'];
  expect(await listed()).toMatchObject([{ batch: { id }, approval: { approved: [{ name: 'Cy' }] } }]);
  expect(sent()).toEqual([]);
  expect((await bo.call('POST', `/api/batches/${id}/start`, start)).status).toBe(200);
  expect(await listed()).toEqual([]);
  await expect.poll(sent).toContain(`${id}.2`);
});

test('a batch can be started for as long as its approvals may take', async () => {
  const { bo } = await createWorld({ ...needing(1), expires_hours: 168 });
  const id = randomUUID();
  const recorded = await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5']));
  const { body } = await bo.call('GET', '/api/batches');
  for (const batch of [recorded.body['batch'], (body['data'] as unknown[])[0]])
    expect(batch).toMatchObject({ id, startable_hours: 168 });
});

describe.runIf(DEEP)('the notice of a decision about a batch', () => {
  /** Bo's batch of two lines, which needs two approvals. */
  async function createBatch() {
    const causes: (NoticeCause & { now: number })[] = [];
    const world = await createApprovalWorld(database, needing(2), {
      raise: async (_, cause, now) => void causes.push({ ...cause, now }),
    });
    const id = randomUUID();
    expect((await world.bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5', '0.6']))).status).toBe(201);
    /** Takes the notices raised since about this batch. */
    const raised = () => causes.splice(0).filter(({ subject }) => subject === id);
    raised();
    return { ...world, id, raised };
  }
  const events = (causes: readonly NoticeCause[]) => causes.map(({ event }) => event);

  test('says that it was approved once all its payments have enough approvals, and once only', async () => {
    const { cy, di, id, raised } = await createBatch();
    await cy.approve([`${id}.2`, `${id}.3`]);
    await di.approve([`${id}.2`]);
    expect(events(raised())).toEqual([]);
    await di.approve([`${id}.3`]);
    expect(events(raised())).toEqual(['batch.approved']);
    await cy.approve([`${id}.2`, `${id}.3`]);
    expect(events(raised())).toEqual([]);
  });

  test('tells the maker of excluded lines, and of several in a minute once', async () => {
    const { cy, id, raised } = await createBatch();
    for (const line of [2, 3]) await cy.call('POST', `/api/batches/${id}/exclude`, { line });
    const causes = raised();
    expect(events(causes)).toEqual(['batch.rejected', 'batch.rejected']);
    for (const { episode, now } of causes) expect(episode).toBe(`rejected ${Math.floor(now / 60_000)}`);
  });

  test('tells the maker that an approver withdrew it, not that they did so themselves', async () => {
    const { cy, id, raised } = await createBatch();
    await cy.call('POST', `/api/batches/${id}/withdraw`, {});
    expect(events(raised())).toEqual(['batch.rejected']);
    const own = await createBatch();
    await own.bo.call('POST', `/api/batches/${own.id}/withdraw`, {});
    expect(events(own.raised())).toEqual([]);
  });

  test('says once that all of it was rejected', async () => {
    const { cy, id, raised } = await createBatch();
    await cy.reject([`${id}.2`, `${id}.3`]);
    expect(events(raised())).toEqual(['batch.rejected']);
  });
});

test('a batch waits for approvals again once its approver is blocked', async () => {
  const { ada, bo, cy, di } = await createWorld();
  const id = randomUUID();
  await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5']));
  await cy.approve([`${id}.2`]);
  // An operator has to start it.
  expect((await di.call('GET', '/api/approvals')).body).toMatchObject({
    batches: [{ batch: { id }, approval: { needs: 1, approved: [{ name: 'Cy' }] } }],
  });
  await ada.call('POST', `/api/people/${cy.person}/block`, {});
  expect((await di.call('GET', '/api/approvals')).body).toMatchObject({
    batches: [{ batch: { id }, approval: { needs: 1, approved: [] } }],
  });
});

describe.runIf(DEEP)('a batch that was not approved and sent in time', () => {
  const batchIn = async (id: string) => {
    const [batch] = await database.query('select state, why from operations.batches where id = $1', [id]);
    const lines = await database.query<{ state: string }>(
      'select state from operations.operations where batch = $1 order by line',
      [id],
    );
    return { ...batch, lines: lines.map(({ state }) => state) };
  };

  test('is ended by the server, with a line in the activity log', async () => {
    const world = await createWorld();
    const { bo, operations } = world;
    const [id, other] = [randomUUID(), randomUUID()];
    for (const each of [id, other])
      expect((await bo.call('PUT', `/api/batches/${each}`, batchOf(each, ['0.5', '0.6']))).status).toBe(201);
    await letLapse(world, id);
    await letLapse(world, other, 71);
    await operations.approvals.endLapsed(serverActor);
    expect(await batchIn(id)).toEqual({ state: 'done', why: 'lapsed', lines: ['not-sent', 'not-sent'] });
    expect(await batchIn(other)).toEqual({ state: 'waiting', why: null, lines: ['awaiting', 'awaiting'] });
    expect(
      await database.query(`select kind, subject, facts, person from activity.lines where kind = 'batch.lapsed'`),
    ).toEqual([{ kind: 'batch.lapsed', subject: id, facts: '{"payments":"2"}', person: null }]);
  });

  test('ends when somebody opens it, even if it was approved but not sent', async () => {
    const world = await createWorld();
    const { bo, cy, sent } = world;
    const id = randomUUID();
    await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5']));
    await cy.approve([`${id}.2`]);
    await letLapse(world, id);
    expect((await bo.call('GET', `/api/batches/${id}`)).body).toMatchObject({
      batch: { state: 'done', why: 'lapsed' },
      lines: [{ state: 'not-sent' }],
    });
    expect((await startBatch(bo, id)).status).toBe(409);
    expect(sent()).toEqual([]);
    expect((await bo.call('GET', `/api/operations/${id}.2`)).body).toMatchObject({
      operation: { ending: { by: 'lapse', words: 'It was not approved and sent within 72 hours.' } },
    });
  });

  test('isn’t ended while there is still time by one of the clocks', async () => {
    const world = await createWorld();
    const { bo, operations } = world;
    const id = randomUUID();
    await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5']));
    await world.withoutRules(
      'update operations.operations set recorded_database = recorded_database - $2::bigint where batch = $1',
      [id, 73 * 3_600_000],
    );
    await operations.approvals.endLapsed(serverActor);
    expect(await batchIn(id)).toEqual({ state: 'waiting', why: null, lines: ['awaiting'] });
  });
});

describe.runIf(DEEP)('what a person prepared and nobody sent', () => {
  const endings: [string, string, (world: ApprovalWorld) => Promise<{ status: number }>][] = [
    [
      'they are blocked',
      'Whoever prepared it was blocked.',
      ({ ada, bo }) => ada.call('POST', `/api/people/${bo.person}/block`, {}),
    ],
    [
      'they may no longer prepare payments',
      'Whoever prepared it may no longer prepare payments.',
      ({ ada, bo }) => ada.act(`/api/people/${bo.person}/grant`, { permissions: ['view', 'approve'] }),
    ],
  ];

  test.each(endings)('ends as not sent once %s, with lines of the activity', async (_, words, end) => {
    const world = await createWorld();
    const { bo, cy, di, sent } = world;
    const key = await recordAwaitingPayment(bo);
    const other = await recordAwaitingPayment(di, { address: 'bc1qother' });
    const id = randomUUID();
    expect((await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5', '0.6']))).status).toBe(201);
    expect((await end(world)).status).toBe(204);
    expect((await di.call('GET', '/api/approvals')).body).toMatchObject({
      waiting: [{ view: { operation: { key: other } } }],
      batches: [],
    });
    const ending = { by: 'discard', words, who: 'Ada' };
    expect((await di.call('GET', `/api/operations/${key}`)).body).toMatchObject({
      operation: { state: 'not-sent', ending },
    });
    expect((await di.call('GET', `/api/batches/${id}`)).body).toMatchObject({
      batch: { state: 'done', why: 'maker-not-permitted' },
      lines: [{ state: 'not-sent' }, { state: 'not-sent' }],
    });
    const lines = await database.query(
      `select kind, person, who, facts::jsonb ->> 'words' as words, facts::jsonb ->> 'payments' as payments
       from activity.lines where subject in ($1, $2) and kind not like '%.recorded' order by number`,
      [key, id],
    );
    const by = { person: expect.any(String), who: 'Ada', words };
    expect(lines).toEqual([
      { kind: 'operation.discarded', ...by, payments: null },
      { kind: 'batch.withdrawn', ...by, payments: '2' },
    ]);
    expect(outcomeIn(await cy.approve([key]))).toMatchObject({ recorded: false });
    expect(sent()).toEqual([]);
  });

  test('ends as not sent once the server’s console gives them other roles', async () => {
    const { account, people, bo, di } = await createWorld();
    const key = await recordAwaitingPayment(bo);
    await database.query("update people.grants set ended_at = 1 where permission = 'admin'");
    await people.grantFromConsole(account, { name: 'Bo', permissions: ['view', 'prepare'], words: 'the admin left' });
    expect(await readOperationState(di, key)).toBe('awaiting');
    await people.grantFromConsole(account, { name: 'Bo', permissions: ['view', 'admin'], words: 'the admin left' });
    expect((await di.call('GET', `/api/operations/${key}`)).body).toMatchObject({
      operation: {
        state: 'not-sent',
        ending: { by: 'discard', words: 'Whoever prepared it may no longer prepare payments.', who: null },
      },
    });
  });

  test('ends even while a server is about to send it', async () => {
    const { ada, bo, di } = await createWorld();
    const key = await recordAwaitingPayment(bo);
    await database.query('update operations.operations set lease_until = $2 where key = $1', [
      key,
      Date.now() + 30_000,
    ]);
    await ada.call('POST', `/api/people/${bo.person}/block`, {});
    expect(await readOperationState(di, key)).toBe('not-sent');
  });
});

test('a payment that was sent stays as it is when its maker is blocked', async () => {
  const { ada, bo, cy, di, sent } = await createWorld();
  const key = await recordAwaitingPayment(bo);
  await cy.approve([key]);
  await expect.poll(sent).toEqual([key]);
  const state = await readOperationState(di, key);
  await ada.call('POST', `/api/people/${bo.person}/block`, {});
  expect(await readOperationState(di, key)).toBe(state);
});

test('rejecting what is left of a batch ends its run, so that nothing of it is retried', async () => {
  const { bo, cy } = await createWorld();
  const id = randomUUID();
  await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5', '0.6']));
  const now = Date.now();
  await database.query(
    `update operations.batches set state = 'running', run = 'run_1', lease_until = $2, run_until = $3 where id = $1`,
    [id, now + 50_000, now + 3_600_000],
  );
  const reject = (key: string) =>
    cy.call('POST', '/api/approvals', { decision: 'reject', keys: [key], reason: 'Not due.' });
  const batch = () => database.query('select state, why, run from operations.batches where id = $1', [id]);
  await reject(`${id}.2`);
  expect(await batch()).toEqual([{ state: 'running', why: null, run: 'run_1' }]);
  await reject(`${id}.3`);
  expect(await batch()).toEqual([{ state: 'done', why: 'rejected', run: null }]);
});

test('the review of a recorded batch compares its payments with all others, but not with each other', async () => {
  const { bo, cy } = await createWorld();
  const id = randomUUID();
  const batch = batchOf(id, ['0.5', '0.5', '0.5']);
  const [first, second] = [0, 1].map((at) => ({ address: `bc1q${id}${at}` }));
  const rejected = await recordAwaitingPayment(bo, first);
  await cy.reject([rejected], 'Wrong amount');
  const refusedBefore = [{ key: rejected, by: 'reject', words: 'Wrong amount', who: 'Cy' }];
  const lines = batch.lines.map(({ line, body, recipient, reference }) => ({ line, body, recipient, reference }));
  expect((await bo.call('POST', '/api/batches/review', { lines })).body['lines']).toMatchObject([
    { line: 2, refused_before: refusedBefore },
  ]);
  expect((await bo.call('PUT', `/api/batches/${id}`, batch)).status).toBe(201);
  const alike = await recordAwaitingPayment(bo, second, { second_send_of: [`${id}.3`] });
  expect((await cy.call('GET', `/api/batches/${id}/review`)).body).toMatchObject({
    same: null,
    lines: [
      { line: 2, of: [], batches: [], refused_before: refusedBefore },
      { line: 3, of: [{ id: alike, status: 'awaiting' }], batches: [], refused_before: [] },
    ],
    approval: { needs: 1, why: ['payments of BTC'] },
  });
});

test('the review of a recorded batch says that the policy has changed since', async () => {
  const { bo, cy, policy } = await createWorld();
  const id = randomUUID();
  await bo.call('PUT', `/api/batches/${id}`, batchOf(id, ['0.5', '0.5']));
  const isChanged = async () => (await cy.call('GET', `/api/batches/${id}/review`)).body['policy_changed'];
  expect(await isChanged()).toBe(false);
  await policy(needing(1), 3);
  expect(await isChanged()).toBe(true);
});

test('a batch whose lines are all rejected is done', async () => {
  const { bo, cy } = await createWorld();
  const id = randomUUID();
  const line = { line: 2, body: withdrawalPutBody().body, recipient: null, reference: null, second_send_of: [] };
  const body = { lines: [line], file: { name: null, text: 'pasted' }, again: null, not_after: Date.now() + 60_000 };
  await bo.call('PUT', `/api/batches/${id}`, body);
  expect(outcomeIn(await cy.reject([`${id}.2`]))).toMatchObject({ recorded: true });
  expect((await bo.call('GET', `/api/batches/${id}`)).body).toMatchObject({
    batch: { state: 'done', why: 'rejected' },
  });
});

test('the total of a batch counts as one payment', async () => {
  const policy: Policy = {
    ...needing(1),
    assets: [{ asset: 'BTC', steps: [{ approvals: 0, each: '0.9', day: '10', count: 2 }], above: 1 }],
  };
  const { bo } = await createWorld(policy);
  const lines = [2, 3].map((line) => ({
    line,
    body: withdrawalRequest({ ...FIELDS, address: `bc1qrecipient${line}` }).body,
    recipient: null,
    reference: null,
  }));
  expect((await bo.call('POST', '/api/batches/review', { lines })).body['approval']).toEqual({
    needs: 1,
    why: ['more than 0.9 BTC'],
  });
  expect((await bo.call('POST', '/api/batches/review', { lines: lines.slice(0, 1) })).body['approval']).toEqual({
    needs: 0,
    why: [],
  });
});
