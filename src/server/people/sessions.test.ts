import { SessionEnded, type SessionRights } from './actor.ts';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { type Database, migrate } from '#src/server/database/sql.ts';
import { openKeyBox, sealApiKey } from './keyBox.ts';
import { keySessionRights, type SessionRows, sessionRowsOf } from './sessionRows.ts';
import { IDLE_MS, LONGEST_MS, LONGEST_OIDC_MS } from './sessionAge.ts';
import { migratePeople, PEOPLE_MIGRATIONS } from './schema.ts';
import { tokenHash } from './secrets.ts';
import { createSessions, SessionsUnavailable } from './sessions.ts';
import { memorySessionRows } from './testMemorySessions.ts';

const KEY = 'sk_secret_of_a_merchant';
const WHO = {
  key: KEY,
  account: 'a'.repeat(32),
  credential: 'c'.repeat(32),
  sandbox: 'acct_1',
  name: 'Ann',
  journalOnly: false,
  person: null,
};
const SECRET = 'a secret of this test';
const MINUTE = 60_000;

interface World {
  rows: SessionRows;
  rightsOf: (id: string) => Promise<SessionRights | null>;
  /** All sessions become older by the database's clock. */
  age: (ms: number) => Promise<void>;
}

let database: Database;
const inSql = (service: string) => sessionRowsOf(database, service);
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  await migratePeople(database);
}, 60_000);
afterAll(() => database.close());

function memoryWorld(): World {
  let now = Date.now();
  const rows = memorySessionRows(() => now);
  return { rows, rightsOf: async (id) => rows.rightsOf(id), age: async (ms) => void (now += ms) };
}

function sqlWorld(): World {
  return {
    rows: inSql('sandbox'),
    rightsOf: (id) => keySessionRights(database, id),
    age: async (ms) => {
      await database.query('update people.sessions set created_at = created_at - $1::bigint, seen_at = seen_at - $1', [
        String(ms),
      ]);
    },
  };
}

/** A server's sessions, with a clock that the test moves. */
function serverOn(rows: SessionRows, secret = SECRET) {
  const passed = { mono: 0, wall: 0 };
  const clock = { wall: () => Date.now() + passed.wall, mono: () => passed.mono };
  const warnings: string[] = [];
  const sessions = createSessions(rows, secret, clock, { warn: (line) => warnings.push(line) });
  return {
    ...sessions,
    passed,
    warnings,
    /** Advances the clocks beyond the time for which reads may use the cache. */
    forget: () => void (passed.mono += 5_000),
  };
}

