import { expect, test } from 'vitest';
import type { StoredItem } from '#src/server/team/items.ts';
import { parseJson } from '#src/shared/answers.ts';
import type { AddressPayments, AssetOverview } from '#src/shared/contract/overviewContract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import { findNothingOutside } from './outside.ts';
import { createOverviews } from './overviews.ts';
import { createOverviewApp, type OverviewAppParts } from './routes.ts';
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

const recipient = (id: string, { chain, address }: typeof TRON): StoredItem => ({
  id,
  value: JSON.stringify({ name: 'Acme', chain, address, asset: '', reference: '', note: '' }),
  revision: 1,
  who: null,
  person: null,
  createdAt: 0,
  updatedAt: 0,
  deleted: false,
});

function setUp() {
  const provider = createTestProvider();
  const saved = { recipients: [recipient('a', TRON)], closed: [] as ClosedPeriod[] };
  const team = {
    list: async () => ({ items: saved.recipients, next: null, position: '', complete: true }),
    madeAddresses: {
      find: async (_owner: unknown, id: string) => {
        // As the database does.
        if (id.includes('\0')) throw new Error('A text has no zero.');
        return { id, asset: 'USDT', ...TRON, along: [], who: null, person: null, at: NOW };
      },
    },
    statements: { list: async () => saved.closed },
  } as unknown as OverviewAppParts['team'];
  const overviews = createOverviews({ service: provider, rows: NO_OPERATIONS, clock: testClock() });
  const app = createOverviewApp(
    { overviews, findOutside: findNothingOutside, team },
    { newRequestId: () => 'req_1', reportFailure: () => undefined },
  );
  const ask = (path: string) => app.request(`/api/overview/${path}`, {}, { account: ASKER });
  const get = async (path: string) => {
    const response = await ask(path);
    expect(response.status).toBe(200);
    return parseJson(await response.text());
  };
  /** The document after the reading under way has ended. */
  const read = async <D extends { is_reading: boolean }>(path: string): Promise<D> => {
    await expect.poll(async () => ((await get(path)) as D).is_reading).toBe(false);
    return (await get(path)) as D;
  };
  return { provider, saved, ask, get, read };
}

test.each(['deposit-addresses/%00', 'recipients/a%00b'])('%s is not found', async (path) => {
  expect((await setUp().ask(path)).status).toBe(404);
});

test('a person may ask for payments to an address that are older than a year', async () => {
  const { provider, get, read } = setUp();
  provider.data['/v1/deposits'] = Array.from({ length: 900 }, (_, n) =>
    testDeposit(n, { ...TRON, created_at: NOW - n * DAY }),
  );
  const path = 'deposit-addresses/made';
  const year = await read<AddressPayments>(path);
  expect(year).toMatchObject({ reached: NOW - 399 * DAY, can_read_more: true });
  await get(`${path}?more=true`);
  const all = await read<AddressPayments>(path);
  expect(all.payments).toHaveLength(900);
  expect(all).toMatchObject({ reached: null, can_read_more: false });
});

test('a busy address shows 1,500 payments at first, and more each time a person asks', async () => {
  const { provider, get, read } = setUp();
  provider.data['/v1/deposits'] = Array.from({ length: 10_000 }, (_, n) =>
    testDeposit(n, { ...TRON, created_at: NOW - n }),
  );
  const path = 'deposit-addresses/made';
  for (const length of [1_500, 3_000, 4_500, 6_000]) {
    const document = await read<AddressPayments>(path);
    expect(document.payments).toHaveLength(length);
    expect(document.can_read_more).toBe(length < 6_000);
    await get(`${path}?more=true`);
  }
});

test('an address that is saved for a recipient counts at once', async () => {
  const { provider, saved, read } = setUp();
  const payment = testWithdrawal(1);
  const { chain = '', address = '' } = payment;
  provider.data['/v1/withdrawals'] = [payment];
  expect((await read<AddressPayments>('recipients/a')).payments).toEqual([]);
  saved.recipients.push(recipient('b', { chain, address }));
  expect((await read<AddressPayments>('recipients/a')).payments).toMatchObject([{ id: 'wd_1' }]);
});

test('a closed month is shown as in its statement at once, in the statement’s time zone', async () => {
  const { provider, saved, read } = setUp();
  provider.data['/v1/ledger-entries'] = [
    { id: 'le_1', asset: 'BTC', amount: '1', created_at: NOW - 30 * DAY, source: 'dep_1', book: 'available' },
  ];
  const path = 'assets/BTC?zone=Pacific/Kiritimati';
  const open = await read<AssetOverview>(path);
  expect(open).toMatchObject({ month_zone: 'Pacific/Kiritimati' });
  expect(open.months?.map(({ month, is_closed }) => [month, is_closed])).toEqual([
    ['2026-09', false],
    ['2026-08', false],
  ]);
  const counts = { deposits: 1, withdrawals: 0, fees: 0, swaps: 0, other: 0, entries: 1 };
  const sum = {
    asset: 'BTC',
    opening: '0',
    deposits: '1',
    withdrawals: '0',
    fees: '0',
    swaps: '0',
    other: '0',
    counts,
  };
  saved.closed = [
    {
      number: 1,
      closing: 'c1',
      name: 'August 2026, UTC',
      from: Date.UTC(2026, 7, 1) / 1000,
      to: Date.UTC(2026, 8, 1) / 1000,
      sums: [{ ...sum, adjustments: '0', closing: '1' }],
    },
  ] as unknown as ClosedPeriod[];
  const closed = await read<AssetOverview>(path);
  expect(closed).toMatchObject({
    month_zone: 'UTC',
    months: [{ is_closed: false }, { month: '2026-08', is_closed: true }],
  });
});
