import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { NoticeCause, RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import { openSqlRows, createActivityWriter } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { NotPermitted, SessionEnded } from './actor.ts';
import { openAccounts } from './accounts.ts';
import type { NewInvite } from './inviteRows.ts';
import type { Joined } from './invites.ts';
import { openPeople, type People } from './people.ts';
import type { PersonActor } from './personTransactions.ts';
import { columnsToSeal, INVITE_COLUMNS, type InviteRow } from './peopleRows.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import { migratePeople, PEOPLE_MIGRATIONS } from './schema.ts';
import { endAllPeopleIn, resealAll } from './sealedTables.ts';
import { createSeals } from './seals.ts';
import { LONGEST_OIDC_MS } from './sessionAge.ts';
import { sessionRowsOf } from './sessionRows.ts';
import { createServerAccounts } from '#src/server/people/serverAccounts.ts';
import { createSessions } from './sessions.ts';
import { DEEP } from '#src/tests/depth.ts';

const SERVICE = 'https://pay.example';
const RP_ID = 'pay.example';
const SECRET = 'a secret of the tests';
const seals = createSeals(Buffer.from('a key of the tests'));

let database: Database;
let rows: Rows;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  rows = await openSqlRows(database, { mode: 'people', ...OWN_PARTS, seals });
});
afterAll(() => database.close());

let accounts = 0;

/** Creates a separate service and account for one test. */
async function createAccount({ raise, ...options }: { longestMs?: number; raise?: RaiseNotice } = {}) {
  accounts += 1;
  const service = `${SERVICE}/${accounts}`;
  const account = await openAccounts(database, service, seals).findOrCreateAccount(`account-${accounts}`);
  const peopleAt = (rpId: string) =>
    openPeople({
      database,
      service,
      seals,
      activityWriter: createActivityWriter('people'),
      rpId,
      issuer: null,
      ...(raise && { raise }),
    });
  const people = peopleAt(RP_ID);
  const sessionRows = sessionRowsOf(database, service, people.grants);
  const clock = { wall: Date.now, mono: () => performance.now() };
  const serverAccounts = createServerAccounts([
    { name: 'main', account, credential: account, apiKey: 'sk_1' },
    { name: 'other', account: `other-${accounts}`, credential: `other-${accounts}`, apiKey: 'sk_2' },
  ]);
  const sessions = createSessions(sessionRows, SECRET, clock, { serverAccounts, ...options });
  let keys = 0;
  const newPasskey = () => ({ id: `passkey-${accounts}-${(keys += 1)}`, publicKey: 'key' });

  async function join(token: string, name = 'Ada', passkey = newPasskey()): Promise<Extract<Joined, object>> {
    const joined = await people.join(account, { token, passkey, name });
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
  async function firstAdmin(name = 'Ada') {
    const { token } = await people.inviteFromConsole(account, ['view', 'prepare', 'admin'], 'first');
    return signIn((await join(token, name)).person, name);
  }

  /** A person who was invited, joined and was confirmed. */
  async function colleague(admin: PersonActor, name: string, permissions: Permission[]) {
    const invited = await people.invite(admin, name, permissions);
    if (invited === null) throw new Error('The name is taken.');
    const { person, code } = await join(invited.token);
    expect(await people.confirm(admin, person, code ?? '')).toBe('confirmed');
    return person;
  }

  const permissionsOf = async (person: string) =>
    (await people.grants.readPerson(database, { person, account }))?.permissions ?? null;
  return {
    service,
    account,
    people,
    peopleAt,
    sessions,
    join,
    signIn,
    firstAdmin,
    colleague,
    newPasskey,
    permissionsOf,
  };
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
    expect(await people.join(account, { token, passkey: { id: 'x', publicKey: 'y' }, name: 'Eve' })).toBe(
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
    // As if the last admin had been blocked by another admin who has left since.
    await database.query('update people.grants set ended_at = 1 where person = $1', [admin.person]);
    const { token } = await people.inviteFromConsole(account, ['view', 'admin'], 'first');
    expect((await join(token, 'Cy')).code).toBeNull();
  });
});

