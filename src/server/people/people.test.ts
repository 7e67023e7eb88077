import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { openSqlRows, turnsOf } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { NotPermitted, SessionEnded } from './actor.ts';
import { openAccounts } from './accounts.ts';
import { type Joined, openPeople, type People, type PersonActor } from './people.ts';
import { createSeals } from './seals.ts';
import { sessionRowsOf } from './sessionRows.ts';
import { createServerAccounts } from '#src/server/people/serverAccounts.ts';
import { createSessions } from './sessions.ts';

const SERVICE = 'https://pay.example';
const RP_ID = 'pay.example';
const SECRET = 'a secret of the tests';
const seals = createSeals(Buffer.from('a key of the tests'));

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
});
afterAll(() => database.close());

let accounts = 0;

/** An account of its own, with the rows of its people. */
async function createAccount() {
  accounts += 1;
  const service = `${SERVICE}/${accounts}`;
  const account = await openAccounts(database, service, seals).findOrCreateAccount(`account-${accounts}`);
  const people = openPeople(database, service, seals, turnsOf('people'));
  const rows = sessionRowsOf(database, service, people.grants);
  const clock = { wall: Date.now, mono: () => performance.now() };
  const serverAccounts = createServerAccounts([
    { name: 'main', account, credential: account, apiKey: 'sk_1' },
    { name: 'other', account: `other-${accounts}`, credential: `other-${accounts}`, apiKey: 'sk_2' },
  ]);
  const sessions = createSessions(rows, SECRET, clock, { serverAccounts });
  let keys = 0;
  const newPasskey = () => ({ id: `passkey-${accounts}-${(keys += 1)}`, publicKey: 'key' });

  async function join(token: string, name = 'Ada', passkey = newPasskey()): Promise<Extract<Joined, object>> {
    const joined = await people.join(account, { token, passkey, rpId: RP_ID, name });
    if (typeof joined === 'string') throw new Error(joined);
    return joined;
  }

  async function signIn(person: string, name = 'Ada', at = account): Promise<PersonActor & { token: string }> {
    const who = { account: at, credential: at, sandbox: null, name, journalOnly: false };
    const token = await sessions.start({ ...who, key: 'sk_1', person });
    const session = await sessions.open(token);
    if (session === null) throw new Error('The session did not begin.');
    return {
      account: at,
      session: session.id,
      person,
      passkey: null,
      who: name,
      token,
      rights: { ...session.rights, readOnly: false },
    };
  }

  /** The first admin, who joined by an invite of the console. */
  async function firstAdmin() {
    const { token } = await people.inviteFromConsole(account, ['view', 'prepare', 'admin'], 'first');
    return signIn((await join(token)).person);
  }

  /** Invited, joined and confirmed. */
  async function colleague(admin: PersonActor, name: string, permissions: Permission[]) {
    const invited = await people.invite(admin, name, permissions);
    if (invited === null) throw new Error('The name is taken.');
    const { person, code } = await join(invited.token);
    expect(await people.confirm(admin, person, code ?? '')).toBe('confirmed');
    return person;
  }

  const permissionsOf = async (person: string) =>
    (await people.grants.readPerson(database, { person, account }))?.permissions ?? null;
  return { service, account, people, sessions, join, signIn, firstAdmin, colleague, newPasskey, permissionsOf };
}

const find = async (people: People, account: string, id: string) =>
  (await people.list(account)).find((person) => person.id === id);

