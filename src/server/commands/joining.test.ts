import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import { startBody, startGateway } from '#src/server/http/testGateway.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { createMarks } from '#src/server/operations/marks.ts';
import { createOperations } from '#src/server/operations/operations.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { insertRecord } from '#src/server/operations/testSqlRows.ts';
import { operationRecord } from '#src/server/operations/testAnswers.ts';
import { memoryMarkStore } from '#src/server/operations/testWorld.ts';
import { fileBytes } from '#src/shared/statement/lines.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { recipientId } from '#src/shared/contract/teamContract.ts';
import { closedPeriod } from '#src/server/team/testRoutes.ts';
import { openTeamWithJournal } from './openTeamWithJournal.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import type { Team } from '#src/server/team/team.ts';
import { credentialOf, openAccounts } from '#src/server/people/accounts.ts';
import {
  createJoining,
  findSharedPayments,
  findUnnamedAccounts,
  joinAtStart,
  joinByWord,
} from '#src/server/operations/joining.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { sessionRowsOf } from '#src/server/people/sessionRows.ts';
import { startTestProvider } from '#src/server/http/testProvider.ts';

// Replacing an account's API key at the provider.

let database: Database;
let rows: Rows;
let team: Team;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  rows = await openSqlRows(database);
  team = await openTeamWithJournal(database, rows);
}, 60_000);
afterAll(() => database.close());

const ADDRESS = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const ACME = { name: 'Acme', chain: 'bitcoin', address: ADDRESS };

let names = 0;

/** A gateway on the shared database, in front of its own provider. */
async function createWorld({ separateAccounts = false, readOnly = false } = {}) {
  const provider = await startTestProvider();
  const { url, keys } = provider;
  const server = async ({ secret = 0, isReadOnly = readOnly } = {}) => {
    const operations = createOperations({
      rows,
      service: forwardTo(url),
      random: () => 0,
      newAttemptId: () => `at_joining_${(names += 1)}`,
      separateAccounts,
      neverSetBack: false,
      marks: createMarks(new Uint8Array(32), url),
      lastMark: memoryMarkStore(),
      warn: () => undefined,
    });
    const accounts = openAccounts(database, url, createSeals(new Uint8Array(32).fill(secret)));
    const parts = { database, ports: operations.ports, accounts };
    const joining = createJoining(parts);
    const gateway = await startGateway(url, {
      readOnly: isReadOnly,
      operations,
      accounts,
      joining,
      team,
      sessionRows: sessionRowsOf(database, url),
    });

    /** Signs in. `join` answers the question of a previous try. */
    async function signIn(key: string, join?: string | false, name?: string) {
      const body = JSON.stringify({ key, ...(join === undefined ? {} : { join }), ...(name && { name }) });
      const answer = await gateway.send('/session', { method: 'POST', headers: gateway.json, body });
      const found = JSON.parse(answer.text);
      const Cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const call = { Cookie, 'X-Account': String(found.account) };
      const code: unknown = found.error?.code ?? null;
      const question: unknown = found.same_account?.account ?? null;

      async function pay(count = 1): Promise<string[]> {
        const sent: string[] = [];
        for (let each = 0; each < count; each += 1) {
          const id = `key_joining_${(names += 1)}`;
          const { status } = await gateway.api(call, 'PUT', `/${id}`, withdrawal(names));
          expect(status).toBe(201);
          sent.push(id);
        }
        await operations.attempts.whenIdle();
        return sent;
      }
      const put = async (path: string, value: object) => {
        const request = { method: 'PUT', headers: { ...gateway.json, ...call } };
        return gateway.send(`/api/team/${path}`, { ...request, body: JSON.stringify({ value, revision: 0 }) });
      };
      const list = async (path: string): Promise<Record<string, unknown>[]> =>
        JSON.parse((await gateway.get(path, call)).text).data;
      return { status: answer.status, account: found.account, code, question, call, pay, put, list };
    }
    return { ...gateway, operations, accounts, joining, parts, signIn };
  };
  const first = await server();
  return { ...first, provider, url, server, id: (key: string) => credentialOf(key, url), add: newKey };

  /** A new key of one of the provider's accounts. */
  function newKey(account: string): string {
    const key = `sk_joining_${(names += 1)}`;
    keys.set(key, account);
    return key;
  }
}

