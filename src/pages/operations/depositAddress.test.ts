import { describe, expect, test } from 'vitest';
import { checkAddress } from '#src/lib/chains/chains.ts';
import { addressIn, chainLabel, copyTextOf, judge } from './depositAddress.ts';

const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ASKED = { asset: 'BTC', chain: 'bitcoin' };

const found = (answer: unknown) => addressIn(JSON.stringify(answer), ASKED);

describe('the address in an answer', () => {
  test.each([
    ['at the top', { id: 'da_1', address: BTC }],
    ['under its long name', { deposit_address: BTC }],
    ['deeper, when it is the only one', { data: { deposit: { address: BTC, asset: 'btc' } } }],
    ['in a list of one', { data: [{ address: BTC }] }],
    ['the same twice', { address: BTC, deposit_address: BTC }],
    ['at the top, whatever stands deeper', { address: BTC, refund: { address: ETH } }],
    ['with asset and chain under other names of theirs', { address: BTC, asset: 'btc', chain: 'Bitcoin' }],
  ])('%s', (_, answer) => {
    expect(found(answer)).toEqual({ kind: 'one', address: BTC, along: [] });
  });

  test.each([
    ['nothing', {}],
    ['an empty one', { address: '' }],
    ['a number', { address: 12 }],
    ['an object', { address: { value: BTC } }],
    ['an array', []],
  ])('%s is none', (_, answer) => {
    expect(found(answer)).toEqual({ kind: 'none' });
  });

  test('no JSON and no content are none', () => {
    for (const text of ['', 'null', '<html>', `"${BTC}"`]) expect(addressIn(text, ASKED)).toEqual({ kind: 'none' });
    expect(addressIn('{"__proto__":{"address":"x"}}', ASKED)).toMatchObject({ kind: 'one', address: 'x' });
  });

  test('several different ones are none of them', () => {
    expect(found({ one: { address: BTC }, other: { address: ETH } })).toEqual({ kind: 'several' });
    expect(found({ address: BTC, deposit_address: ETH })).toEqual({ kind: 'several' });
  });

  test.each([
    [
      { address: BTC, chain: 'litecoin' },
      { asset: null, chain: 'litecoin' },
    ],
    [
      { address: BTC, asset: 'LTC', chain: 'bitcoin' },
      { asset: 'LTC', chain: 'bitcoin' },
    ],
    [
      { data: { address: BTC }, chain: 'tron' },
      { asset: null, chain: 'tron' },
    ],
    [
      { address: BTC, chain: 'bitcoin\u202E' },
      { asset: null, chain: 'bitcoin\u202E' },
    ],
  ])('one for something else is none: %j', (answer, stated) => {
    expect(found(answer)).toEqual({ kind: 'other', ...stated });
  });

  test('a memo or tag goes along, digit for digit', () => {
    expect(found({ address: BTC, memo: '007', destination_tag: 12, tag: null, payment_id: { a: 1 } })).toMatchObject({
      along: [
        { name: 'memo', value: '007' },
        { name: 'destination_tag', value: '12' },
        { name: 'payment_id', value: 'as in the raw answer' },
      ],
    });
    for (const tag of ['12345678901234567890', '-0', '1e3', '7.00000000000000000001']) {
      const text = `{"address":"${BTC}","tag":${tag}}`;
      expect(addressIn(text, ASKED)).toMatchObject({ along: [{ name: 'tag', value: tag }] });
    }
  });
});

describe('what may be given to somebody', () => {
  const verdict = (chain: string, address: string) => judge(checkAddress(chain, address), address, chain);

  test('an address that its chain knows', () => {
    expect(verdict('bitcoin', BTC)).toMatchObject({ plausible: true, tone: 'sub' });
    expect(verdict('bep20', ETH)).toMatchObject({ plausible: true });
  });

  test('one of an unknown chain, with a warning, when it is shaped like one', () => {
    expect(verdict('xaa1-chain', 'xaa1chain1f00d5eed')).toMatchObject({ plausible: true, tone: 'open' });
  });

  test.each([
    ['bitcoin', ETH, 'This is an address of Ethereum'],
    ['bitcoin', `${BTC.slice(0, -1)}q`, ''],
    ['bitcoin', 'a'.repeat(64), 'hash of a transaction'],
    ['bitcoin', `${BTC}\u202E`, 'invisible'],
    ['xaa1-chain', '<script>alert(1)</script>', 'characters that no address has'],
    ['xaa1-chain', 'https://example.com/pay', 'characters that no address has'],
    ['xaa1-chain', 'short', 'characters that no address has'],
  ])('never: on %s, %j', (chain, address, words) => {
    const judged = verdict(chain, address);
    expect(judged).toMatchObject({ plausible: false, tone: 'alarm' });
    expect(judged.words).toContain(words);
  });
});

test('what is copied names asset and chain as people and as the service know them', () => {
  expect(copyTextOf(BTC, ASKED, [])).toBe(`Only send BTC on Bitcoin to this address:\n${BTC}`);
  expect(copyTextOf(ETH, { asset: 'USDT', chain: 'bsc' }, [{ name: 'memo', value: '7' }])).toBe(
    `Only send USDT on BNB Smart Chain (bsc) to this address:\n${ETH}\nmemo: 7`,
  );
  expect(chainLabel('newchain')).toBe('newchain');
});
