import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { compareWithSent, destinationForm, isToSame, mayBeSame, sameAmount } from './compare.ts';

const SENT = { asset: 'BTC', chain: 'bitcoin', amount: '0.75', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' };

describe('amounts', () => {
  it.each([
    ['1', '1.0', true],
    ['0.10', '0.1', true],
    ['007', '7', true],
    ['0', '-0.00', true],
    ['1', '-1', false],
    ['0.75', '0.7500001', false],
    ['12345678901234567890', '12345678901234567891', false],
    ['7', '7.00000000000000000001', false],
    ['1', 1, false],
    ['1', '1e0', false],
    ['1', null, false],
    ['x', 'x', false],
  ])('%s and %j: %s', (a, b, same) => expect(sameAmount(a, b)).toBe(same));

  it('are equal exactly if their digits are', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 40n });
    fc.assert(
      fc.property(digits, digits, fc.integer({ min: 0, max: 20 }), (a, b, zeros) => {
        const padded = `${a}.${'0'.repeat(zeros + 1)}`;
        return sameAmount(padded, String(a)) && sameAmount(padded, String(b)) === (a === b);
      }),
    );
  });
});

describe('destinations', () => {
  const of = (more: object) => destinationForm({ ...SENT, ...more });

  it.each([
    { asset: 'btc' },
    { asset: ' BTC ' },
    { chain: 'BTC' },
    { chain: 'Bitcoin (mainnet)' },
    { address: SENT.address.toUpperCase() },
  ])('are the same: %j', (more) => expect(of(more)).toBe(of({})));

  it.each([
    { asset: 'XBT' },
    { chain: 'litecoin' },
    { chain: 'bitcoin2' },
    { address: `${SENT.address.slice(0, -1)}5` },
  ])('are not: %j', (more) => expect(of(more)).not.toBe(of({})));

  it('are compared exactly in base58, and ignoring case in hex and bech32 of any chain', () => {
    const forms = (chain: string, address: string) =>
      [address, address.toLowerCase()].map((one) => of({ chain, address: one }));
    expect(new Set(forms('bitcoin', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT')).size).toBe(2);
    expect(new Set(forms('tron', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')).size).toBe(2);
    expect(new Set(forms('ethereum', '0x52908400098527886E0F7030069857D2E4169EE7')).size).toBe(1);
    expect(new Set(forms('a chain of tomorrow', 'NEW1QW508D6QEJXTDG4Y5R3ZARVARY')).size).toBe(1);
  });
});

describe('an object from the service', () => {
  it.each<[object, string[], string[]]>([
    [SENT, [], ['asset', 'chain', 'amount', 'address']],
    [{}, [], []],
    [{ ...SENT, amount: null, chain: undefined }, [], ['asset', 'address']],
    [{ ...SENT, amount: '0.750' }, [], ['asset', 'chain', 'amount', 'address']],
    [{ ...SENT, amount: 0.75 }, ['amount'], ['asset', 'chain', 'address']],
    [{ asset: ['BTC'], address: '' }, ['asset', 'address'], []],
    [JSON.parse('{"__proto__":{"amount":"9"}}'), [], []],
  ])('%j', (came, differing, equal) => {
    expect(compareWithSent(SENT, { ...came })).toEqual({ differing, equal });
  });

  it('has the same address in any spelling of the account', () => {
    const sent = { ...SENT, chain: 'bch', address: 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a' };
    const differing = (address: string) => compareWithSent(sent, { address }).differing;
    expect(differing(`bitcoincash:${sent.address}`)).toEqual([]);
    expect(differing('1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu')).toEqual([]);
    expect(differing(`bitcoincash:${sent.address.slice(0, -1)}q`)).toEqual(['address']);
    expect(differing('bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq')).toEqual(['address']);
  });

  it('has the same destination only if it states all of it', () => {
    expect(isToSame(SENT, { ...SENT, amount: '9' })).toBe(true);
    expect(isToSame(SENT, { asset: 'BTC', chain: 'bitcoin' })).toBe(false);
  });

  it('may be the same payment unless a readable field differs', () => {
    for (const more of [
      {},
      { amount: 0.75 },
      { amount: 'much' },
      { address: undefined },
      { address: 7 },
      { chain: null },
    ])
      expect([more, mayBeSame(SENT, { ...SENT, ...more })]).toEqual([more, true]);
    for (const more of [{ amount: '0.76' }, { address: 'x' }, { chain: 'litecoin' }, { asset: 'LTC' }])
      expect([more, mayBeSame(SENT, { ...SENT, ...more })]).toEqual([more, false]);
  });
});
