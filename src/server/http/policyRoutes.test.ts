import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#src/server/database/sql.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import { POLICY_COLUMNS, type PolicyRow } from '#src/server/people/peopleRows.ts';
import { createPolicyRows } from '#src/server/people/policies.ts';
import { endAllPendingIn, endAllPeopleIn } from '#src/server/people/sealedTables.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { WAITS_FOR_ADMIN } from '#src/server/people/waits.ts';
import { type PolicyAnswer, policyAnswerSchema } from '#src/shared/contract/policyContract.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { NO_RECIPIENT_RULES, type Policy } from '#src/shared/policy/policy.ts';
import type { TestReply, TestBrowser } from './testBrowser.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { createPeopleWorld, openPeopleDatabase } from './testPeopleWorld.ts';
import { DEEP } from '#src/tests/depth.ts';

let database: Database;
beforeAll(async () => {
  database = await openPeopleDatabase();
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const HOUR = 60 * 60 * 1_000;
const seals = createSeals(Buffer.from('a key of the tests'));
const EVERYTHING: Policy = { ...NO_APPROVALS, other_assets: 1 };
const LIMITED: Policy = {
  ...EVERYTHING,
  assets: [{ asset: 'BTC', steps: [{ approvals: 0, each: '1', day: '5', count: 20 }], above: 1 }],
};

/** An admin without colleagues; without a policy, too, unless one is passed. */
async function createWorld({ policy = null }: { policy?: Policy | null } = {}) {
  const world = await createPeopleWorld(database);
  const { account } = world;
  await world.policy(null);
  if (policy !== null) await world.policy(policy);
  const ada = await world.firstAdmin();
  const read = async (browser: TestBrowser = ada) =>
    v.parse(policyAnswerSchema, (await browser.call('GET', '/api/policy')).body);
  const newest = async () => (await read()).newest;
  const propose = async (browser: TestBrowser, next: Policy, number?: number) =>
    browser.act('/api/policy', { policy: next, number: number ?? (await newest()) }, 'PUT');
  const confirm = (browser: TestBrowser, number: number) => browser.act(`/api/policy/${number}/confirm`, {});
  const veto = (browser: TestBrowser, number: number) => browser.call('POST', `/api/policy/${number}/veto`, {});
  const rows = () =>
    database.query<PolicyRow>(`select ${POLICY_COLUMNS} from people.policies where account = $1 order by number`, [
      account,
    ]);
  /** Moves all times into the past, as if this much time had passed. */
  async function pass(ms: number): Promise<void> {
    const earlier = (time: string) => (time === WAITS_FOR_ADMIN ? time : String(Number(time) - ms));
    const before = await rows();
    await database.query('delete from people.policies where account = $1', [account]);
    for (const { seal: _, ...row } of before) {
      const { insertPolicy } = createPolicyRows({ service: row.service, seals, wall: Date.now });
      const times = { proposed_at: earlier(row.proposed_at), counts_from: earlier(row.counts_from) };
      await insertPolicy(database, { ...row, ...times });
    }
  }
  const people = async (...named: [string, Permission[]][]) => {
    const all = [];
    for (const [name, permissions] of named) all.push(await world.colleague(name, ['view', ...permissions]));
    return all;
  };
  return { ...world, ada, read, propose, confirm, veto, rows, pass, people, acts: world.people };
}

function stateOf({ in_force: inForce, pending }: PolicyAnswer) {
  return { inForce: inForce?.number ?? null, pending: pending?.number ?? null };
}

function codeOf({ status, body }: TestReply): [number, string | undefined] {
  return [status, body.error?.code];
}

/** The review of a payment: the approvals that it needs. */
async function reviewed(browser: TestBrowser, amount = '0.5') {
  const request = withdrawalRequest({ asset: 'BTC', chain: 'bitcoin', amount, address: 'bc1qrecipient' });
  return browser.call('POST', '/api/operations/review', { ...request, second_send_of: [] });
}

describe('a change takes effect at once', () => {
  test('if it is the first on any account', async () => {
    const { ada, read, propose } = await createWorld();
    expect(await read()).toMatchObject({ newest: 0, in_force: null, pending: null, is_first: true });
    expect((await reviewed(ada)).body).toMatchObject({ approval: { needs: 1 } });
    const { status, body } = await propose(ada, NO_APPROVALS);
    expect([status, body['in_force']]).toEqual([200, expect.objectContaining({ number: 1, policy: NO_APPROVALS })]);
    expect(await read()).toMatchObject({
      in_force: { proposed_by: { name: 'Ada' }, confirmed_by: null },
      is_first: false,
    });
    expect((await reviewed(ada)).body).toMatchObject({ approval: { needs: 0 } });
  });

  test('if it is stricter in every point', async () => {
    const { ada, read, propose, people } = await createWorld({ policy: NO_APPROVALS });
    await people(['Bo', ['approve']], ['Cy', ['admin']]);
    expect((await propose(ada, LIMITED)).status).toBe(200);
    expect(stateOf(await read())).toEqual({ inForce: 2, pending: null });
    expect((await reviewed(ada, '1.5')).body).toMatchObject({ approval: { needs: 1 } });
  });

  test('if the admin who made the last change undoes it within ten minutes', async () => {
    const { ada, read, propose, people, pass } = await createWorld({ policy: NO_APPROVALS });
    const [, cy] = await people(['Bo', ['approve']], ['Cy', ['admin']]);
    if (cy === undefined) throw new Error('unreachable');
    await propose(ada, EVERYTHING);
    await propose(cy, NO_APPROVALS);
    expect(stateOf(await read())).toEqual({ inForce: 2, pending: 3 });
    await propose(ada, LIMITED);
    expect(stateOf(await read())).toEqual({ inForce: 2, pending: 4 });
    await pass(9 * 60_000);
    await propose(ada, NO_APPROVALS);
    expect(stateOf(await read())).toEqual({ inForce: 5, pending: null });
    await propose(ada, EVERYTHING);
    await pass(11 * 60_000);
    await propose(ada, NO_APPROVALS);
    expect(stateOf(await read())).toEqual({ inForce: 6, pending: 7 });
  });
});

describe('another change waits for another admin', () => {
  test('who confirms it', async () => {
    const { ada, read, propose, confirm, people } = await createWorld({ policy: EVERYTHING });
    const [bo, cy] = await people(['Bo', ['approve']], ['Cy', ['admin']]);
    if (bo === undefined || cy === undefined) throw new Error('unreachable');
    await propose(ada, LIMITED);
    expect(await read()).toMatchObject({
      in_force: { number: 1 },
      pending: {
        number: 2,
        counts_from: null,
        confirmers: [{ name: 'Cy' }],
        changes: ['New: up to 1 BTC a payment, 5 BTC and 20 payments in 24 hours: no approval.', expect.anything()],
      },
    });
    expect((await reviewed(ada)).body).toMatchObject({ approval: { needs: 1 } });
    expect(codeOf(await confirm(ada, 2))).toEqual([403, 'not_permitted']);
    expect(codeOf(await confirm(bo, 2))).toEqual([403, 'not_permitted']);
    expect(codeOf(await cy.call('POST', '/api/policy/2/confirm', {}))).toEqual([400, 'invalid_request_error']);
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: 2 });
    expect((await confirm(cy, 2)).status).toBe(200);
    expect(await read()).toMatchObject({ in_force: { number: 2, confirmed_by: { name: 'Cy' } }, pending: null });
    expect((await reviewed(ada)).body).toMatchObject({ approval: { needs: 0 } });
    expect(codeOf(await confirm(cy, 2))).toEqual([409, 'policy_not_pending']);
  });

  test('without a time limit', async () => {
    const { ada, read, propose, people, pass } = await createWorld({ policy: EVERYTHING });
    await people(['Cy', ['admin']], ['Bo', ['approve']]);
    await propose(ada, LIMITED);
    await pass(365 * 24 * HOUR);
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: 2 });
  });

  test('but not for an admin who can’t sign in or has no passkey', async () => {
    const { ada, invite, propose, people, read } = await createWorld({ policy: EVERYTHING });
    const [, cy] = await people(['Bo', ['approve']], ['Cy', ['admin']]);
    await invite(ada, 'Di', ['view', 'admin']);
    await database.query('update people.passkeys set ended_at = 1 where person = $1', [cy?.person ?? '']);
    await propose(ada, LIMITED);
    expect((await read()).pending).toMatchObject({ confirmers: [], counts_from: expect.any(Number) });
  });
});

