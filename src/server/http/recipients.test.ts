import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NoticeCause } from '#src/server/activity/raiseNotice.ts';
import type { Database } from '#src/server/database/sql.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import { columnsToSeal, RECIPIENT_COLUMNS, type RecipientRow } from '#src/server/people/peopleRows.ts';
import { endAllPendingIn } from '#src/server/people/sealedTables.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { openTeam } from '#src/server/team/team.ts';
import {
  type RecipientControl,
  recipientControlsSchema,
  recipientDecisionsSchema,
} from '#src/shared/contract/recipientsContract.ts';
import { recipientId } from '#src/shared/contract/teamContract.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { PERMISSIONS } from '#src/shared/permissions.ts';
import { type Policy, type RecipientRules, NO_RECIPIENT_RULES } from '#src/shared/policy/policy.ts';
import {
  withdrawalPutBody,
  batchOf,
  createApprovalWorld,
  FIELDS,
  outcomeIn,
  recordSignedPayment,
  recordAwaitingPayment,
  sendPayment,
  signatureOverBatch,
  readOperationState,
} from './testApprovals.ts';
import type { TestReply, TestBrowser } from './testBrowser.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { openPeopleDatabase } from './testPeopleWorld.ts';
import { DEEP } from '#src/tests/depth.ts';

let database: Database;
beforeAll(async () => {
  database = await openPeopleDatabase();
  await openTeam(database, { list: async () => ({ data: [], next: null }), find: async () => null });
}, 60_000);
afterAll(() => database.close());
beforeEach(() => clearJournal(database));

