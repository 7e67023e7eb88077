// Test support: a gateway where people sign in with passkeys, and browsers with one passkey each.
import { expect, onTestFinished } from 'vitest';
import { ORIGIN, RP_ID } from '#src/server/people/testOrigin.ts';
import { raiseNothing } from '#src/server/activity/raiseNotice.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { NOTHING_CLOSED } from '#src/server/jobs/testProvider.ts';
import { machineJobClock } from '#src/server/jobs/jobClock.ts';
import { createJobs } from '#src/server/jobs/jobs.ts';
import { createNotices } from '#src/server/notices/notices.ts';
import { migrateNotices } from '#src/server/notices/schema.ts';
import { migrateJobs } from '#src/server/jobs/schema.ts';
import { openSqlRows, createActivityWriter } from '#src/server/operations/sqlRows.ts';
import { OWN_PARTS } from '#src/server/operations/sqlTransaction.ts';
import type { DemoPerson } from '#src/server/people/demoPeople.ts';
import { createPeopleStore } from '#src/server/people/peopleStore.ts';
import { openPeople } from '#src/server/people/people.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { createServerAccounts } from '#src/server/people/serverAccounts.ts';
import { sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { createSessions } from '#src/server/people/sessions.ts';
import { createTickets } from '#src/server/people/tickets.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { NO_APPROVALS } from '#src/shared/policy/testPolicy.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { createTestBrowser, type TestBrowser } from './testBrowser.ts';
import { emptyList, fakeService, KEY, operationsOn, startGateway } from './testGateway.ts';
import { forwardTo } from './upstream/forward.ts';

const SECRET = 'a secret of the tests';
export const OTHER_KEY = 'sk_of_the_other_account';

let worlds = 0;

/** An empty database in memory, for worlds in people mode. */
export async function openPeopleDatabase(): Promise<Database> {
  const database = await openDatabase({ directory: 'memory' });
  await openSqlRows(database, { mode: 'people', ...OWN_PARTS });
  return database;
}

/** A gateway where people sign in with passkeys, with its own account. */
export async function createPeopleWorld(
  database: Database,
  { readOnly = false, hasDemo = false, raise = raiseNothing } = {},
) {
  /** What the provider lists as withdrawals, newest first; a word if it doesn't. */
  const provider: { withdrawals: readonly object[] | 'not-offered' | 'away' } = { withdrawals: [] };
  const { url: address, seen } = await fakeService((req, res) => {
    const { withdrawals } = provider;
    if (req.method !== 'GET' || req.url?.includes('/v1/withdrawals?') !== true) return emptyList(req, res);
    res.setHeader('Content-Type', 'application/json');
    if (typeof withdrawals === 'string') {
      res.statusCode = withdrawals === 'away' ? 500 : 404;
      const code = withdrawals === 'away' ? 'internal' : 'not_found';
      return res.end(
        JSON.stringify({ error: { type: 'invalid_request_error', code, message: 'No.', request_id: 'r' } }),
      );
    }
    res.end(JSON.stringify({ object: 'list', data: withdrawals, has_more: false, next_cursor: null }));
  });
  worlds += 1;
  // A path, too, because a port may be used again.
  const url = `${address}/${worlds}`;
  const account = `account of ${url}`;
  const other = `other account of ${url}`;
  for (const id of [account, other])
    await database.query('insert into people.accounts (service, id, name) values ($1, $2, $2)', [url, id]);
  /** How far this server's clock is ahead. */
  const serverSkew = { ms: 0 };
  const peopleParts = {
    database,
    service: url,
    seals: createSeals(Buffer.from('a key of the tests')),
    activityWriter: createActivityWriter('people', { ...OWN_PARTS, raise }),
    raise,
    issuer: null,
    wall: () => Date.now() + serverSkew.ms,
  };
  const people = openPeople({ ...peopleParts, rpId: RP_ID });
  const store = createPeopleStore({ ...peopleParts, rpId: RP_ID });
  const policy = (body: Policy | null, number = 1): Promise<void> =>
    body === null
      ? database.query('delete from people.policies where account = $1', [account]).then(() => undefined)
      : store.insertPolicy(database, {
          service: url,
          account,
          number,
          body: JSON.stringify(body),
          proposed_by: null,
          proposed_at: '0',
          confirmed_by: null,
          counts_from: String(number),
          ended_at: null,
          ended_by: null,
        });
  // Most tests aren't about approvals, so by default no payment needs one.
  await policy(NO_APPROVALS);
  const clock = { now: Date.now() };
  /** The clock of the server's sessions, in ms: how far it is ahead, and how much time has passed in addition. */
  const sessionClock = { ahead: 0, passed: 0 };
  const accounts = createServerAccounts([
    { name: 'eu', account, credential: account, apiKey: KEY },
    { name: 'us', account: other, credential: other, apiKey: OTHER_KEY },
  ]);
  const sessions = createSessions(
    sessionRowsOf(database, url, people.grants),
    SECRET,
    { wall: () => Date.now() + sessionClock.ahead, mono: () => performance.now() + sessionClock.passed },
    { serverAccounts: accounts },
  );
  const tickets = createTickets(Buffer.from(SECRET), () => clock.now);
  const demoPeople: DemoPerson[] = [];
  const demo = {
    list: demoPeople,
    has: (person: string) => demoPeople.some(({ id }) => id === person),
    createAccount: () => Promise.reject(new Error('This world has no sandbox.')),
  };
  const signing = people.signingWith({ origin: ORIGIN, tickets });
  const parts = { people, tickets, accounts, oidc: null, demo: hasDemo ? demo : null };
  const rows = await openSqlRows(database, {
    ...OWN_PARTS,
    mode: 'people',
    readSessionRights: people.grants.sessionRights,
    signing: () => signing,
    raise,
  });
  const service = forwardTo(url);
  await migrateJobs(database);
  const jobs = createJobs({
    database,
    service,
    readSessionRights: people.grants.sessionRights,
    people: { accounts, grants: people.grants },
    loadTeamColumns: async () => [],
    ...NOTHING_CLOSED,
    clock: machineJobClock,
    warn: () => undefined,
  });
  onTestFinished(() => jobs.runner.stop());
  await migrateNotices(database);
  const notices = createNotices({
    database,
    channels: [
      { name: 'webhook', host: 'hooks.example' },
      { name: 'mail', host: 'mail.example' },
    ],
    readSessionRights: people.grants.sessionRights,
    activityWriter: createActivityWriter('people'),
    peopleWith: people.peopleWith,
  });
  const operations = operationsOn(service, rows, signing.check);
  const gateway = await startGateway(url, {
    origin: ORIGIN,
    people: parts,
    sessions,
    readOnly,
    operations,
    jobs,
    notices,
    queries: database,
  });

  const browser = () => createTestBrowser({ send: gateway.send, origin: ORIGIN, account });

  /**
   * A signed-in person whose passkey and roles count at once. Writes the rows, which is faster than an invite, a join and a
   * confirmation (peopleRoutes.test.ts sends those).
   */
  async function colleague(name: string, permissions: readonly Permission[]) {
    const own = browser();
    const person = await database.transaction(async (tx) => {
      const now = String(Date.now());
      const id = await store.insertPerson(tx, name, now);
      const { authenticator } = own;
      await store.insertPasskey(tx, authenticator, { person: id, parent: null, counts_from: now, created_at: now });
      await store.setGrants(tx, { person: id, account, by: null }, permissions, now);
      return id;
    });
    expect((await own.signIn()).status).toBe(201);
    return { ...own, person };
  }

  const firstAdmin = () => colleague('Ada', ['view', 'prepare', 'admin']);

  async function invite(admin: TestBrowser, name: string, permissions: readonly Permission[]) {
    const { status, body } = await admin.act('/api/invites', { name, permissions });
    expect(status).toBe(201);
    return { token: String(body['token']), person: String(body['person']) };
  }

  return {
    account,
    other,
    people,
    peopleAt: (rpId: string) => openPeople({ ...peopleParts, rpId }),
    tickets,
    demoPeople,
    rows,
    owner: { service: service.name, account },
    operations,
    /** Replaces the policy in force; null removes all policies. */
    policy,
    clock,
    sessionClock,
    serverSkew,
    gateway,
    service: { seen },
    provider,
    browser,
    firstAdmin,
    invite,
    colleague,
  };
}
