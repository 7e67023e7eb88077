import { expect, test } from 'vitest';
import type { BalanceRow } from '#src/shared/contract/rows.ts';
import { checkIdentity } from './balanceIdentity.ts';

function balance(fields: Partial<BalanceRow>): BalanceRow {
  return { asset: 'ETH', available: '1.0', pending: '0', locked: '0.5', total: '1.5', updated_at: 1, ...fields };
}

test('trailing zeros do not break the sum', () => {
  expect(checkIdentity(balance({ total: '1.500' }))).toEqual({ kind: 'holds' });
});

test('a difference of one unit in the eighteenth decimal is reported, with the exact sum of the parts', () => {
  const sent = balance({ available: '1205.065826114408236784', total: '1205.565826114408236785' });
  expect(checkIdentity(sent)).toEqual({ kind: 'broken', sum: '1205.565826114408236784' });
});

test.each([[1.5], [null], [undefined], ['1e3'], ['']])('a total of %s is reported as unchecked', (total) => {
  expect(checkIdentity(balance({ total }))).toEqual({ kind: 'not-checkable', fields: ['total'] });
});
