import { expect, test } from 'vitest';
import { assetOverviewOf } from './assetDocument.ts';
import { createOverviews, READING_MS } from './overviews.ts';
import {
  datedAnswer,
  ASKER,
  createTestProvider,
  NO_OPERATIONS,
  NOW,
  refusalBody,
  testClock,
  testDeposit,
  testWithdrawal,
} from './testProvider.ts';

const DAY = 86_400;
const FAILS = datedAnswer(500, refusalBody('internal_error'));

let count = 0;
const entry = (amount: string, source: string, more: Record<string, unknown> = {}) => ({
  id: `le_${(count += 1)}`,
  asset: 'BTC',
  amount,
  source,
  type: 'deposit',
  book: 'available',
  created_at: NOW - DAY,
  ...more,
});

function setUp() {
  const provider = createTestProvider();
  const clock = testClock();
  const overviews = createOverviews({ service: provider, rows: NO_OPERATIONS, clock });
  const snapshot = (isManualRefresh = false) => overviews.readAsset(ASKER, 'BTC', { isManualRefresh });
  const document = async () => {
    const read = await snapshot();
    return assetOverviewOf(read, { asset: 'BTC', closed: [], zone: 'utc' });
  };
  /** The document after the due reading has ended. */
  const read = async () => {
    await expect.poll(async () => (await document()).is_reading).toBe(false);
    return document();
  };
  const readAgain = () => {
    provider.requests.length = 0;
    clock.pass(READING_MS);
    return read();
  };
  return { provider, clock, overviews, snapshot, read, readAgain };
}

test('an asset is read once a minute, for any number of people', async () => {
  const { provider, clock, overviews, read, readAgain } = setUp();
  await read();
  expect(provider.requests).toContain('/v1/balances/BTC');
  provider.requests.length = 0;
  clock.pass(READING_MS - 1);
  await Promise.all(
    [1, 2, 3].map((n) => overviews.readAsset({ ...ASKER, apiKey: `sk_${n}` }, 'BTC', { isManualRefresh: false })),
  );
  expect(provider.requests).toEqual([]);
  await readAgain();
  expect(provider.requests.length).toBeLessThanOrEqual(10);
});

test('a rate limit of the provider applies to the account and all its assets', async () => {
  const { provider, clock, overviews, read } = setUp();
  await read();
  provider.instead = () => datedAnswer(429, refusalBody('rate_limited'), '120');
  await overviews.readWhole(ASKER);
  provider.requests.length = 0;
  clock.pass(READING_MS);
  expect(await read()).toMatchObject({ retry_at: expect.any(Number), total: '1' });
  expect(provider.requests).toEqual([]);
});

test('closings and months are counted back from the balance that was read with the ledger', async () => {
  const { provider, read, readAgain } = setUp();
  provider.data['/v1/ledger-entries'] = [
    entry('0.4', 'dep_2'),
    entry('0.600000000000000001', 'dep_1', { created_at: NOW - 2 * DAY }),
  ];
  provider.data['/v1/balances'] = [{ ...balance('1.000000000000000001'), updated_at: NOW }];
  const first = await read();
  expect(first.closings?.slice(-3)).toEqual(['0.600000000000000001', '1.000000000000000001', '1.000000000000000001']);
  expect(first.days).toHaveLength(90);
  expect(first.months?.[0]).toMatchObject({ opening: '0', deposits: '1.000000000000000001' });
  expect(first).toMatchObject({ total: '1.000000000000000001', ledger: { matches: true, is_whole: true } });

  // A balance newer than the ledger would shift every day.
  provider.data['/v1/balances'] = [{ ...balance('9'), updated_at: NOW + 60 }];
  provider.instead = (target) => (target.startsWith('/v1/ledger-entries') ? FAILS : undefined);
  const stale = await readAgain();
  expect(stale).toMatchObject({ total: first.total, closings: first.closings, ledger: { error: { status: 500 } } });

  provider.instead = (target) => (target.startsWith('/v1/balances/') ? FAILS : undefined);
  provider.data['/v1/ledger-entries'].unshift(entry('8', 'dep_3', { created_at: NOW + 60 }));
  expect((await readAgain()).closings?.at(-1)).toBe('9.000000000000000001');
});

test('the ledger doesn’t match a balance that it doesn’t add up to; until all is read there is no verdict', async () => {
  const { provider, read, readAgain } = setUp();
  provider.data['/v1/ledger-entries'] = [entry('0.9', 'dep_1')];
  expect((await read()).ledger.matches).toBe(false);
  provider.instead = (target) =>
    target.startsWith('/v1/ledger-entries')
      ? datedAnswer(200, { object: 'list', data: [entry('1', 'dep_9')], has_more: true, next_cursor: null })
      : undefined;
  expect((await readAgain()).ledger).toMatchObject({ matches: null });
});

test('figures are of this asset only, even if the provider ignores the filter', async () => {
  const { provider, read } = setUp();
  provider.data['/v1/ledger-entries'] = [entry('1', 'dep_1'), entry('500', 'dep_9', { asset: 'ETH' })];
  const status = 'pending';
  provider.data['/v1/deposits'] = [testDeposit(1, { status }), testDeposit(9, { status, asset: 'ETH' })];
  const answer = provider.read.bind(provider);
  provider.read = (key, target) => answer(key, target.replace('&asset=BTC', ''));
  const { ledger, months, deposits } = await read();
  expect(ledger.matches).toBe(true);
  expect(months?.[0]).toMatchObject({ deposits: '1', closing: '1' });
  expect(deposits).toMatchObject({ newest: [{ id: 'dep_1' }], in_progress: { count: 1, sum: '0.1' } });
});