describe('an invited person', () => {
  test('has no right before an admin typed the code', async () => {
    const { account, people, peopleAt, join, firstAdmin, newPasskey, permissionsOf } = await createAccount();
    const admin = await firstAdmin();
    const invited = await people.invite(admin, 'Bo', ['view', 'prepare']);
    const passkey = newPasskey();
    const { person, code } = await join(invited?.token ?? '', '', passkey);
    expect(await find(people, account, person)).toMatchObject({ name: 'Bo', state: 'joined', invited_by: 'Ada' });
    expect(await permissionsOf(person)).toEqual([]);
    expect(await people.findPasskey(passkey.id)).toBeNull();
    expect(await people.isWaitingForCode(passkey.id)).toBe(true);

    expect(await people.confirm(admin, person, code ?? '')).toBe('confirmed');
    expect(await permissionsOf(person)).toEqual(['view', 'prepare']);
    expect(await people.findPasskey(passkey.id)).toEqual({ person, publicKey: 'key' });
    expect(await find(people, account, person)).toMatchObject({ state: 'active' });
    const atOther = peopleAt('other.example');
    expect(await atOther.findPasskey(passkey.id)).toBeNull();
    expect(await find(atOther, account, person)).toMatchObject({ state: 'blocked', passkeys: 0 });
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

  test('can’t use an invite that was replaced or revoked', async () => {
    const { people, firstAdmin } = await createAccount();
    const admin = await firstAdmin();
    const first = await people.invite(admin, 'Bo', ['view']);
    const second = await people.inviteAgain(admin, first?.person ?? '');
    expect(await people.findInvite(first?.token ?? '')).toBe('invite_ended');
    expect(await people.findInvite(second?.token ?? '')).toMatchObject({ name: 'Bo' });
    await people.endInvites(admin, first?.person ?? '');
    expect(await people.findInvite(second?.token ?? '')).toBe('invite_ended');
    expect(await people.findInvite('made up')).toBe('invite_unknown');
  });
});

test('an invite ends 48 hours after an admin made it, and 30 minutes after the console did', async () => {
  const { account, people, firstAdmin, newPasskey } = await createAccount();
  const admin = await firstAdmin();

  /** Ages the invite and seals its row again. */
  async function passTime({ person }: NewInvite, ms: number): Promise<void> {
    const [row] = await database.query<InviteRow>(
      `select ${INVITE_COLUMNS} from people.invites where person = $1 and ended_at is null`,
      [person],
    );
    if (row === undefined) throw new Error('There is no invite.');
    const expires = String(Number(row.expires_at) - ms);
    const seal = seals.sealOf(...columnsToSeal.invite({ ...row, expires_at: expires }));
    await database.query('update people.invites set expires_at = $2, seal = $3 where token_sha256 = $1', [
      row.token_sha256,
      expires,
      seal,
    ]);
  }

  const MINUTE = 60_000;
  const byAdmin = await people.invite(admin, 'Bo', ['view']);
  if (byAdmin === null) throw new Error('The name is taken.');
  const made: [NewInvite, number][] = [
    [byAdmin, 48 * 60 * MINUTE],
    [await people.inviteFromConsole(account, ['view'], 'first'), 30 * MINUTE],
  ];
  for (const [invite, lifetime] of made) {
    await passTime(invite, lifetime - MINUTE);
    expect(await people.findInvite(invite.token)).toMatchObject({ permissions: ['view'] });
    await passTime(invite, MINUTE);
    expect(await people.findInvite(invite.token)).toBe('invite_expired');
    const late = { token: invite.token, passkey: newPasskey(), name: 'Cy' };
    expect(await people.join(account, late)).toBe('invite_expired');
  }
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
    // Before the code is confirmed, the lost passkey still works, so that a stolen invite can't end it.
    expect(await people.findPasskey(old?.id ?? '')).not.toBeNull();
    expect(await people.confirm(admin, person, code ?? '')).toBe('confirmed');
    expect(await people.findPasskey(old?.id ?? '')).toBeNull();
    expect(await people.findPasskey(passkey.id)).not.toBeNull();
    expect(await permissionsOf(person)).toEqual(['view', 'prepare']);
    await expect(people.addPasskey(session, newPasskey(), passkey.id)).rejects.toBeInstanceOf(SessionEnded);
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
    expect(await people.block(admin, admin.person)).toBe('not_found');
    expect(await people.inviteAgain(admin, admin.person)).toBeNull();
    expect(await permissionsOf(admin.person)).toEqual(['view', 'prepare', 'admin']);
  });

  test('of a session that has not ended', async () => {
    const { people, firstAdmin, sessions } = await createAccount();
    const admin = await firstAdmin();
    await sessions.end(admin.token, 'signed-out');
    await expect(people.invite(admin, 'Bo', ['view'])).rejects.toBeInstanceOf(SessionEnded);
  });

  test('and nobody on a read-only server', async () => {
    const { people, firstAdmin, colleague } = await createAccount();
    const admin = await firstAdmin();
    const bo = await colleague(admin, 'Bo', ['view']);
    const reader = { ...admin, rights: { ...admin.rights, readOnly: true } };
    const acts = [
      people.invite(reader, 'Cy', ['view']),
      people.inviteAgain(reader, bo),
      people.endInvites(reader, bo),
      people.grant(reader, bo, ['view', 'admin']),
      people.block(reader, bo),
      people.signOutEverywhere(reader, bo),
    ];
    for (const act of acts) await expect(act).rejects.toThrow('This dashboard is read-only. Nothing was changed.');
  });
});

test('a blocked person’s sessions end, and permissions given again bring them back', async () => {
  const { account, people, firstAdmin, colleague, signIn } = await createAccount();
  const admin = await firstAdmin();
  const bo = await signIn(await colleague(admin, 'Bo', ['view', 'admin']), 'Bo');
  expect(await people.block(admin, bo.person)).toBe('blocked');
  expect(await find(people, account, bo.person)).toMatchObject({ state: 'blocked', permissions: [], open_sessions: 0 });
  await expect(people.block(bo, admin.person)).rejects.toBeInstanceOf(SessionEnded);
  expect(await people.grant(admin, bo.person, ['view'])).toBe(true);
  expect(await find(people, account, bo.person)).toMatchObject({ state: 'active', permissions: ['view'] });
});