const withdrawal = (amount: number, more: object = {}) => {
  const body = JSON.stringify({
    asset: 'BTC',
    chain: 'bitcoin',
    amount: `0.${amount}1`,
    address: addressNumber(amount),
  });
  return startBody({ body, ...more });
};
/** Gives each payment its own address, so that none counts as a duplicate. */
const addressNumber = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;

describe('a new key of an account that is known here', () => {
  test('is asked about before anything is recorded, and joined by a second request', async () => {
    const { signIn, add, id, provider } = await createWorld();
    const [old, next] = [add('a'), add('a')];
    const before = await signIn(old);
    const [paid] = await before.pay();
    expect((await before.put(`recipients/${encodeURIComponent(recipientId(ACME))}`, ACME)).status).toBe(200);

    const question = await signIn(next);
    expect(question).toMatchObject({ status: 409, code: 'same_account', question: id(old), call: { Cookie: '' } });
    expect(await database.query('select 1 as one from people.credentials where credential = $1', [id(next)])).toEqual(
      [],
    );
    expect((await signIn(next, 'another')).status).toBe(409);

    const joined = await signIn(next, id(old));
    expect(joined).toMatchObject({ status: 201, account: id(old) });
    expect(await joined.list('/api/team/recipients')).toMatchObject([{ value: ACME }]);
    expect(await joined.list('/api/operations')).toMatchObject([{ operation: { key: paid }, checkOnly: true }]);
    const reads = provider.readsOf(next).length;
    expect(await signIn(next)).toMatchObject({ status: 201, account: id(old) });
    expect(provider.readsOf(next).slice(reads)).toEqual(['/v1/balances?limit=1']);
    expect((await signIn(old)).account).toBe(id(old));
  });

  test('keeps its own account for good if a person chooses that', async () => {
    const { signIn, add, id } = await createWorld();
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    expect(await signIn(next, false)).toMatchObject({ status: 201, account: id(next) });
    expect(await signIn(next)).toMatchObject({ status: 201, account: id(next) });
    expect(await signIn(next, id(old))).toMatchObject({ status: 201, account: id(next) });
  });

  test('is recognized by the newest, the oldest and three withdrawals in between', async () => {
    const { signIn, add, id, provider } = await createWorld();
    const [old, next] = [add('a'), add('a')];
    const keys = await (await signIn(old)).pay(9);
    const ids = await database.query<{ result_id: string }>(
      'select result_id from operations.operations where key = any($1::text[]) order by seq desc',
      [`{${keys.join(',')}}`],
    );
    expect((await signIn(next)).question).toBe(id(old));
    expect(provider.readsOf(next).slice(1)).toEqual(
      [0, 2, 4, 6, 8].map((place) => `/v1/withdrawals/${ids[place]?.result_id}`),
    );
  });

  test('is asked about again, rather than kept apart, after a change of the server’s secret', async () => {
    const world = await createWorld();
    const { signIn, add, id } = world;
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    await signIn(next, id(old));
    const later = await world.server({ secret: 1 });
    expect((await later.signIn(next)).question).toBe(id(old));
    expect((await later.signIn(next, id(old))).account).toBe(id(old));
    expect((await later.signIn(next)).account).toBe(id(old));
    const last = await world.server({ secret: 2 });
    expect((await last.signIn(next, false)).account).toBe(id(next));
    expect(await last.signIn(next)).toMatchObject({ status: 201, account: id(next) });
  });

  test('doesn’t include a key that paid before accounts were recorded, so no question is asked', async () => {
    const { signIn, add, id } = await createWorld();
    const key = add('a');
    await (await signIn(key)).pay();
    await database.query('delete from people.credentials where credential = $1', [id(key)]);
    expect(await signIn(key)).toMatchObject({ status: 201, account: id(key) });
  });

  test('gets no account of its own while the provider doesn’t answer the check', async () => {
    const { signIn, add, id, provider } = await createWorld();
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    provider.readStatus = 503;
    expect(await signIn(next)).toMatchObject({ status: 503, code: 'same_account_unknown' });
    provider.readStatus = null;
    expect((await signIn(next)).question).toBe(id(old));
  });

  test('is checked at most ten times a minute', async () => {
    const { signIn, add } = await createWorld();
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    for (let count = 0; count < 10; count += 1) expect((await signIn(next)).status).toBe(409);
    expect(await signIn(next)).toMatchObject({ status: 429, code: 'too_many' });
  });

  test('joins no account on a read-only server, and is asked about later on a writing one', async () => {
    const world = await createWorld();
    const { signIn, add, id, provider } = world;
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    const readOnly = await world.server({ isReadOnly: true });
    expect(await readOnly.signIn(next, id(old))).toMatchObject({ status: 201, account: id(next) });
    expect(provider.readsOf(next)).toEqual(['/v1/balances?limit=1']);
    expect((await signIn(next)).question).toBe(id(old));
  });

  test('gets no session while the database is away', async () => {
    const { add, url, accounts, parts } = await createWorld();
    const away = { ...accounts, findKnownAccount: () => Promise.reject(new Error('away')) };
    const gateway = await startGateway(url, { joining: createJoining({ ...parts, accounts: away }) });
    const { answer } = await gateway.signIn(add('a'));
    expect([answer.status, answer.headers['set-cookie']]).toEqual([503, undefined]);
  });
});

