import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { ShownMonth } from '#src/shared/contract/monthJobContract.ts';
import { shownSum } from '#src/shared/statement/shownMonth.ts';
import { createSums } from '#src/shared/statement/sums.ts';
import { MonthSums } from './MonthClosePage.tsx';

const bounds = { from: 1_790_000_000, to: 1_790_001_000 };
const EMPTY: ShownMonth = {
  asOf: bounds.to + 60,
  sums: [],
  totals: [],
  rows: { deposits: 0, withdrawals: 0, ledger: 0 },
  unplaced: { count: 0, ids: [] },
  malformed: 0,
  feesUnknown: 0,
};

function textOf(more: Partial<ShownMonth>): string {
  const month = { ...EMPTY, ...more };
  const close = { closedPeriod: null, ready: null, error: null, lateRows: null, running: false, month };
  return renderToStaticMarkup(
    <MemoryRouter>
      <MonthSums close={close as never} month={month} name="October" bounds={bounds} closed={[]} />
    </MemoryRouter>,
  ).replace(/<[^>]*>/g, ' ');
}

test('a month is empty only if nothing of it was left out', () => {
  expect(textOf({})).toContain('No payments, ledger entries or balances up to the end of October.');
  expect(textOf({ malformed: 3 })).not.toContain('No payments');
  expect(textOf({ unplaced: { count: 1, ids: ['dep_1'] } })).not.toContain('No payments');
});

test('payments are listed even if the ledger and the balances are empty', () => {
  const total = { list: 'deposits' as const, asset: 'BTC', status: 'completed', rows: 2, sum: '5.5', unreadable: 0 };
  expect(textOf({ totals: [total] })).toMatch(/BTC.*Deposits.*completed.*2.*5/);
});

test('an asset without a readable balance has “not compared” as its difference', () => {
  const sums = createSums(bounds, new Map([['BTC', '1']]), new Map())
    .list()
    .map((sum) => shownSum(sum));
  expect(textOf({ sums })).toMatch(/Not compared.*not compared/);
});
