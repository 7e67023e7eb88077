import { expect, test } from 'vitest';

import { checkAddress } from '#src/shared/chains/chains.ts';

import { addressFor } from './ids.ts';
import { ASSETS } from './assets.ts';

test.each(ASSETS.map(({ chain }) => chain))('addresses on %s validate there', (chain) => {
  for (let n = 0; n < 50; n += 1) expect(checkAddress(chain, addressFor(chain, `seed ${n}`)).verdict).toBe('valid');
});

test('the same words make the same address, other words another', () => {
  expect(addressFor('tron', 'a')).toBe(addressFor('tron', 'a'));
  expect(addressFor('tron', 'a')).not.toBe(addressFor('tron', 'b'));
});