describe.each([
  ['memory', memoryWorld],
  ['SQL', sqlWorld],
])('sessions in %s', (_, createWorld) => {
  test('the token opens the session with everything that was recorded', async () => {
    const { rows } = createWorld();
    const token = await serverOn(rows).start(WHO);
    expect(token).toMatch(/^[\w-]{65}$/);
    const session = await serverOn(rows).open(token);
    const rights = { permissions: ['view', 'prepare'], keyRefused: false, hasKey: true };
    expect(session).toEqual({ ...WHO, id: session?.id, rights, accounts: [] });
    for (const wrong of [
      '',
      'x',
      'x'.repeat(65),
      `${token}x`,
      token.slice(1),
      `${token.startsWith('x') ? 'y' : 'x'}${token.slice(1)}`,
    ])
      expect(await serverOn(rows).open(wrong)).toBeNull();
  });

  test('a session whose key the provider refused has no key', async () => {
    const { rows } = createWorld();
    const token = await serverOn(rows).start({ ...WHO, key: null, journalOnly: true });
    expect(await serverOn(rows).open(token)).toMatchObject({ key: null, journalOnly: true });
  });

  test('no session opens under another secret', async () => {
    const { rows } = createWorld();
    const token = await serverOn(rows).start(WHO);
    expect(await serverOn(rows, 'another secret').open(token)).toBeNull();
  });

  test('a session ends after 30 minutes without activity, and after 12 hours in any case', async () => {
    const { rows, age } = createWorld();
    const token = await serverOn(rows).start(WHO);
    for (let passed = 0; passed + 29 * MINUTE < LONGEST_MS; passed += 29 * MINUTE) {
      await age(29 * MINUTE);
      const server = serverOn(rows);
      expect(await server.open(token)).not.toBeNull();
      await server.noteActivity(token);
    }
    await age(29 * MINUTE);
    expect(await serverOn(rows).open(token)).toBeNull();

    const idle = await serverOn(rows).start(WHO);
    await age(IDLE_MS - MINUTE);
    expect(await serverOn(rows).open(idle)).not.toBeNull();
    await age(MINUTE);
    expect(await serverOn(rows).open(idle)).toBeNull();
    // Activity after the end doesn't reopen it.
    await serverOn(rows).noteActivity(idle);
    expect(await serverOn(rows).open(idle)).toBeNull();
  });

  test('a session that began at an identity provider ends after eight hours, for reads, writes and in its row', async () => {
    const { rows, age, rightsOf } = createWorld();
    const clock = { wall: Date.now, mono: () => performance.now() };
    const token = await createSessions(rows, SECRET, clock, { longestMs: LONGEST_OIDC_MS }).start(WHO);
    const { id = '' } = (await serverOn(rows).open(token)) ?? {};
    for (let passed = 0; passed < LONGEST_OIDC_MS; passed += 20 * MINUTE) {
      expect(await serverOn(rows).open(token)).not.toBeNull();
      expect(await rightsOf(id)).not.toBeNull();
      await age(20 * MINUTE);
      await rows.noteSeen(id);
    }
    expect(await serverOn(rows).open(token)).toBeNull();
    expect(await rightsOf(id)).toBeNull();
    expect(await rows.find(tokenHash(token))).not.toBeNull();
    await rows.endOld();
    expect(await rows.find(tokenHash(token))).toBeNull();
  });

  test('a session’s age is measured by the server’s or the database’s clock, whichever is later', async () => {
    const { rows } = createWorld();
    const server = serverOn(rows);
    const token = await server.start(WHO);
    server.passed.wall = IDLE_MS + MINUTE;
    expect(await server.open(token)).toBeNull();
    server.passed.wall = -IDLE_MS;
    expect(await server.open(token)).not.toBeNull();
    // The cached row ages by this process's monotonic clock.
    server.passed.mono += 4_999;
    expect(await server.open(token)).not.toBeNull();
  });

  test('clocks that differ by more than a minute are reported once, and again when that changes', async () => {
    const server = serverOn(createWorld().rows);
    const reported = async (wall: number) => {
      server.passed.wall = wall;
      for (let i = 0; i < 2; i += 1) await server.clean();
      return server.warnings.splice(0);
    };
    expect(await reported(MINUTE / 2)).toEqual([]);
    expect(await reported(31.5 * MINUTE)).toEqual([
      'Warning: the server’s clock is 31 min ahead of the database’s. Sessions end that much too early.',
    ]);
    expect(await reported(0)).toEqual(['The clocks of the server and the database agree again.']);
    expect(await reported(-2.5 * MINUTE)).toEqual(['Warning: the server’s clock is 2 min behind the database’s.']);
  });

  test('an ended session can’t write, and another server reads with it for at most 5 seconds', async () => {
    const { rows, rightsOf } = createWorld();
    const [one, other] = [serverOn(rows), serverOn(rows)];
    const token = await one.start(WHO);
    const session = await one.open(token);
    if (!session) throw new Error('There is no session.');
    expect(await other.open(token)).toEqual(session);
    expect(await rightsOf(session.id)).not.toBeNull();
    await one.end(token, 'signed-out');
    expect(await rightsOf(session.id)).toBeNull();
    expect(await one.open(token)).toBeNull();
    other.forget();
    expect(await other.open(token)).toBeNull();
    await other.noteActivity(token);
    expect(await rightsOf(session.id)).toBeNull();
  });

  test('an idle session, or one that is too old, can’t write', async () => {
    const { rows, rightsOf, age } = createWorld();
    const server = serverOn(rows);
    const idle = await server.open(await server.start(WHO));
    await age(IDLE_MS + 1);
    expect(await rightsOf(idle?.id ?? '')).toBeNull();
    const used = await server.open(await server.start(WHO));
    for (let passed = 0; passed < LONGEST_MS; passed += 20 * MINUTE) {
      expect(await rightsOf(used?.id ?? '')).not.toBeNull();
      await age(20 * MINUTE);
      await rows.noteSeen(used?.id ?? '');
    }
    expect(await rightsOf(used?.id ?? '')).toBeNull();
  });
});

