import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LedgerEntryRow } from '#src/shared/contract/rows.ts';
import { equal, sum, subtract } from '#src/shared/money.ts';
import { monthsOf } from '#src/shared/overview/months.ts';
import { STATEMENT_LINES } from './ledgerMoves.ts';
import { type AssetSum, createSums, type CurrentBalance, pendingAtEnd } from './sums.ts';

const FROM = 1_790_000_000;
const TO = FROM + 1000;
const entry = (source: string, amount: string, at = FROM, more: object = {}): LedgerEntryRow => ({
  id: `le_${source}_${amount}_${at}`,
  asset: 'BTC',
  amount,
  source,
  created_at: at,
  ...more,
});

function sumsOf(
  entries: readonly LedgerEntryRow[],
  now: Map<string, CurrentBalance> = new Map(),
  fees: Record<string, string> = {},
) {
  const sums = createSums({ from: FROM, to: TO }, new Map([['BTC', '1']]), now);
  for (const each of entries) sums.add(each);
  for (const { id, asset, charge } of sums.uncharged()) charge(asset === 'BTC' ? (fees[id] ?? null) : null);
  const list = sums.list();
  const of = (asset: string): AssetSum | undefined => list.find((each) => each.asset === asset);
  return { btc: of('BTC'), usdt: of('USDT'), unplaced: sums.unplaced };
}

const balance = (total: string, at: number | null = TO + 9): Map<string, CurrentBalance> =>
  new Map([['BTC', { total, pending: null, at }]]);

describe('the statement of an asset', () => {
  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 36 }))
    .map(([units, scale]) => {
      const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
      const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
      return units < 0n ? `-${text}` : text;
    });
  const any = fc.record({
    source: fc.constantFrom('dep_1', 'dep_2', 'wd_1', 'wd_2', 'swp_1', 'fix_1', ''),
    amount,
    at: fc.integer({ min: FROM - 50, max: TO + 50 }),
    type: fc.constantFrom('deposit', 'fee', 'swap', null),
  });

  test('opening and all lines add up to the closing, and closing and later movements to the ledger, to the last digit', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 30 }), amount, (all, fee) => {
        const entries = all.map(({ source, amount, at, type }) => entry(source, amount, at, { type }));
        const { btc } = sumsOf(entries, new Map(), { wd_1: fee.replace('-', '') });
        if (!btc) throw new Error('No sum.');
        const { opening, deposits, withdrawals, fees, swaps, other, adjustments, closing, since } = btc;
        expect(equal(closing, sum([opening, deposits, withdrawals, fees, swaps, other, adjustments]))).toBe(true);
        const whole = sum(['1', ...all.map((each) => each.amount)]);
        expect(equal(sum([closing, since]), whole)).toBe(true);
        const before = all.filter(({ at }) => at < FROM).map((each) => each.amount);
        expect(equal(opening, sum(['1', ...before]))).toBe(true);
        const after = all.filter(({ at }) => at >= TO).map((each) => each.amount);
        expect(equal(since, sum(after))).toBe(true);
      }),
    );
  });

  test('the difference is the ledger minus the balance, whatever the balance is', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 10 }), amount, (all, total) => {
        const { btc } = sumsOf(
          all.map(({ source, amount, at }) => entry(source, amount, at)),
          // The balance changed after the last entry, so no entry can be ahead of it, even if the amounts match by chance.
          balance(total, TO + 99),
        );
        const ledger = sum(['1', ...all.map((each) => each.amount)]);
        expect(equal(btc?.difference ?? '', subtract(total, ledger))).toBe(true);
        expect(btc?.verdict).toBe(equal(total, ledger) ? 'agrees' : 'unexplained');
      }),
    );
  });
});

test('a fee is separated from the amount withdrawn, whether the withdrawal or the ledger states it', () => {
  const stated = sumsOf([entry('wd_1', '-1.5')], new Map(), { wd_1: '0.1' }).btc;
  expect(stated).toMatchObject({ withdrawals: '-1.4', fees: '-0.1', counts: { withdrawals: 1, fees: 1 } });
  const booked = [entry('wd_1', '-1.4', FROM, { type: 'withdrawal' }), entry('wd_1', '-0.1', FROM, { type: 'fee' })];
  expect(sumsOf(booked, new Map(), { wd_1: '0.1' }).btc).toMatchObject({ withdrawals: '-1.4', fees: '-0.1' });
  const unstated = sumsOf([entry('wd_1', '-1.5')]).btc;
  expect(unstated).toMatchObject({ withdrawals: '-1.5', fees: '0', counts: { fees: 0 } });
});

test('transfers between books, and entries that cancel out, move nothing', () => {
  const entries = [entry('wd_1', '-1'), entry('wd_1', '1'), entry('dep_1', '2'), entry('dep_1', '-2')];
  expect(sumsOf(entries).btc).toMatchObject({ closing: '1', counts: { deposits: 0, withdrawals: 0, entries: 4 } });
});

