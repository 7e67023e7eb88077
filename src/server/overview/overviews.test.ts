import { describe, expect, test } from 'vitest';
import type { AttemptResult } from '#src/shared/answers.ts';
import { attemptNote, testOperation } from '#src/shared/operations/testRecords.ts';
import { knownAddressesOf } from './document.ts';
import { REQUESTS_PER_READING } from './accountReading.ts';
import { createOverviews, READING_MS, SINGLE_MS } from './overviews.ts';
import { openOf, rowsOf } from './paymentFacts.ts';
import {
  datedAnswer,
  ASKER,
  createTestProvider,
  NO_OPERATIONS,
  NOW,
  PROVIDER_OWNER,
  refusalBody,
  testClock,
  testDeposit,
  testWithdrawal,
} from './testProvider.ts';

const HOUR = 3600;
const MINUTE = 60_000;

function setUp() {
  const provider = createTestProvider();
  const clock = testClock();
  const overviews = createOverviews({ service: provider, rows: NO_OPERATIONS, clock });
  const read = () => overviews.readWhole(ASKER);
  /** Requests of the reading that is due after this many ms. */
  const requestsAfter = async (ms: number): Promise<string[]> => {
    provider.requests.length = 0;
    clock.pass(ms);
    provider.now += Math.floor(ms / 1_000);
    await read();
    return [...provider.requests];
  };
  return { provider, clock, overviews, read, requestsAfter };
}

const ids = (rows: readonly { id: string }[] | null) => rows?.map(({ id }) => id);

describe('a reading', () => {
  test('serves five people for a minute', async () => {
    const { provider, clock, overviews } = setUp();
    const people = [1, 2, 3, 4, 5].map((n) => ({ ...ASKER, apiKey: `sk_${n}` }));
    await Promise.all(people.map((person) => overviews.readWhole(person)));
    const first = provider.requests.length;
    clock.pass(READING_MS - 1);
    await Promise.all(people.map((person) => overviews.read(person, { isManualRefresh: false })));
    expect(provider.requests).toHaveLength(first);
    expect(provider.keys).toEqual(new Set(['sk_1']));
    clock.pass(1);
    await Promise.all(people.map((person) => overviews.readWhole(person)));
    expect(provider.requests.length - first).toBeLessThanOrEqual(REQUESTS_PER_READING);
  });

  test('is separate for each account', async () => {
    const { provider, overviews, read } = setUp();
    await read();
    const first = provider.requests.length;
    await overviews.readWhole({ ...ASKER, account: 'acct_2', apiKey: 'sk_2' });
    expect(provider.requests).toHaveLength(2 * first);
  });

  test('takes ten requests a minute at most on average, however busy the account', async () => {
    const { provider, read, requestsAfter } = setUp();
    // Six pages of old open deposits: more than one reading may take.
    provider.data['/v1/deposits'] = Array.from({ length: 600 }, (_, n) =>
      testDeposit(n, { status: 'pending', created_at: NOW - 9 * HOUR - n }),
    );
    provider.data['/v1/withdrawals'] = Array.from({ length: 300 }, (_, n) => testWithdrawal(n));
    await read();
    let count = 0;
    for (let minute = 1; minute <= 30; minute += 1) {
      // A payment a second.
      for (let n = 0; n < 60; n += 1)
        provider.data['/v1/deposits'].unshift(
          testDeposit(n, { id: `dep_${minute}_${n}`, created_at: NOW + minute * 60 + n }),
        );
      count += (await requestsAfter(MINUTE)).length;
    }
    expect(count).toBeLessThanOrEqual(30 * REQUESTS_PER_READING);
    expect(count).toBeGreaterThan(100);
  });

  test('is repeated for a person who asks for fresh data, at most every ten seconds', async () => {
    const { provider, clock, overviews, read } = setUp();
    await read();
    provider.data['/v1/deposits'].unshift(testDeposit(1));
    clock.pass(9_999);
    const early = await overviews.read(ASKER, { isManualRefresh: true });
    expect(rowsOf(early.reading, 'deposit')).toEqual([]);
    clock.pass(1);
    const late = await overviews.read(ASKER, { isManualRefresh: true });
    expect(ids(rowsOf(late.reading, 'deposit'))).toEqual(['dep_1']);
  });

  test('is dropped after ten minutes without requests', async () => {
    const { clock, overviews, read } = setUp();
    await read();
    clock.pass(10 * MINUTE + 1);
    overviews.forgetUnused();
    expect(overviews.size()).toBe(0);
  });
});