describe('an invite of the console', () => {
  test('lets the first person in at once, with its permissions, and can be used once', async () => {
    const { account, people, join, permissionsOf } = await createAccount();
    const { token } = await people.inviteFromConsole(account, ['view', 'admin'], 'first');
    expect(await people.findInvite(token)).toMatchObject({
      name: null,
      invitedBy: null,
      permissions: ['view', 'admin'],
    });
    const { person, code } = await join(token, 'Ada');
    expect(code).toBeNull();
    expect(await permissionsOf(person)).toEqual(['view', 'admin']);
    expect(await find(people, account, person)).toMatchObject({ name: 'Ada', state: 'active', passkeys: 1 });
    expect(await people.findInvite(token)).toBe('invite_used');
    expect(await people.join(account, { token, passkey: { id: 'x', publicKey: 'y' }, rpId: RP_ID, name: 'Eve' })).toBe(
      'invite_used',
    );
  });

  test('needs a code once there is an admin', async () => {
    const { account, people, join, firstAdmin, permissionsOf } = await createAccount();
    await firstAdmin();
    const { token } = await people.inviteFromConsole(account, ['view', 'admin'], 'first');
    const { person, code } = await join(token, 'Cy');
    expect(code).toMatch(/^\d{6}$/);
    expect(await permissionsOf(person)).toEqual([]);
  });

  test('needs no code where the only admin was blocked', async () => {
    const { account, people, join, firstAdmin, signIn, colleague } = await createAccount();
    const admin = await firstAdmin();
    const other = await signIn(await colleague(admin, 'Bo', ['view', 'admin']), 'Bo');
    await people.block(admin, other.person);
    // As if the last admin had been blocked by another one who is gone by now.
    await database.query('update people.grants set ended_at = 1 where person = $1', [admin.person]);
    const { token } = await people.inviteFromConsole(account, ['view', 'admin'], 'first');
    expect((await join(token, 'Cy')).code).toBeNull();
  });
});

describe('an invited person', () => {
  test('has no right before an admin typed the code', async () => {
    const { account, people, join, firstAdmin, newPasskey, permissionsOf } = await createAccount();
    const admin = await firstAdmin();
    const invited = await people.invite(admin, 'Bo', ['view', 'prepare']);
    const passkey = newPasskey();
    const { person, code } = await join(invited?.token ?? '', '', passkey);
    expect(await find(people, account, person)).toMatchObject({ name: 'Bo', state: 'joined', invited_by: 'Ada' });
    expect(await permissionsOf(person)).toEqual([]);
    expect(await people.findPasskey(passkey.id, RP_ID)).toBeNull();
    expect(await people.isWaitingForCode(passkey.id)).toBe(true);

    expect(await people.confirm(admin, person, code ?? '')).toBe('confirmed');
    expect(await permissionsOf(person)).toEqual(['view', 'prepare']);
    expect(await people.findPasskey(passkey.id, RP_ID)).toEqual({ person, publicKey: 'key' });
    expect(await people.findPasskey(passkey.id, 'other.example')).toBeNull();
    expect(await find(people, account, person)).toMatchObject({ state: 'active' });
    expect(await people.confirm(admin, person, code ?? '')).toBe('not_found');
  });

  test('after five wrong codes needs a new invite', async () => {
    const { account, people, join, firstAdmin, permissionsOf } = await createAccount();
    const admin = await firstAdmin();
    const invited = await people.invite(admin, 'Bo', ['view']);
    const { person, code } = await join(invited?.token ?? '');
    const wrong = code === '000000' ? '000001' : '000000';
    for (const triesLeft of [4, 3, 2, 1, 0]) expect(await people.confirm(admin, person, wrong)).toEqual({ triesLeft });
    expect(await people.confirm(admin, person, code ?? '')).toBe('not_found');
    expect(await permissionsOf(person)).toEqual([]);

    const again = await people.inviteAgain(admin, person);
    const joined = await join(again?.token ?? '');
    expect(await people.confirm(admin, person, joined.code ?? '')).toBe('confirmed');
    expect(await permissionsOf(person)).toEqual(['view']);
    expect(await find(people, account, person)).toMatchObject({ state: 'active', passkeys: 1 });
  });

  test('with a name that somebody has is refused, in any spelling', async () => {
    const { people, firstAdmin } = await createAccount();
    expect(await people.invite(await firstAdmin(), 'ADA', ['view'])).toBeNull();
  });

  test('can’t use an invite that was replaced, revoked or is too old', async () => {
    const { people, firstAdmin } = await createAccount();
    const admin = await firstAdmin();
    const first = await people.invite(admin, 'Bo', ['view']);
    const second = await people.inviteAgain(admin, first?.person ?? '');
    expect(await people.findInvite(first?.token ?? '')).toBe('invite_expired');
    expect(await people.findInvite(second?.token ?? '')).toMatchObject({ name: 'Bo' });
    await people.endInvites(admin, first?.person ?? '');
    expect(await people.findInvite(second?.token ?? '')).toBe('invite_expired');
    expect(await people.findInvite('made up')).toBe('invite_unknown');
  });
});

