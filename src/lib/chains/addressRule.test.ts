import { describe, expect, test } from 'vitest';
import { addressRule } from './addressRule.ts';

/** What the form says of a payment link. */
const LINK = 'Choose below.';
const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

describe('an address', () => {
  test('passes on its own chain, and on one that nobody here knows', async () => {
    expect(await addressRule('bitcoin', BTC, LINK)).toBe(true);
    expect(await addressRule(' bitcoin ', BTC, LINK)).toBe(true);
    expect(await addressRule('newchain', 'whatever-1', LINK)).toBe(true);
  });

  test.each([
    ['ethereum', BTC, 'Bitcoin'],
    ['bitcoin', 'a'.repeat(64), 'hash of a transaction'],
    ['bitcoin', `${BTC} `, 'space'],
    ['bitcoin', `${BTC}\u200B`, 'invisible'],
    ['bitcoin', '', 'Enter an address'],
  ])('on %s, %j is refused, named', async (chain, text, reason) => {
    expect(await addressRule(chain, text, LINK)).toContain(reason);
  });

  test('a slip in a checksum is told before the chain is chosen', async () => {
    expect(await addressRule('', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', '')).toContain('typo');
    for (const text of ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', `0x${'ab'.repeat(32)}`, 'whatever'])
      expect(await addressRule('', text, '')).toBe(true);
  });

  test('a payment link is taken apart by a person, never by the form', async () => {
    expect(await addressRule('bitcoin', `bitcoin:${BTC}?amount=0.5&label=Rent`, LINK)).toBe(
      `This is a payment link, not an address. ${LINK}`,
    );
    expect(await addressRule('ethereum', 'ethereum:0xabc?value=1', LINK)).toContain('value');
  });
});
