import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { AssetStatement } from './AssetStatement.tsx';
import { createSums } from './sums.ts';

const bounds = { from: 1_790_000_000, to: 1_790_001_000 };

function statementOf(at: number): string {
  const sums = createSums(bounds, new Map([['BTC', '1']]), new Map([['BTC', { total: '8', at: null }]]));
  sums.add({ id: 'le_1', asset: 'BTC', amount: '7', source: 'dep_1', created_at: at });
  const [sum] = sums.list();
  if (!sum) throw new Error('No sum.');
  return renderToStaticMarkup(
    <MemoryRouter>
      <AssetStatement sum={sum} bounds={bounds} totals={[]} isClosed={false} isOpen />
    </MemoryRouter>,
  );
}

test('a period that isn’t over has a line for later movements, so that the sum adds up', () => {
  expect(statementOf(bounds.to + 60)).toMatch(/Agrees/);
  expect(statementOf(bounds.to + 60)).toMatch(/Since then.*7/);
  expect(statementOf(bounds.from + 60)).not.toContain('Since then');
});