describe('somebody who lost their passkeys', () => {
  test('keeps permissions; the old passkeys and sessions end with the code', async () => {
    const { people, join, firstAdmin, colleague, signIn, sessions, newPasskey, permissionsOf } = await createAccount();
    const admin = await firstAdmin();
    const person = await colleague(admin, 'Bo', ['view', 'prepare']);
    const [old] = await people.ownPasskeys(person);
    const session = await signIn(person, 'Bo');
    const invited = await people.inviteAgain(admin, person);
    const passkey = newPasskey();
    const { code } = await join(invited?.token ?? '', '', passkey);
    // Until then the lost passkey works, and a stolen invite ends nothing.
    expect(await people.findPasskey(old?.id ?? '', RP_ID)).not.toBeNull();
    expect(await people.confirm(admin, person, code ?? '')).toBe('confirmed');
    expect(await people.findPasskey(old?.id ?? '', RP_ID)).toBeNull();
    expect(await people.findPasskey(passkey.id, RP_ID)).not.toBeNull();
    expect(await permissionsOf(person)).toEqual(['view', 'prepare']);
    await expect(people.addPasskey(session, newPasskey(), RP_ID, passkey.id)).rejects.toBeInstanceOf(SessionEnded);
    expect(await sessions.open(session.token)).not.toBeNull(); // Reads may be five seconds old.
  });
});

describe('only an admin', () => {
  test('invites, confirms, grants and blocks', async () => {
    const { people, firstAdmin, colleague, signIn } = await createAccount();
    const admin = await firstAdmin();
    const operator = await signIn(await colleague(admin, 'Bo', ['view', 'prepare', 'approve']), 'Bo');
    const acts = [
      people.invite(operator, 'Eve', ['admin']),
      people.inviteAgain(operator, admin.person),
      people.endInvites(operator, admin.person),
      people.confirm(operator, admin.person, '000000'),
      people.grant(operator, admin.person, ['view']),
      people.block(operator, admin.person),
      people.signOutEverywhere(operator, admin.person),
    ];
    for (const act of acts) await expect(act).rejects.toBeInstanceOf(NotPermitted);
  });

  test('and nobody changes their own permissions', async () => {
    const { people, firstAdmin, permissionsOf } = await createAccount();
    const admin = await firstAdmin();
    expect(await people.grant(admin, admin.person, ['view', 'approve'])).toBe(false);
    expect(await people.block(admin, admin.person)).toBe(false);
    expect(await people.inviteAgain(admin, admin.person)).toBeNull();
    expect(await permissionsOf(admin.person)).toEqual(['view', 'prepare', 'admin']);
  });

  test('of a session that has not ended', async () => {
    const { people, firstAdmin, sessions } = await createAccount();
    const admin = await firstAdmin();
    await sessions.end(admin.token, 'signed-out');
    await expect(people.invite(admin, 'Bo', ['view'])).rejects.toBeInstanceOf(SessionEnded);
  });
});

test('a blocked person’s sessions end, and permissions given again bring them back', async () => {
  const { account, people, firstAdmin, colleague, signIn } = await createAccount();
  const admin = await firstAdmin();
  const bo = await signIn(await colleague(admin, 'Bo', ['view', 'admin']), 'Bo');
  expect(await people.block(admin, bo.person)).toBe(true);
  expect(await find(people, account, bo.person)).toMatchObject({ state: 'blocked', permissions: [], open_sessions: 0 });
  await expect(people.block(bo, admin.person)).rejects.toBeInstanceOf(SessionEnded);
  expect(await people.grant(admin, bo.person, ['view'])).toBe(true);
  expect(await find(people, account, bo.person)).toMatchObject({ state: 'active', permissions: ['view'] });
});

test('sign out everywhere ends every session of a person, and of nobody else', async () => {
  const { people, firstAdmin, colleague, signIn } = await createAccount();
  const admin = await firstAdmin();
  const person = await colleague(admin, 'Bo', ['view']);
  const two = [await signIn(person, 'Bo'), await signIn(person, 'Bo')];
  expect(await people.ownSessions(person)).toHaveLength(2);
  await people.signOutEverywhere(admin, person);
  expect(await people.ownSessions(person)).toEqual([]);
  for (const actor of two) await expect(people.endSession(actor, actor.session)).rejects.toBeInstanceOf(SessionEnded);
  expect(await people.ownSessions(admin.person)).toHaveLength(1);
  expect(await people.endSession(admin, admin.session)).toBe(true);
});