describe('an account can’t be joined by', () => {
  test('a valid key of another merchant, not even by sending the account’s id', async () => {
    for (const separateAccounts of [false, true]) {
      const { signIn, add, id, provider } = await createWorld({ separateAccounts });
      const [victim, attacker] = [add('victim'), add('attacker')];
      await (await signIn(victim)).pay(6);
      expect(await signIn(attacker, id(victim))).toMatchObject({ status: 201, account: id(attacker) });
      // The check ends at the first 404.
      expect(provider.readsOf(attacker).filter((path) => path.includes('wd_'))).toHaveLength(1);
      expect(await signIn(attacker, id(victim))).toMatchObject({ status: 201, account: id(attacker) });
    }
  });

  test('a key that can read only some of the withdrawals', async () => {
    const { signIn, add, id, provider } = await createWorld();
    const [old, attacker] = [add('victim'), add('attacker')];
    const before = await signIn(old);
    await before.pay(3);
    // The account's newest recorded withdrawal belongs to the attacker's account.
    provider.keys.set(old, 'attacker');
    await before.pay(1);
    expect(await signIn(attacker)).toMatchObject({ status: 201, account: id(attacker) });
  });

  test('a key that can read the withdrawals of two accounts', async () => {
    const { signIn, add, id } = await createWorld();
    const [one, two, both] = [add('a'), add('a'), add('a')];
    await (await signIn(one)).pay(2);
    await (await signIn(two, false)).pay(2);
    expect(await signIn(both)).toMatchObject({ status: 201, account: id(both) });
  });

  test('a key that reads a different payment under the same id', async () => {
    const { signIn, add, id, provider } = await createWorld();
    const [old, other] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    provider.change = { amount: '7' };
    expect(await signIn(other)).toMatchObject({ status: 201, account: id(other) });
  });

  test('a key that was checked against fewer than five withdrawals, if the merchants are unrelated', async () => {
    const { signIn, add, id } = await createWorld({ separateAccounts: true });
    const [old, early, late] = [add('a'), add('a'), add('a')];
    const before = await signIn(old);
    await before.pay(4);
    expect(await signIn(early)).toMatchObject({ status: 201, account: id(early) });
    await before.pay();
    expect((await signIn(late)).question).toBe(id(old));
  });
});