const HOUR = 60 * 60 * 1_000;
const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const OTHER_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ADDRESSES = [ADDRESS, OTHER_ADDRESS, 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'];
const ID = recipientId({ chain: 'bitcoin', address: ADDRESS });
const seals = createSeals(Buffer.from('a key of the tests'));

/** A policy with these recipient rules, under which no amount needs approval. */
const withRules = (rules: Partial<RecipientRules>): Policy => ({
  ...NO_APPROVALS,
  recipients: { ...NO_RECIPIENT_RULES, wait_hours: 0, ...rules },
});

/** Bo is an operator, Cy an approver, Di both; Bo has saved the recipient Acme. */
async function createWorld(rules: Partial<RecipientRules> = {}) {
  const raised: NoticeCause[] = [];
  const world = await createApprovalWorld(database, withRules(rules), {
    raise: async (_, cause) => void raised.push(cause),
  });
  const { account, operations, bo } = world;
  const service = operations.ports.service.name;
  const noAddresses = { list: async () => ({ data: [], next: null }), find: async () => null };
  const team = await openTeam(database, noAddresses, undefined, world.people.raiseForNamed);
  const rights = { permissions: PERMISSIONS, keyRefused: false, readOnly: false };
  const actorOf = (by: { person: string } | null) => {
    const { person } = by ?? { person: null };
    return { service, account, session: null, person, who: 'Somebody', rights };
  };
  const valueOf = (name: string, address: string, chain = 'bitcoin') => {
    return { name, chain, address, asset: '', reference: '', note: '' };
  };
  const revisions = new Map<string, number>();
  async function save(
    by: { person: string } | null,
    name: string | null,
    address = ADDRESS,
    chain = 'bitcoin',
  ): Promise<void> {
    const id = recipientId({ chain, address });
    const actor = actorOf(by);
    const change = { collection: 'recipients' as const, id, revision: revisions.get(id) ?? 0 };
    const value = valueOf(name ?? '', address, chain);
    const written = await (name === null ? team.remove(actor, change) : team.put(actor, { ...change, value }));
    if (written.kind !== 'written') throw new Error(`The team's list is not changed: ${written.kind}`);
    revisions.set(id, written.item.deleted ? 0 : written.item.revision);
  }
  const add = (names: readonly string[]) =>
    team.add(actorOf(bo), {
      collection: 'recipients',
      values: names.map((name, at) => valueOf(name, ADDRESSES[at] ?? '')),
    });
  await save(bo, 'Acme');
  const takeNotices = () =>
    raised
      .splice(0)
      .flatMap(({ event, subject, count }) => (event.startsWith('recipient.') ? [[event, subject, count]] : []));
  const confirm = (browser: TestBrowser, name = 'Acme', id = ID) =>
    browser.act('/api/recipients/confirm', { recipients: [{ id, name }] });
  const block = (browser: TestBrowser, reason = 'Fraud', id = ID) =>
    browser.call('POST', '/api/recipients/block', { id, reason });
  const listed = async (browser: TestBrowser = world.cy) =>
    v.parse(recipientControlsSchema, (await browser.call('GET', '/api/recipients')).body).data;
  const acme = async (browser?: TestBrowser): Promise<RecipientControl | undefined> =>
    (await listed(browser)).find(({ id }) => id === ID);
  /** Moves all decisions into the past, as if this much time had passed. */
  async function pass(ms: number): Promise<void> {
    const rows = await database.query<RecipientRow>(`select ${RECIPIENT_COLUMNS} from people.recipients`);
    for (const row of rows) {
      const earlier = (time: string) => String(Number(time) - ms);
      const next = { ...row, decided_at: earlier(row.decided_at), counts_from: earlier(row.counts_from) };
      await database.query('update people.recipients set decided_at = $2, counts_from = $3, seal = $4 where id = $1', [
        row.id,
        next.decided_at,
        next.counts_from,
        seals.sealOf(...columnsToSeal.recipient(next)),
      ]);
    }
  }
  return { ...world, save, add, takeNotices, confirm, block, listed, acme, pass };
}

const codeOf = ({ status, body }: TestReply) => {
  const parsed = v.safeParse(v.object({ error: v.object({ code: v.string() }) }), body);
  return [status, parsed.success ? parsed.output.error.code : null];
};

const toAcme = { address: ADDRESS };

function review(browser: TestBrowser): Promise<TestReply> {
  return browser.call('POST', '/api/operations/review', withdrawalRequest({ ...FIELDS, ...toAcme }));
}

async function needOf(browser: TestBrowser) {
  const { body } = await review(browser);
  return v.parse(v.object({ approval: v.unknown() }), body).approval;
}

describe('confirming', () => {
  test('needs another person than the one who named the recipient', async () => {
    const { bo, cy, di, save, confirm, acme } = await createWorld();
    expect(await acme()).toMatchObject({
      state: 'unconfirmed',
      named_by: { name: 'Bo' },
      decided_by: null,
      refusal: null,
    });
    expect(codeOf(await confirm(bo))).toEqual([403, 'not_permitted']);
    await save(di, 'Acme AG');
    expect(codeOf(await confirm(di, 'Acme AG'))).toEqual([403, 'not_permitted']);
    expect((await acme(di))?.refusal).toMatch(/somebody else/);
    expect((await confirm(cy, 'Acme AG')).status).toBe(204);
    expect(await acme()).toMatchObject({ state: 'confirmed', decided_by: { name: 'Cy' }, is_changed: false });
    expect(codeOf(await confirm(cy, 'Acme AG'))).toEqual([409, 'recipient_confirmed']);
  });

  test('a later edit of the note does not change who named the recipient', async () => {
    const { bo, di, save, confirm } = await createWorld();
    await save(di, 'Acme AG');
    await save(bo, 'Acme');
    await save(di, 'Acme');
    expect((await confirm(di)).status).toBe(204);
  });

  test('needs another person than the one who added the address, too', async () => {
    const { bo, cy, di, save, confirm, listed } = await createWorld();
    const id = recipientId({ chain: 'bitcoin', address: OTHER_ADDRESS });
    await save(di, 'Widget', OTHER_ADDRESS);
    await save(bo, 'Widgets Ltd', OTHER_ADDRESS);
    const [refusal] = (await listed(di)).flatMap((one) => (one.id === id ? one.refusal : []));
    expect(refusal).toMatch(/somebody else/);
    expect(codeOf(await confirm(di, 'Widgets Ltd', id))).toEqual([403, 'not_permitted']);
    await save(di, null, OTHER_ADDRESS);
    await save(bo, 'Widgets Ltd', OTHER_ADDRESS);
    expect((await confirm(di, 'Widgets Ltd', id)).status).toBe(204);
    expect((await confirm(cy)).status).toBe(204);
  });

  test('covers the name that the person saw', async () => {
    const { bo, cy, save, confirm, acme } = await createWorld();
    await save(bo, 'Acme Ltd');
    expect(codeOf(await confirm(cy))).toEqual([409, 'recipient_changed']);
    await save(bo, null);
    expect(codeOf(await confirm(cy, 'Acme Ltd'))).toEqual([409, 'recipient_changed']);
    expect(await acme()).toBeUndefined();
  });

  test('needs a passkey’s signature over exactly this request', async () => {
    const { cy, confirm, acme } = await createWorld();
    const unsigned = await cy.call('POST', '/api/recipients/confirm', { recipients: [{ id: ID, name: 'Acme' }] });
    expect(unsigned.status).toBe(400);
    expect((await acme())?.state).toBe('unconfirmed');
    expect((await confirm(cy)).status).toBe(204);
  });

  test('several confirms all of them or none', async () => {
    const { bo, cy, save, listed } = await createWorld();
    await save(bo, 'Bolt', OTHER_ADDRESS);
    const other = recipientId({ chain: 'bitcoin', address: OTHER_ADDRESS });
    const recipients = [
      { id: ID, name: 'Acme' },
      { id: other, name: 'Nut' },
    ];
    expect(codeOf(await cy.act('/api/recipients/confirm', { recipients }))).toEqual([409, 'recipient_changed']);
    expect((await listed()).map(({ state }) => state)).toEqual(['unconfirmed', 'unconfirmed']);
    const right = [recipients[0], recipients[0], { id: other, name: 'Bolt' }];
    expect((await cy.act('/api/recipients/confirm', { recipients: right })).status).toBe(204);
    expect((await listed()).map(({ state }) => state)).toEqual(['confirmed', 'confirmed']);
  });

  test('a recipient from before people signed in can be confirmed', async () => {
    const { cy, save, confirm, acme } = await createWorld();
    await save(null, 'Acme & Sons');
    expect((await acme())?.named_by).toBeNull();
    expect((await confirm(cy, 'Acme & Sons')).status).toBe(204);
  });

  test('is for approvers alone, while admins and operators can block', async () => {
    const { ada, bo, cy, confirm, block, acme } = await createWorld();
    for (const other of [ada, bo]) expect(codeOf(await confirm(other))).toEqual([403, 'not_permitted']);
    expect((await acme())?.state).toBe('unconfirmed');
    await confirm(cy);
    for (const other of [ada, bo]) {
      expect((await block(other)).status).toBe(204);
      expect((await acme())?.state).toBe('blocked');
      expect((await confirm(cy)).status).toBe(204);
    }
  });

  test('is written to the activity log', async () => {
    const { ada, cy, confirm, block } = await createWorld();
    await confirm(cy);
    await block(cy, 'Their mailbox was hacked');
    const { body } = await ada.call('GET', '/api/activity');
    const { data } = v.parse(
      v.object({ data: v.array(v.object({ kind: v.string(), who: v.nullable(v.string()), facts: v.unknown() })) }),
      body,
    );
    expect(data.filter(({ kind }) => kind.startsWith('recipient.'))).toEqual([
      {
        kind: 'recipient.blocked',
        who: 'Cy',
        facts: { name: 'Acme', recipients: '1', words: 'Their mailbox was hacked' },
      },
      { kind: 'recipient.confirmed', who: 'Cy', facts: { name: 'Acme', recipients: '1' } },
    ]);
  });
});

describe.runIf(DEEP)('people who can confirm recipients get a notice', () => {
  test('of a new or renamed recipient, if the policy asks for confirmed ones', async () => {
    const { bo, cy, save, confirm, block, takeNotices } = await createWorld({ unlisted: 1 });
    expect(takeNotices()).toEqual([['recipient.waiting', ID, 1]]);
    await save(bo, 'Acme');
    expect(takeNotices()).toEqual([]);
    await confirm(cy);
    expect(takeNotices()).toEqual([['recipient.changed', ID, 1]]);
    await save(bo, 'Acme Ltd');
    expect(takeNotices()).toEqual([['recipient.waiting', ID, 1]]);
    // Going back to the confirmed name needs no notice.
    await save(bo, 'Acme');
    await save(bo, null);
    expect(takeNotices()).toEqual([]);
    await block(cy);
    expect(takeNotices()).toEqual([['recipient.changed', ID, 1]]);
    await save(bo, 'Acme & Sons');
    expect(takeNotices()).toEqual([]);
  });

  test('only once for several that are saved or confirmed together', async () => {
    const { cy, add, takeNotices } = await createWorld({ unlisted: 'refuse' });
    takeNotices();
    const names = ['Acme', 'Bolt', 'Nut'];
    const [, bolt = '', nut = ''] = ADDRESSES.map((address) => recipientId({ chain: 'bitcoin', address }));
    await add(names);
    await add(names);
    expect(takeNotices()).toEqual([['recipient.waiting', bolt, 2]]);
    const recipients = [
      { id: bolt, name: 'Bolt' },
      { id: nut, name: 'Nut' },
    ];
    expect((await cy.act('/api/recipients/confirm', { recipients })).status).toBe(204);
    expect(takeNotices()).toEqual([['recipient.changed', '', 2]]);
  });

  test('only if confirming a recipient would save approvals', async () => {
    const { bo, save, policy, takeNotices } = await createWorld();
    await policy({ ...withRules({ unlisted: 1 }), other_assets: 1 }, 3);
    await save(bo, 'Acme Ltd');
    await policy(null);
    await save(bo, 'Acme AG');
    expect(takeNotices()).toEqual([]);
  });
});

describe('payments to recipients that aren’t confirmed', () => {
  test('need approval if the policy says so, until the recipient is confirmed', async () => {
    const { bo, cy, confirm } = await createWorld({ unlisted: 1 });
    await cy.reject([await recordAwaitingPayment(bo, toAcme)]);
    await confirm(cy);
    expect((await recordSignedPayment(bo, { ...toAcme, amount: '0.25' })).state).not.toBe('awaiting');
  });

  test('are refused if the policy says so, at review, at recording and at sending', async () => {
    const { bo, cy, di, account, confirm, block, policy, sent, people } = await createWorld({ unlisted: 'refuse' });
    expect(await review(bo)).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringMatching(/confirmed/) } },
    });
    const refused = await bo.call('PUT', '/api/operations/a-payment', withdrawalPutBody(toAcme));
    expect(codeOf(refused)).toEqual([422, 'invalid_request_error']);
    await confirm(cy);
    await policy({ ...withRules({ unlisted: 'refuse' }), other_assets: 1 }, 3);
    const key = await recordAwaitingPayment(bo, toAcme);
    await block(cy);
    await confirm(di);
    await block(di);
    expect((await cy.call('GET', `/api/approvals/${key}`)).body['barred']).toMatch('This recipient is blocked');
    expect((await cy.call('GET', '/api/approvals')).body['waiting']).toMatchObject([
      { barred: expect.stringMatching('blocked') },
    ]);
    const decided = await cy.approve([key]);
    expect(outcomeIn(decided)).toMatchObject({ recorded: true, problem: expect.stringMatching(/blocked/) });
    expect(await readOperationState(bo, key)).toBe('awaiting');
    expect(sent()).toEqual([]);
    await confirm(cy);
    expect((await cy.call('GET', `/api/approvals/${key}`)).body['barred']).toBeNull();
    expect((await sendPayment(bo, key)).status).toBe(200);
    await expect.poll(sent).toEqual([key]);
    expect(await people.findPerson(account, cy.person)).not.toBeNull();
  });

  test.runIf(DEEP)('are listed by line if they are in a batch', async () => {
    const { bo, cy, confirm } = await createWorld({ unlisted: 'refuse' });
    const id = randomUUID();
    const body = batchOf(id, ['1', '2']);
    const [first, second] = body.lines;
    if (first === undefined || second === undefined) throw new Error('unreachable');
    first.body = withdrawalPutBody(toAcme).body;
    const put = async () =>
      bo.call('PUT', `/api/batches/${id}`, { ...body, proof: await signatureOverBatch(bo, id, body) });
    await confirm(cy);
    const refused = await put();
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('"line":3');
    expect(JSON.stringify(refused.body)).not.toContain('"line":2');
  });

  test.runIf(DEEP)('are listed in the review of their recorded batch, unless they have ended', async () => {
    const { bo, cy, block } = await createWorld({ unlisted: 1 });
    const id = randomUUID();
    const body = batchOf(id, ['1', '2', '3']);
    for (const line of body.lines.slice(0, 2)) line.body = withdrawalPutBody(toAcme).body;
    body.lines.forEach((line, at) => Object.assign(line, { earlier_lines: at === 1 ? 1 : 0 }));
    expect((await bo.call('PUT', `/api/batches/${id}`, body)).status).toBe(201);
    const barred = async () => (await cy.call('GET', `/api/batches/${id}/review`)).body['barred'];
    expect(await barred()).toEqual([]);
    await block(cy);
    await cy.reject([`${id}.2`]);
    expect(await barred()).toEqual([{ line: 3, message: 'This recipient is blocked: “Fraud”' }]);
    const barredAlone = async (line: number) => (await cy.call('GET', `/api/approvals/${id}.${line}`)).body['barred'];
    expect([await barredAlone(3), await barredAlone(4)]).toEqual(['This recipient is blocked: “Fraud”', null]);
  });

  test('include waiting ones, until the wait is over by both clocks', async () => {
    const { bo, cy, confirm, acme, pass } = await createWorld({ unlisted: 1, wait_hours: 24 });
    await confirm(cy);
    expect((await acme())?.state).toBe('waiting');
    await cy.reject([await recordAwaitingPayment(bo, toAcme)]);
    await pass(24 * HOUR - 60_000);
    await cy.reject([await recordAwaitingPayment(bo, toAcme)]);
    await pass(120_000);
    expect((await acme())?.state).toBe('confirmed');
    expect((await recordSignedPayment(bo, { ...toAcme, amount: '0.125' })).state).not.toBe('awaiting');
  });

  test('another spelling of the address is the same recipient', async () => {
    const { bo, cy, confirm } = await createWorld({ unlisted: 1 });
    await confirm(cy);
    expect((await recordSignedPayment(bo, { address: ADDRESS.toUpperCase() })).state).not.toBe('awaiting');
  });

  test('a new name takes the confirmation away, and so does leaving the list', async () => {
    const { bo, cy, save, confirm, acme } = await createWorld({ unlisted: 1 });
    await confirm(cy);
    await save(bo, 'Acme Ltd');
    expect(await acme()).toMatchObject({ state: 'unconfirmed', is_changed: true });
    await cy.reject([await recordAwaitingPayment(bo, toAcme)]);
    await save(bo, null);
    await recordAwaitingPayment(bo, toAcme);
  });
});