describe('without another admin, a change takes effect', () => {
  test('after 72 hours, and not before', async () => {
    const { ada, read, propose, people, pass } = await createWorld({ policy: EVERYTHING });
    await people(['Bo', ['approve']]);
    expect(await read()).toMatchObject({ confirmers: [], wait_hours: 72 });
    await propose(ada, LIMITED);
    await pass(72 * HOUR - 60_000);
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: 2 });
    expect((await reviewed(ada)).body).toMatchObject({ approval: { needs: 1 } });
    await pass(60_000);
    expect(stateOf(await read())).toEqual({ inForce: 2, pending: null });
    expect((await reviewed(ada)).body).toMatchObject({ approval: { needs: 0 } });
  });

  test.each([
    ['the server’s', 73, -2 * HOUR],
    ['the database’s', 71, 2 * HOUR],
  ])('only once its time has come by %s clock, too', async (_, hours, ms) => {
    const { ada, read, propose, people, pass, serverSkew } = await createWorld({ policy: EVERYTHING });
    await people(['Bo', ['approve']]);
    await propose(ada, LIMITED);
    await pass(hours * HOUR);
    serverSkew.ms = ms;
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: 2 });
    expect((await reviewed(ada)).body).toMatchObject({ approval: { needs: 1 } });
  });

  test('a week after somebody was removed who could have stopped it', async () => {
    const { ada, read, propose, people, pass } = await createWorld({ policy: EVERYTHING });
    const [, cy, di] = await people(['Bo', ['approve']], ['Cy', ['approve']], ['Di', ['approve']]);
    await propose(ada, LIMITED);
    await ada.call('POST', `/api/people/${cy?.person}/block`, {});
    await pass(167 * HOUR);
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: 2 });
    await ada.act(`/api/people/${di?.person}/grant`, { permissions: ['view', 'prepare'] });
    await propose(ada, { ...LIMITED, expires_hours: 73 });
    expect((await read()).wait_hours).toBe(168);
    await pass(167 * HOUR);
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: 3 });
    await pass(HOUR);
    expect(stateOf(await read())).toEqual({ inForce: 3, pending: null });
  });

  test('no earlier if the clock is set back; the policy in force stays in force', async () => {
    const { ada, read, propose, pass } = await createWorld({ policy: NO_APPROVALS });
    await propose(ada, { ...NO_APPROVALS, expires_hours: 71 });
    await propose(ada, { ...NO_APPROVALS, expires_hours: 73 });
    await pass(72 * HOUR);
    expect(stateOf(await read())).toEqual({ inForce: 3, pending: null });
    await pass(-HOUR);
    expect(stateOf(await read())).toEqual({ inForce: 2, pending: 3 });
    await pass(-100 * HOUR);
    expect(stateOf(await read())).toEqual({ inForce: 2, pending: 3 });
  });
});

