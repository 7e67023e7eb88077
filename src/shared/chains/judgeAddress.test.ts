import { describe, expect, test } from 'vitest';
import { checkAddress } from './chains.ts';
import { chainAsSent, copyTextOf, judge } from './addressRule.ts';

const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ASKED = { asset: 'BTC', chain: 'bitcoin' };

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
  expect(chainAsSent('newchain')).toBe('newchain');
});
