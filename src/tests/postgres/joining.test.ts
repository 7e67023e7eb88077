import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#src/tests/eventually.ts';
import { openTeamWithJournal } from '#src/server/commands/openTeamWithJournal.ts';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import { createJoining } from '#src/server/operations/joining.ts';
import { createOperations } from '#src/server/operations/operations.ts';
import { createMarks } from '#src/server/operations/marks.ts';
import type { OperationActor } from '#src/server/operations/ports.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { insertRecord } from '#src/server/operations/testSqlRows.ts';
import { operationRecord } from '#src/server/operations/testAnswers.ts';
import { memoryMarkStore } from '#src/server/operations/testWorld.ts';
import { machineClock } from '#src/server/http/clock.ts';
import { forwardTo } from '#src/server/http/upstream/forward.ts';
import { openAccounts } from '#src/server/people/accounts.ts';
import { createSeals } from '#src/server/people/seals.ts';
import { KEY_RIGHTS } from '#src/server/people/testRights.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { DEEP } from '#src/tests/depth.ts';
import { postgresPrograms } from './programs.ts';
import { startPostgres, type PostgresServer } from './server.ts';

// Two servers on one database add a new API key to an account.

const SERVICE = 'http://127.0.0.1:9';
const ROUNDS = Array.from({ length: DEEP ? 60 : 12 }, (_, round) => round);

let server: PostgresServer;
let sides: [Side, Side];

type Side = Awaited<ReturnType<typeof openSide>>;

async function openSide() {
  const database = await openDatabase({ databaseUrl: 'postgres:///postgres', directory: 'memory' });
  const rows = await openSqlRows(database);
  await openTeamWithJournal(database, rows);
  const { ports, journal } = createOperations({
    rows,
    service: forwardTo(SERVICE),
    random: () => 0,
    newAttemptId: () => 'at_1',
    separateAccounts: false,
    neverSetBack: false,
    marks: createMarks(new Uint8Array(32), SERVICE),
    lastMark: memoryMarkStore(),
    warn: () => undefined,
  });
  const accounts = openAccounts(database, SERVICE, createSeals(new Uint8Array(32)));
  return { database, rows, journal, accounts, joining: createJoining({ database, ports, accounts }) };
}

beforeAll(async () => {
  server = await startPostgres(postgresPrograms() ?? '');
  vi.stubEnv('PGHOST', server.env['PGHOST'] ?? '');
  vi.stubEnv('PGUSER', 'postgres');
  sides = [await openSide(), await openSide()];
});
afterAll(async () => {
  for (const { database } of sides) await database.close();
  await server.stop();
  vi.unstubAllEnvs();
});

const actorOf = (account: string, credential: string): OperationActor => ({
  account,
  credential,
  session: null,
  apiKey: 'sk_1',
  who: null,
  person: null,
  rights: KEY_RIGHTS,
  clock: machineClock,
});

const now = () => ({ service: Math.floor(Date.now() / 1_000), server: Date.now(), database: Date.now() });

function waiting(key: string, account: string) {
  const { body } = withdrawalRequest({ asset: 'BTC', chain: 'bitcoin', amount: '1', address: `0x${key}` });
  const at = now();
  return operationRecord({ key, service: SERVICE, account, credential: account, body, firstSent: at, lastSent: at });
}

test('two servers that join one key at once both join it to the same account', async () => {
  for (const round of ROUNDS) {
    const [old, next] = [`old_${round}`, `next_${round}`];
    await insertRecord(sides[0].rows, waiting(`twice_${round}`, old));
    expect(await Promise.all(sides.map(({ joining }) => joining.join(next, old)))).toEqual([null, null]);
    for (const { accounts } of sides) expect(await accounts.findOrCreateAccount(next)).toBe(old);
  }
});

