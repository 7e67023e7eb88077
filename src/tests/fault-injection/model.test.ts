import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEEP } from '#src/tests/depth.ts';
import { createModel } from './model.ts';
import { type RealService, openRealService } from './realService.ts';
import type { ServiceAccount } from './service.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let real: RealService;
beforeAll(async () => {
  real = await openRealService();
});
afterAll(() => real.stop());

/** Mostly the usual values, so that keys often repeat with the same bytes. */
const mostly = <T>(usual: readonly T[], ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...usual, ...others));

const AMOUNTS = ['0.5', '11', '12', '0.0001', '0.00010001', '0.123456789', '0', '00.5', '-1', '1e3', '.5', ''];
const fields = fc.record({
  asset: mostly<unknown>(['BTC'], 'USDT', 'DOGE', 'XAA1', '', ' ', null, undefined, 7),
  chain: mostly<unknown>(['bitcoin'], 'ethereum', 'dogecoin', 'Bitcoin', null, undefined, 7),
  amount: mostly<unknown>(AMOUNTS, null, undefined, 7),
  address: mostly<unknown>(['somewhere'], 'x'.repeat(200), 'x'.repeat(201), '', null, undefined, 7),
});
const body = fc.oneof(
  { weight: 8, arbitrary: fields.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fields.map((value) => JSON.stringify(value, null, 1)) },
  fc.constantFrom('', '{}', '[]', 'null', '"text"', '{"asset":', '{"asset":"BTC","chain":"bitcoin"}'),
);
const post = fc.record({
  type: fc.constant('post' as const),
  account: mostly([0], 1),
  path: mostly(['/v1/withdrawals'], '/v1/deposits', '/v1/charges', 'replay', 'pending', 'none'),
  key: mostly<string | null>(['a', 'b'], 'c', '', 'k'.repeat(255), 'k'.repeat(256), null),
  body: fc.oneof({ weight: 3, arbitrary: mostly([0], 1, 2) }, body),
});
const wait = fc.record({
  type: fc.constant('wait' as const),
  ms: fc.constantFrom(1, 12 * HOUR_MS, DAY_MS - 1, DAY_MS),
});
const steps = fc.array(fc.oneof({ weight: 4, arbitrary: post }, { weight: 1, arbitrary: wait }), {
  minLength: 1,
  maxLength: 30,
});

const USUAL = ['0.5', '0.50', '11'].map((amount) => {
  return JSON.stringify({
    asset: 'BTC',
    chain: 'bitcoin',
    amount,
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  });
});

function pathOf(path: string, { deliveries, pendingDelivery }: ServiceAccount): string {
  if (path === 'replay') return `/v1/webhook-deliveries/${deliveries[0]}/replay`;
  if (path === 'pending') return `/v1/webhook-deliveries/${pendingDelivery}/replay`;
  return path === 'none' ? '/v1/webhook-deliveries/whd_none/replay' : path;
}

test('the model responds, replays and executes like the real handler', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      let now = 1_790_000_000_000;
      real.live(() => now);
      const model = createModel(() => now);
      const both = [
        { service: real, accounts: [await real.open(true), await real.open(true)] },
        { service: model, accounts: [await model.open(true), await model.open(true)] },
      ];
      for (const step of taken) {
        if (step.type === 'wait') {
          now += step.ms;
          continue;
        }
        const bytes = typeof step.body === 'number' ? (USUAL[step.body] ?? '') : step.body;
        const heard = [];
        for (const { service, accounts } of both) {
          const account = accounts[step.account];
          if (account === undefined) throw new Error('There are two accounts.');
          const { status, replayed } = await service.post(account.apiKey, pathOf(step.path, account), step.key, bytes);
          heard.push({ status, replayed });
        }
        expect(heard[0], JSON.stringify(step)).toEqual(heard[1]);
      }
      const books = [];
      for (const { service, accounts } of both) {
        const lists = [];
        for (const account of accounts) {
          const { text } = await service.get(account.apiKey, '/v1/withdrawals?limit=100');
          const { data }: { data: { amount: string }[] } = JSON.parse(text);
          lists.push({ executed: await service.executed(account), amounts: data.map(({ amount }) => Number(amount)) });
        }
        books.push(lists);
      }
      expect(books[0]).toEqual(books[1]);
    }),
    { numRuns: DEEP ? 200 : 25 },
  );
});
