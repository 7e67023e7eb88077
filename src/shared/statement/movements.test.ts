import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Movement } from './movement.ts';
import { fileBytes } from './lines.ts';
import { movementLine, movementOf, movementsOfPayment, readMovements } from './movements.ts';

const AT = 1_793_000_000;

test('movements are read back as they were written, whatever the service calls its assets and sources', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\\t', 'a\tb\\\n', '\r\n', '\\\\n'),
  );
  const movement: fc.Arbitrary<Movement> = fc.record({
    at: fc.integer({ min: 946_684_800, max: 4_102_444_799 }),
    asset: text,
    amount: fc.constantFrom('-0.000000000000000001', '12345678901234567890', '0'),
    source: text,
    kind: fc.constantFrom('deposits', 'withdrawals', 'swaps', 'fees', 'other', null),
    type: text,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(movement), async (movements) => {
      const read: Movement[] = [];
      for await (const some of readMovements(fileBytes(movements.map(movementLine).join('')))) read.push(...some);
      expect(read).toEqual(movements);
    }),
  );
});

test('an entry without an asset, amount or time moves nothing', () => {
  const entry = { id: 'le_1', asset: 'BTC', amount: '1', source: 'dep_1', type: 'deposit', created_at: AT };
  expect(movementOf(entry)).toMatchObject({ at: AT, amount: '1', source: 'dep_1', kind: 'deposits' });
  for (const fault of [{ asset: null }, { amount: 1 }, { created_at: 'today' }])
    expect(movementOf({ ...entry, ...fault })).toBeNull();
});

test('without a ledger, completed payments are the movements, and a withdrawal’s fee is one of its own', () => {
  const row = { id: 'wd_1', asset: 'BTC', amount: '3', fee: '0.1', status: 'completed', created_at: AT };
  expect(movementsOfPayment('withdrawals', row).map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
    'withdrawals -3',
    'fees -0.1',
  ]);
  expect(movementsOfPayment('withdrawals', { ...row, status: 'pending' })).toEqual([]);
  expect(movementsOfPayment('deposits', { ...row, received_amount: '2' })).toMatchObject([{ amount: '2' }]);
});