test('months closed before and after a join are numbered on, and their periods don’t overlap', async () => {
  const { signIn, add, id, url } = await createWorld();
  const [old, next] = [add('a'), add('a')];
  const before = await signIn(old);
  await before.pay();
  const close = async (by: { account: unknown }, number: number, change: object = {}) => {
    const person = { session: null, who: 'Ana', person: null, rights: KEY_RIGHTS };
    const actor = { ...person, service: url, account: String(by.account) };
    const period = { ...closedPeriod(number, `closing_${number}_${Object.keys(change).length}`), ...change };
    return (await team.statements.close(actor, period, fileBytes('PK'))).kind;
  };
  expect(await close(before, 1)).toBe('written');
  const after = await signIn(next, id(old));
  expect(await close(after, 1, { to: 2_500 })).toBe('moved');
  expect(await close(after, 2, { from: 1_999 })).toBe('moved');
  expect(await close(after, 2)).toBe('written');
  const periods = await after.list('/api/team/closed-periods');
  expect(periods.map(({ value }) => value)).toMatchObject([
    { number: 1, to: 2_000 },
    { number: 2, from: 2_000 },
  ]);
});

describe('joining', () => {
  test('ends only operations that wait under the old key, even if a send is about to begin', async () => {
    const { signIn, add, id, url, joining } = await createWorld();
    const [old, next, other] = [add('a'), add('a'), add('b')];
    await (await signIn(old)).pay();
    await signIn(other);
    const record = (key: string, of: string, change: object = {}) =>
      operationRecord({ ...base(key, url, of), ...change });
    const soon = Date.now() + 20_000;
    await insertRecord(rows, record('key_waits', id(old)));
    await insertRecord(rows, record('key_leased', id(old), { leaseUntil: soon }));
    await insertRecord(rows, record('key_unsure', id(old), { state: 'unconfirmed', reason: 'no-answer' }));
    await insertRecord(rows, record('key_other', id(other)));
    expect(await joining.join(id(next), id(old))).toBeNull();
    const states = await Promise.all(
      ['key_waits', 'key_leased', 'key_unsure', 'key_other'].map(async (key) => (await rows.byKey(key))?.record),
    );
    expect(states.map((found) => [found?.state, found?.ending?.words])).toEqual([
      ['not-sent', 'The API key changed.'],
      ['not-sent', 'The API key changed.'],
      ['unconfirmed', undefined],
      ['ready', undefined],
    ]);
    const joined = await signIn(next);
    const views = await joined.list('/api/operations?state=unconfirmed');
    expect(views).toMatchObject([{ operation: { key: 'key_unsure' }, allowed: ['check', 'close'] }]);
  });

  test('logs one activity line with the typed name, and one for each operation that it ended', async () => {
    const { signIn, add, id, url } = await createWorld();
    const [old, next, last] = [add('a'), add('a'), add('a')];
    await (await signIn(old)).pay();
    const records = ['key_line_1', 'key_line_2'].map((key) => operationRecord(base(key, url, id(old))));
    for (const record of records) await insertRecord(rows, record);
    const lines = () =>
      database.query(
        `select kind, who, person, subject, facts from activity.lines
         where account = $1 and kind not in ('operation.recorded', 'operation.sent') order by number`,
        [id(old)],
      );
    await signIn(next, id(old), 'Ada');
    const by = { who: 'Ada', person: null };
    const ended = records.map(({ key, body }) => ({
      ...by,
      kind: 'operation.discarded',
      subject: key,
      facts: JSON.stringify({ operation: 'withdrawal', ...JSON.parse(body), words: 'The API key changed.' }),
    }));
    const joined = { ...by, kind: 'account.key-added', subject: null, facts: '{}' };
    expect(await lines()).toEqual([joined, ...ended]);
    // The name is optional.
    await signIn(last, id(old));
    expect(await lines()).toEqual([joined, ...ended, { ...joined, who: null }]);
  });

  test('is refused if anything is recorded under the key, and changes nothing', async () => {
    const { signIn, add, id, joining } = await createWorld();
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    const apart = await signIn(next, false);
    await apart.put(`recipients/${encodeURIComponent(recipientId(ACME))}`, ACME);
    expect(await joining.join(id(next), id(old))).toBe('Something is recorded under this API key already.');
    expect(await signIn(next)).toMatchObject({ account: id(next) });
    expect(await apart.list('/api/team/recipients')).toHaveLength(1);
  });

  test('ends the key’s sessions on its own empty account, so that they can’t write any more', async () => {
    const { signIn, add, id, joining } = await createWorld();
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    const apart = await signIn(next, false);
    expect(await joining.join(id(next), id(old))).toBeNull();
    expect((await apart.put(`recipients/${encodeURIComponent(recipientId(ACME))}`, ACME)).status).toBe(401);
    expect(
      await database.query('select ended_why, key_box from people.sessions where credential = $1', [id(next)]),
    ).toEqual([{ ended_why: 'key-joined', key_box: null }]);
    // As if another server, which read the account before the join, had begun a session.
    await database.query("update people.sessions set ended_at = null, ended_why = null where ended_why = 'key-joined'");
    expect((await apart.put(`recipients/${encodeURIComponent(recipientId(ACME))}`, ACME)).status).toBe(401);
  });

  test('refuses a key that was added to another account, and an account id that is itself a later key', async () => {
    const { signIn, add, id, joining } = await createWorld();
    const [one, two, next, last] = [add('a'), add('b'), add('a'), add('c')];
    await (await signIn(one)).pay();
    await (await signIn(two)).pay();
    expect(await joining.join(id(next), id(one))).toBeNull();
    expect(await joining.join(id(next), id(two))).toContain('another account before');
    expect(await joining.join(id(last), id(next))).toContain('a later API key');
  });
});

