import { describe, expect, test } from 'vitest';
import { addressRule } from './addressRule.ts';

/** The form's hint for a payment link. */
const LINK = 'Choose below.';
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

describe('an address', () => {
  test('passes on its own chain, and on a chain without rules here', async () => {
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
  ])('on %s, %j is refused with the reason', async (chain, text, reason) => {
    expect(await addressRule(chain, text, LINK)).toContain(reason);
  });

  test.each([
    ['0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'Looks like an Ethereum address, but it has a typo.'],
    ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'Looks like an Ethereum address, but it has a typo.'],
    ['0x5aAeb6O53F3E94C9b9A09f33669435E7Ef1BeAed', 'Looks like an Ethereum address, but it has a typo.'],
    [`0x${'0'.repeat(40)}`, 'This is the zero address. Funds sent there are lost.'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'Looks like a Bitcoin address, but it has a typo.'],
    ['1BoatSLRHtKNngkdXEeobR76b53LETtpyU', 'Looks like a Bitcoin address, but it has a typo.'],
    ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'This is a testnet address: real Bitcoin would be lost.'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'Looks like a Tron address, but it has a typo.'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6', 'Looks like a Tron address, but it has a typo.'],
    ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj0t', 'Looks like a Tron address, but it has a typo.'],
    ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7M', 'Looks like a Dogecoin address, but it has a typo.'],
    ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10', 'Looks like a Solana address, but it has a typo.'],
  ])('before a chain is chosen, %s is judged by its form', async (text, fault) => {
    expect(await addressRule('', text, '')).toBe(fault);
  });

  test('before a chain is chosen, a valid address of any chain passes, and so does a text of unknown form', async () => {
    for (const text of [
      EVM,
      BTC,
      XRP,
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      `0x${'ab'.repeat(32)}`,
      'whatever',
    ])
      expect(await addressRule('', text, '')).toBe(true);
  });

  test('a payment link is never split automatically', async () => {
    expect(await addressRule('bitcoin', `bitcoin:${BTC}?amount=0.5&label=Rent`, LINK)).toBe(
      `This is a payment link, not an address. ${LINK}`,
    );
  });

  test.each([
    ['polygon', `eth:${EVM}`, 'This link is for Ethereum, and the chain here is Polygon.'],
    ['Arbitrum One (ARB)', `ethereum:${EVM}`, 'This link is for Ethereum, and the chain here is Arbitrum One.'],
    ['ethereum', `arb1:${EVM}`, 'This link is for Arbitrum One, and the chain here is Ethereum.'],
    ['newchain', `eth:${EVM}`, 'This link is for Ethereum, and the chain here is newchain.'],
    ['bitcoin', `ripple:${XRP}`, 'This link is for XRP Ledger, and the chain here is Bitcoin.'],
  ])('on %s, %s is refused as a link of another chain, without offering its address', async (chain, text, reason) => {
    expect(await addressRule(chain, text, LINK)).toBe(reason);
  });

  test('a prefix that belongs to the address stays', async () => {
    for (const text of [
      'kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j',
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
      'ecash:qpm2qsznhks23z7629mms6s4cwef74vcwva87rkuu2',
      'nexa:nqtsq5g5jsdmqqywaqd82lhnnk3a8wqunjz6gtxdtavnnekc',
    ]) {
      expect(await addressRule('somechain', text, LINK)).toBe(true);
      expect(await addressRule('', text, LINK)).toBe(true);
    }
    expect(await addressRule('bitcoin', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', LINK)).toBe(
      'This is an address of Bitcoin Cash, not of Bitcoin.',
    );
  });

  test('a tag that a withdrawal can’t carry is named on every chain', async () => {
    for (const chain of ['', 'xrp', 'XRP Ledger', 'bitcoin', 'ethereum'])
      for (const text of [`${XRP}?dt=23`, `ripple:${XRP}?dt=23`, `${XRP}\nTag: 23`])
        expect(await addressRule(chain, text, LINK)).toMatch(/tag “23”\. Withdrawals here can’t carry it/);
  });
});