describe('a change is stopped', () => {
  test('by an approver, an admin or the person who proposed it, and by no others', async () => {
    const { ada, read, propose, veto, people, pass } = await createWorld({ policy: EVERYTHING });
    const [bo, operator] = await people(['Bo', ['approve']], ['Di', ['prepare']]);
    if (bo === undefined || operator === undefined) throw new Error('unreachable');
    await propose(ada, LIMITED);
    expect(codeOf(await veto(operator, 2))).toEqual([403, 'not_permitted']);
    expect((await veto(bo, 2)).status).toBe(200);
    await pass(73 * HOUR);
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: null });
    expect(codeOf(await veto(bo, 2))).toEqual([409, 'policy_not_pending']);
    await propose(ada, LIMITED);
    expect((await veto(ada, 3)).status).toBe(200);
    expect((await read()).versions.map(({ state }) => state)).toEqual(['ended', 'ended', 'in-force']);
  });

  test('not once it is in force', async () => {
    const { ada, propose, veto, read, pass } = await createWorld({ policy: EVERYTHING });
    await propose(ada, NO_APPROVALS);
    await pass(72 * HOUR);
    for (const number of ['1', '2', '3', '0', '-1', '1.0', 'x'])
      expect(codeOf(await ada.call('POST', `/api/policy/${number}/veto`, {}))).toEqual([409, 'policy_not_pending']);
    expect((await veto(ada, 2)).status).toBe(409);
    expect(stateOf(await read())).toEqual({ inForce: 2, pending: null });
  });

  test('by a newer proposal, stricter or not', async () => {
    const { ada, read, propose, confirm, people } = await createWorld({ policy: EVERYTHING });
    const [, cy] = await people(['Bo', ['approve']], ['Cy', ['admin']]);
    if (cy === undefined) throw new Error('unreachable');
    await propose(ada, NO_APPROVALS);
    await propose(ada, LIMITED);
    expect(codeOf(await confirm(cy, 2))).toEqual([409, 'policy_not_pending']);
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: 3 });
    await propose(cy, { ...EVERYTHING, expires_hours: 48 });
    expect(codeOf(await confirm(cy, 3))).toEqual([409, 'policy_not_pending']);
    expect(stateOf(await read())).toEqual({ inForce: 4, pending: null });
  });

  test('when its admin is blocked or loses that role', async () => {
    const { ada, read, propose, people } = await createWorld({ policy: EVERYTHING });
    const [, cy, di] = await people(['Bo', ['approve']], ['Cy', ['admin']], ['Di', ['admin']]);
    if (cy === undefined || di === undefined) throw new Error('unreachable');
    await propose(cy, LIMITED);
    await ada.call('POST', `/api/people/${di.person}/block`, {});
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: 2 });
    await ada.act(`/api/people/${cy.person}/grant`, { permissions: ['view'] });
    expect(stateOf(await read())).toEqual({ inForce: 1, pending: null });
  });

  test.each([
    ['a set-back', endAllPendingIn],
    ['the way back to API keys', endAllPeopleIn],
  ])('by %s', async (_, end) => {
    const { ada, propose, rows, pass } = await createWorld({ policy: EVERYTHING });
    await propose(ada, NO_APPROVALS);
    await database.transaction((tx) => end(tx, seals));
    await pass(73 * HOUR);
    const [first, second] = await rows();
    expect([first?.ended_at, second?.ended_at]).toEqual([null, expect.any(String)]);
    const { policyInForce } = createPolicyRows({ service: first?.service ?? '', seals, wall: Date.now });
    expect(await policyInForce(database, first?.account ?? '')).toEqual({ number: 1, policy: EVERYTHING });
  });
});