test('migrating an older database limits sessions that began at an identity provider to eight hours', async () => {
  const former = await openDatabase({ directory: 'memory' });
  onTestFinished(() => former.close());
  await migrate(former, 'people', PEOPLE_MIGRATIONS.slice(0, 4));
  await former.script(`
    insert into people.people (id, service, name, created_at, seal, issuer, subject)
      values ('ada', 's', 'Ada', 1, '', 'https://login.example/', 'sub'), ('bo', 's', 'Bo', 1, '', null, null);
    insert into people.sessions
      (token_sha256, id, service, account, credential, journal_only, created_at, seen_at, person, seal)
      values ('1', 'of-ada', 's', 'a', 'a', false, 1, 1, 'ada', ''), ('2', 'of-bo', 's', 'a', 'a', false, 1, 1, 'bo', ''),
        ('3', 'of-a-key', 's', 'a', 'a', false, 1, 1, null, null);`);
  await migratePeople(former);
  expect(await former.query('select id, longest_ms::int from people.sessions order by id')).toEqual([
    { id: 'of-a-key', longest_ms: LONGEST_MS },
    { id: 'of-ada', longest_ms: LONGEST_OIDC_MS },
    { id: 'of-bo', longest_ms: LONGEST_MS },
  ]);
});

test('activity is written once a minute at most', async () => {
  const { rows, age } = memoryWorld();
  let written = 0;
  const counting: SessionRows = { ...rows, noteSeen: async (id) => ((written += 1), rows.noteSeen(id)) };
  const token = await serverOn(rows).start(WHO);
  await age(MINUTE - 1);
  const server = serverOn(counting);
  await server.open(token);
  await server.noteActivity(token);
  expect(written).toBe(0);
  server.passed.mono += 1;
  for (let i = 0; i < 3; i += 1) await server.noteActivity(token);
  expect(written).toBe(1);
});

test('while the database is away, sessions read within 5 minutes serve reads, and others are not reported as signed out', async () => {
  const { rows } = memoryWorld();
  const state = { away: false };
  const failing: SessionRows = {
    ...rows,
    find: (hash) => (state.away ? Promise.reject(new Error('away')) : rows.find(hash)),
  };
  const server = serverOn(failing);
  const token = await server.start(WHO);
  await server.open(token);
  state.away = true;
  server.passed.mono += 5 * MINUTE - 1;
  expect(await server.open(token)).not.toBeNull();
  await expect(serverOn(failing).open(token)).rejects.toBeInstanceOf(SessionsUnavailable);
  server.passed.mono += 1;
  await expect(server.open(token)).rejects.toBeInstanceOf(SessionsUnavailable);
});

test('the database holds neither token nor API key, and after the end not even the encrypted key', async () => {
  const { rows, age } = sqlWorld();
  const server = serverOn(rows);
  const stored = async () => JSON.stringify(await database.query('select * from people.sessions'));
  const token = await server.start(WHO);
  const session = await server.open(token);
  expect(await stored()).not.toContain(token);
  expect(await stored()).not.toContain(KEY);
  expect(await stored()).not.toContain(Buffer.from(KEY).toString('base64url').slice(0, -2));
  const boxes = async () =>
    database.query('select ended_why, key_box from people.sessions where id = $1', [session?.id ?? '']);
  expect(await boxes()).toEqual([{ ended_why: null, key_box: expect.any(String) }]);
  await server.end(token, 'signed-out');
  expect(await boxes()).toEqual([{ ended_why: 'signed-out', key_box: null }]);

  const idleToken = await server.start(WHO);
  const idle = await server.open(idleToken);
  await age(IDLE_MS);
  await rows.endOld();
  const [ended] = await database.query('select ended_why, key_box from people.sessions where id = $1', [
    idle?.id ?? '',
  ]);
  expect(ended).toEqual({ ended_why: 'idle', key_box: null });
  // The first ending stays.
  await rows.end(createHash('sha256').update(idleToken).digest('hex'), 'signed-out');
  expect(await database.query('select 1 as one from people.sessions where ended_why is null')).toEqual([]);
});

test('a restored database signs everybody out: a session that was ended in the lost part is open again in it', async () => {
  const { rows, rightsOf } = sqlWorld();
  const journal = await openSqlRows(database);
  const server = serverOn(rows);
  const token = await server.start(WHO);
  const session = await server.open(token);
  await journal.write((transaction) => transaction.setBack(1, { id: 'jnl_lost', position: 9n, nonce: 'n' }));
  expect(await rightsOf(session?.id ?? '')).toBeNull();
  expect(await serverOn(rows).open(token)).toBeNull();
});

