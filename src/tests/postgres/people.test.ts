import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '#src/tests/eventually.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { openSqlRows, createActivityWriter } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import { openAccounts } from '#src/server/people/accounts.ts';
import type { NewInvite } from '#src/server/people/inviteRows.ts';
import { openPeople, type People } from '#src/server/people/people.ts';
import type { PersonActor } from '#src/server/people/personTransactions.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { createServerAccounts } from '#src/server/people/serverAccounts.ts';
import { createSessions, type SessionClock } from '#src/server/people/sessions.ts';
import { DEEP } from '#src/tests/depth.ts';
import { postgresPrograms } from './programs.ts';
import { startPostgres, type PostgresServer } from './server.ts';

// Two servers on one database, which PGlite with its one connection cannot show.

const SERVICE = 'https://pay.example';
const RP_ID = 'money.example';
const ROUNDS = Array.from({ length: DEEP ? 30 : 6 }, (_, round) => round);
const seals = createSeals(Buffer.from('a key of the tests'));

interface Side {
  database: Database;
  people: People;
  rows: Rows;
}

let server: PostgresServer;
let sides: [Side, Side];

async function openSide(): Promise<Side> {
  const database = await openDatabase({ databaseUrl: 'postgres:///postgres', directory: 'memory' });
  const people = openPeople({
    database,
    service: SERVICE,
    seals,
    activityWriter: createActivityWriter('people'),
    rpId: RP_ID,
    issuer: null,
  });
  const rows = await openSqlRows(database, {
    ...OWN_PARTS,
    mode: 'people',
    readSessionRights: people.grants.sessionRights,
  });
  return { database, people, rows };
}

beforeAll(async () => {
  server = await startPostgres(postgresPrograms() ?? '');
  vi.stubEnv('PGHOST', server.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  sides = await Promise.all([openSide(), openSide()]);
});
afterAll(async () => {
  for (const { database } of sides) await database.close();
  await server.stop();
  vi.unstubAllEnvs();
});

let names = 0;
const newName = (what: string) => `${what} ${(names += 1)}`;
const passkey = () => ({ id: newName('passkey'), publicKey: 'key' });

/** An account of its own; its first admin is signed in. */
async function createAccount(round: number, what: string) {
  const [{ database, people }] = sides;
  const account = await openAccounts(database, SERVICE, seals).findOrCreateAccount(`${what}-${round}`);
  const serverAccounts = createServerAccounts([{ name: 'main', account, credential: account, apiKey: 'sk_1' }]);
  const createSessionsOf = (side: Side, clock: SessionClock) =>
    createSessions(sessionRowsOf(side.database, SERVICE, side.people.grants), 'a secret of the tests', clock, {
      serverAccounts,
    });
  const sessions = createSessionsOf(sides[0], { wall: Date.now, mono: () => performance.now() });
  const join = (side: Side, { token }: NewInvite) =>
    side.people.join(account, { token, passkey: passkey(), name: newName('Person') });

  async function signIn(person: string): Promise<PersonActor & { token: string }> {
    const who = { account, credential: account, sandbox: null, name: 'Somebody', journalOnly: false };
    const token = await sessions.start({ ...who, key: 'sk_1', person });
    const session = await sessions.open(token);
    if (session === null) throw new Error('The session did not begin.');
    return {
      token,
      account,
      session: session.id,
      person,
      passkey: null,
      who: null,
      rights: { ...session.rights, readOnly: false },
    };
  }

  async function firstAdmin(): Promise<PersonActor> {
    const joined = await join(sides[0], await people.inviteFromConsole(account, ['view', 'prepare', 'admin'], 'first'));
    if (typeof joined === 'string') throw new Error(joined);
    return signIn(joined.person);
  }
  return { account, people, sessions, createSessionsOf, join, signIn, firstAdmin };
}

test('if two people use one invite at once, one joins', async () => {
  for (const round of ROUNDS) {
    const { people, join, firstAdmin } = await createAccount(round, 'invite');
    const invite = await people.invite(await firstAdmin(), newName('Bo'), ['view']);
    if (invite === null) throw new Error('The name is taken.');
    const both = await Promise.all(sides.map((side) => join(side, invite)));
    expect(both.filter((joined) => joined === 'invite_used')).toHaveLength(1);
  }
});

test('if two console invites are used at once, one gives the first admin and the other waits for a code', async () => {
  for (const round of ROUNDS) {
    const { account, people, join } = await createAccount(round, 'first');
    const invites = [
      await people.inviteFromConsole(account, ['view', 'admin'], 'first'),
      await people.inviteFromConsole(account, ['view', 'admin'], 'first'),
    ];
    const both = await Promise.all(invites.map((invite, at) => join(sides[at] ?? sides[0], invite)));
    const codes = both.map((joined) => (typeof joined === 'string' ? joined : joined.code));
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code !== null && /^\d{6}$/.test(code))).toHaveLength(1);
  }
});

