import { expect, test } from 'vitest';
import { testOperation } from '#src/shared/operations/testRecords.ts';
import { findings } from './findings.ts';
import { findNothingOutside } from './outside.ts';
import { createOverviews } from './overviews.ts';
import {
  datedAnswer,
  ASKER,
  createTestProvider,
  listingBatches,
  NO_OPERATIONS,
  NOW,
  PROVIDER_OWNER,
  refusalBody,
  testBatch,
  testClock,
  testDeposit,
  testWithdrawal,
} from './testProvider.ts';

const DAY = 86_400;
const record = { ...testOperation, ...PROVIDER_OWNER, credential: 'c', state: 'unconfirmed' as const };

function setUp(marks: { id: string; value: object }[] = [], hours: number | null = null) {
  const provider = createTestProvider();
  const clock = testClock();
  const rows = {
    list: () => Promise.resolve({ rows: [{ record, duplicateKey: '', seq: 1n }], next: null }),
    facts: () => Promise.resolve({ now: clock.wall(), setBackAt: null }),
    batches: listingBatches([testBatch()]),
  };
  const item = (id: string, value: object) => ({
    id,
    value: JSON.stringify(value),
    revision: 1,
    who: null,
    person: null,
    createdAt: NOW,
    updatedAt: NOW,
    deleted: false,
  });
  const team = {
    list: () =>
      Promise.resolve({
        items: marks.map(({ id, value }) => item(id, value)),
        next: null,
        position: '',
        complete: true,
      }),
    read: () => Promise.resolve(hours === null ? null : item('stuck-after', { name: 'stuck-after', hours })),
  };
  const overviews = createOverviews({ service: provider, rows: NO_OPERATIONS, clock });
  return {
    provider,
    find: () => findings({ overviews, rows, team, wall: clock.wall, findOutside: findNothingOutside }, ASKER),
  };
}

test('findings are the items that Home lists, each with its kind and subject', async () => {
  const marks = [{ id: 'deposit:dep_3', value: { kind: 'deposit', id: 'dep_3', mark: 'handled' } }];
  const { provider, find } = setUp(marks);
  provider.data['/v1/deposits'] = [
    testDeposit(1, { status: 'failed' }),
    testDeposit(2, { status: 'failed' }),
    testDeposit(3, { status: 'failed' }),
    testDeposit(4, { status: 'on_hold', created_at: NOW - DAY }),
    { ...testDeposit(6, { created_at: NOW - 2 * DAY }), status: undefined as never },
  ];
  provider.data['/v1/withdrawals'] = [testWithdrawal(5, { status: 'failed' })];
  provider.data['/v1/balances'].push({
    object: 'balance',
    asset: 'ETH',
    available: '1',
    pending: '0',
    locked: '0',
    total: '2',
  });
  const found = await find();
  expect(found).toMatchObject({ isComplete: true, errors: [] });
  expect(found.findings.map(({ kind, subject }) => [kind, subject.kind, subject.id])).toEqual([
    ['operation', 'operation', record.key],
    ['batch', 'batch', 'batch_0001'],
    ['failed', 'withdrawal', 'wd_5'],
    ['stuck', 'deposit', 'dep_6'],
    ['stuck', 'deposit', 'dep_4'],
    ['balance', 'balance', 'ETH'],
    ['failed', 'deposit', 'dep_1'],
    ['failed', 'deposit', 'dep_2'],
  ]);
});

test('the team decides after how long a payment is stuck if its usual time is unknown', async () => {
  const { provider, find } = setUp([], 48);
  provider.data['/v1/deposits'] = [testDeposit(1, { status: 'pending', created_at: NOW - DAY })];
  expect((await find()).findings.map(({ kind }) => kind)).toEqual(['operation', 'batch']);
});

test('failed reads are reported, so that a missing finding doesn’t count as the end of a problem', async () => {
  const { provider, find } = setUp();
  provider.instead = (target) =>
    target.startsWith('/v1/deposits') ? datedAnswer(500, refusalBody('internal_error')) : undefined;
  const found = await find();
  expect(found).toMatchObject({ isComplete: false, errors: [{ status: 500 }] });
  expect(found.findings.map(({ kind }) => kind)).toEqual(['operation', 'batch']);
});
