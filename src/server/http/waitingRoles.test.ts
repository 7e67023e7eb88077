import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#src/server/database/sql.ts';
import type { NoticeMessage } from '#src/server/notices/channel.ts';
import { createDelivery } from '#src/server/notices/delivery.ts';
import { createMailRecipients } from '#src/server/notices/mailRecipients.ts';
import { createRaise } from '#src/server/notices/outbox.ts';
import { clearJournal } from '#src/server/operations/testSqlRows.ts';
import { columnsToSeal, GRANT_COLUMNS, type GrantRow } from '#src/server/people/peopleRows.ts';
import { endAllPendingIn, endAllPeopleIn } from '#src/server/people/sealedTables.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { WAITS_FOR_ADMIN } from '#src/server/people/waits.ts';
import { peopleSchema, type WaitingRole } from '#src/shared/contract/peopleContract.ts';
import type { Permission } from '#src/shared/permissions.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
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
const APPROVER: Permission[] = ['view', 'approve'];
const ADMIN: Permission[] = ['view', 'admin'];
const seals = createSeals(Buffer.from('a key of the tests'));

function codeOf({ status, body }: TestReply): [number, string | undefined] {
  return [status, body.error?.code];
}

/** Ada is the only admin; approval rules are in force. */
async function createWorld(options: Parameters<typeof createPeopleWorld>[1] = {}) {
  const world = await createPeopleWorld(database, options);
  const { account } = world;
  const ada = await world.firstAdmin();

  async function personOf(browser: TestBrowser, person: string) {
    const { data } = v.parse(peopleSchema, (await browser.call('GET', '/api/people')).body);
    const found = data.find(({ id }) => id === person);
    if (found === undefined) throw new Error('There is no such person.');
    return found;
  }
  const rolesOf = async (person: string) => {
    const { permissions, waiting } = await personOf(ada, person);
    return { permissions, waiting: waiting.map(({ permission }) => permission) };
  };
  async function waitingOf(person: string): Promise<WaitingRole> {
    const [role] = (await personOf(ada, person)).waiting;
    if (role === undefined) throw new Error('Nothing waits.');
    return role;
  }

  /** Has a person join with an admin's invite, whose code `by` types, and sign in. */
  async function hire(name: string, permissions: Permission[], admin: TestBrowser = ada, by: TestBrowser = admin) {
    const { token, person } = await world.invite(admin, name, permissions);
    const own = world.browser();
    const { body } = await own.join(token);
    expect((await by.act(`/api/people/${person}/confirm`, { code: body['code'] })).status).toBe(204);
    expect((await own.signIn()).status).toBe(201);
    return { ...own, person };
  }

  /** Invites a person again, whose link is used with a new passkey. */
  async function hireAgain(person: string, admin: TestBrowser, by: TestBrowser = admin) {
    const { body } = await admin.act('/api/invites', { person });
    const own = world.browser();
    const joined = await own.join(String(body['token']));
    expect((await by.act(`/api/people/${person}/confirm`, { code: joined.body['code'] })).status).toBe(204);
    expect((await own.signIn()).status).toBe(201);
    return own;
  }

  const give = (browser: TestBrowser, person: string, permissions: Permission[]) =>
    browser.act(`/api/people/${person}/grant`, { permissions });
  const confirm = (browser: TestBrowser, { id }: WaitingRole, person: string, permission: Permission = 'approve') =>
    browser.act(`/api/grants/${id}/confirm`, { person, permission });
  const refuse = (browser: TestBrowser, { id }: WaitingRole) => browser.call('POST', `/api/grants/${id}/veto`, {});
  const block = (browser: TestBrowser, person: string) => browser.call('POST', `/api/people/${person}/block`, {});
  const grantRows = () =>
    database.query<GrantRow>(`select ${GRANT_COLUMNS} from people.grants where account = $1`, [account]);

  /** Moves all times into the past, as if this much time had passed. */
  async function pass(ms: number): Promise<void> {
    const earlier = (time: string | null) =>
      time === null || time === WAITS_FOR_ADMIN ? time : String(Number(time) - ms);
    for (const row of await grantRows()) {
      const { waits_since: since, told_at: told, ended_at: end } = row;
      const times = { waits_since: earlier(since), told_at: earlier(told), ended_at: earlier(end) };
      const moved = { ...row, ...times, counts_from: earlier(row.counts_from) ?? row.counts_from };
      await database.query(
        'update people.grants set waits_since = $2, told_at = $3, ended_at = $4, counts_from = $5, seal = $6 where id = $1',
        [
          row.id,
          moved.waits_since,
          moved.told_at,
          moved.ended_at,
          moved.counts_from,
          seals.sealOf(...columnsToSeal.grant(moved)),
        ],
      );
    }
  }
  /** Checks in a new session, because the server caches a session's rights for some seconds. */
  async function approves(browser: TestBrowser): Promise<boolean> {
    expect((await browser.signIn()).status).toBe(201);
    return (await browser.reject(['not recorded'])).status !== 403;
  }
  /** Activity lines, newest first. */
  async function lines(): Promise<[string, unknown][]> {
    const rows = await database.query<{ kind: string; facts: string }>(
      'select kind, facts::text from activity.lines where account = $1 order by number desc',
      [account],
    );
    return rows.map(({ kind, facts }) => [kind, JSON.parse(facts)]);
  }
  return {
    ...world,
    ada,
    personOf,
    rolesOf,
    waitingOf,
    hire,
    hireAgain,
    give,
    confirm,
    refuse,
    block,
    grantRows,
    pass,
    approves,
    lines,
  };
}