describe('at the start of a server that has the key', () => {
  const start = async (
    world: Awaited<ReturnType<typeof createWorld>>,
    key: string,
    sameAccount: string | null = null,
  ) => {
    const lines: string[] = [];
    const { joining, parts } = world;
    const log = (line: string) => void lines.push(line);
    const startParts = { ...parts, joining, log };
    if (sameAccount !== null) await joinByWord({ apiKey: key, account: sameAccount, words: 'rotated' }, startParts);
    return { ...(await joinAtStart(key, startParts)), lines };
  };

  test('a new key of the only account is added, with one activity line', async () => {
    const world = await createWorld();
    const { signIn, add, id } = world;
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).pay();
    const started = await start(world, next);
    expect(started).toMatchObject({ account: id(old), credential: id(next), apiKey: next });
    expect(
      await database.query(
        `select who, person, facts from activity.lines where account = $1 and kind = 'account.key-added'`,
        [id(old)],
      ),
    ).toEqual([{ who: null, person: null, facts: '{}' }]);
    expect(started.lines).toEqual([expect.stringContaining('was added to it')]);
    expect((await start(world, next)).lines).toEqual([]);
  });

  test('the first key gets an account', async () => {
    const world = await createWorld();
    const key = world.add('a');
    expect(await start(world, key)).toMatchObject({ account: world.id(key), lines: [] });
  });

  test.each([
    ['reads another account', 'other', null, 'doesn’t read the withdrawals'],
    ['can’t be checked while the provider is away', 'a', 503, 'can’t be asked now'],
  ])('a new key that %s is refused, and the error says how to proceed', async (_, of, readStatus, message) => {
    const world = await createWorld();
    const { signIn, add, id, provider } = world;
    const [old, next] = [add('a'), add(of)];
    await (await signIn(old)).pay();
    provider.readStatus = readStatus;
    const refused = start(world, next);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(`npm run console -- --same-account ${id(old)} "why"`);
    expect(await world.accounts.findKnownAccount(id(next))).toBeNull();
    // An operator can add the key by the account's name or id.
    expect(await start(world, next, id(old))).toMatchObject({ account: id(old) });
    expect(
      await database.query(`select who, facts from activity.lines where account = $1 and kind = 'account.key-added'`, [
        id(old),
      ]),
    ).toEqual([{ who: null, facts: '{"words":"rotated"}' }]);
    expect(await start(world, next)).toMatchObject({ account: id(old) });
  });

  test('for an account without a recorded withdrawal, an operator has to add the key', async () => {
    const world = await createWorld();
    const { signIn, add, id } = world;
    const [old, next] = [add('a'), add('a')];
    await (await signIn(old)).put(`recipients/${encodeURIComponent(recipientId(ACME))}`, ACME);
    await expect(start(world, next)).rejects.toThrow('no recorded withdrawal can tell');
    await expect(start(world, next, 'nobody')).rejects.toThrow('There is no account “nobody” here.');
    await database.query('update people.accounts set name = $2 where id = $1', [id(old), 'eu']);
    expect(await start(world, next, 'eu')).toMatchObject({ account: id(old) });
  });

  test('a new key of another account than the one that the settings name is refused', async () => {
    const world = await createWorld();
    const { signIn, add, id, joining, parts } = world;
    const [eu, us, next] = [add('a'), add('b'), add('b')];
    for (const key of [eu, us]) await (await signIn(key)).pay();
    await database.query('update people.accounts set name = $2 where id = $1', [id(eu), 'eu-1']);
    const startAs = (name: string) => joinAtStart(next, { ...parts, joining, log: () => undefined }, { name });
    await expect(startAs('eu-1')).rejects.toThrow('--same-account eu-1');
    await database.query('update people.accounts set name = $2 where id = $1', [id(us), 'us-1']);
    expect(await startAs('us-1')).toMatchObject({ account: id(us) });
  });

  describe('under a new name', () => {
    /** `keys`: the keys in the settings by name, which replace the old one. */
    async function startRenamed(world: Awaited<ReturnType<typeof createWorld>>, keys: Record<string, string>) {
      const listed = Object.entries(keys).map(([name, apiKey]) => ({ name, apiKey }));
      const { joining, parts } = world;
      const startParts = { ...parts, joining, log: () => undefined };
      const unnamed = await findUnnamedAccounts(listed, startParts);
      const isOneOfSeveral = listed.length > 1;
      const started: string[] = [];
      for (const { name, apiKey } of listed)
        started.push((await joinAtStart(apiKey, startParts, { name, unnamed, isOneOfSeveral })).account);
      return started;
    }

    /** An account that the settings called eu before and don't name any more. */
    async function createUnnamed({ payments = 1 } = {}) {
      const world = await createWorld();
      const old = world.add('a');
      const before = await world.signIn(old);
      await before.pay(payments);
      await database.query('update people.accounts set name = $2 where id = $1', [world.id(old), 'eu']);
      return {
        ...world,
        old,
        before,
        isRecorded: async (key: string) => (await world.accounts.findKnownAccount(world.id(key))) !== null,
      };
    }

    test('a key that reads the payments of an account that the settings no longer name is refused', async () => {
      const world = await createUnnamed({ payments: 6 });
      const next = world.add('a');
      await expect(startRenamed(world, { acme: next })).rejects.toThrow(
        'The API key of account acme is new here, and it reads the payments of account eu, which the settings don’t name. If it is a new key of that account, run: npm run console -- --same-account eu "why"',
      );
      await expect(startRenamed(world, { acme: next, zoo: world.add('b') })).rejects.toThrow('"why" --account acme');
      expect(await world.isRecorded(next)).toBe(false);
      // Under the old name the key is accepted.
      expect(await startRenamed(world, { eu: next })).toEqual([world.id(world.old)]);
    });

    test('a key that reads only part of those payments is refused, too', async () => {
      const world = await createUnnamed({ payments: 1 });
      const next = world.add('a');
      world.provider.keys.set(world.old, 'b');
      await world.before.pay();
      world.provider.keys.set(next, 'b');
      await expect(startRenamed(world, { acme: next })).rejects.toThrow('it reads payments of account eu');
    });

    test.each([
      ['the provider is away', 503, 'can’t be asked now'],
      ['the provider refuses the key', 401, 'the provider refuses it'],
      ['the provider forbids the read', 403, 'the provider refuses it'],
    ])('one that can’t be compared, since %s, is refused', async (_, readStatus, message) => {
      const world = await createUnnamed();
      const other = world.add('b');
      world.provider.readStatus = readStatus;
      await expect(startRenamed(world, { acme: other })).rejects.toThrow(message);
      expect(await world.isRecorded(other)).toBe(false);
      world.provider.readStatus = null;
      expect(await startRenamed(world, { acme: other })).toEqual([world.id(other)]);
    });

    test('a key is refused if the old account has only other operations, until the old key is named', async () => {
      const world = await createUnnamed({ payments: 0 });
      const { id, old, url } = world;
      const state = { state: 'unconfirmed', reason: 'no-answer' } as const;
      await insertRecord(rows, operationRecord({ ...base(`key_unnamed_${(names += 1)}`, url, id(old)), ...state }));
      const other = world.add('b');
      const refused = startRenamed(world, { acme: other });
      await expect(refused).rejects.toThrow('no recorded withdrawal can tell whether it is a key of account eu');
      await expect(refused).rejects.toThrow('start once with the key of eu in the settings, too');
      expect(await startRenamed(world, { acme: other, old })).toEqual([id(other), id(old)]);
      expect(await startRenamed(world, { acme: other })).toEqual([id(other)]);
    });

    test('an account whose name or key is still in the settings isn’t compared', async () => {
      const world = await createUnnamed();
      const { id, old, add, provider } = world;
      const [other, another] = [add('b'), add('c')];
      provider.readStatus = 503;
      expect(await startRenamed(world, { acme: other, eu2: old })).toEqual([id(other), id(old)]);
      provider.readStatus = null;
      const byName = [{ name: 'eu', apiKey: add('a') }];
      expect(await findUnnamedAccounts(byName, world.parts)).toEqual([]);
      expect(await startRenamed(world, { eu: add('a'), zoo: another })).toEqual([id(old), id(another)]);
    });

    test('an account without operations isn’t compared', async () => {
      const world = await createWorld();
      const [old, next] = [world.add('a'), world.add('b')];
      await (await world.signIn(old)).put(`recipients/${encodeURIComponent(recipientId(ACME))}`, ACME);
      expect(await startRenamed(world, { acme: next })).toEqual([world.id(next)]);
    });
  });

  test('two accounts whose keys read each other’s payments are found', async () => {
    const { signIn, add, id, joining } = await createWorld();
    const [one, two, other] = [add('a'), add('a'), add('b')];
    await (await signIn(one)).pay();
    await signIn(two, false);
    await (await signIn(other)).pay();
    const of = (apiKey: string) => ({ name: apiKey, account: id(apiKey), credential: id(apiKey), apiKey });
    expect(await findSharedPayments(joining, [of(one), of(other)])).toBeNull();
    expect(await findSharedPayments(joining, [of(other), of(one), of(two)])).toEqual([of(two), of(one)]);
  });
});

function base(key: string, service: string, account: string) {
  return {
    key,
    service,
    account,
    credential: account,
    body: JSON.stringify({ asset: 'BTC', chain: 'bitcoin', amount: '1', address: addressNumber((names += 1)) }),
  };
}
