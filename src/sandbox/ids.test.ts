import { expect, test } from 'vitest';

import { checkAddress } from '#src/shared/chains/chains.ts';

import { addressFor } from './ids.ts';
import { ASSETS } from './assets.ts';

test.each(ASSETS.map(({ chain }) => chain))('generated addresses on %s are valid', (chain) => {
  for (let n = 0; n < 50; n += 1) expect(checkAddress(chain, addressFor(chain, `seed ${n}`)).verdict).toBe('valid');
});

test('the same words give the same address, different words a different one', () => {
  expect(addressFor('tron', 'a')).toBe(addressFor('tron', 'a'));
  expect(addressFor('tron', 'a')).not.toBe(addressFor('tron', 'b'));
});