test('a session that began at an identity provider isn’t listed any more after eight hours', async () => {
  const { service, account, people, firstAdmin, sessions } = await createAccount({ longestMs: LONGEST_OIDC_MS });
  const admin = await firstAdmin();
  const age = (ms: number) =>
    database.query('update people.sessions set created_at = created_at - $2::bigint where service = $1', [
      service,
      String(ms),
    ]);
  await age(LONGEST_OIDC_MS - 60_000);
  expect(await people.ownSessions(admin.person)).toHaveLength(1);
  await age(60_000);
  expect(await people.ownSessions(admin.person)).toEqual([]);
  await sessions.clean();
  expect(await find(people, account, admin.person)).toMatchObject({ open_sessions: 0 });
  await expect(people.invite(admin, 'Bo', ['view'])).rejects.toBeInstanceOf(SessionEnded);
});

test('sign out everywhere ends every session of that person only', async () => {
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

test('people add and remove their own passkeys, but can’t remove the last one', async () => {
  const { people, firstAdmin, newPasskey } = await createAccount();
  const admin = await firstAdmin();
  const [first] = await people.ownPasskeys(admin.person);
  const second = newPasskey();
  expect(await people.removePasskey(admin, first?.id ?? '')).toBe('last_passkey');
  await people.addPasskey(admin, second, first?.id ?? '');
  expect(await people.findPasskey(second.id)).not.toBeNull();
  expect(await people.removePasskey(admin, first?.id ?? '')).toBe('removed');
  expect(await people.findPasskey(first?.id ?? '')).toBeNull();
  expect(await people.removePasskey(admin, second.id)).toBe('last_passkey');
  expect(await people.removePasskey(admin, 'another')).toBe('not_found');
});

test('a new invite for a blocked person gives back no roles, and their first roles neither', async () => {
  const { people, firstAdmin, colleague, join, permissionsOf } = await createAccount();
  const admin = await firstAdmin();
  const eve = await colleague(admin, 'Eve', ['view', 'prepare', 'admin']);
  await people.grant(admin, eve, ['view']);
  await people.block(admin, eve);
  const { code } = await join((await people.inviteAgain(admin, eve))?.token ?? '');
  expect(await people.confirm(admin, eve, code ?? '')).toBe('confirmed');
  expect(await permissionsOf(eve)).toEqual([]);
});

test('somebody invited again is still active while their new code waits', async () => {
  const { people, account, firstAdmin, colleague, join } = await createAccount();
  const admin = await firstAdmin();
  const bo = await colleague(admin, 'Bo', ['view']);
  await join((await people.inviteAgain(admin, bo))?.token ?? '');
  expect(await find(people, account, bo)).toMatchObject({ state: 'active', waits_for_code: true });
});

test('removing a passkey that waits for its code ends the code, and keeps the other passkeys', async () => {
  const { people, firstAdmin, colleague, join, signIn, newPasskey } = await createAccount();
  const admin = await firstAdmin();
  const bo = await signIn(await colleague(admin, 'Bo', ['view']), 'Bo');
  const waiting = newPasskey();
  const { code } = await join((await people.inviteAgain(admin, bo.person))?.token ?? '', 'Bo', waiting);
  expect(await people.removePasskey(bo, waiting.id)).toBe('removed');
  expect(await people.confirm(admin, bo.person, code ?? '')).toBe('not_found');
  expect(await people.ownPasskeys(bo.person)).toHaveLength(1);
});

test('a passkey of another domain isn’t listed, can be removed, and doesn’t replace the last one here', async () => {
  const { people, peopleAt, firstAdmin, newPasskey } = await createAccount();
  const admin = await firstAdmin();
  const [own] = await people.ownPasskeys(admin.person);
  const old = newPasskey();
  await peopleAt('old.example').addPasskey(admin, old, own?.id ?? '');
  expect((await people.ownPasskeys(admin.person)).map(({ id }) => id)).toEqual([own?.id]);
  expect(await people.removePasskey(admin, own?.id ?? '')).toBe('last_passkey');
  expect(await people.removePasskey(admin, old.id)).toBe('removed');
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
    expect(await people.findPasskey(passkey?.id ?? '')).toBeNull();
    const { token } = await people.inviteFromConsole(account, ['view'], 'first');
    await database.query(`update people.invites set permissions = '["admin"]' where used_at is null`);
    expect(await people.findInvite(token)).toBe('invite_unknown');
  });
});

test('in a restored database everybody only views, and sessions and open invites have ended', async () => {
  const { account, people, firstAdmin, signIn, join, permissionsOf } = await createAccount();
  const admin = await firstAdmin();
  const invited = await people.invite(admin, 'Bo', ['view']);
  const waiting = await join((await people.invite(admin, 'Di', ['view']))?.token ?? '', 'Di');
  await rows.write((transaction) => transaction.setBack(1, { id: 'a', position: 1n, nonce: 'b' }));
  expect(await permissionsOf(admin.person)).toEqual(['view']);
  await expect(people.invite(admin, 'Cy', ['view'])).rejects.toBeInstanceOf(SessionEnded);
  expect(await people.findInvite(invited?.token ?? '')).toBe('invite_ended');
  const again = await signIn(admin.person);
  await expect(people.invite(again, 'Cy', ['view'])).rejects.toBeInstanceOf(NotPermitted);
  await database.query('update operations.journal set set_back_at = null');
  expect(await permissionsOf(admin.person)).toEqual(['view', 'prepare', 'admin']);
  expect(await people.invite(again, 'Cy', ['view'])).not.toBeNull();
  // People whose invites ended are still listed and can be invited again under their names.
  for (const { person } of [invited ?? { person: '' }, waiting]) {
    expect(await find(people, account, person)).toMatchObject({ state: 'blocked', passkeys: 0 });
    expect(await people.findInvite((await people.inviteAgain(again, person))?.token ?? '')).toMatchObject({
      permissions: ['view'],
    });
  }
  expect(await people.confirm(again, waiting.person, waiting.code ?? '')).toBe('not_found');
});