describe.runIf(DEEP)('a recipient that has changed', () => {
  test('its name needs the approvals for a change until it is paid', async () => {
    const { bo, cy, save, confirm, withoutRules } = await createWorld({ changed: 1 });
    await confirm(cy);
    expect(await needOf(bo)).toEqual({ needs: 0, why: [] });
    await save(bo, 'Acme Ltd');
    await confirm(cy, 'Acme Ltd');
    expect(await needOf(bo)).toEqual({ needs: 1, why: ['the recipient has changed'] });
    const key = await recordAwaitingPayment(bo, toAcme);
    await withoutRules("update operations.operations set state = 'succeeded' where key = $1", [key]);
    expect(await needOf(bo)).toEqual({ needs: 0, why: [] });
  });

  test('its address needs them, too', async () => {
    const { bo, cy, save, confirm } = await createWorld({ changed: 1 });
    await confirm(cy);
    await save(bo, 'ACME', OTHER_ADDRESS);
    await confirm(cy, 'ACME', recipientId({ chain: 'bitcoin', address: OTHER_ADDRESS }));
    await recordAwaitingPayment(bo, { address: OTHER_ADDRESS });
    expect((await recordSignedPayment(bo, toAcme)).state).not.toBe('awaiting');
  });

  test('its new address needs them before anybody confirms it, too', async () => {
    const { bo, cy, save, confirm, listed } = await createWorld({ changed: 1 });
    await confirm(cy);
    await save(bo, 'ACME', OTHER_ADDRESS);
    const id = recipientId({ chain: 'bitcoin', address: OTHER_ADDRESS });
    expect((await listed()).find((one) => one.id === id)).toMatchObject({ state: 'unconfirmed', is_changed: true });
    await recordAwaitingPayment(bo, { address: OTHER_ADDRESS });
    expect((await recordSignedPayment(bo, toAcme)).state).not.toBe('awaiting');
  });

  test('in a batch, also one whose new address is only in the file', async () => {
    const { bo, cy, confirm } = await createWorld({ changed: 1 });
    await confirm(cy);
    const id = randomUUID();
    const { body } = withdrawalRequest({ ...FIELDS, address: OTHER_ADDRESS });
    const line = { line: 2, body, recipient: 'ACME', reference: null };
    const { body: review } = await bo.call('POST', '/api/batches/review', { lines: [line] });
    expect(review).toMatchObject({
      approval: { needs: 1, why: ['the recipient has changed'] },
      lines: [{ line: 2, recipient_changed: true }],
    });
    const lines = [{ ...line, second_send_of: [] }];
    const recorded = await bo.call('PUT', `/api/batches/${id}`, { ...batchOf(id, ['1']), lines });
    expect(recorded).toMatchObject({ status: 201, body: { approval: { needs: 1 } } });
  });

  test('is shown to the approver of a batch, even if no rule asks for approvals because of it', async () => {
    const { bo, cy, save, confirm } = await createWorld({ unlisted: 1 });
    await confirm(cy);
    await save(bo, 'Acme Ltd');
    const id = randomUUID();
    const bodies = [toAcme.address, OTHER_ADDRESS].map((address) => withdrawalRequest({ ...FIELDS, address }).body);
    const lines = bodies.map((body, index) => ({
      line: index + 2,
      body,
      recipient: null,
      reference: null,
      second_send_of: [],
    }));
    expect((await bo.call('PUT', `/api/batches/${id}`, { ...batchOf(id, ['1']), lines })).status).toBe(201);
    expect((await cy.call('GET', `/api/batches/${id}/review`)).body['lines']).toMatchObject([
      { line: 2, recipient_changed: true },
    ]);
  });

  test('is the first thing that the approver sees', async () => {
    const { bo, cy, save, confirm } = await createWorld({ changed: 1 });
    await confirm(cy);
    await save(bo, 'Acme Ltd');
    const key = await recordAwaitingPayment(bo, toAcme);
    const { body } = await cy.call('GET', `/api/approvals/${key}`);
    expect(body).toMatchObject({
      why: ['the recipient has changed'],
      unusual: [{ kind: 'recipient-changed' }, { kind: 'first-payment' }],
    });
  });

  test('still lists its earlier names and addresses', async () => {
    const { bo, cy, save, confirm, block } = await createWorld();
    await confirm(cy);
    await save(bo, 'Acme Ltd');
    await confirm(cy, 'Acme Ltd');
    await block(bo, 'Wrong address');
    const { body } = await cy.call('GET', `/api/recipients/${encodeURIComponent(ID)}`);
    const { data } = v.parse(recipientDecisionsSchema, body);
    expect(data.map(({ name, is_blocked: isBlocked, ended_at: end }) => [name, isBlocked, end === null])).toEqual([
      ['Acme Ltd', true, true],
      ['Acme Ltd', false, false],
      ['Acme', false, false],
    ]);
  });
});