describe('later readings', () => {
  test('read only the newest page, and update rows that changed', async () => {
    const { provider, read, requestsAfter } = setUp();
    provider.data['/v1/deposits'] = Array.from({ length: 250 }, (_, n) =>
      testDeposit(n, n === 5 ? { status: 'on_hold' } : {}),
    );
    await read();
    provider.data['/v1/deposits'][5] = testDeposit(5);
    provider.data['/v1/deposits'].unshift(testDeposit(-1));
    const requests = await requestsAfter(MINUTE);
    expect(requests.filter((target) => target.startsWith('/v1/deposits?limit=100&starting_after'))).toEqual([]);
    const { reading } = await read();
    const rows = rowsOf(reading, 'deposit') ?? [];
    expect(ids(rows)?.slice(0, 3)).toEqual(['dep_-1', 'dep_0', 'dep_1']);
    expect(rows).toHaveLength(251);
    expect(rows.find(({ id }) => id === 'dep_5')?.status).toBe('completed');
  });

  test('read an older page again once a payment on it is no longer open', async () => {
    const { provider, read, requestsAfter } = setUp();
    const deposits = Array.from({ length: 300 }, (_, n) => testDeposit(n, n === 220 ? { status: 'pending' } : {}));
    provider.data['/v1/deposits'] = deposits;
    const { reading } = await read();
    expect(openOf(reading, 'deposit').read?.open).toHaveLength(1);
    deposits[220] = testDeposit(220);
    await requestsAfter(MINUTE);
    expect(provider.requests).toContain('/v1/deposits?limit=100&starting_after=dep_219');
    expect(rowsOf(reading, 'deposit')?.find(({ id }) => id === 'dep_220')?.status).toBe('completed');
    expect(openOf(reading, 'deposit').read?.open).toEqual([]);
  });

  test('start the list over if there are more new rows than a few pages hold', async () => {
    const { provider, read, requestsAfter } = setUp();
    provider.data['/v1/deposits'] = [testDeposit(9_999)];
    const { reading } = await read();
    provider.data['/v1/deposits'].unshift(...Array.from({ length: 800 }, (_, n) => testDeposit(n)));
    await requestsAfter(MINUTE);
    expect(rowsOf(reading, 'deposit')).toHaveLength(801);
    expect(reading.lists.deposit.back.isWhole()).toBe(true);
  });
});

test('payments further back than the bound are read when a person asks for them', async () => {
  const { provider, overviews, read } = setUp();
  provider.data['/v1/deposits'] = Array.from({ length: 4_000 }, (_, n) => testDeposit(n, { created_at: NOW - n }));
  const { reading } = await read();
  overviews.readMore(ASKER);
  await read();
  expect(rowsOf(reading, 'deposit')).toHaveLength(3_000);
});

test('the newest of 100,000 deposits are kept, with how far back they go', async () => {
  const { provider, read } = setUp();
  provider.data['/v1/deposits'] = Array.from({ length: 100_000 }, (_, n) => testDeposit(n, { created_at: NOW - n }));
  const { reading } = await read();
  expect(rowsOf(reading, 'deposit')).toHaveLength(1_500);
  expect(reading.lists.deposit.back.reached()).toBe(NOW - 1_499);
  expect(reading.lists.deposit.back.isWhole()).toBe(false);
  expect(provider.requests.length).toBeLessThan(40);
});