test('after --end-people an old colleague who is invited again has none of their former roles', async () => {
  const { people, firstAdmin, colleague, join, permissionsOf } = await createAccount();
  const eve = await colleague(await firstAdmin(), 'Eve', ['view', 'admin']);
  await database.transaction((tx) => endAllPeopleIn(tx, seals));
  const admin = await firstAdmin('Fay');
  const { code } = await join((await people.inviteAgain(admin, eve))?.token ?? '');
  expect(await people.confirm(admin, eve, code ?? '')).toBe('confirmed');
  expect(await permissionsOf(eve)).toEqual([]);
});

test('after a change of the secret no person is found until the rows are sealed again; blocked people stay blocked', async () => {
  const { account, service, people, firstAdmin, colleague, permissionsOf } = await createAccount();
  const admin = await firstAdmin();
  const bo = await colleague(admin, 'Bo', ['view', 'prepare']);
  await people.block(admin, bo);
  const other = createSeals(Buffer.from('another key'));
  const later = openPeople({
    database,
    service,
    seals: other,
    activityWriter: createActivityWriter('people'),
    rpId: RP_ID,
    issuer: null,
  });
  expect(await later.list(account)).toEqual([]);
  await database.transaction((tx) => resealAll(tx, other));
  expect(await find(later, account, bo)).toMatchObject({ state: 'blocked' });
  expect(await find(later, account, admin.person)).toMatchObject({ state: 'active' });
  expect(await permissionsOf(admin.person)).toBeNull();
  await database.transaction((tx) => resealAll(tx, seals));
  expect(await permissionsOf(admin.person)).toEqual(['view', 'prepare', 'admin']);
});

describe('an e-mail address', () => {
  /** `notices`: the event and the address of each notice. */
  async function createMailAccount() {
    const notices: [string, string | undefined][] = [];
    const world = await createAccount({
      raise: async (_, { event, to }) => void notices.push([event, to?.email]),
    });
    const admin = await world.firstAdmin();
    const bo = await world.signIn(await world.colleague(admin, 'Bo', ['view', 'approve']), 'Bo');
    notices.splice(0);
    return { ...world, admin, bo, notices };
  }
  const lines = (account: string) =>
    database.query(
      `select person, subject, facts from activity.lines where account = $1 and kind = 'person.email-changed'
       order by activity.lines.number`,
      [account],
    );

  test('is one’s own to set, and each change is in the activity, without the address', async () => {
    const { people, account, admin, bo, notices } = await createMailAccount();
    expect(await people.emailOf(bo.person)).toBeNull();
    expect(await people.setOwnEmail(bo, 'bo@x.example')).toBe('changed');
    expect(await people.setOwnEmail(bo, 'bo@x.example')).toBe('as_before');
    expect(await people.emailOf(bo.person)).toBe('bo@x.example');
    expect(notices).toEqual([]);
    expect(await people.setEmail(admin, bo.person, 'bo@y.example')).toBe('changed');
    expect(await people.setOwnEmail(bo, null)).toBe('changed');
    expect(await people.emailOf(bo.person)).toBeNull();
    expect(await lines(account)).toEqual([
      { person: bo.person, subject: bo.person, facts: '{"whose":"own"}' },
      { person: admin.person, subject: bo.person, facts: '{}' },
      { person: bo.person, subject: bo.person, facts: '{"whose":"own"}' },
    ]);
    // Each notice goes to the former address.
    expect(notices).toEqual([
      ['email.changed', 'bo@x.example'],
      ['email.changed', 'bo@y.example'],
    ]);
  });

  test('is told when the person loses a role or is blocked, and of nothing that they gain', async () => {
    const { people, admin, bo, notices } = await createMailAccount();
    await people.setOwnEmail(bo, 'bo@x.example');
    await people.grant(admin, bo.person, ['view', 'prepare', 'approve']);
    expect(notices).toEqual([]);
    await people.grant(admin, bo.person, ['view', 'prepare']);
    expect(notices.splice(0)).toEqual([['access.reduced', 'bo@x.example']]);
    await people.block(admin, bo.person);
    expect(notices.splice(0)).toEqual([['access.blocked', 'bo@x.example']]);
  });

  test('is shown to admins only', async () => {
    const { people, account, admin, bo } = await createMailAccount();
    await people.setOwnEmail(bo, 'bo@x.example');
    const seenBy = async (reader: string) =>
      (await people.list(account, reader)).find(({ id }) => id === bo.person)?.email;
    expect(await seenBy(admin.person)).toBe('bo@x.example');
    expect(await seenBy(bo.person)).toBeNull();
  });

  test('of somebody else is changed by an admin; admins can’t change their own that way', async () => {
    const { people, admin, bo } = await createMailAccount();
    await expect(people.setEmail(bo, admin.person, 'bo@x.example')).rejects.toBeInstanceOf(NotPermitted);
    expect(await people.setEmail(admin, admin.person, 'a@x.example')).toBe('not_found');
    expect(await people.setEmail(admin, 'nobody', 'a@x.example')).toBe('not_found');
  });

  test('is used for notices only if its owner can sign in, has the permission, and the row’s seal is valid', async () => {
    const { people, account, admin, bo, colleague } = await createMailAccount();
    const eve = await colleague(admin, 'Eve', ['view', 'approve']);
    await people.invite(admin, 'Fay', ['view', 'approve']);
    await people.setOwnEmail(bo, 'bo@x.example');
    const approvers = async () =>
      (await people.peopleWith(account, ['approve'])).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(await approvers()).toEqual([
      { id: bo.person, name: 'Bo', email: 'bo@x.example' },
      { id: eve, name: 'Eve', email: null },
    ]);
    expect(await people.peopleWith('another account', ['approve'])).toEqual([]);
    await people.block(admin, eve);
    await database.query(`update people.people set email = 'thief@x.example' where id = $1`, [bo.person]);
    expect(await approvers()).toEqual([]);
    expect(await people.emailOf(bo.person)).toBeNull();
  });

  test('of somebody with roles on another account is changed by an admin of both', async () => {
    const { people, service, admin, bo } = await createMailAccount();
    const other = await openAccounts(database, service, seals).findOrCreateAccount(`other-${accounts}`);
    await people.grantFromConsole(other, { name: 'Bo', permissions: ['view', 'admin'], words: 'first' });
    await expect(people.setEmail(admin, bo.person, 'thief@x.example')).rejects.toThrow(
      'Only an admin of every account',
    );
  });
});

