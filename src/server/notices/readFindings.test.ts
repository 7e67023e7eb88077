import { expect, test } from 'vitest';
import { rowsOf } from '#src/server/overview/paymentFacts.ts';
import { createOverviews, READING_MS } from '#src/server/overview/overviews.ts';
import {
  ASKER,
  datedAnswer,
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
} from '#src/server/overview/testProvider.ts';
import { LATEST_WAKE_MS, LONGEST_WAIT_MS } from '#src/server/operations/clocks.ts';
import type { Batch } from '#src/server/operations/ports.ts';
import type { OperationRecord } from '#src/shared/operations/record.ts';
import { testOperation } from '#src/shared/operations/testRecords.ts';
import { createReadFindings } from './readFindings.ts';

const DAY = 86_400;
const base: OperationRecord = { ...testOperation, ...PROVIDER_OWNER, credential: 'c' };
const { reason: _, ...lapsed } = { ...base, state: 'sending' as const };

interface SetUp {
  records?: OperationRecord[];
  batches?: Batch[];
  /** Ids of withdrawals that weren't sent from here. */
  outside?: string[];
  /** Ids of those that somebody marked as expected. */
  expected?: string[];
  tellsOutside?: boolean;
}

function setUp({ records = [], batches = [], outside = [], expected = [], tellsOutside = true }: SetUp = {}) {
  const provider = createTestProvider();
  const clock = testClock();
  const rows = {
    list: () => Promise.resolve({ rows: records.map((record) => ({ record, duplicateKey: '', seq: 1n })), next: null }),
    facts: () => Promise.resolve({ now: clock.wall(), setBackAt: null }),
    batches: listingBatches(batches),
  };
  const team = {
    list: () =>
      Promise.resolve({
        items: expected.map((id) => ({
          id: `withdrawal:${id}`,
          value: JSON.stringify({ kind: 'withdrawal', id, mark: 'expected' }),
          revision: 1,
          who: null,
          person: null,
          createdAt: NOW,
          updatedAt: NOW,
          deleted: false,
        })),
        next: null,
        position: '',
        complete: true,
      }),
    read: () => Promise.resolve(null),
  };
  const overviews = createOverviews({ service: provider, rows: NO_OPERATIONS, clock });
  const read = createReadFindings({
    service: PROVIDER_OWNER.service,
    overviews,
    rows,
    team,
    wall: clock.wall,
    findOutside: async ({ reading }) => (rowsOf(reading, 'withdrawal') ?? []).filter(({ id }) => outside.includes(id)),
    tellsOutside,
  });
  return { provider, read: () => read(ASKER), pass: () => clock.pass(READING_MS) };
}

test('failed and stuck payments and wrong balances are found, each with its subject', async () => {
  const { provider, read } = setUp();
  provider.data['/v1/deposits'] = [
    testDeposit(1, { status: 'failed' }),
    testDeposit(2, { status: 'failed' }),
    testDeposit(3, { status: 'on_hold', created_at: NOW - DAY }),
  ];
  provider.data['/v1/balances'] = [
    { object: 'balance', asset: 'ETH', available: '1', pending: '0', locked: '0', total: '2' },
  ];
  const { findings, isComplete, unread, problem } = await read();
  expect({ isComplete, unread, problem }).toEqual({ isComplete: true, unread: [], problem: null });
  expect(findings).toEqual([
    { event: 'payment.stuck', subject: 'deposit dep_3', episode: 'stuck on_hold' },
    { event: 'balance.wrong', subject: 'ETH', episode: null },
    { event: 'payment.failed', subject: 'deposit dep_1', episode: 'failed failed' },
    { event: 'payment.failed', subject: 'deposit dep_2', episode: 'failed failed' },
  ]);
});

test('only an unconfirmed operation whose server is gone is found, with the journal’s next revision', async () => {
  expect((await setUp({ records: [base] }).read()).findings).toEqual([]);
  expect((await setUp({ records: [lapsed] }).read()).findings).toEqual([
    { event: 'operation.unconfirmed', subject: base.key, episode: String(base.revision + 1) },
  ]);
});

test('an unconfirmed operation is found once its automatic retry is overdue, with the journal’s next revision', async () => {
  const { wall } = testClock();
  const retryAt = (ms: number): OperationRecord => ({ ...base, retryAt: wall() + ms });
  // Due, or so late that the server that waits for it may still make it.
  for (const due of [30_000, 0, -LATEST_WAKE_MS])
    expect((await setUp({ records: [retryAt(due)] }).read()).findings).toEqual([]);
  // The server is gone, or its clock was set back.
  for (const overdue of [-LATEST_WAKE_MS - 1, LONGEST_WAIT_MS + 1])
    expect((await setUp({ records: [retryAt(overdue)] }).read()).findings).toEqual([
      { event: 'operation.unconfirmed', subject: base.key, episode: String(base.revision + 1) },
    ]);
});