describe('refused', () => {
  test('a change by an admin who didn’t see the newest version, and one that changes nothing', async () => {
    const { ada, propose } = await createWorld({ policy: NO_APPROVALS });
    expect(codeOf(await propose(ada, EVERYTHING, 0))).toEqual([409, 'policy_changed']);
    expect(codeOf(await propose(ada, NO_APPROVALS))).toEqual([409, 'policy_same']);
  });

  test('a change without a passkey’s signature over exactly this change', async () => {
    const { ada } = await createWorld({ policy: NO_APPROVALS });
    const body = { policy: { ...NO_APPROVALS, expires_hours: 24 }, number: 1 };
    expect(codeOf(await ada.call('PUT', '/api/policy', body))).toEqual([400, 'invalid_request_error']);
    const proof = await ada.proofOf('PUT', '/api/policy', { ...body, policy: { ...body.policy, expires_hours: 25 } });
    expect(codeOf(await ada.call('PUT', '/api/policy', { ...body, proof }))).toEqual([403, 'passkey_refused']);
    const reversed = Object.fromEntries(Object.entries(body.policy).toReversed());
    const own = await ada.proofOf('PUT', '/api/policy', { policy: reversed, number: 1 });
    expect((await ada.call('PUT', '/api/policy', { ...body, proof: own })).status).toBe(200);
  });

  const TWO: Policy = { ...NO_APPROVALS, other_assets: 2 };
  test.each<[string, Policy, [string, Permission[]][], string | null]>([
    [
      'nobody approves',
      EVERYTHING,
      [],
      'This asks for 1 approval. Nobody can approve payments now. Give 1 more person the role approver first.',
    ],
    [
      'only one does',
      TWO,
      [['Bo', ['approve']]],
      'This asks for 2 approvals. Only 1 person can approve payments now: Bo. Give 1 more person the role approver first.',
    ],
    [
      'one of them prepares, too',
      TWO,
      [
        ['Bo', ['approve']],
        ['Cy', ['prepare', 'approve']],
      ],
      'This asks for 2 approvals. Only 2 people can approve payments now: Bo and Cy. Cy is an operator, too, and nobody approves their own payments. Give 1 more person the role approver first.',
    ],
    ['it asks for as many as approve', EVERYTHING, [['Bo', ['approve']]], null],
    [
      'one more approves than it asks for',
      EVERYTHING,
      [
        ['Bo', ['prepare', 'approve']],
        ['Cy', ['prepare', 'approve']],
      ],
      null,
    ],
    [
      'first payments ask for more',
      { ...NO_APPROVALS, recipients: { ...NO_RECIPIENT_RULES, first_payment: 1 } },
      [],
      'This asks for 1 approval. Nobody can approve payments now. Give 1 more person the role approver first.',
    ],
  ])('a policy that can’t be met, but no other: %s', async (_, policy, named, refused) => {
    const { ada, propose, people } = await createWorld();
    await people(...named);
    const { status, body } = await propose(ada, policy);
    expect([status, body.error?.message ?? null]).toEqual([refused === null ? 200 : 422, refused]);
  });

  test('people who were blocked, or lost their passkeys, can’t approve', async () => {
    const { ada, propose, confirm, people } = await createWorld({ policy: { ...EVERYTHING, other_assets: 2 } });
    const [bo, cy] = await people(['Bo', ['approve']], ['Cy', ['admin']]);
    await propose(ada, EVERYTHING);
    await database.query('update people.passkeys set ended_at = 1 where person = $1', [bo?.person ?? '']);
    expect(codeOf(await confirm(cy ?? ada, 2))).toEqual([422, 'policy_unmeetable']);
  });
});