test.runIf(DEEP)('people in a database from before e-mail addresses are kept, with valid seals', async () => {
  const former = await openDatabase({ directory: 'memory' });
  await migrate(former, 'people', PEOPLE_MIGRATIONS.slice(0, 5));
  const row = { id: 'ada', service: 's', name: 'Ada', created_at: '1', issuer: 'i', subject: 'sub' };
  const seal = seals.sealOf('people.people', 'ada', 's', 'Ada', '1', 'i', 'sub');
  await former.query(
    'insert into people.people (id, service, name, created_at, issuer, subject, seal) values ($1, $2, $3, $4, $5, $6, $7)',
    [...Object.values(row), seal],
  );
  await migratePeople(former);
  const people = openPeople({
    database: former,
    service: 's',
    seals,
    activityWriter: createActivityWriter('people'),
    rpId: RP_ID,
    issuer: 'i',
  });
  expect(await people.findIdentity({ issuer: 'i', subject: 'sub' })).toBe('ada');
  expect(await former.query('select email from people.people')).toEqual([{ email: null }]);
  await former.close();
});

test.runIf(DEEP)('roles in a database from before confirmations count, with valid seals', async () => {
  const former = await openDatabase({ directory: 'memory' });
  await migrate(former, 'people', PEOPLE_MIGRATIONS.slice(0, 10));
  const [person, grant] = [
    ['ada', 's', 'Ada', '1'],
    ['g', 'ada', 'eu', 'approve', '', '1', '', ''],
  ];
  await former.query('insert into people.people (id, service, name, created_at, seal) values ($1, $2, $3, $4, $5)', [
    ...person,
    seals.sealOf('people.people', ...person),
  ]);
  await former.query(
    `insert into people.grants (id, person, account, permission, counts_from, seal) values ($1, $2, $3, $4, 1, $5)`,
    [...grant.slice(0, 4), seals.sealOf('people.grants', ...grant)],
  );
  await migratePeople(former);
  await openSqlRows(former, { mode: 'people', ...OWN_PARTS });
  const people = openPeople({
    database: former,
    service: 's',
    seals,
    activityWriter: createActivityWriter('people'),
    rpId: RP_ID,
    issuer: null,
  });
  expect(await people.findPerson('eu', 'ada')).toMatchObject({ permissions: ['approve'] });
  expect(await people.countBrokenSeals()).toBe(0);
  await former.close();
});

test.runIf(DEEP)(
  'roles in a database from before it was recorded who was told go on counting, with valid seals',
  async () => {
    const former = await openDatabase({ directory: 'memory' });
    await migrate(former, 'people', PEOPLE_MIGRATIONS.slice(0, 11));
    for (const [id, name] of [
      ['ada', 'Ada'],
      ['bo', 'Bo'],
    ] as const) {
      const person = [id, 's', name, '1'];
      await former.query(
        'insert into people.people (id, service, name, created_at, seal) values ($1, $2, $3, $4, $5)',
        [...person, seals.sealOf('people.people', ...person)],
      );
    }
    const grant = ['g', 'bo', 'eu', 'approve', 'ada', '2', '', '', '1', ''];
    await former.query(
      `insert into people.grants (id, person, account, permission, granted_by, counts_from, waits_since, seal)
     values ('g', 'bo', 'eu', 'approve', 'ada', 2, 1, $1)`,
      [seals.sealOf('people.grants', ...grant)],
    );
    await migratePeople(former);
    await openSqlRows(former, { mode: 'people', ...OWN_PARTS });
    const people = openPeople({
      database: former,
      service: 's',
      seals,
      activityWriter: createActivityWriter('people'),
      rpId: RP_ID,
      issuer: null,
    });
    expect(await people.findPerson('eu', 'bo')).toMatchObject({ permissions: ['approve'] });
    expect(await people.countBrokenSeals()).toBe(0);
    await former.close();
  },
);