test('a passkey is added and removed by oneself; the last one stays', async () => {
  const { people, firstAdmin, newPasskey } = await createAccount();
  const admin = await firstAdmin();
  const [first] = await people.ownPasskeys(admin.person);
  const second = newPasskey();
  expect(await people.removePasskey(admin, first?.id ?? '')).toBe(false);
  await people.addPasskey(admin, second, RP_ID, first?.id ?? '');
  expect(await people.findPasskey(second.id, RP_ID)).not.toBeNull();
  expect(await people.removePasskey(admin, first?.id ?? '')).toBe(true);
  expect(await people.findPasskey(first?.id ?? '', RP_ID)).toBeNull();
  expect(await people.removePasskey(admin, second.id)).toBe(false);
  expect(await people.removePasskey(admin, 'another')).toBe(false);
});

describe('a row that was changed in the database does not count', () => {
  const changes: [string, string][] = [
    ['a name', "update people.people set name = 'Mallory' where id = $1"],
    ['a permission', "update people.grants set permission = 'approve' where person = $1 and permission = 'prepare'"],
    ['an end that was taken away', 'update people.grants set ended_at = null where person = $1'],
    ['an account', "update people.grants set account = 'other' where person = $1"],
    [
      'a copied grant',
      "insert into people.grants select id || 'x', person, account, 'approve', granted_by, counts_from, ended_at, ended_by, seal from people.grants where person = $1 and permission = 'view'",
    ],
  ];
  test.each(changes)('%s', async (_what, sql) => {
    const { people, firstAdmin, colleague, permissionsOf } = await createAccount();
    const admin = await firstAdmin();
    const person = await colleague(admin, 'Bo', ['view', 'prepare']);
    await people.grant(admin, person, ['view', 'prepare', 'admin']);
    await people.grant(admin, person, ['view', 'prepare']);
    await database.query(sql, [person]);
    const permissions = (await permissionsOf(person)) ?? [];
    expect(permissions).not.toContain('approve');
    expect(permissions).not.toContain('admin');
  });

  test('a session given to somebody else', async () => {
    const { people, firstAdmin, colleague, signIn } = await createAccount();
    const admin = await firstAdmin();
    const viewer = await signIn(await colleague(admin, 'Bo', ['view']), 'Bo');
    await database.query('update people.sessions set person = $1 where id = $2', [admin.person, viewer.session]);
    await expect(people.invite(viewer, 'Eve', ['admin'])).rejects.toBeInstanceOf(SessionEnded);
  });

  test('a passkey and an invite', async () => {
    const { people, firstAdmin, account } = await createAccount();
    const admin = await firstAdmin();
    const [passkey] = await people.ownPasskeys(admin.person);
    await database.query("update people.passkeys set public_key = 'mine' where person = $1", [admin.person]);
    expect(await people.findPasskey(passkey?.id ?? '', RP_ID)).toBeNull();
    const { token } = await people.inviteFromConsole(account, ['view'], 'first');
    await database.query(`update people.invites set permissions = '["admin"]' where used_at is null`);
    expect(await people.findInvite(token)).toBe('invite_unknown');
  });
});

test('in a restored database everybody only views, and open invites are gone', async () => {
  const { people, firstAdmin, permissionsOf } = await createAccount();
  const admin = await firstAdmin();
  await database.query('update operations.journal set set_back_at = 1');
  expect(await permissionsOf(admin.person)).toEqual(['view']);
  await database.query('update operations.journal set set_back_at = null');
  expect(await permissionsOf(admin.person)).toEqual(['view', 'prepare', 'admin']);
  expect(await people.invite(admin, 'Bo', ['view'])).not.toBeNull();
});

describe('with write access to the database', () => {
  test('an altered invite gives no permission to whoever is invited again', async () => {
    const { people, firstAdmin } = await createAccount();
    const admin = await firstAdmin();
    const first = await people.invite(admin, 'Bo', ['view']);
    await database.query('update people.invites set permissions = $2 where person = $1', [
      first?.person ?? '',
      '["view","admin"]',
    ]);
    const again = await people.inviteAgain(admin, first?.person ?? '');
    const found = await people.findInvite(again?.token ?? '');
    expect(found).not.toMatchObject({ permissions: ['view', 'admin'] });
  });
});