test('on another account of the same server, a first policy that is looser than one approval waits', async () => {
  const { account, other, acts, ada } = await createWorld({ policy: NO_APPROVALS });
  await acts.grantFromConsole(other, { name: 'Ada', permissions: ['view', 'prepare', 'admin'], words: 'both' });
  await ada.switchTo(other, account);
  const body = { policy: NO_APPROVALS, number: 0 };
  const proof = await ada.proofOf('PUT', '/api/policy', body);
  const reply = await ada.call('PUT', '/api/policy', { ...body, proof }, other);
  expect([reply.status, reply.body['in_force'], reply.body['pending']]).toEqual([
    200,
    null,
    expect.objectContaining({ number: 1, counts_from: expect.any(Number) }),
  ]);
});

describe.runIf(DEEP)('a policy that was changed in the database', () => {
  test.each<[string, string]>([
    ['by its text', `update people.policies set body = '{}' where account = $1 and number = 2`],
    ['so that it ended', 'update people.policies set ended_at = 1 where account = $1 and number = 2'],
    [
      'so that it waits',
      `update people.policies set counts_from = ${WAITS_FOR_ADMIN} where account = $1 and number = 2`,
    ],
    ['so that a pending one counts', 'update people.policies set counts_from = 1 where account = $1 and number = 3'],
    [
      'so that a pending one is confirmed',
      `update people.policies set confirmed_by = (select max(id) from people.people where id <> proposed_by) where account = $1 and number = 3`,
    ],
    ['so that it is gone', 'delete from people.policies where account = $1 and number = 2'],
  ])('%s: nothing is sent until another one is confirmed', async (_, change) => {
    const { account, ada, read, propose, confirm, people, sent } = await withSent();
    const [, cy] = await people(['Bo', ['approve']], ['Cy', ['admin']]);
    await propose(ada, EVERYTHING);
    await propose(ada, LIMITED);
    await database.query(change, [account]);
    expect(await read()).toMatchObject({ in_force: null, is_broken: true, pending: null });
    const review = await reviewed(ada);
    expect([codeOf(review), review.body.error?.message]).toEqual([
      [503, 'not_ready'],
      expect.stringContaining('approval rules in the database'),
    ]);
    expect(codeOf(await pay(ada))).toEqual([503, 'not_ready']);
    expect(sent()).toEqual([]);
    // The change has to wait, because nothing shows whether it is stricter than the broken policy.
    await propose(ada, EVERYTHING);
    expect(await read()).toMatchObject({ in_force: null, is_broken: true });
    const number = (await read()).newest;
    expect((await confirm(cy ?? ada, number)).status).toBe(200);
    expect(await read()).toMatchObject({ in_force: { number }, is_broken: false });
    expect((await reviewed(ada)).body).toMatchObject({ approval: { needs: 1 } });
  });

  async function withSent() {
    const world = await createWorld({ policy: NO_APPROVALS });
    return { ...world, sent: () => world.service.seen.filter(({ method }) => method === 'POST') };
  }

  async function pay(browser: TestBrowser): Promise<TestReply> {
    const key = randomUUID();
    const request = withdrawalRequest({ asset: 'BTC', chain: 'bitcoin', amount: '1', address: 'bc1qrecipient' });
    const proof = await browser.signatureOver([{ key, body: request.body, second_send_of: [] }]);
    const asked = { ...request, second_send_of: [], not_after: Date.now() + 60_000, proof };
    return browser.call('PUT', `/api/operations/${key}`, asked);
  }
});