test('a notice says that a new admin waits for confirmation', async () => {
  const raised: NoticeCause[] = [];
  const raise: RaiseNotice = async (_, cause) => void raised.push(cause);
  const { people, service, account, firstAdmin, colleague } = await createAccount({ raise });
  const admin = await firstAdmin();
  const bo = await colleague(admin, 'Bo', ['view']);
  await people.grant(admin, bo, ['view', 'approve']);
  expect(raised).toEqual([]);
  expect(await people.proposePolicy(admin, NO_APPROVALS, 0)).toEqual({ number: 1 });
  const cy = await colleague(admin, 'Cy', ['view', 'admin']);
  expect(raised).toEqual([
    { service, account, event: 'role.waiting', subject: cy, episode: expect.stringMatching(/^given \d+$/) },
  ]);
});

describe.runIf(DEEP)('admins get a notice that there are too few approvers for the approval rules', () => {
  /** Bo and Cy are approvers, and each payment needs one approval. */
  async function createApprovers() {
    const raised: NoticeCause[] = [];
    const made = await createAccount({ raise: async (_, cause) => void raised.push(cause) });
    const admin = await made.firstAdmin();
    const bo = await made.colleague(admin, 'Bo', ['view', 'approve']);
    const cy = await made.colleague(admin, 'Cy', ['view', 'approve']);
    await made.people.proposePolicy(admin, { ...NO_APPROVALS, other_assets: 1 }, 0);
    const takeNotices = () => raised.splice(0).filter(({ event }) => event === 'policy.unmeetable');
    return { ...made, admin, bo, cy, takeNotices };
  }

  test('once the last of them is blocked, and not again', async () => {
    const { people, service, account, admin, bo, cy, takeNotices } = await createApprovers();
    await people.block(admin, bo);
    expect(takeNotices()).toEqual([]);
    await people.block(admin, cy);
    const episode = expect.stringMatching(/^since \d+$/);
    expect(takeNotices()).toEqual([{ service, account, event: 'policy.unmeetable', subject: '', episode }]);
    await people.grant(admin, cy, ['view']);
    expect(takeNotices()).toEqual([]);
  });

  test('when one of them becomes an operator, too, whose payments only the other approves', async () => {
    const { people, admin, bo, cy, takeNotices } = await createApprovers();
    await people.grant(admin, bo, ['view', 'prepare', 'approve']);
    expect(takeNotices()).toEqual([]);
    await people.grant(admin, cy, ['view']);
    expect(takeNotices()).toHaveLength(1);
  });

  test('when the last of them has a new passkey that another admin has to confirm', async () => {
    const { people, admin, bo, cy, join, takeNotices } = await createApprovers();
    await people.block(admin, bo);
    const { code } = await join((await people.inviteAgain(admin, cy))?.token ?? '');
    expect(takeNotices()).toEqual([]);
    expect(await people.confirm(admin, cy, code ?? '')).toBe('confirmed');
    expect(takeNotices()).toHaveLength(1);
  });
});

