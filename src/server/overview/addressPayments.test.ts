import { expect, test } from 'vitest';
import { ADDRESS_DAYS, addressPaymentsOf } from './addressPayments.ts';
import { createOverviews } from './overviews.ts';
import {
  ASKER,
  createTestProvider,
  NO_OPERATIONS,
  NOW,
  testClock,
  testDeposit,
  testWithdrawal,
} from './testProvider.ts';

const DAY = 86_400;
const TRON = { chain: 'tron', address: 'TWiummto6eeTBsUoD6N2rgqYNTGvwTft86' };
const ETHEREUM = { chain: 'ethereum', address: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB' };

function setUp() {
  const provider = createTestProvider();
  const overviews = createOverviews({ service: provider, rows: NO_OPERATIONS, clock: testClock() });
  const back = (kind: 'deposit' | 'withdrawal') =>
    overviews.readBack(ASKER, { kind, days: ADDRESS_DAYS, isManualRefresh: false });
  const read = async (kind: 'deposit' | 'withdrawal', addresses = [TRON]) => {
    await expect.poll(async () => (await back(kind)).isReading).toBe(false);
    return addressPaymentsOf(await back(kind), kind, addresses);
  };
  return { provider, overviews, read };
}

const ids = ({ payments }: { payments: readonly { id: string }[] }) => payments.map(({ id }) => id);

test('payments to any of the addresses count, in any spelling, and on their own chain only', async () => {
  const { provider, read } = setUp();
  provider.data['/v1/withdrawals'] = [
    testWithdrawal(1, TRON),
    testWithdrawal(2, { ...ETHEREUM, address: ETHEREUM.address.toLowerCase() }),
    testWithdrawal(3, { chain: 'polygon', address: ETHEREUM.address }),
    testWithdrawal(4, { ...TRON, address: TRON.address.toLowerCase() }),
  ];
  expect(ids(await read('withdrawal', [TRON, ETHEREUM]))).toEqual(['wd_1', 'wd_2']);
});

test('deposits without an address on the same chain, and items without an ID, may be to this address', async () => {
  const { provider, read } = setUp();
  provider.data['/v1/deposits'] = [
    testDeposit(1, { ...TRON }),
    testDeposit(2, { chain: 'tron' }),
    testDeposit(3, { chain: 'bitcoin' }),
    { id: 'dep_4', status: 'completed', created_at: NOW - 300 },
    testDeposit(5, { id: '' }),
  ];
  expect(await read('deposit')).toMatchObject({ unnamed: 2, malformed: 1, are_all_unnamed: false, reached: null });
  const other = setUp();
  other.provider.data['/v1/deposits'] = [testDeposit(1), testDeposit(2)];
  expect(await other.read('deposit')).toMatchObject({ payments: [], unnamed: 0, are_all_unnamed: true });
});

test('payments to an address are read a year back, more than Home needs, and no further without a request', async () => {
  const { provider, overviews, read } = setUp();
  // Three deposits a day.
  provider.data['/v1/deposits'] = Array.from({ length: 3_000 }, (_, n) =>
    testDeposit(n, { ...TRON, created_at: NOW - Math.floor(n / 3) * DAY }),
  );
  const { reading } = await overviews.readWhole(ASKER);
  expect(reading.lists.deposit.back.rows()).toHaveLength(200);
  const year = await read('deposit');
  expect(year.payments).toHaveLength(1_200);
  expect(year).toMatchObject({ is_loading: false, can_read_more: true });
  expect(reading.lists.withdrawal.back.rows()).toEqual([]);
});

test('after an error the payments read so far remain, with how far back they go', async () => {
  const { provider, read } = setUp();
  provider.data['/v1/deposits'] = Array.from({ length: 150 }, (_, n) => testDeposit(n, { ...TRON }));
  provider.instead = (target) =>
    target.startsWith('/v1/deposits?limit=100&starting_after')
      ? { kind: 'no-answer', reason: 'timeout', ms: 1 }
      : undefined;
  expect(await read('deposit')).toMatchObject({
    error: { kind: 'timeout', of_later_page: true },
    reached: NOW - 99 * 60,
    is_loading: false,
  });
});