describe('a blocked recipient', () => {
  test('gets nothing, whatever the policy says and however many approve it', async () => {
    const { bo, block, acme, sent } = await createWorld();
    expect((await block(bo)).status).toBe(204);
    expect(await acme()).toMatchObject({ state: 'blocked', reason: 'Fraud', decided_by: { name: 'Bo' } });
    expect((await bo.call('PUT', '/api/operations/a-payment', withdrawalPutBody(toAcme))).status).toBe(422);
    expect(sent()).toEqual([]);
  });

  test('gets nothing on another chain either, where the same address has the same owner', async () => {
    const { bo, cy, save, block } = await createWorld();
    const address = '0x52908400098527886E0F7030069857D2E4169EE7';
    const onPolygon = { asset: 'USDT', chain: 'polygon', amount: '1', address: address.toLowerCase() };
    await save(bo, 'Mallory', address, 'ethereum');
    expect((await block(cy, 'Fraud', recipientId({ chain: 'ethereum', address }))).status).toBe(204);
    for (const chain of ['polygon', 'linea']) {
      const body = withdrawalPutBody({ ...onPolygon, chain });
      const refused = await bo.call('PUT', `/api/operations/on-${chain}`, body);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        422,
        expect.stringContaining('blocked: “Fraud”'),
      ]);
    }
  });

  test('counts again once an approver confirms it', async () => {
    const { bo, cy, block, confirm, acme } = await createWorld();
    await block(cy);
    expect((await confirm(cy)).status).toBe(204);
    expect((await acme())?.state).toBe('confirmed');
    expect((await recordSignedPayment(bo, toAcme)).state).not.toBe('awaiting');
  });

  test('stays blocked after it left the list', async () => {
    const { bo, cy, save, confirm, block } = await createWorld();
    await confirm(cy);
    await save(bo, null);
    expect((await block(cy)).status).toBe(204);
    expect((await block(cy, 'Fraud', 'nobody')).status).toBe(404);
    expect((await bo.call('PUT', '/api/operations/a-payment', withdrawalPutBody(toAcme))).status).toBe(422);
  });
});