describe('people on two accounts', () => {
  /** Ada is the admin of one account, Eve of another. */
  async function createTwoAccounts() {
    const world = await createAccount();
    const { people, service, firstAdmin, signIn } = world;
    const ada = await firstAdmin();
    const other = await openAccounts(database, service, seals).findOrCreateAccount(`other-${accounts}`);
    const { token } = await people.inviteFromConsole(other, ['view', 'admin'], 'first');
    const passkey = { id: `of-eve-${service}`, publicKey: 'key' };
    const joined = await people.join(other, { token, passkey, rpId: RP_ID, name: 'Eve' });
    if (typeof joined === 'string') throw new Error(joined);
    const eve = await signIn(joined.person, 'Eve', other);
    const permissionsOn = async (account: string, person: string) =>
      (await people.grants.readPerson(database, { person, account }))?.permissions;
    return { ...world, other, ada, eve, permissionsOn };
  }
  const namesOf = (list: readonly { name: string }[]) => list.map(({ name }) => name);

  test('each account lists its own, and its admin can do nothing with the other’s', async () => {
    const { people, account, other, ada, eve } = await createTwoAccounts();
    expect(namesOf(await people.list(account))).toEqual(['Ada']);
    expect(namesOf(await people.list(other))).toEqual(['Eve']);
    expect(await people.listAddable(account, ada.person)).toEqual([]);
    expect(await people.inviteAgain(ada, eve.person)).toBeNull();
    expect(await people.grant(ada, eve.person, ['view'])).toBe(false);
    expect(await people.block(ada, eve.person)).toBe(false);
    await people.signOutEverywhere(ada, eve.person);
    await people.endInvites(ada, eve.person);
    expect(await people.invite(eve, 'Cy', ['view'])).not.toBeNull();
  });

  test('an admin of both gives somebody of one roles on the other', async () => {
    const { people, account, other, ada, eve, colleague, signIn, permissionsOn } = await createTwoAccounts();
    const bo = await colleague(ada, 'Bo', ['view', 'prepare']);
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    const console = { name: 'Ada', permissions: ['view', 'admin'] as const, words: 'first', rpId: RP_ID };
    expect(await people.grantFromConsole(other, console)).toEqual({ granted: ada.person });
    const adaThere = await signIn(ada.person, 'Ada', other);
    expect(await people.listAddable(other, ada.person)).toEqual([{ id: bo, name: 'Bo' }]);
    expect(await people.grant(adaThere, bo, ['view'])).toBe(true);
    expect(await permissionsOn(other, bo)).toEqual(['view']);
    expect(await permissionsOn(account, bo)).toEqual(['view', 'prepare']);
    expect(namesOf(await people.list(other))).toEqual(['Ada', 'Bo', 'Eve']);
    expect(await people.grants.accountsOf(database, eve.person)).toEqual([]);
  });

  test('how somebody signs in is changed by an admin of both, a block by either and on that account alone', async () => {
    const { people, account, other, ada, colleague, signIn, permissionsOn } = await createTwoAccounts();
    const bo = await colleague(ada, 'Bo', ['view', 'prepare']);
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    await people.grantFromConsole(other, { name: 'Bo', permissions: ['view', 'admin'], words: 'first', rpId: RP_ID });
    const boThere = await signIn(bo, 'Bo', other);

    await expect(people.inviteAgain(ada, bo)).rejects.toThrow('Only an admin of all their accounts');
    await expect(people.signOutEverywhere(ada, bo)).rejects.toBeInstanceOf(NotPermitted);
    const listed = (await people.list(account, ada.person)).find(({ id }) => id === bo);
    expect(listed?.needs_other_admin).toBe(true);
    await people.signOutEverywhere(boThere, bo);

    const again = await signIn(bo, 'Bo', other);
    expect(await people.block(ada, bo)).toBe(true);
    expect(await permissionsOn(account, bo)).toEqual([]);
    expect(await permissionsOn(other, bo)).toEqual(['view', 'admin']);
    await expect(people.invite(again, 'Cy', ['view'])).rejects.toBeInstanceOf(SessionEnded);
  });

  test('a code is typed by an admin of the account that invited, and of all others', async () => {
    const { people, account, other, ada, colleague, signIn, join, permissionsOn } = await createTwoAccounts();
    const bo = await colleague(ada, 'Bo', ['view']);
    const invited = await people.inviteAgain(ada, bo);
    const { code } = await join(invited?.token ?? '', 'Bo');
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    await people.grantFromConsole(other, { name: 'Bo', permissions: ['view', 'admin'], words: 'first', rpId: RP_ID });
    await expect(people.confirm(ada, bo, code ?? '')).rejects.toBeInstanceOf(NotPermitted);
    expect(await people.confirm(await signIn(bo, 'Bo', other), bo, code ?? '')).toBe('not_found');
    expect(await permissionsOn(account, bo)).toEqual(['view']);
  });

  test('a session that is switched keeps its age, and the former one has ended', async () => {
    const { people, sessions, account, other, ada, service } = await createTwoAccounts();
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    const who = { person: ada.person, name: ada.who };
    const to = { account: other, credential: other };
    expect(await sessions.switchAccount(ada.token, who, to)).toBe('not-permitted');
    await people.grantFromConsole(other, { name: 'Ada', permissions: ['view', 'admin'], words: 'first', rpId: RP_ID });
    await database.query('update people.sessions set created_at = created_at - 1000 where service = $1', [service]);
    const switched = await sessions.switchAccount(ada.token, who, to);
    if (typeof switched === 'string') throw new Error(switched);
    expect(await sessions.open(ada.token)).toBeNull();
    expect(await sessions.open(switched.token)).toMatchObject({
      account: other,
      person: ada.person,
      rights: { permissions: ['view', 'admin'] },
      accounts: [account, other].toSorted(),
    });
    expect(await sessions.switchAccount(ada.token, who, { account, credential: account })).toBe('ended');
    const rows = await database.query(
      'select account, ended_why, created_at = min(created_at) over () as is_as_old from people.sessions where person = $1 order by seen_at',
      [ada.person],
    );
    expect(rows).toEqual([
      { account, ended_why: 'replaced', is_as_old: true },
      { account: other, ended_why: null, is_as_old: true },
    ]);
    expect(await people.lastAccountOf(ada.person)).toBe(other);
  });
});

