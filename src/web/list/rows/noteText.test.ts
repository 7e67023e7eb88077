import { expect, test } from 'vitest';
import type { CellContext } from './cellContext.ts';
import { noteText } from './listCells.tsx';

const context = (of: Partial<CellContext>): CellContext => ({
  one: 'deposit',
  amountOf: () => null,
  hrefOf: (id) => id,
  linkColumn: 'created',
  decimals: 0,
  zone: 'utc',
  amountsHidden: false,
  odd: { amount: () => null, time: () => null },
  ...of,
});
const ROW = { id: 'dep_1', asset: 'ETH', chain: 'ethereum', address: '0xA' };

test('a deposit shows its reference, else the label of the address it came to', () => {
  const labelOf = (chain: string, address: string) => (`${chain} ${address}` === 'ethereum 0xA' ? 'Shop' : undefined);
  const noteOf = () => ({ reference: 'order 7', note: 'late' });
  expect(noteText(ROW, context({ noteOf, labelOf }))).toBe('order 7 · late');
  expect(noteText(ROW, context({ noteOf: () => undefined, labelOf }))).toBe('Shop');
  expect(noteText({ ...ROW, address: '0xB', deposit_address: '0xA' }, context({ labelOf }))).toBe('Shop');
  expect(noteText({ ...ROW, address: undefined }, context({ labelOf }))).toBe('');
  expect(noteText(ROW, context({}))).toBe('');
});