test('wrong codes typed at once are all counted', async () => {
  for (const round of ROUNDS) {
    const { people, join, firstAdmin } = await createAccount(round, 'codes');
    const admin = await firstAdmin();
    const invite = await people.invite(admin, newName('Bo'), ['view']);
    const joined = invite && (await join(sides[0], invite));
    if (!joined || typeof joined === 'string') throw new Error('Nobody joined.');
    const wrong = joined.code === '000000' ? '000001' : '000000';
    const typed = Array.from({ length: 8 }, (_, at) =>
      sides[at % 2 === 0 ? 0 : 1].people.confirm(admin, joined.person, wrong),
    );
    const left = (await Promise.all(typed)).map((confirmed) =>
      typeof confirmed === 'object' ? confirmed.triesLeft : null,
    );
    expect(left.filter((tries) => tries !== null).toSorted((a, b) => b - a)).toEqual([4, 3, 2, 1, 0]);
    expect(await people.confirm(admin, joined.person, joined.code ?? '')).toBe('not_found');
  }
});

test('a block waits for a write that is under way, and the next one is refused', async () => {
  for (const round of ROUNDS) {
    const { people, join, firstAdmin, signIn } = await createAccount(round, 'block');
    const admin = await firstAdmin();
    const invite = await people.invite(admin, newName('Bo'), ['view', 'prepare']);
    const joined = invite && (await join(sides[0], invite));
    if (!joined || typeof joined === 'string') throw new Error('Nobody joined.');
    await people.confirm(admin, joined.person, joined.code ?? '');
    const bo = await signIn(joined.person);

    const order: string[] = [];
    let blocking: Promise<unknown> = Promise.resolve();
    await sides[1].rows.write(async (transaction) => {
      expect(await transaction.sessionRights(bo.session)).toMatchObject({ permissions: ['view', 'prepare'] });
      blocking = people.block(admin, joined.person).then(() => order.push('blocked'));
      // The block has begun once it waits for a row that this transaction shares.
      await eventually(async () => {
        const waiting = await sides[0].database.query(
          "select 1 as one from pg_stat_activity where wait_event_type = 'Lock'",
        );
        expect(waiting.length).toBeGreaterThan(0);
      });
      order.push('written');
    });
    await blocking;
    expect(order).toEqual(['written', 'blocked']);
    expect(await sides[1].rows.write((transaction) => transaction.sessionRights(bo.session))).toBeNull();
  }
});

describe('a session that one server ended writes nothing on another, and reads there for 5 seconds at most', () => {
  type Account = Awaited<ReturnType<typeof createAccount>>;
  type Ending = (account: Account, bo: PersonActor & { token: string }, admin: PersonActor) => Promise<unknown>;
  const endings: [string, Ending][] = [
    ['signing out', ({ sessions }, bo) => sessions.end(bo.token, 'signed-out')],
    ['signing out of one session of the list', ({ people }, bo) => people.endSession(bo, bo.session)],
    ['signing out everywhere', ({ people }, bo) => people.signOutEverywhere(bo, bo.person)],
    ['being signed out by an admin', ({ people }, bo, admin) => people.signOutEverywhere(admin, bo.person)],
    ['a block', ({ people }, bo, admin) => people.block(admin, bo.person)],
  ];
  test.each(endings)('%s', async (name, end) => {
    const account = await createAccount(0, name);
    const { people, join, firstAdmin, signIn, createSessionsOf } = account;
    const admin = await firstAdmin();
    const invite = await people.invite(admin, newName('Bo'), ['view', 'prepare']);
    const joined = invite && (await join(sides[0], invite));
    if (!joined || typeof joined === 'string') throw new Error('Nobody joined.');
    await people.confirm(admin, joined.person, joined.code ?? '');
    const bo = await signIn(joined.person);
    let elapsedMs = 0;
    const other = createSessionsOf(sides[1], { wall: Date.now, mono: () => elapsedMs });
    const writes = () => sides[1].rows.write((transaction) => transaction.sessionRights(bo.session));
    expect(await other.open(bo.token)).toMatchObject({ id: bo.session });
    expect(await writes()).toMatchObject({ permissions: ['view', 'prepare'] });

    await end(account, bo, admin);

    expect(await writes()).toBeNull();
    elapsedMs = 5_000;
    expect(await other.open(bo.token)).toBeNull();
    expect(await sides[1].rows.write((transaction) => transaction.sessionRights(admin.session))).not.toBeNull();
  });
});