describe('with write access to the database', () => {
  test('an altered invite gives no permissions when its person is invited again', async () => {
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
    const joined = await people.join(other, { token, passkey, name: 'Eve' });
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
    expect(await people.block(ada, eve.person)).toBe('not_found');
    await people.signOutEverywhere(ada, eve.person);
    await people.endInvites(ada, eve.person);
    expect(await people.invite(eve, 'Cy', ['view'])).not.toBeNull();
  });

  test('an admin of both gives somebody of one roles on the other', async () => {
    const { people, account, other, ada, eve, colleague, signIn, permissionsOn } = await createTwoAccounts();
    const bo = await colleague(ada, 'Bo', ['view', 'prepare']);
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    const console = { name: 'Ada', permissions: ['view', 'admin'] as const, words: 'first' };
    expect(await people.grantFromConsole(other, console)).toEqual({ waiting: null, granted: ada.person });
    const adaThere = await signIn(ada.person, 'Ada', other);
    expect(await people.listAddable(other, ada.person)).toEqual([{ id: bo, name: 'Bo' }]);
    expect(await people.grant(adaThere, bo, ['view'])).toBe(true);
    expect(await permissionsOn(other, bo)).toEqual(['view']);
    expect(await permissionsOn(account, bo)).toEqual(['view', 'prepare']);
    expect(namesOf(await people.list(other))).toEqual(['Ada', 'Bo', 'Eve']);
    expect(await people.grants.accountsOf(database, eve.person)).toEqual([]);
  });

  test('only an admin of both can change how a person signs in; either can block, on their own account only', async () => {
    const { people, account, other, ada, colleague, signIn, permissionsOn } = await createTwoAccounts();
    const bo = await colleague(ada, 'Bo', ['view', 'prepare']);
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    await people.grantFromConsole(other, { name: 'Bo', permissions: ['view', 'admin'], words: 'first' });
    const boThere = await signIn(bo, 'Bo', other);

    await expect(people.inviteAgain(ada, bo)).rejects.toThrow('Only an admin of every account');
    await expect(people.signOutEverywhere(ada, bo)).rejects.toBeInstanceOf(NotPermitted);
    const listed = (await people.list(account, ada.person)).find(({ id }) => id === bo);
    expect(listed?.needs_other_admin).toBe(true);
    await people.signOutEverywhere(boThere, bo);

    const again = await signIn(bo, 'Bo', other);
    expect(await people.block(ada, bo)).toBe('blocked');
    expect(await permissionsOn(account, bo)).toEqual([]);
    expect(await permissionsOn(other, bo)).toEqual(['view', 'admin']);
    await expect(people.invite(again, 'Cy', ['view'])).rejects.toBeInstanceOf(SessionEnded);
  });

  test('a code must be typed on the inviting account, by an admin of all the person’s accounts', async () => {
    const { people, account, other, ada, colleague, signIn, join, permissionsOn } = await createTwoAccounts();
    const bo = await colleague(ada, 'Bo', ['view']);
    const invited = await people.inviteAgain(ada, bo);
    const { code } = await join(invited?.token ?? '', 'Bo');
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    await people.grantFromConsole(other, { name: 'Bo', permissions: ['view', 'admin'], words: 'first' });
    await expect(people.confirm(ada, bo, code ?? '')).rejects.toBeInstanceOf(NotPermitted);
    expect(await people.confirm(await signIn(bo, 'Bo', other), bo, code ?? '')).toBe('not_found');
    expect(await permissionsOn(account, bo)).toEqual(['view']);
  });

  test('a new invite needs an admin of the accounts where the person’s roles have ended, too', async () => {
    const { people, account, other, ada, colleague, signIn, permissionsOn } = await createTwoAccounts();
    const bo = await colleague(ada, 'Bo', ['view']);
    const cy = await signIn(await colleague(ada, 'Cy', ['view', 'admin']), 'Cy');
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    await people.grantFromConsole(other, { name: 'Ada', permissions: ['view', 'admin'], words: 'first' });
    const adaThere = await signIn(ada.person, 'Ada', other);
    await people.grant(adaThere, bo, ['view', 'prepare']);
    await people.block(adaThere, bo);
    await expect(people.inviteAgain(cy, bo)).rejects.toThrow('Only an admin of every account');
    expect((await people.list(account, cy.person)).find(({ id }) => id === bo)?.needs_other_admin).toBe(true);
    expect(await people.inviteAgain(ada, bo)).not.toBeNull();
    expect(await permissionsOn(account, bo)).toEqual(['view']);
  });

  test('blocking a person without roles here doesn’t sign them out elsewhere, and the list shows their activity here', async () => {
    const { people, account, other, ada, colleague, signIn } = await createTwoAccounts();
    const bo = await colleague(ada, 'Bo', ['view']);
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    await people.grantFromConsole(other, { name: 'Ada', permissions: ['view', 'admin'], words: 'first' });
    const adaThere = await signIn(ada.person, 'Ada', other);
    await people.grant(adaThere, bo, ['view']);
    await signIn(bo, 'Bo', other);
    const listedOn = async (on: string) => (await people.list(on)).find(({ id }) => id === bo);
    expect(await listedOn(account)).toMatchObject({ open_sessions: 0, last_seen_at: null });
    expect(await listedOn(other)).toMatchObject({ open_sessions: 1, last_seen_at: expect.any(Number) });

    expect(await people.block(ada, bo)).toBe('blocked');
    expect(await people.ownSessions(bo)).toEqual([]);
    await signIn(bo, 'Bo', other);
    expect(await people.block(ada, bo)).toBe('nothing_to_block');
    expect(await people.ownSessions(bo)).toHaveLength(1);
  });

  test('switching accounts ends the former session, and the new one ends when the former would have', async () => {
    const { people, sessions, account, other, ada, service } = await createTwoAccounts();
    await database.query('update people.grants set ended_at = 1 where account = $1', [other]);
    const who = { person: ada.person, name: ada.who };
    const to = { account: other, credential: other };
    expect(await sessions.switchAccount(ada.token, who, to)).toBe('not-permitted');
    await people.grantFromConsole(other, { name: 'Ada', permissions: ['view', 'admin'], words: 'first' });
    await database.query(
      'update people.sessions set created_at = created_at - 1000, longest_ms = 28800000 where service = $1',
      [service],
    );
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
      'select account, ended_why, created_at = min(created_at) over () as is_as_old, longest_ms::int from people.sessions where person = $1 order by seen_at',
      [ada.person],
    );
    expect(rows).toEqual([
      { account, ended_why: 'account-switched', is_as_old: true, longest_ms: LONGEST_OIDC_MS },
      { account: other, ended_why: null, is_as_old: true, longest_ms: LONGEST_OIDC_MS },
    ]);
    expect(await people.lastAccountOf(ada.person)).toBe(other);
  });
});