test('the balance of another asset is rejected', async () => {
  const { provider, read } = setUp();
  provider.data['/v1/ledger-entries'] = [entry('1', 'dep_1')];
  const other = { asset: 'btc', available: '9', pending: '0', locked: '0', total: '9' };
  provider.instead = (target) => (target === '/v1/balances/BTC' ? datedAnswer(200, other) : undefined);
  expect(await read()).toMatchObject({ total: null, closings: null });
});

test('a swap names its other asset, which is looked up once', async () => {
  const { provider, read, readAgain } = setUp();
  const swap = { type: 'exchange', source: 'x_1' };
  provider.data['/v1/ledger-entries'] = [
    entry('-0.5', 'x_1', swap),
    entry('20', 'x_1', { ...swap, asset: 'ETH' }),
    entry('1', 'op_1', { type: 'opening' }),
  ];
  const { ledger, months } = await read();
  expect(ledger.newest_swaps).toMatchObject([{ amount: '-0.5', other: 'ETH' }]);
  expect(months?.[0]).toMatchObject({ swaps: '-0.5', other: '1' });
  await readAgain();
  expect(provider.requests.filter((target) => target.includes('source='))).toEqual([]);
});

test('payments in progress are added up, each once, with the sum marked if not all were read', async () => {
  const { provider, read, readAgain } = setUp();
  provider.data['/v1/deposits'] = [
    testDeposit(1, { status: 'pending', received_amount: '0.1' }),
    testDeposit(1, { status: 'pending', received_amount: '0.1' }),
    testDeposit(2, { status: 'on_hold', received_amount: '0.000000000000000002' }),
    testDeposit(3, { status: 'pending', asset: 'ETH' }),
    testDeposit(4),
  ];
  expect((await read()).deposits.in_progress).toMatchObject({
    count: 2,
    sum: '0.100000000000000002',
    is_all: true,
    are_readable: true,
    latest_at: NOW - 60,
    only: null,
  });
  // More than one page, all of them recent.
  provider.data['/v1/deposits'] = Array.from({ length: 150 }, (_, n) =>
    testDeposit(n, { status: 'pending', created_at: NOW - n }),
  );
  expect((await readAgain()).deposits.in_progress).toMatchObject({ count: 100, is_all: false });
  provider.instead = (target) => (target.includes('status=') ? FAILS : undefined);
  expect((await readAgain()).deposits.in_progress).toBeNull();
});

test('an error is shown with its list only', async () => {
  const { provider, read, readAgain } = setUp();
  provider.data['/v1/deposits'] = [testDeposit(1)];
  await read();
  provider.instead = (target) => (target.startsWith('/v1/deposits?limit=100&asset=') ? FAILS : undefined);
  expect((await readAgain()).deposits).toMatchObject({
    error: { status: 500 },
    newest: [{ id: 'dep_1' }],
    in_progress: { count: 0 },
  });
});

test('a withdrawal is reread for its fee when it is no longer in progress', async () => {
  const { provider, read, readAgain } = setUp();
  const withdrawals = Array.from({ length: 250 }, (_, n) => testWithdrawal(n, { fee: '0.01' }));
  withdrawals[220] = testWithdrawal(220, { status: 'broadcasted', fee: null });
  provider.data['/v1/withdrawals'] = withdrawals;
  provider.data['/v1/ledger-entries'] = [entry('-0.1', 'wd_220', { type: 'withdrawal' })];
  expect((await read()).months?.[0]).toMatchObject({ fees: '0', fees_unknown: true });
  withdrawals[220] = testWithdrawal(220, { fee: '0.01' });
  expect((await readAgain()).months?.[0]).toMatchObject({ fees: '-0.01', fees_unknown: false });
});

test('the newest of 100,000 ledger entries are read, and more if a person asks', async () => {
  const { provider, overviews, read } = setUp();
  provider.data['/v1/ledger-entries'] = Array.from({ length: 100_000 }, (_, n) =>
    entry('1', `dep_${n}`, { created_at: NOW - n }),
  );
  const { ledger, months } = await read();
  expect(ledger).toMatchObject({ reached: NOW - 1_599, is_whole: false, can_read_more: true, matches: null });
  expect(months).toEqual([]);
  overviews.readMoreOfAsset(ASKER, 'BTC');
  expect((await read()).ledger.reached).toBe(NOW - 3_199);
});

test('the ledger is read for the days on the page, and to its end if a person asks', async () => {
  const { provider, overviews, read } = setUp();
  provider.data['/v1/ledger-entries'] = Array.from({ length: 400 }, (_, n) =>
    entry('1', `dep_${n}`, { created_at: NOW - n * DAY }),
  );
  expect((await read()).ledger).toMatchObject({ reached: NOW - 199 * DAY, is_whole: true, can_read_more: true });
  overviews.readMoreOfAsset(ASKER, 'BTC');
  expect((await read()).ledger).toMatchObject({ reached: null, can_read_more: false });
});

test('lists that the provider doesn’t have are named, and not requested again', async () => {
  const { provider, read, readAgain } = setUp();
  provider.instead = (target) =>
    /^\/v1\/(?:withdrawals|ledger-entries)/.test(target) ? datedAnswer(404, refusalBody('not_found')) : undefined;
  expect(await read()).toMatchObject({
    withdrawals: { not_offered: true, in_progress: null },
    ledger: { not_offered: true },
    months: null,
  });
  await readAgain();
  expect(provider.requests.filter((target) => /withdrawals|ledger/.test(target))).toEqual([]);
});

function balance(total: string) {
  return { object: 'balance', asset: 'BTC', available: total, pending: '0', locked: '0', total };
}