test('a paused batch is left to the journal; one whose server is gone is found, but none of its payments', async () => {
  const batch = { id: 'batch_0001', line: 2, reference: null, recipient: null, recorded: base.firstSent };
  const run = { id: 'run_1', leaseUntil: 0, until: Number.MAX_SAFE_INTEGER };
  const gone = testBatch({ state: 'running', why: null, whyLine: null, run });
  expect((await setUp({ batches: [testBatch()] }).read()).findings).toEqual([]);
  expect((await setUp({ batches: [gone], records: [{ ...lapsed, batch }] }).read()).findings).toEqual([
    { event: 'batch.paused', subject: 'batch_0001', episode: '5' },
  ]);
});

test('each withdrawal from outside that Home lists is found', async () => {
  const { provider, read } = setUp({ outside: ['wd_1', 'wd_2'], expected: ['wd_2'] });
  provider.data['/v1/withdrawals'] = [testWithdrawal(1), testWithdrawal(2)];
  expect((await read()).findings).toEqual([
    { event: 'payment.outside', subject: 'withdrawal wd_1', episode: 'outside' },
  ]);
});

test('without NOTIFY_OUTSIDE=digest withdrawals from outside are not found', async () => {
  const { provider, read } = setUp({ outside: ['wd_1'], tellsOutside: false });
  provider.data['/v1/withdrawals'] = [testWithdrawal(1)];
  expect((await read()).findings).toEqual([]);
});

test('a failed read is a problem, with the wait that the provider asks for', async () => {
  const { provider, read } = setUp();
  provider.instead = (target) =>
    target.startsWith('/v1/deposits') ? datedAnswer(429, refusalBody('rate_limited'), '30') : undefined;
  const reading = await read();
  expect(reading).toMatchObject({ isComplete: false, problem: expect.stringContaining('rate_limited') });
  expect(reading.waitMs).toBeGreaterThan(20_000);
  expect(reading.waitMs).toBeLessThanOrEqual(31_000);
});

test('the provider’s text of a problem is cut, and can be stored', async () => {
  const { provider, read } = setUp();
  const body = { error: { type: 't', code: 'c', message: `A\0B${'x'.repeat(1_000)}`, request_id: 'r' } };
  provider.instead = () => datedAnswer(403, body);
  const { problem } = await read();
  expect(problem).toMatch(/^A␀Bx+$/);
  expect(problem).toHaveLength(300);
});

test('lists that can’t be read are named, and the others are searched', async () => {
  const { provider, read } = setUp();
  provider.data['/v1/withdrawals'] = [testWithdrawal(1, { status: 'failed' })];
  provider.instead = (target) =>
    /^\/v1\/(balances|deposits)/.test(target) ? datedAnswer(403, refusalBody('forbidden')) : undefined;
  const reading = await read();
  expect(reading).toMatchObject({ isComplete: false, unread: ['balances', 'deposits'] });
  expect(reading.findings.map(({ subject }) => subject)).toEqual(['withdrawal wd_1']);
});

test.each([401, 403])(
  'an API key that the provider refuses everywhere with %i is found, until it answers again',
  async (status) => {
    const { provider, read, pass } = setUp();
    const refused = { event: 'key.refused', subject: '', episode: null };
    provider.instead = () => datedAnswer(status, refusalBody('authentication_error'));
    expect(await read()).toMatchObject({ findings: [refused], isKeyAccepted: false, isComplete: false });
    provider.instead = () => undefined;
    pass();
    expect(await read()).toMatchObject({ findings: [], isKeyAccepted: true });
  },
);

test('a proxy’s 401 and a provider’s error say nothing about the API key', async () => {
  for (const answer of [datedAnswer(401, 'Sign in'), datedAnswer(500, refusalBody('internal_error'))]) {
    const { provider, read } = setUp();
    provider.instead = () => answer;
    expect(await read()).toMatchObject({ findings: [], isKeyAccepted: false });
  }
});

test('an API key that may not read one of the lists isn’t refused', async () => {
  const { provider, read } = setUp();
  provider.instead = (target) =>
    target.startsWith('/v1/balances') ? datedAnswer(403, refusalBody('forbidden')) : undefined;
  expect(await read()).toMatchObject({ findings: [], isKeyAccepted: true });
});

test('an account is read with its own API key, and only read', async () => {
  const { provider, read } = setUp();
  await read();
  expect([...provider.keys]).toEqual([ASKER.apiKey]);
  expect(provider.requests.every((target) => target.startsWith('/v1/'))).toBe(true);
});