test('a block on one account and a switch to another at once leave no session open', async () => {
  for (const round of ROUNDS) {
    const { people, sessions, join, firstAdmin, signIn } = await createAccount(round, 'switch');
    const other = await openAccounts(sides[0].database, SERVICE, seals).findOrCreateAccount(`switch-to-${round}`);
    const admin = await firstAdmin();
    const name = newName('Bo');
    const invite = await people.invite(admin, name, ['view']);
    const joined = invite && (await join(sides[0], invite));
    if (!joined || typeof joined === 'string') throw new Error('Nobody joined.');
    const { person, code } = joined;
    await people.confirm(admin, person, code ?? '');
    await people.grantFromConsole(other, { name, permissions: ['view'], words: 'first' });
    const bo = await signIn(person);
    await Promise.all([
      sessions.switchAccount(bo.token, { person, name }, { account: other, credential: other }),
      sides[1].people.block(admin, person),
    ]);
    const open = await sides[0].database.query(
      'select account from people.sessions where person = $1 and ended_at is null',
      [person],
    );
    expect(open).toEqual([]);
  }
});

test('writes, changes of people and sign-outs at once never deadlock', async () => {
  const { people, firstAdmin, join, signIn } = await createAccount(0, 'deadlock');
  const admin = await firstAdmin();
  const colleagues: PersonActor[] = [];
  for (let i = 0; i < 3; i += 1) {
    const invite = await people.invite(admin, newName('Colleague'), ['view', 'prepare', 'admin']);
    const joined = invite && (await join(sides[0], invite));
    if (!joined || typeof joined === 'string') throw new Error('Nobody joined.');
    await people.confirm(admin, joined.person, joined.code ?? '');
    colleagues.push(await signIn(joined.person));
  }
  const acts = Array.from({ length: DEEP ? 300 : 60 }, (_, at) => {
    const [side, other] = at % 2 === 0 ? sides : [sides[1], sides[0]];
    const actor = colleagues[at % 3] ?? admin;
    if (at % 4 === 0) return side.rows.write((transaction) => transaction.sessionRights(actor.session));
    if (at % 4 === 1) return other.people.grant(admin, actor.person, ['view', 'prepare', 'admin']);
    if (at % 4 === 2) return other.people.block(admin, actor.person);
    return side.people.invite(admin, newName('Guest'), ['view']);
  });
  expect(await Promise.allSettled(acts)).not.toContainEqual(expect.objectContaining({ status: 'rejected' }));
});

test('two servers write the activity as one chain, even while it is checked, and it can’t be truncated', async () => {
  const { activity } = OWN_PARTS;
  const [{ database }] = sides;
  const before = await activity.check(database);
  const write = (side: Side) =>
    Promise.all(ROUNDS.map(() => side.people.inviteFromConsole(newName('account'), ['view'], 'why')));
  const checks = ROUNDS.map(() => activity.check(database));
  await Promise.all(sides.map(write));
  expect(before.fault).toBeNull();
  for (const { fault } of await Promise.all(checks)) expect(fault).toBeNull();
  await expect(database.query('truncate activity.lines')).rejects.toThrow('never changed');
  expect(await activity.check(database)).toEqual({
    lines: before.lines + 2 * ROUNDS.length,
    unchecked: 0,
    fault: null,
  });
});