test('a key that one server joins while the other first sees it is joined on both', async () => {
  for (const round of ROUNDS) {
    const [old, next] = [`old_apart_${round}`, `next_apart_${round}`];
    await insertRecord(sides[0].rows, waiting(`apart_${round}`, old));
    const [refusal] = await Promise.all([
      sides[0].joining.join(next, old),
      sides[1].accounts.findOrCreateAccount(next),
    ]);
    expect(refusal).toBeNull();
    for (const { accounts } of sides) expect(await accounts.findOrCreateAccount(next)).toBe(old);
  }
});

/** Lets both wait for the write lock; which of them gets it first is up to PostgreSQL. */
async function atOnce<A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const [{ database, rows }] = sides;
  const isWaiting = (count: number) =>
    eventually(async () => {
      const found = await database.query("select 1 as one from pg_stat_activity where wait_event_type = 'Lock'");
      expect(found).toHaveLength(count);
    });
  let both: Promise<[A, B]> | undefined;
  await rows.write(async () => {
    const one = first();
    await isWaiting(1);
    const other = second();
    await isWaiting(2);
    both = Promise.all([one, other]);
  });
  if (both === undefined) throw new Error('Nothing was queued.');
  return both;
}

test('a send under the old key at the moment of joining is under way or proved not sent, never both', async () => {
  for (const round of ROUNDS) {
    const [old, next, key] = [`old_send_${round}`, `next_send_${round}`, `send_${round}`];
    await insertRecord(sides[0].rows, waiting(key, old));
    const event = { type: 'send' as const, attemptId: `at_${key}`, date: now().service, who: null, person: null };
    const send = () => sides[1].journal.advance(actorOf(old, old), key, event);
    const join = () => sides[0].joining.join(next, old);
    const [sent, refusal] =
      round % 2 === 0
        ? await atOnce(send, join)
        : await atOnce(join, send).then(([joined, begun]) => [begun, joined] as const);
    expect(refusal).toBeNull();
    expect((await sides[0].rows.byKey(key))?.record?.state).toBe(sent.record === null ? 'not-sent' : 'sending');
    const [joined] = await sides[0].database.query<{ since: string }>(
      'select since::text from people.credentials where credential = $1',
      [next],
    );
    // Nothing prepared under the old key is sent after the key was replaced.
    expect(sent.record?.lastSent.database ?? 0).toBeLessThanOrEqual(Number(joined?.since));
    // The new key neither sends nor repeats it.
    const again = await sides[0].journal.advance(actorOf(old, next), key, { ...event, attemptId: `at_${key}_again` });
    expect(again).toMatchObject({ record: null, rejection: 'It was recorded under another API key.' });
  }
});

test('a payment under the new key at the moment of joining prevents the join, or finds its session ended', async () => {
  for (const round of ROUNDS) {
    const [old, next, key] = [`old_put_${round}`, `next_put_${round}`, `put_${round}`];
    await insertRecord(sides[0].rows, waiting(`first_${round}`, old));
    await sides[1].accounts.findOrCreateAccount(next);
    const token = `token_${round}`;
    await sides[1].database.query(
      `insert into people.sessions (token_sha256, id, service, account, credential, journal_only, created_at, seen_at)
       values ($1, $1, $2, $3, $3, false, $4::bigint, $4)`,
      [token, SERVICE, next, String(Date.now())],
    );
    const request = {
      ...withdrawalRequest({ asset: 'BTC', chain: 'bitcoin', amount: '2', address: `0xput${round}` }),
      second_send_of: [],
      not_after: Date.now() + 100_000,
    };
    const actor = { ...actorOf(next, next), session: token };
    const put = () =>
      sides[1].journal.insert(actor, key, request, { date: now().service, signature: null }).then(
        ({ kind }) => kind,
        (error: unknown) => (error instanceof Error ? error.name : ''),
      );
    const join = () => sides[0].joining.join(next, old);
    expect([
      ['inserted', 'Something is recorded under this API key already.'],
      ['SessionEnded', null],
    ]).toContainEqual(await atOnce(put, join));
  }
});