describe('a provider that fails', () => {
  const away: AttemptResult = { kind: 'no-answer', reason: 'network', ms: 1 };

  test('leaves the earlier data, with the error', async () => {
    const { provider, read, requestsAfter } = setUp();
    provider.data['/v1/deposits'] = [testDeposit(1)];
    const { reading } = await read();
    provider.instead = (target) =>
      target.startsWith('/v1/deposits') ? datedAnswer(500, refusalBody('internal_error')) : away;
    await requestsAfter(MINUTE);
    expect(reading.lists.deposit.error).toMatchObject({
      status: 500,
      code: 'internal_error',
      message: 'It says internal_error.',
      request_id: 'req_1',
    });
    expect(reading.balancesError()).toMatchObject({ kind: 'network', status: null });
    expect(reading.balances()?.balances).toHaveLength(1);
    expect(ids(rowsOf(reading, 'deposit'))).toEqual(['dep_1']);
    provider.instead = () => undefined;
    await requestsAfter(MINUTE);
    expect([reading.balancesError(), reading.lists.deposit.error]).toEqual([null, null]);
  });

  test('and asks to wait gets no request before then, even if a person asks', async () => {
    const { provider, clock, overviews, read, requestsAfter } = setUp();
    await read();
    provider.instead = () => datedAnswer(429, refusalBody('rate_limited'), '120');
    expect(await requestsAfter(MINUTE)).not.toHaveLength(0);
    const { limited, reading } = await read();
    expect(limited).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(reading.balances()?.balances).toHaveLength(1);
    provider.instead = () => undefined;
    expect(await requestsAfter(119_000)).toEqual([]);
    await overviews.read(ASKER, { isManualRefresh: true });
    expect(provider.requests).toEqual([]);
    expect(await requestsAfter(1_000)).not.toHaveLength(0);
    expect(clock.mono()).toBeGreaterThan(0);
    expect((await read()).limited).toBeNull();
  });

  test.each([8, 20, 400])(
    'and asks to wait for a number of seconds with %d digits is read again after a quarter of an hour',
    async (digits) => {
      const { provider, clock, read, requestsAfter } = setUp();
      await read();
      provider.instead = () => datedAnswer(429, refusalBody('rate_limited'), '9'.repeat(digits));
      await requestsAfter(MINUTE);
      expect((await read()).limited?.retry_at).toBe(Math.floor(clock.wall() / 1_000) + 900);
      provider.instead = () => undefined;
      // A reading that nobody asked for in ten minutes is forgotten.
      expect(await requestsAfter(8 * MINUTE)).toEqual([]);
      expect(await requestsAfter(7 * MINUTE - 1_000)).toEqual([]);
      expect(await requestsAfter(1_000)).not.toHaveLength(0);
    },
  );

  test('or refuses one person’s API key is soon read with another’s', async () => {
    const { provider, clock, overviews } = setUp();
    provider.instead = () =>
      provider.keys.has('sk_2') ? undefined : datedAnswer(401, refusalBody('authentication_error'));
    const refused = await overviews.readWhole(ASKER);
    expect(refused.reading.balancesError()).toMatchObject({ status: 401 });
    clock.pass(10_000);
    const accepted = await overviews.readWhole({ ...ASKER, apiKey: 'sk_2' });
    expect(accepted.reading.balancesError()).toBeNull();
  });

  test.each([400, 404])(
    'and refuses the second page with %i still shows the addresses on the first page',
    async (status) => {
      const { provider, read } = setUp();
      provider.data['/v1/withdrawals'] = Array.from({ length: 150 }, (_, n) => testWithdrawal(n));
      provider.instead = (target) =>
        target.includes('/v1/withdrawals?limit=100&starting_after')
          ? datedAnswer(status, refusalBody('not_found'))
          : undefined;
      const snapshot = await read();
      expect(snapshot.reading.lists.withdrawal).toMatchObject({
        notOffered: false,
        error: { status, of_later_page: true },
      });
      expect(knownAddressesOf(snapshot)).toMatchObject({ is_reading: false, count: 100, is_complete: false });
      provider.instead = (target) =>
        target.startsWith('/v1/withdrawals') ? datedAnswer(status, refusalBody('not_found')) : undefined;
      const other = await createOverviews({ service: provider, rows: NO_OPERATIONS, clock: testClock() }).readWhole(
        ASKER,
      );
      expect(knownAddressesOf(other)).toMatchObject({ count: 0, is_complete: false, not_offered: status === 404 });
    },
  );

  test('and doesn’t list withdrawals still shows everything else', async () => {
    const { provider, read } = setUp();
    provider.instead = (target) => (target.startsWith('/v1/withdrawals') ? datedAnswer(405, {}) : undefined);
    const { reading } = await read();
    expect(reading.lists.withdrawal.notOffered).toBe(true);
    expect(rowsOf(reading, 'withdrawal')).toEqual([]);
    expect(openOf(reading, 'withdrawal')).toMatchObject({ read: { open: [], failed: [] }, error: null });
    expect(rowsOf(reading, 'deposit')).toEqual([]);
  });

  test('and doesn’t list withdrawals is asked for each withdrawal sent from here while it moves', async () => {
    const { provider, clock } = setUp();
    const record = {
      ...testOperation,
      ...PROVIDER_OWNER,
      credential: 'c',
      state: 'succeeded' as const,
      attempts: [{ ...attemptNote, resultId: 'wd_1' }],
    };
    const rows = { list: () => Promise.resolve({ rows: [{ record, duplicateKey: '', seq: 1n }], next: null }) };
    const overviews = createOverviews({ service: provider, rows, clock });
    const id = 'wd_1';
    let status = 'pending';
    provider.instead = (target) => {
      if (target === `/v1/withdrawals/${id}`) return datedAnswer(200, testWithdrawal(1, { id, status }));
      return target.startsWith('/v1/withdrawals') ? datedAnswer(404, refusalBody('not_found')) : undefined;
    };
    const { reading } = await overviews.readWhole(ASKER);
    const open = () => openOf(reading, 'withdrawal').read;
    await expect.poll(() => open()?.open.map((payment) => payment.id)).toEqual([id]);
    status = 'failed';
    clock.pass(MINUTE);
    await overviews.readWhole(ASKER);
    await expect.poll(open).toMatchObject({ open: [], failed: [{ id }] });
    provider.requests.length = 0;
    clock.pass(MINUTE);
    await overviews.readWhole(ASKER);
    expect(provider.requests.filter((target) => target.startsWith('/v1/withdrawals'))).toEqual([]);
  });

  test('and doesn’t list withdrawals is asked for one of them every five seconds', async () => {
    const { provider, clock } = setUp();
    const records = Array.from({ length: 12 }, (_, n) => ({
      ...testOperation,
      ...PROVIDER_OWNER,
      credential: 'c',
      state: 'succeeded' as const,
      attempts: [{ ...attemptNote, resultId: `wd_${n}` }],
    }));
    const listed = records.map((record) => ({ record, duplicateKey: '', seq: 1n }));
    const pauses: (() => void)[] = [];
    const pausing = {
      ...clock,
      sleep: (ms: number) => (ms === SINGLE_MS ? new Promise<void>((done) => pauses.push(done)) : clock.sleep(ms)),
    };
    const rows = { list: () => Promise.resolve({ rows: listed, next: null }) };
    const overviews = createOverviews({ service: provider, rows, clock: pausing });
    provider.instead = (target) => {
      const [, id = ''] = /^\/v1\/withdrawals\/(.+)$/.exec(target) ?? [];
      if (id !== '')
        return datedAnswer(200, testWithdrawal(1, { id, status: id === 'wd_3' ? 'pending' : 'completed' }));
      return target.startsWith('/v1/withdrawals') ? datedAnswer(404, refusalBody('not_found')) : undefined;
    };
    const single = () => provider.requests.filter((target) => target.startsWith('/v1/withdrawals/')).length;
    const { reading } = await overviews.readWhole(ASKER);
    for (let n = 1; n <= 12; n += 1) {
      await expect.poll(() => pauses.length).toBe(n);
      // Another reading doesn't add to them.
      if (n === 2) {
        clock.pass(MINUTE);
        await overviews.readWhole(ASKER);
      }
      expect(single()).toBe(n);
      expect(reading.lists.withdrawal.recorded?.isWhole).toBe(n === 12);
      expect(openOf(reading, 'withdrawal').read?.partly.length === 0).toBe(n === 12);
      pauses.at(-1)?.();
    }
    expect(ids(openOf(reading, 'withdrawal').read?.open ?? [])).toEqual(['wd_3']);
  });
});