describe.runIf(DEEP)('a first passkey at an identity provider', () => {
  const ISSUER = 'https://id.example/';

  /** Two accounts with an admin each; Bo is an approver on both. `admins`: the admins who already have a passkey. */
  async function createTwoAccounts({ admins }: { admins: readonly ('Ada' | 'Eve')[] }) {
    accounts += 1;
    const service = `${SERVICE}/${accounts}`;
    const opened = openAccounts(database, service, seals);
    const here = await opened.findOrCreateAccount(`account-${accounts}`);
    const there = await opened.findOrCreateAccount(`other-${accounts}`);
    const people = openPeople({
      database,
      service,
      seals,
      activityWriter: createActivityWriter('people'),
      rpId: RP_ID,
      issuer: ISSUER,
    });
    const rows = sessionRowsOf(database, service, people.grants);
    const serverAccounts = createServerAccounts(
      [here, there].map((account) => ({ name: account, account, credential: account, apiKey: 'sk_1' })),
    );
    const clock = { wall: Date.now, mono: () => performance.now() };
    const sessions = createSessions(rows, SECRET, clock, { serverAccounts });
    let passkeys = 0;
    const newPasskey = () => ({ id: `first-${accounts}-${(passkeys += 1)}`, publicKey: 'key' });

    async function signIn(person: string, account: string): Promise<PersonActor> {
      const who = { account, credential: account, sandbox: null, name: 'Somebody', journalOnly: false };
      const session = await sessions.open(await sessions.start({ ...who, key: 'sk_1', person }));
      if (session === null) throw new Error('The session did not begin.');
      const rights = { ...session.rights, readOnly: false };
      return { account, session: session.id, person, passkey: null, who: 'Somebody', rights };
    }

    async function joinAs(account: string, name: string, permissions: Permission[]): Promise<string> {
      const { token } = await people.inviteFromConsole(account, permissions, 'first');
      const identity = { issuer: ISSUER, subject: name };
      const joined = await people.join(account, { token, name, identity });
      if (typeof joined === 'string' || joined.code !== null) throw new Error('They have not joined.');
      return joined.person;
    }

    const bo = await joinAs(here, 'Bo', ['view', 'approve']);
    const console = { name: 'Bo', permissions: ['view', 'approve'] as const, words: 'first' };
    await people.grantFromConsole(there, console);
    const ada = await signIn(await joinAs(here, 'Ada', ['view', 'admin']), here);
    const eve = await signIn(await joinAs(there, 'Eve', ['view', 'admin']), there);
    for (const admin of admins)
      expect(await people.addFirstPasskey(admin === 'Ada' ? ada : eve, newPasskey())).toEqual({ code: null });
    const addFirst = async (account: string) => {
      const passkey = newPasskey();
      const added = await people.addFirstPasskey(await signIn(bo, account), passkey);
      return { code: added?.code ?? null, isGood: async () => (await people.findPasskey(passkey.id)) !== null };
    };
    return { people, here, there, bo, ada, eve, addFirst, signIn };
  }

  test('waits for an admin of any of the person’s accounts, whichever they are signed in to', async () => {
    const { people, there, bo, ada, eve, addFirst } = await createTwoAccounts({ admins: ['Ada'] });
    const { code, isGood } = await addFirst(there);
    expect(code).toMatch(/^\d{6}$/);
    expect(await people.confirm(eve, bo, code ?? '')).toBe('not_found');
    expect(await isGood()).toBe(false);
    expect(await people.confirm(ada, bo, code ?? '')).toBe('confirmed');
    expect(await isGood()).toBe(true);
  });

  test('is confirmed by an admin of one account if no admin has all of them', async () => {
    const { people, here, there, bo, eve, addFirst } = await createTwoAccounts({ admins: ['Ada', 'Eve'] });
    await addFirst(here);
    const { code, isGood } = await addFirst(there);
    expect(await people.confirm(eve, bo, code ?? '')).toBe('confirmed');
    expect(await isGood()).toBe(true);
  });

  test('is confirmed by an admin of all accounts if there is one', async () => {
    const { people, there, bo, ada, eve, addFirst, signIn } = await createTwoAccounts({ admins: ['Ada'] });
    const console = { name: 'Ada', permissions: ['view', 'admin'] as const, words: 'first' };
    expect(await people.grantFromConsole(there, console)).toEqual({ waiting: null, granted: ada.person });
    const adaThere = { ...ada, account: there };
    const ofEve = await people.addFirstPasskey(eve, { id: `of-eve-on-${there}`, publicKey: 'key' });
    expect(await people.confirm(adaThere, eve.person, ofEve?.code ?? '')).toBe('confirmed');
    const eveAgain = await signIn(eve.person, there);
    const { code } = await addFirst(there);
    await expect(people.confirm(eveAgain, bo, code ?? '')).rejects.toBeInstanceOf(NotPermitted);
    expect(await people.confirm(adaThere, bo, code ?? '')).toBe('confirmed');
  });

  test('counts at once if no admin could type the code', async () => {
    const { there, addFirst } = await createTwoAccounts({ admins: [] });
    const { code, isGood } = await addFirst(there);
    expect(code).toBeNull();
    expect(await isGood()).toBe(true);
  });

  test('waits in a restored database, too, although everybody can only view there', async () => {
    const { here, addFirst } = await createTwoAccounts({ admins: ['Ada'] });
    await database.query('update operations.journal set set_back_at = 1');
    onTestFinished(async () => void (await database.query('update operations.journal set set_back_at = null')));
    expect((await addFirst(here)).code).toMatch(/^\d{6}$/);
  });
});

test('every change of people writes one line to the activity log, with the person who made it', async () => {
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
  await people.addPasskey(again, { id: `second of ${account}`, publicKey: 'key' }, first?.id ?? '');
  await people.removePasskey(again, `second of ${account}`);
  await people.endSession(again, again.session);
  await people.signOutEverywhere(admin, ben);
  await people.block(admin, ben);
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
