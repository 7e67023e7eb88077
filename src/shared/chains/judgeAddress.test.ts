import { describe, expect, test } from 'vitest';
import { checkAddress } from './chains.ts';
import { chainAsSent, copyTextOf, judgeAddress } from './addressRule.ts';

const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ASKED = { asset: 'BTC', chain: 'bitcoin' };

describe('whether an address may be shared with a payer', () => {
  const verdict = (chain: string, address: string) => judgeAddress(checkAddress(chain, address), address, chain);

  test('a valid address of its chain may be shared', () => {
    expect(verdict('bitcoin', BTC)).toMatchObject({ plausible: true, tone: 'sub' });
    expect(verdict('bep20', ETH)).toMatchObject({ plausible: true });
  });

  test('a text shaped like an address may be shared on an unknown chain, with a warning', () => {
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
  ])('on %s, %j may not be shared', (chain, address, words) => {
    const judged = verdict(chain, address);
    expect(judged).toMatchObject({ plausible: false, tone: 'alarm' });
    expect(judged.words).toContain(words);
  });
});

test('the copied text has the common and the provider’s names of asset and chain', () => {
  expect(copyTextOf(BTC, ASKED, [])).toBe(`Only send BTC on Bitcoin to this address:\n${BTC}`);
  expect(copyTextOf(ETH, { asset: 'USDT', chain: 'bsc' }, [{ name: 'memo', value: '7' }])).toBe(
    `Only send USDT on BNB Smart Chain (bsc) to this address:\n${ETH}\nmemo: 7`,
  );
  expect(chainAsSent('newchain')).toBe('newchain');
});