test('every act on people leaves one line of the activity, with who did it', async () => {
  const { account, people, firstAdmin, colleague, signIn } = await createAccount();
  const admin = await firstAdmin();
  const ben = await colleague(admin, 'Ben', ['view']);
  await people.grant(admin, ben, ['view', 'approve']);
  await people.inviteAgain(admin, ben);
  await people.endInvites(admin, ben);
  await people.endInvites(admin, ben);
  await people.confirm(admin, ben, '000000');
  const again = await signIn(ben, 'Ben');
  const [first] = await people.ownPasskeys(ben);
  await people.addPasskey(again, { id: `second of ${account}`, publicKey: 'key' }, RP_ID, first?.id ?? '');
  await people.removePasskey(again, `second of ${account}`);
  await people.endSession(again, again.session);
  await people.signOutEverywhere(admin, ben);
  await people.block(admin, ben);
  const lines = await database.query(
    'select kind, who, person, subject, facts from activity.lines where account = $1 order by number',
    [account],
  );
  const by = { who: 'Ada', person: admin.person };
  const byBen = { who: 'Ben', person: ben, subject: ben };
  expect(lines).toEqual([
    {
      kind: 'person.invited',
      who: null,
      person: null,
      subject: admin.person,
      facts: '{"roles":"operator, admin","words":"first"}',
    },
    { kind: 'person.joined', ...by, subject: admin.person, facts: '{}' },
    { kind: 'person.invited', ...by, subject: ben, facts: '{"roles":"viewer"}' },
    { kind: 'person.joined', ...byBen, facts: '{}' },
    { kind: 'person.confirmed', ...by, subject: ben, facts: '{}' },
    { kind: 'person.changed', ...by, subject: ben, facts: '{"roles":"approver"}' },
    { kind: 'person.invited-again', ...by, subject: ben, facts: '{}' },
    { kind: 'person.invite-ended', ...by, subject: ben, facts: '{}' },
    { kind: 'passkey.added', ...byBen, facts: '{}' },
    { kind: 'passkey.removed', ...byBen, facts: '{}' },
    { kind: 'session.ended', ...byBen, facts: '{}' },
    { kind: 'person.signed-out', ...by, subject: ben, facts: '{}' },
    { kind: 'person.blocked', ...by, subject: ben, facts: '{}' },
  ]);
});
