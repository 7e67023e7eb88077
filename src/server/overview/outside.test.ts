import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#src/server/database/openDatabase.ts';
import type { Database } from '#src/server/database/sql.ts';
import type { Rows } from '#src/server/operations/ports.ts';
import { openSqlRows } from '#src/server/operations/sqlRows.ts';
import { operationRecord, SENT } from '#src/server/operations/testAnswers.ts';
import { clearJournal, insertRecord } from '#src/server/operations/testSqlRows.ts';
import { createFindOutside } from './outside.ts';
import { createOverviews } from './overviews.ts';
import {
  datedAnswer,
  ASKER,
  createTestProvider,
  NOW,
  PROVIDER_OWNER,
  refusalBody,
  testClock,
  testWithdrawal,
} from './testProvider.ts';

const DAY = 86_400;

let database: Database;
let rows: Rows;
beforeAll(async () => {
  database = await openDatabase({ directory: 'memory' });
  rows = await openSqlRows(database);
});
afterAll(() => database.close());
beforeEach(async () => {
  await clearJournal(database);
  await database.script('delete from people.credentials; delete from people.accounts');
});

/** Ids of the withdrawals that are found. `withdrawals`: the provider's list. */
async function found(
  withdrawals: ReturnType<typeof testWithdrawal>[],
  service = PROVIDER_OWNER.service,
): Promise<string[]> {
  const provider = createTestProvider();
  provider.data['/v1/withdrawals'] = withdrawals;
  return findIn(provider, service);
}

async function findIn(provider: ReturnType<typeof createTestProvider>, service: string): Promise<string[]> {
  const clock = testClock();
  const owner = { ...PROVIDER_OWNER, service };
  const overviews = createOverviews({ service: provider, rows, clock });
  const find = createFindOutside({ queries: database, rows, wall: clock.wall });
  return (await find(await overviews.readWhole({ ...ASKER, ...owner }), owner)).map(({ id }) => id);
}

/** The withdrawal that an operation with SENT would have created. */
const withdrawal = (n: number, more: object = {}) => testWithdrawal(n, { ...SENT, ...more });
const result = (id: string) => ({ id, text: '{}', requestId: null, by: 'answer' as const, confirmed: [] });

test('finds recent withdrawals that no record explains, newest first', async () => {
  const withdrawals = [withdrawal(1), withdrawal(2), withdrawal(3, { created_at: NOW - 8 * DAY })];
  expect(await found(withdrawals)).toEqual(['wd_1', 'wd_2']);
});

describe.each([PROVIDER_OWNER.service, 'sandbox'])('at %s', (service) => {
  test('ignores a withdrawal made by an operation', async () => {
    const of = { ...PROVIDER_OWNER, service, state: 'succeeded' as const };
    await insertRecord(rows, operationRecord({ ...of, result: result('wd_1') }));
    expect(await found([withdrawal(1), withdrawal(2)], service)).toEqual(['wd_2']);
  });
});

test.each(['sending', 'unconfirmed', 'closed'] as const)(
  'ignores a withdrawal that a %s operation may have made',
  async (state) => {
    await insertRecord(
      rows,
      operationRecord({ ...PROVIDER_OWNER, state, ...(state === 'unconfirmed' && { reason: 'no-answer' }) }),
    );
    expect(await found([withdrawal(1), withdrawal(2, { amount: '0.1' })])).toEqual(['wd_2']);
  },
);

test('ignores a withdrawal that an operation older than many others with an unknown outcome may have made', async () => {
  await insertRecord(rows, operationRecord({ ...PROVIDER_OWNER, state: 'closed' }));
  const other = { ...PROVIDER_OWNER, state: 'closed' as const, body: JSON.stringify({ ...SENT, amount: '0.7' }) };
  for (let n = 0; n < 100; n += 1) await insertRecord(rows, operationRecord({ ...other, key: `newer-${n}` }));
  expect(await found([withdrawal(1)])).toEqual([]);
});

test('finds a withdrawal that looks like an unsent payment or like another account’s', async () => {
  await insertRecord(rows, operationRecord({ ...PROVIDER_OWNER, state: 'not-sent' }));
  await insertRecord(rows, operationRecord({ ...PROVIDER_OWNER, key: 'key-3', state: 'ready' }));
  await insertRecord(
    rows,
    operationRecord({ ...PROVIDER_OWNER, key: 'key-2', account: 'another', state: 'unconfirmed', reason: 'no-answer' }),
  );
  expect(await found([withdrawal(1)])).toEqual(['wd_1']);
});

test('ignores withdrawals from before the account’s first sign-in here, under any key', async () => {
  const { service, account } = PROVIDER_OWNER;
  await database.query('insert into people.accounts (service, id, name) values ($1, $2, $2)', [service, account]);
  for (const [credential, since] of [
    [account, NOW - 2 * DAY],
    ['a later key', NOW - DAY],
  ] as const)
    await database.query(`insert into people.credentials values ($1, $2, $3, $4, '')`, [
      service,
      credential,
      account,
      String(since * 1_000),
    ]);
  const withdrawals = [
    withdrawal(1),
    withdrawal(2, { created_at: NOW - 1.5 * DAY }),
    withdrawal(3, { created_at: NOW - 3 * DAY }),
  ];
  expect(await found(withdrawals)).toEqual(['wd_1', 'wd_2']);
});

test('finds none if the provider doesn’t list withdrawals', async () => {
  const provider = createTestProvider();
  provider.instead = (target) =>
    target.startsWith('/v1/withdrawals') ? datedAnswer(404, refusalBody('not_found')) : undefined;
  expect(await findIn(provider, PROVIDER_OWNER.service)).toEqual([]);
});