describe.runIf(DEEP)('rows that this server didn’t write', () => {
  test('confirm nothing', async () => {
    const { bo, cy, save, confirm, acme } = await createWorld({ unlisted: 1 });
    await confirm(cy);
    await save(bo, 'Mallory');
    await database.query("update people.recipients set name = 'Mallory'");
    expect((await acme())?.state).toBe('unconfirmed');
    await recordAwaitingPayment(bo, toAcme);
    expect((await confirm(cy, 'Mallory')).status).toBe(204);
    expect((await acme())?.state).toBe('confirmed');
  });

  test('a wait that was shortened doesn’t count', async () => {
    const { bo, cy, confirm } = await createWorld({ unlisted: 1, wait_hours: 24 });
    await confirm(cy);
    await database.query('update people.recipients set counts_from = 0');
    expect(await needOf(bo)).toMatchObject({ needs: 1 });
  });

  test('still block', async () => {
    const { bo, block, acme } = await createWorld();
    await block(bo);
    await database.query("update people.recipients set reason = 'Nothing'");
    expect(await acme()).toMatchObject({ state: 'blocked', reason: 'The reason can’t be read.' });
  });

  test('the database refuses a confirmation by the person who named the recipient', async () => {
    const { cy, confirm } = await createWorld();
    await confirm(cy);
    await expect(database.query('update people.recipients set proposed_by = decided_by')).rejects.toThrow(/check/);
  });
});

test('a restore ends confirmations that were still waiting', async () => {
  const { cy, confirm, acme } = await createWorld({ wait_hours: 24 });
  await confirm(cy);
  await endAllPendingIn(database, seals);
  expect(await acme()).toMatchObject({ state: 'unconfirmed' });
});