test('every change writes a line to the activity log, and a refused one doesn’t', async () => {
  const { account, ada, propose, confirm, veto, people } = await createWorld({ policy: EVERYTHING });
  const [, cy] = await people(['Bo', ['approve']], ['Cy', ['admin']]);
  if (cy === undefined) throw new Error('unreachable');
  await propose(ada, EVERYTHING);
  await propose(ada, NO_APPROVALS);
  await confirm(ada, 2);
  await confirm(cy, 2);
  await propose(ada, EVERYTHING);
  await propose(ada, { ...EVERYTHING, expires_hours: 100 });
  await veto(cy, 4);
  const lines = await database.query(
    `select kind, who, facts from activity.lines where account = $1 and kind like 'policy.%' order by number`,
    [account],
  );
  const facts = (number: string, more: object = {}) => JSON.stringify({ number, ...more });
  const fewer = 'Assets that aren’t listed: no approval, instead of 1 approval.';
  expect(lines).toEqual([
    { kind: 'policy.proposed', who: 'Ada', facts: facts('2', { effect: 'admin', changes: fewer }) },
    { kind: 'policy.confirmed', who: 'Cy', facts: facts('2') },
    {
      kind: 'policy.proposed',
      who: 'Ada',
      facts: facts('3', { effect: 'now', changes: 'Assets that aren’t listed: 1 approval, instead of no approval.' }),
    },
    {
      kind: 'policy.proposed',
      who: 'Ada',
      facts: facts('4', { effect: 'admin', changes: 'Payments wait 100 hours for approvals, instead of 72.' }),
    },
    { kind: 'policy.vetoed', who: 'Cy', facts: facts('4') },
  ]);
});
