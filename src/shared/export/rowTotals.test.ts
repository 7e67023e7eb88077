import { expect, test } from 'vitest';
import { createTotals } from './rowTotals.ts';

test('totals continue from their saved state, even with a sum longer than any amount', () => {
  const amounts = ['9'.repeat(200), `0.${'1'.repeat(198)}`, '-0.5', 'none'];
  const atOnce = createTotals();
  for (const amount of amounts) atOnce.add('BTC', 'completed', amount);
  let saved = createTotals().list();
  for (const amount of amounts) {
    const totals = createTotals(saved);
    totals.add('BTC', 'completed', amount);
    saved = totals.list();
  }
  expect(saved).toEqual(atOnce.list());
  expect(saved).toMatchObject([{ rows: 4, unreadable: 1, sum: expect.stringMatching(/^9{199}8\.6/) }]);
});