test('both legs of a swap count as a swap in their assets', () => {
  const legs = [entry('swp_1', '-0.5'), entry('swp_1', '20000', FROM, { asset: 'USDT' })];
  const { btc, usdt } = sumsOf(legs);
  expect(btc).toMatchObject({ swaps: '-0.5', other: '0', counts: { swaps: 1 }, swapped: [{ source: 'swp_1' }] });
  expect(usdt).toMatchObject({ swaps: '20000', counts: { swaps: 1 } });
  expect(sumsOf(legs.slice(0, 1)).btc).toMatchObject({ swaps: '0', other: '-0.5' });
});

test('the months of an asset and the close of a month put each entry in the same line', () => {
  const leg = fc.record({
    id: fc.uuid(),
    source: fc.constantFrom('dep_1', 'wd_1', 'wd_2', 'swp_1', 'x_1', 'x_2'),
    asset: fc.constantFrom('BTC', 'USDT'),
    amount: fc.constantFrom('1', '-1', '0.3', '-2.5'),
    type: fc.constantFrom('deposit', 'withdrawal', 'network_fee', 'swap', 'Trade', null),
    created_at: fc.integer({ min: FROM, max: TO - 1 }),
  });
  fc.assert(
    fc.property(fc.array(leg, { maxLength: 12 }), (entries) => {
      const fees = { wd_1: '0.1' };
      const sums = createSums({ from: FROM, to: TO }, new Map(), new Map());
      for (const each of entries) sums.add(each);
      const feeOf = (id: string) => (id === 'wd_1' ? fees[id] : null);
      for (const { id, charge } of sums.uncharged()) charge(feeOf(id));
      for (const closed of sums.list()) {
        const { asset, closing: total } = closed;
        const own = entries.filter((each) => each.asset === asset);
        const legs = entries.filter((each) => each.asset !== asset);
        const months = monthsOf({ entries: own, legs, total, now: TO, zone: 'utc', reached: null, feeOf });
        for (const line of STATEMENT_LINES) expect([line, months?.[0]?.[line]]).toEqual([line, closed[line]]);
        expect(equal(sum(STATEMENT_LINES.map((line) => closed[line])), sum(own.map(({ amount }) => amount)))).toBe(
          true,
        );
      }
    }),
  );
});

test('each entry counts once: a fee with its own entry is not also deducted from its withdrawal', () => {
  const entries = [
    entry('wd_1', '-1.4', FROM, { type: 'withdrawal' }),
    entry('wd_1', '-0.1', FROM, { type: 'network_fee' }),
    // A swap by its type, but its source is a withdrawal.
    entry('wd_2', '-3', FROM, { type: 'swap' }),
    entry('x_1', '-2', FROM),
  ];
  const legs = [entry('x_1', '9', FROM, { asset: 'USDT' })];
  const lines = { withdrawals: '-4.4', fees: '-0.1', swaps: '-2', other: '0' };
  expect(sumsOf([...entries, ...legs], new Map(), { wd_1: '0.1', wd_2: '0' }).btc).toMatchObject(lines);
  const history = { entries, legs, total: '0', now: TO, zone: 'utc' as const, reached: null };
  expect(monthsOf({ ...history, feeOf: (id) => (id === 'wd_1' ? '0.1' : '0') })?.[0]).toMatchObject(lines);
});

test('a lagging balance is explained by the newest entries only', () => {
  const entries = [entry('dep_1', '0.5', TO), entry('dep_2', '0.25', TO + 9)];
  expect(sumsOf(entries, balance('1.5', TO + 5)).btc).toMatchObject({
    verdict: 'explained',
    difference: '-0.25',
    ahead: [{ source: 'dep_2' }],
  });
  expect(sumsOf(entries, balance('1.5', TO + 9)).btc?.verdict).toBe('explained');
  expect(sumsOf(entries, balance('1.5', TO + 10)).btc?.verdict).toBe('unexplained');
  expect(sumsOf(entries, balance('1.4', TO + 5)).btc?.verdict).toBe('unexplained');
  expect(sumsOf(entries, balance('1.5', null)).btc?.verdict).toBe('unexplained');
});

test('entries without a usable time, asset or amount are in no sum and are listed', () => {
  const odd = [entry('dep_1', '1', 7), entry('dep_2', '1e3'), entry('dep_3', '1', FROM, { asset: null })];
  expect(sumsOf(odd)).toMatchObject({ btc: { closing: '1' }, unplaced: { length: 3 } });
});

test('the pending amount at the end is the current one without later movements in that book', () => {
  const since = [entry('dep_1', '3', TO + 5, { book: 'pending' }), entry('dep_1', '-0.5', TO + 6, { book: 'pending' })];
  const now = new Map<string, CurrentBalance>([['BTC', { total: '3.5', pending: '4', at: TO + 9 }]]);
  const pendingOf = (entries: LedgerEntryRow[]) => {
    const { btc } = sumsOf(entries, now);
    if (!btc) throw new Error('No sum.');
    return pendingAtEnd(btc);
  };
  expect(pendingOf([entry('dep_0', '9', FROM, { book: 'pending' }), ...since])).toBe('1.5');
  expect(pendingOf([...since, entry('dep_2', '1', TO + 7, { book: 'available' })])).toBe('1.5');
  expect(pendingOf([...since, entry('dep_2', '1', TO + 7)])).toBeNull();
});