test('an unused session leaves the cache, so that its API key leaves memory', async () => {
  const { rows } = memoryWorld();
  // A box that doesn't open: only what is still in memory can be used.
  const closed: SessionRows = {
    ...rows,
    find: async (hash) => {
      const row = await rows.find(hash);
      return row && { ...row, keyBox: state.isLocked ? 'x' : row.keyBox };
    },
  };
  const state = { isLocked: false };
  const server = serverOn(closed);
  const token = await server.start(WHO);
  await server.open(token);
  state.isLocked = true;
  server.passed.mono += 5 * MINUTE - 1;
  await server.clean();
  expect(await server.open(token)).not.toBeNull();
  server.passed.mono += 5 * MINUTE;
  await server.clean();
  expect(await server.open(token)).toBeNull();
});

test('the cache holds 1,000 sessions and drops the least recently opened one first', async () => {
  const { rows } = memoryWorld();
  let queries = 0;
  const counting: SessionRows = { ...rows, find: async (hash) => ((queries += 1), rows.find(hash)) };
  const server = serverOn(counting);
  const tokens: string[] = [];
  for (let i = 0; i < 1_001; i += 1) tokens.push(await server.start(WHO));
  for (const token of tokens.slice(1)) expect(await server.open(token)).not.toBeNull();
  expect(queries).toBe(0);
  expect(await server.open(tokens[0] ?? '')).not.toBeNull();
  expect(queries).toBe(1);
});

test('a sign-out while the database is away holds here at once, and is written when it is back', async () => {
  const { rows, rightsOf } = memoryWorld();
  const state = { away: false };
  const away = () => Promise.reject(new Error('away'));
  const failing: SessionRows = { ...rows, end: (hash, why) => (state.away ? away() : rows.end(hash, why)) };
  const server = serverOn(failing);
  const token = await server.start(WHO);
  const session = await server.open(token);
  state.away = true;
  await server.end(token, 'signed-out');
  expect(await server.open(token)).toBeNull();
  expect(await rightsOf(session?.id ?? '')).not.toBeNull();
  state.away = false;
  await server.clean();
  expect(await rightsOf(session?.id ?? '')).toBeNull();
});

test('a read under way during the sign-out doesn’t reopen the session', async () => {
  const { rows } = memoryWorld();
  let release: () => void = () => undefined;
  const slow: SessionRows = {
    ...rows,
    find: async (hash) => {
      const row = await rows.find(hash);
      await new Promise<void>((resolve) => (release = resolve));
      return row;
    },
  };
  const server = serverOn(slow);
  const token = await server.start(WHO);
  server.forget();
  const reading = server.open(token);
  await Promise.resolve();
  await server.end(token, 'signed-out');
  release();
  expect(await reading).toBeNull();
  server.forget();
  expect(await server.open(token)).toBeNull();
});

test('a cookie that no server made costs no query', async () => {
  const { rows } = memoryWorld();
  let queries = 0;
  const counting: SessionRows = { ...rows, find: async (hash) => ((queries += 1), rows.find(hash)) };
  const token = await serverOn(rows, 'another secret').start(WHO);
  for (const made of [token, 'A'.repeat(65), 'A'.repeat(43)]) expect(await serverOn(counting).open(made)).toBeNull();
  expect(queries).toBe(0);
});

test('a write with an ended session is refused as such, not reported as an unavailable database', async () => {
  const journal = await openSqlRows(database);
  const ended = () => Promise.reject(new SessionEnded('ended'));
  await expect(journal.write(ended)).rejects.toBeInstanceOf(SessionEnded);
});

test('a session of another service is not found', async () => {
  const token = await serverOn(inSql('sandbox')).start(WHO);
  expect(await serverOn(inSql('https://payments.example')).open(token)).toBeNull();
});

test('a key box opens under its own token, secret and session only, and not when changed', () => {
  const owner = { id: 's', account: 'a', credential: 'c' };
  const lock = { token: 't', secret: SECRET, owner };
  const box = sealApiKey(KEY, lock);
  expect(openKeyBox(box, lock)).toBe(KEY);
  expect(sealApiKey(KEY, lock)).not.toBe(box);
  for (const wrong of [
    { token: 'u' },
    { secret: 'another' },
    { owner: { ...owner, id: 'r' } },
    { owner: { ...owner, account: 'b' } },
    { owner: { ...owner, credential: 'b' } },
  ])
    expect(openKeyBox(box, { ...lock, ...wrong })).toBeNull();
  for (const changed of ['', 'AAAA', `${box}AAAA`, box.slice(0, -4), `AAAA${box.slice(4)}`])
    expect(openKeyBox(changed, lock)).toBeNull();
});