describe('an approver role that one admin gave', () => {
  test('waits for another admin, who confirms it', async () => {
    const { colleague, hire, personOf, rolesOf, waitingOf, confirm, approves, lines } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const bo = await hire('Bo', ['view', 'prepare', 'approve']);
    const role = await waitingOf(bo.person);
    expect(await personOf(bo, bo.person)).toMatchObject({
      state: 'active',
      permissions: ['view', 'prepare'],
      waiting: [{ permission: 'approve', given_by: { name: 'Ada' }, counts_from: null, confirmers: [{ name: 'Cy' }] }],
    });
    expect(await approves(bo)).toBe(false);
    expect((await confirm(cy, role, bo.person)).status).toBe(204);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view', 'prepare', 'approve'], waiting: [] });
    expect(await approves(bo)).toBe(true);
    expect(codeOf(await confirm(cy, role, bo.person))).toEqual([409, 'role_not_waiting']);
    expect((await lines())[0]).toEqual(['person.role-confirmed', { roles: 'approver' }]);
    expect(await lines()).toContainEqual(['person.confirmed', { waiting: 'approver', until: 'admin' }]);
  });

  test('waits without a time limit, if there is another admin', async () => {
    const { colleague, hire, rolesOf, pass } = await createWorld();
    await colleague('Cy', ADMIN);
    const bo = await hire('Bo', APPROVER);
    await pass(365 * 24 * HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
  });

  test('counts at once, if another admin types the code of the invite', async () => {
    const { ada, colleague, hire, rolesOf, grantRows } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const bo = await hire('Bo', APPROVER, ada, cy);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
    const row = (await grantRows()).find(({ person, permission }) => person === bo.person && permission === 'approve');
    expect(row?.confirmed_by).toBe(cy.person);
    expect(row?.granted_by).not.toBe(cy.person);
  });

  test('waits, if the admin who made the invite has lost that role when another one types the code', async () => {
    const { ada, colleague, invite, browser, block, rolesOf } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const { token, person } = await invite(cy, 'Bo', APPROVER);
    const { body } = await browser().join(token);
    await block(ada, cy.person);
    expect((await ada.act(`/api/people/${person}/confirm`, { code: body['code'] })).status).toBe(204);
    expect(await rolesOf(person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
  });

  test('waits, and so does an admin role, even if they are added to a person later', async () => {
    const { ada, colleague, hire, give, rolesOf, lines } = await createWorld();
    await colleague('Cy', ADMIN);
    const bo = await hire('Bo', ['view']);
    expect((await give(ada, bo.person, ['view', 'prepare', 'approve', 'admin'])).status).toBe(204);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view', 'prepare'], waiting: ['approve', 'admin'] });
    expect((await lines())[0]).toEqual([
      'person.changed',
      { roles: 'operator, approver, admin', waiting: 'approver, admin', until: 'admin' },
    ]);
  });

  test('counts once an admin has typed the code, if the invite was made on the server’s console', async () => {
    const { colleague, rolesOf } = await createWorld();
    const bo = await colleague('Bo', APPROVER);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
  });
});

describe('a role can’t be confirmed', () => {
  test('by the admin who gave it, by the person who has it, or by somebody who isn’t an admin here', async () => {
    const { ada, other, people, browser, colleague, hire, give, waitingOf, confirm, rolesOf } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const approver = await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    const role = await waitingOf(bo.person);
    expect(codeOf(await confirm(ada, role, bo.person))).toEqual([403, 'not_permitted']);
    for (const one of [bo, approver])
      expect(codeOf(await confirm(one, role, bo.person))).toEqual([403, 'not_permitted']);
    const { token } = await people.inviteFromConsole(other, ADMIN, 'first');
    const eve = browser();
    await eve.join(token, 'Eve');
    const path = `/api/grants/${role.id}/confirm`;
    const body = { person: bo.person, permission: 'approve' };
    const { body: ticket } = await eve.call(
      'POST',
      '/session/ticket',
      { purpose: 'act', statement: `POST ${path}\n{"permission":"approve","person":"${bo.person}"}` },
      other,
    );
    const { challenge } = v.parse(v.object({ challenge: v.string() }), ticket['options']);
    const response = eve.authenticator.sign({ challenge, origin: 'https://money.example', rpId: 'money.example' });
    const proof = { ticket: String(ticket['ticket']), response };
    expect(codeOf(await eve.call('POST', path, { ...body, proof }, other))).toEqual([409, 'role_not_waiting']);
    await give(ada, cy.person, ['view', 'approve', 'admin']);
    const own = await waitingOf(cy.person);
    expect(own.confirmers).toEqual([]);
    expect(codeOf(await confirm(cy, own, cy.person))).toEqual([403, 'not_permitted']);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    expect(await rolesOf(cy.person)).toEqual({ permissions: ADMIN, waiting: ['approve'] });
  });

  test('without a passkey’s signature over exactly this role of this person', async () => {
    const { colleague, hire, waitingOf, confirm, rolesOf } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const [bo, di] = [await hire('Bo', APPROVER), await hire('Di', APPROVER)];
    const [role, other] = [await waitingOf(bo.person), await waitingOf(di.person)];
    const path = `/api/grants/${role.id}/confirm`;
    const body = { person: bo.person, permission: 'approve' };
    expect(codeOf(await cy.call('POST', path, body))).toEqual([400, 'invalid_request_error']);
    const proof = await cy.proofOf('POST', path, body);
    const replayed = { person: di.person, permission: 'approve', proof };
    expect(codeOf(await cy.call('POST', `/api/grants/${other.id}/confirm`, replayed))).toEqual([
      403,
      'passkey_refused',
    ]);
    expect(codeOf(await confirm(cy, role, di.person))).toEqual([409, 'role_not_waiting']);
    expect(codeOf(await confirm(cy, role, bo.person, 'admin'))).toEqual([409, 'role_not_waiting']);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    expect((await cy.call('POST', path, { ...body, proof })).status).toBe(204);
    expect(codeOf(await cy.call('POST', path, { ...body, proof }))).toEqual([409, 'role_not_waiting']);
  });
});

describe('a waiting role is ended', () => {
  test('by an approver or an admin who refuses it, and it can be given again', async () => {
    const { ada, colleague, hire, waitingOf, refuse, confirm, give, rolesOf, lines } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const approver = await colleague('Di', APPROVER);
    const bo = await hire('Bo', ['view', 'prepare', 'approve']);
    const role = await waitingOf(bo.person);
    expect(codeOf(await refuse(bo, role))).toEqual([403, 'not_permitted']);
    expect((await refuse(approver, role)).status).toBe(204);
    expect((await lines())[0]).toEqual(['person.role-refused', { roles: 'approver' }]);
    expect(codeOf(await refuse(approver, role))).toEqual([409, 'role_not_waiting']);
    expect(codeOf(await confirm(cy, role, bo.person))).toEqual([409, 'role_not_waiting']);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view', 'prepare'], waiting: [] });
    await give(ada, bo.person, APPROVER);
    expect((await confirm(cy, await waitingOf(bo.person), bo.person)).status).toBe(204);
    expect(codeOf(await refuse(approver, role))).toEqual([409, 'role_not_waiting']);
    expect((await rolesOf(bo.person)).permissions).toEqual(APPROVER);
  });

  test('by an admin who changes the roles, or blocks the person', async () => {
    const { ada, colleague, hire, give, block, rolesOf } = await createWorld();
    await colleague('Cy', ADMIN);
    const [bo, di] = [await hire('Bo', APPROVER), await hire('Di', APPROVER)];
    await give(ada, bo.person, ['view', 'prepare']);
    await block(ada, di.person);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view', 'prepare'], waiting: [] });
    expect(await rolesOf(di.person)).toEqual({ permissions: [], waiting: [] });
  });

  test('when the admin who gave it is blocked or loses that role', async () => {
    const { ada, colleague, hire, block, rolesOf } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const bo = await hire('Bo', APPROVER, cy);
    const di = await hire('Di', APPROVER);
    await block(ada, cy.person);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: [] });
    expect(await rolesOf(di.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
  });

  test.each([
    ['a set-back', endAllPendingIn],
    ['the way back to API keys', endAllPeopleIn],
  ])('by %s', async (_, end) => {
    const { hire, pass, grantRows } = await createWorld();
    const bo = await hire('Bo', APPROVER);
    await database.transaction((tx) => end(tx, seals));
    await pass(73 * HOUR);
    const row = (await grantRows()).find(({ person, permission }) => person === bo.person && permission === 'approve');
    expect(row?.ended_at).toEqual(expect.any(String));
  });

  test('by a set-back, too, if its time was over and nobody was told of it', async () => {
    const { colleague, hire, pass, grantRows } = await createWorld();
    await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    await pass(73 * HOUR);
    await database.transaction((tx) => endAllPendingIn(tx, seals));
    const row = (await grantRows()).find(({ person, permission }) => person === bo.person && permission === 'approve');
    expect(row?.ended_at).toEqual(expect.any(String));
  });

  test('by the console, which makes what an admin gave count at once, and nothing else', async () => {
    const { ada, account, people, hire, rolesOf } = await createWorld();
    const bo = await hire('Bo', APPROVER);
    await database.query('update people.passkeys set ended_at = 1 where id = $1', [ada.authenticator.id]);
    const given = { name: 'Bo', permissions: ['view', 'approve', 'admin'], words: 'the admin left' } as const;
    expect(await people.grantFromConsole(account, given)).toEqual({
      granted: bo.person,
      waiting: { permissions: ['admin'], until: 'time' },
    });
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view', 'approve'], waiting: ['admin'] });
  });
});

describe.runIf(DEEP)('when all admins have lost their passkeys', () => {
  /** Ada's passkey is of the domain before; her session is still open. */
  async function createLockedOut() {
    const world = await createWorld();
    const { account, people, ada, personOf, browser } = world;
    const approver = await world.colleague('Di', APPROVER);
    await database.query('update people.passkeys set ended_at = 1 where id = $1', [ada.authenticator.id]);

    /** Joins by an invite of the console, which needs no code here. */
    async function joinByConsole(name: string, permissions: Permission[]) {
      const { token, person } = await people.inviteFromConsole(account, permissions, 'all passkeys are lost');
      const own = browser();
      expect(await own.join(token, name)).toMatchObject({ status: 201, body: { code: null } });
      return { ...own, person };
    }
    async function roleOf(person: string, permission: Permission) {
      const role = (await personOf(ada, person)).waiting.find((one) => one.permission === permission);
      if (role === undefined) throw new Error('The role doesn’t wait.');
      return role;
    }
    /** Whether they may do what only an admin may. Checks in a new session, as approves() does. */
    async function administers(one: TestBrowser, name: string) {
      expect((await one.signIn()).status).toBe(201);
      return (await one.act('/api/invites', { name, permissions: ['view'] })).status === 201;
    }
    return { ...world, approver, joinByConsole, roleOf, administers };
  }

  test('whoever joins by a single invite of the console is an admin after 72 hours only', async () => {
    const { approver, joinByConsole, rolesOf, pass, administers, lines } = await createLockedOut();
    const eve = await joinByConsole('Eve', ['view', 'prepare', 'approve', 'admin']);
    await approver.call('GET', '/api/people');
    expect((await lines())[0]).toEqual(['person.joined', { waiting: 'approver, admin', until: 'time' }]);
    expect(await rolesOf(eve.person)).toEqual({ permissions: ['view', 'prepare'], waiting: ['approve', 'admin'] });
    await pass(71 * HOUR);
    expect(await administers(eve, 'Fay')).toBe(false);
    await pass(HOUR);
    expect(await rolesOf(eve.person)).toEqual({ permissions: ['view', 'prepare', 'approve', 'admin'], waiting: [] });
    expect(await administers(eve, 'Fay')).toBe(true);
  });

  test('an approver can refuse what the console gave', async () => {
    const { joinByConsole, approver, roleOf, refuse, rolesOf } = await createLockedOut();
    const eve = await joinByConsole('Eve', ADMIN);
    expect((await refuse(approver, await roleOf(eve.person, 'admin'))).status).toBe(204);
    expect(await rolesOf(eve.person)).toEqual({ permissions: ['view'], waiting: [] });
  });

  test('two people who joined by the console confirm each other’s admin role with their passkeys', async () => {
    const { joinByConsole, roleOf, confirm, rolesOf, administers, approver } = await createLockedOut();
    const [eve, fay] = [await joinByConsole('Eve', ADMIN), await joinByConsole('Fay', ADMIN)];
    const [ofEve, ofFay] = [await roleOf(eve.person, 'admin'), await roleOf(fay.person, 'admin')];
    expect(ofEve.confirmers).toEqual([{ person: fay.person, name: 'Fay' }]);
    const gus = await joinByConsole('Gus', ADMIN);
    const ofGus = await roleOf(gus.person, 'admin');
    expect(codeOf(await confirm(eve, ofEve, eve.person, 'admin'))).toEqual([403, 'not_permitted']);
    expect(codeOf(await confirm(approver, ofFay, fay.person, 'admin'))).toEqual([403, 'not_permitted']);
    const unsigned = { person: fay.person, permission: 'admin' };
    expect((await eve.call('POST', `/api/grants/${ofFay.id}/confirm`, unsigned)).status).toBe(400);
    expect((await confirm(eve, ofFay, fay.person, 'admin')).status).toBe(204);
    expect(await rolesOf(fay.person)).toEqual({ permissions: ADMIN, waiting: [] });
    expect(await administers(eve, 'Hal')).toBe(false);
    // Fay is an admin now and decides.
    expect(codeOf(await confirm(eve, ofGus, gus.person, 'admin'))).toEqual([403, 'not_permitted']);
    expect((await fay.signIn()).status).toBe(201);
    expect((await confirm(fay, ofEve, eve.person, 'admin')).status).toBe(204);
    expect(await administers(eve, 'Hal')).toBe(true);
  });

  test('nobody is confirmed by somebody with other roles from the console, or in a restored database', async () => {
    const { joinByConsole, roleOf, confirm, rolesOf } = await createLockedOut();
    const [eve, fay] = [await joinByConsole('Eve', ADMIN), await joinByConsole('Fay', ADMIN)];
    const gus = await joinByConsole('Gus', APPROVER);
    const role = await roleOf(eve.person, 'admin');
    expect(role.confirmers.map(({ name }) => name)).toEqual(['Fay']);
    expect(codeOf(await confirm(gus, role, eve.person, 'admin'))).toEqual([403, 'not_permitted']);
    await database.query('update operations.journal set set_back_at = 1');
    expect((await confirm(fay, role, eve.person, 'admin')).body.error?.message).toMatch(
      /^Newer records may be missing/,
    );
    expect((await rolesOf(eve.person)).waiting).toEqual(['admin']);
  });

  test('the console can’t make somebody an admin at once who joined as a viewer', async () => {
    const { account, people, approver, joinByConsole, rolesOf, pass } = await createLockedOut();
    const eve = await joinByConsole('Eve', ['view']);
    const given = { name: 'Eve', permissions: ADMIN, words: 'all passkeys are lost' };
    const waiting = { granted: eve.person, waiting: { permissions: ['admin'], until: 'time' } };
    expect(await people.grantFromConsole(account, given)).toEqual(waiting);
    expect(await people.grantFromConsole(account, given)).toEqual({ granted: eve.person, waiting: null });
    expect(await rolesOf(eve.person)).toEqual({ permissions: ['view'], waiting: ['admin'] });
    await approver.call('GET', '/api/people');
    await pass(72 * HOUR);
    expect((await rolesOf(eve.person)).permissions).toEqual(ADMIN);
  });

  test('an admin who still has a passkey types the code of whoever joins by the console', async () => {
    const { ada, account, people, browser, colleague, rolesOf } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    await database.query('update people.passkeys set ended_at = 1 where id = $1', [ada.authenticator.id]);
    const invited = await people.inviteFromConsole(account, ADMIN, 'Ada lost hers');
    const eve = browser();
    const { body } = await eve.join(invited.token, 'Eve');
    expect(body['code']).toMatch(/^\d{6}$/);
    expect((await eve.signIn()).status).toBe(403);
    expect((await cy.act(`/api/people/${invited.person}/confirm`, { code: body['code'] })).status).toBe(204);
    expect(await rolesOf(invited.person)).toEqual({ permissions: ADMIN, waiting: [] });
  });
});

test('people of another domain’s passkeys don’t keep two people of the console from confirming each other', async () => {
  const { account, people, peopleAt, browser, confirm } = await createPeopleWorld(database).then((world) => ({
    ...world,
    confirm: (one: TestBrowser, id: string, person: string) =>
      one.act(`/api/grants/${id}/confirm`, { person, permission: 'admin' }),
  }));
  const old = { id: 'of the domain before', publicKey: 'key' };
  const { token } = await people.inviteFromConsole(account, ADMIN, 'first');
  await peopleAt('old.example').join(account, { token, passkey: old, name: 'Ada' });
  const [eve, fay] = [browser(), browser()];
  const joined: string[] = [];
  for (const [one, name] of [
    [eve, 'Eve'],
    [fay, 'Fay'],
  ] as const) {
    const invited = await people.inviteFromConsole(account, ADMIN, 'the domain has changed');
    expect((await one.join(invited.token, name)).body).toEqual({ code: null });
    joined.push(invited.person);
  }
  const waiting = await people.waitingRolesOf(account);
  for (const [one, other] of [
    [eve, 1],
    [fay, 0],
  ] as const) {
    const person = joined[other] ?? '';
    const [role] = waiting.get(person) ?? [];
    expect((await one.signIn()).status).toBe(201);
    expect((await confirm(one, role?.id ?? '', person)).status).toBe(204);
  }
});

describe('without another admin, an approver role counts', () => {
  test('after 72 hours, and not before', async () => {
    const { hire, rolesOf, waitingOf, pass, approves } = await createWorld();
    const bo = await hire('Bo', APPROVER);
    expect(await waitingOf(bo.person)).toMatchObject({ counts_from: expect.any(Number), confirmers: [] });
    await pass(72 * HOUR - 60_000);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    await pass(60_000);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
    expect(await approves(bo)).toBe(true);
  });

  test.each([
    ['the server’s', 73, -2 * HOUR],
    ['the database’s', 71, 2 * HOUR],
  ])('only once its time has come by %s clock, too', async (_, hours, ms) => {
    const { hire, rolesOf, pass, serverSkew, waitingOf, colleague, confirm } = await createWorld();
    const bo = await hire('Bo', APPROVER);
    await pass(hours * HOUR);
    serverSkew.ms = ms;
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    // A confirmed role depends only on the database's clock.
    const cy = await colleague('Cy', ADMIN);
    expect((await confirm(cy, await waitingOf(bo.person), bo.person)).status).toBe(204);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
  });

  test('a week after somebody was removed who could have refused it', async () => {
    const { ada, colleague, hire, block, rolesOf, pass } = await createWorld();
    const approver = await colleague('Cy', APPROVER);
    const [bo, other] = [await hire('Bo', APPROVER), await hire('Eve', ['view', 'prepare'])];
    await block(ada, other.person);
    await pass(71 * HOUR);
    await block(ada, approver.person);
    await pass(167 * HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    const di = await hire('Di', APPROVER);
    await pass(HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
    await pass(70 * HOUR);
    expect(await rolesOf(di.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    await pass(2 * HOUR);
    expect(await rolesOf(di.person)).toEqual({ permissions: APPROVER, waiting: [] });
  });

  test('72 hours after it was given again, if it was taken back while it waited', async () => {
    const { ada, hire, give, waitingOf, rolesOf, pass } = await createWorld();
    const bo = await hire('Bo', APPROVER);
    await give(ada, bo.person, ['view']);
    await give(ada, bo.person, APPROVER);
    const { given_at: from, counts_from: until } = await waitingOf(bo.person);
    expect((until ?? 0) - from).toBe(72 * 60 * 60);
    // Saving the same roles again changes nothing.
    await pass(71 * HOUR);
    await give(ada, bo.person, ['view', 'prepare', 'approve']);
    await pass(HOUR);
    expect((await rolesOf(bo.person)).waiting).toEqual([]);
  });

  test('after it was given again, if the admin who was to confirm it lost every passkey', async () => {
    const { ada, colleague, hire, give, waitingOf, rolesOf, pass } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const bo = await hire('Bo', APPROVER);
    await database.query('update people.passkeys set ended_at = 1 where person = $1', [cy.person]);
    expect(await waitingOf(bo.person)).toMatchObject({ counts_from: null, confirmers: [] });
    await give(ada, bo.person, APPROVER);
    await pass(72 * HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
  });
});

describe.runIf(DEEP)('with somebody who could refuse it, an approver role doesn’t count by time', () => {
  test('before one of them was told, and its signer approves nothing until then', async () => {
    const { colleague, hire, rolesOf, waitingOf, personOf, pass, approves } = await createWorld();
    const di = await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    // Ada gave the role and Bo is to have it, so seeing it tells neither.
    await personOf(bo, bo.person);
    expect(await waitingOf(bo.person)).toMatchObject({ counts_from: expect.any(Number), is_told: false });
    await pass(365 * 24 * HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    expect(await approves(bo)).toBe(false);
    expect((await personOf(di, bo.person)).waiting).toMatchObject([{ is_told: true }]);
    await pass(24 * HOUR - 60_000);
    expect(await approves(bo)).toBe(false);
    await pass(60_000);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
    expect(await approves(bo)).toBe(true);
  });

  test('and can be refused for a day after that', async () => {
    const { colleague, hire, rolesOf, waitingOf, personOf, pass, refuse, approves } = await createWorld();
    const di = await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    await pass(100 * HOUR);
    await personOf(di, bo.person);
    await pass(23 * HOUR);
    expect((await refuse(di, await waitingOf(bo.person))).status).toBe(204);
    await pass(100 * HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: [] });
    expect(await approves(bo)).toBe(false);
  });

  test('before 72 hours, if one of them was told at once', async () => {
    const { colleague, hire, rolesOf, personOf, pass } = await createWorld();
    const di = await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    await personOf(di, bo.person);
    await pass(72 * HOUR - 60_000);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    await pass(60_000);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
  });

  test('before one was told who could refuse it, if a viewer or somebody on another account sees it', async () => {
    const { other, people, browser, colleague, hire, pass, rolesOf } = await createWorld();
    await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    const viewer = await colleague('Eve', ['view']);
    await viewer.call('GET', '/api/people');
    const { token } = await people.inviteFromConsole(other, ADMIN, 'first');
    const stranger = browser();
    await stranger.join(token, 'Finn');
    await stranger.call('GET', '/api/people', undefined, other);
    await pass(100 * HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
  });

  test('until a week after the last of them was removed without being told', async () => {
    const { ada, colleague, hire, block, pass, rolesOf, waitingOf } = await createWorld();
    const di = await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    await pass(100 * HOUR);
    await block(ada, di.person);
    expect(await waitingOf(bo.person)).toMatchObject({ is_told: true });
    await pass(167 * HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    await pass(HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
  });

  test('until it was given again, if the only one of them lost every passkey', async () => {
    const { ada, colleague, hire, give, pass, rolesOf } = await createWorld();
    const di = await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    await database.query('update people.passkeys set ended_at = 1 where person = $1', [di.person]);
    await pass(100 * HOUR);
    expect((await rolesOf(bo.person)).waiting).toEqual(['approve']);
    await give(ada, bo.person, APPROVER);
    await pass(71 * HOUR);
    expect((await rolesOf(bo.person)).waiting).toEqual(['approve']);
    await pass(HOUR);
    expect((await rolesOf(bo.person)).permissions).toEqual(APPROVER);
  });

  test('so taking it back afterwards makes no later role wait longer', async () => {
    const { ada, colleague, hire, block, pass, waitingOf } = await createWorld();
    await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    await pass(100 * HOUR);
    await block(ada, bo.person);
    const { given_at: from, counts_from: until } = await waitingOf((await hire('Cy', APPROVER)).person);
    expect((until ?? 0) - from).toBe(72 * 60 * 60);
  });

  test.each([
    ['told of it', "told_at = '5'"],
    ['older than the rule', "told_at = '0'"],
  ])('if somebody changes the database so that it looks %s', async (_, change) => {
    const { account, colleague, hire, pass, approves } = await createWorld();
    await colleague('Di', APPROVER);
    const bo = await hire('Bo', APPROVER);
    await pass(100 * HOUR);
    await database.query(
      `update people.grants set ${change} where account = $1 and waits_since is not null and told_at is null`,
      [account],
    );
    expect(await approves(bo)).toBe(false);
  });

  /** Sends the notices of one world to one channel. Di and Ada have addresses. */
  async function notified(
    channel: 'mail' | 'webhook',
    answer: { kind: 'sent' } | { kind: 'refused'; problem: string },
  ) {
    await database.query('delete from notices.outbox');
    const world = await createWorld({
      raise: createRaise([channel], (line) => {
        throw new Error(line);
      }),
    });
    const { people, account, ada, colleague, hire } = world;
    const di = await colleague('Di', APPROVER);
    for (const [browser, email] of [
      [ada, 'ada@x.example'],
      [di, 'di@x.example'],
    ] as const)
      expect((await browser.call('PUT', '/api/email', { email })).status).toBe(204);
    await database.query('delete from notices.outbox');
    const bo = await hire('Bo', APPROVER);
    const sent: NoticeMessage[] = [];
    const delivery = createDelivery({
      database,
      service: world.owner.service,
      channels: [{ name: channel, host: 'h', address: 'a', send: async (message) => (sent.push(message), answer) }],
      origin: 'https://money.example',
      namesOf: async () => ({}),
      recipients: createMailRecipients({ peopleWith: people.peopleWith, makerOf: async () => null }),
      noteRoleNotice: people.noteRoleNotice,
      accountName: () => null,
      macOf: (address) => address,
      now: async () => Date.now(),
      random: () => 0,
      warn: () => undefined,
    });
    /** Delivers until this person's mail, or else anything, about the role was sent. */
    const deliver = async (email?: string) => {
      const isSent = () =>
        sent.some((one) => one.event === 'role.waiting' && (email === undefined || one.email === email));
      for (let n = 0; n < 20 && !isSent(); n += 1) await delivery.tick();
      expect(isSent()).toBe(true);
    };
    return { ...world, account, bo, deliver };
  }

  test.each(['mail', 'webhook'] as const)('before a notice of it was delivered by %s', async (channel) => {
    const { bo, deliver, pass, approves } = await notified(channel, { kind: 'sent' });
    await deliver(channel === 'mail' ? 'di@x.example' : undefined);
    await pass(72 * HOUR - 60_000);
    expect(await approves(bo)).toBe(false);
    await pass(60_000);
    expect(await approves(bo)).toBe(true);
  });

  test('if a notice of it was refused by the receiver', async () => {
    const { bo, deliver, pass, approves } = await notified('webhook', { kind: 'refused', problem: 'No.' });
    await deliver();
    await pass(100 * HOUR);
    expect(await approves(bo)).toBe(false);
  });

  test('if only whoever gave it got mail about it', async () => {
    const { people, account, bo, ada, pass, approves, grantRows, personOf } = await notified('mail', { kind: 'sent' });
    const row = (await grantRows()).find(({ waits_since: since }) => since !== null);
    const episode = `given ${row?.waits_since}`;
    const adaId = row?.granted_by ?? '';
    expect((await personOf(ada, adaId)).name).toBe('Ada');
    await people.noteRoleNotice({ account, subject: bo.person, episode, reader: adaId });
    await people.noteRoleNotice({ account, subject: bo.person, episode: 'given 1', reader: null });
    await pass(100 * HOUR);
    expect(await approves(bo)).toBe(false);
  });
});

describe('roles count at once', () => {
  test('until the first approval rules are in force, and wait after that', async () => {
    const { ada, policy, hire, rolesOf } = await createWorld();
    await policy(null);
    const bo = await hire('Bo', APPROVER);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
    const rules: Policy = { ...NO_APPROVALS, expires_hours: 48 };
    expect((await ada.act('/api/policy', { policy: rules, number: 0 }, 'PUT')).status).toBe(200);
    const di = await hire('Di', APPROVER);
    expect(await rolesOf(di.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
  });

  test.each([
    ['ended', 'update people.policies set ended_at = counts_from + 1'],
    ['deleted', 'delete from people.policies'],
  ])('no more after that, even if those rules are %s', async (_, sql) => {
    const { ada, account, policy, hire, rolesOf } = await createWorld();
    await policy(null);
    await ada.act('/api/policy', { policy: NO_APPROVALS, number: 0 }, 'PUT');
    await database.query(`${sql} where account = $1`, [account]);
    const bo = await hire('Bo', APPROVER);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
  });
});

describe('somebody who changes the database directly', () => {
  test.each([
    ['count', 'counts_from = 1'],
    ['confirmed', 'confirmed_by = (select id from people.people where name = $2 limit 1), counts_from = 1'],
    ['look as if it never waited', 'waits_since = null, counts_from = 1'],
  ])('can’t make a waiting role %s', async (_, change) => {
    const { account, colleague, hire, rolesOf, approves } = await createWorld();
    await colleague('Cy', ADMIN);
    const bo = await hire('Bo', APPROVER);
    await database.query(
      `update people.grants set ${change}
       where account = $1 and waits_since is not null ${change.includes('$2') ? '' : 'and $2::text is not null'}`,
      [account, 'Cy'],
    );
    expect((await rolesOf(bo.person)).permissions).toEqual(['view']);
    expect(await approves(bo)).toBe(false);
  });

  test('can’t have the person or the admin who gave it confirm it', async () => {
    const { account, colleague, hire } = await createWorld();
    await colleague('Cy', ADMIN);
    await hire('Bo', APPROVER);
    for (const by of ['person', 'granted_by'])
      await expect(
        database.query(`update people.grants set confirmed_by = ${by} where account = $1 and waits_since is not null`, [
          account,
        ]),
      ).rejects.toThrow('check constraint');
  });
});

describe.runIf(DEEP)('an approver who is invited again', () => {
  test('no longer approves, if one admin made the invite and typed the code', async () => {
    const { ada, colleague, hireAgain, confirm, waitingOf, rolesOf, approves, lines } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const bo = await colleague('Bo', ['view', 'prepare', 'approve']);
    const again = await hireAgain(bo.person, ada);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view', 'prepare'], waiting: ['approve'] });
    expect(await lines()).toContainEqual(['person.confirmed', { waiting: 'approver', until: 'admin' }]);
    expect(await approves(again)).toBe(false);
    const role = await waitingOf(bo.person);
    expect(codeOf(await confirm(ada, role, bo.person))).toEqual([403, 'not_permitted']);
    expect((await confirm(cy, role, bo.person)).status).toBe(204);
    expect(await approves(again)).toBe(true);
  });

  test('goes on approving, if another admin typed the code', async () => {
    const { ada, colleague, hireAgain, rolesOf, approves } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const bo = await colleague('Bo', APPROVER);
    const again = await hireAgain(bo.person, ada, cy);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
    expect(await approves(again)).toBe(true);
  });

  test('waits a week if there is no other admin, as after a removal', async () => {
    const { ada, colleague, hireAgain, rolesOf, pass } = await createWorld();
    const bo = await colleague('Bo', APPROVER);
    await hireAgain(bo.person, ada);
    await pass(167 * HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: ['view'], waiting: ['approve'] });
    await pass(HOUR);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
  });

  test('can’t be confirmed by the admin who may have the new passkey, whoever gave the role', async () => {
    const { ada, colleague, hire, hireAgain, confirm, waitingOf, rolesOf } = await createWorld();
    const cy = await colleague('Cy', ADMIN);
    const bo = await hire('Bo', APPROVER);
    await hireAgain(bo.person, cy);
    const role = await waitingOf(bo.person);
    expect(role).toMatchObject({ given_by: { name: 'Cy' }, confirmers: [{ name: 'Ada' }] });
    expect(codeOf(await confirm(cy, role, bo.person))).toEqual([403, 'not_permitted']);
    expect((await confirm(ada, role, bo.person)).status).toBe(204);
    expect(await rolesOf(bo.person)).toEqual({ permissions: APPROVER, waiting: [] });
  });

  test('no longer approves on any account', async () => {
    const { ada, other, people, colleague, hireAgain, policy } = await createWorld();
    const bo = await colleague('Bo', APPROVER);
    // Before the first approval rules, roles from the console count at once.
    await policy(null);
    await people.grantFromConsole(other, { name: 'Bo', permissions: APPROVER, words: 'first' });
    await people.grantFromConsole(other, { name: 'Ada', permissions: ADMIN, words: 'first' });
    await policy(NO_APPROVALS);
    await hireAgain(bo.person, ada);
    expect((await people.findPerson(other, bo.person))?.permissions).toEqual(['view']);
  });
});

test('a waiting approver doesn’t count for whether approval rules can be met', async () => {
  const { ada, colleague, hire, confirm, waitingOf } = await createWorld();
  const cy = await colleague('Cy', ADMIN);
  const bo = await hire('Bo', APPROVER);
  const propose = () => ada.act('/api/policy', { policy: { ...NO_APPROVALS, other_assets: 1 }, number: 1 }, 'PUT');
  expect(codeOf(await propose())).toEqual([422, 'policy_unmeetable']);
  await confirm(cy, await waitingOf(bo.person), bo.person);
  expect((await propose()).status).toBe(200);
});
