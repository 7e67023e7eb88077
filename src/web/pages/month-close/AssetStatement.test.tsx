import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { AssetStatement } from './AssetStatement.tsx';
import { shownSum } from '#src/shared/statement/shownMonth.ts';
import { lateMoves } from '#src/shared/statement/reportedRows.ts';
import { createSums } from '#src/shared/statement/sums.ts';

const bounds = { from: 1_790_000_000, to: 1_790_001_000 };

function statementOf(at: number, more: { hasNoWithdrawalList?: boolean } = {}): string {
  const sums = createSums(bounds, new Map([['BTC', '1']]), new Map([['BTC', { total: '8', pending: null, at: null }]]));
  sums.add({ id: 'le_1', asset: 'BTC', amount: '7', source: 'dep_1', created_at: at });
  const [sum] = sums.list();
  if (!sum) throw new Error('No sum.');
  return renderToStaticMarkup(
    <MemoryRouter>
      <AssetStatement sum={shownSum(sum)} bounds={bounds} totals={[]} isClosed={false} isOpen {...more} />
    </MemoryRouter>,
  );
}

test('a period that isn’t over has a line for later movements, so that the sum adds up', () => {
  expect(statementOf(bounds.to + 60)).toMatch(/Agrees/);
  expect(statementOf(bounds.to + 60)).toMatch(/Since then.*7/);
  expect(statementOf(bounds.from + 60)).not.toContain('Since then');
});

test('without a list of withdrawals, the line doesn’t say that none were created', () => {
  expect(statementOf(bounds.from + 60)).toMatch(/Withdrawals.{0,80}none created/);
  expect(statementOf(bounds.from + 60, { hasNoWithdrawalList: true })).toMatch(/Withdrawals.{0,80}not listed/);
});

test('a closed period keeps its verdict, and says what came late and in which period it is counted', () => {
  const entry = { id: 'le_2', asset: 'BTC', amount: '444.44', source: 'dep_2', type: 'deposit' };
  const row = { ...entry, created_at: bounds.from + 5 };
  const moves = lateMoves([{ list: 'ledger', what: 'late', id: 'le_2', was: null, row }], 'BTC');
  const text = (total: string) => {
    const [sum] = createSums(
      bounds,
      new Map([['BTC', '1']]),
      new Map([['BTC', { total, pending: null, at: null }]]),
    ).list();
    if (!sum) throw new Error('No sum.');
    const late = { moves, next: 'November' };
    return renderToStaticMarkup(
      <MemoryRouter>
        <AssetStatement
          sum={{ ...shownSum(sum), closingVerdict: 'agrees' }}
          bounds={bounds}
          totals={[]}
          isClosed
          isOpen={false}
          late={late}
        />
      </MemoryRouter>,
    )
      .replace(/<[^>]*>/g, '')
      .replace(/[\s\u00a0\u202f]+/g, ' ');
  };
  expect(text('445.44')).toMatch(/Agreed when closed\. ?1 late deposit, \+444\.44 ?BTC, goes into November\.$/);
  expect(text('445.44')).not.toContain('nexplained');
  expect(text('450.44')).toMatch(/goes into November\. \+5 ?BTC is still unexplained\.$/);
});
