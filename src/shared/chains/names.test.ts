import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainForm, chainId, chainLabel, chainNames } from './names.ts';

describe('a chain is found by every name that exchanges use', () => {
  test.each([
    ['ETH (ERC20)', 'ethereum'],
    ['ETH(ERC-20)', 'ethereum'],
    ['ERC20(Ethereum)', 'ethereum'],
    ['Ethereum Mainnet [ERC20]', 'ethereum'],
    ['Ethereum （ERC20）', 'ethereum'],
    ['Ethereum (ETH, ERC20)', 'ethereum'],
    ['Polygon(MATIC)', 'polygon'],
    ['Polygon PoS (POL)', 'polygon'],
    ['TRX (TRC20)', 'tron'],
    ['Tron / TRC-20', 'tron'],
    ['TRX-TRC20', 'tron'],
    ['BSC_BEP20', 'bsc'],
    ['BNB Smart Chain (BEP20)', 'bsc'],
    ['Solana (SPL)', 'solana'],
    ['AVAX C-Chain', 'avalanche'],
    ['Avalanche C-Chain (AVAX)', 'avalanche'],
    ['Arbitrum One (ARB)', 'arbitrum'],
    ['Bitcoin (mainnet)', 'bitcoin'],
    ['Bitcoin (BTC)', 'bitcoin'],
  ])('%s', (name, id) => {
    expect(chainId(name)).toBe(id);
    expect(chainForm(name)).toBe(id);
  });
});

describe('a name whose parts do not all name one chain gives no chain', () => {
  test.each([
    'ETH (Arbitrum)',
    'ETH (BEP20)',
    'BNB (BEP2)',
    'USDT (TRC20)',
    'Ethereum Classic (ETC)',
    'Ethereum (Sepolia)',
    'Bitcoin (Lightning)',
    'Polygon zkEVM',
    'Arbitrum Nova',
    'Tron, Tron, Ethereum',
  ])('%s', (name) => {
    expect(chainId(name)).toBeUndefined();
    expect(chainLabel(name)).toBe(name);
  });
});

test('two names of one chain in any brackets give that chain; names of two chains give none', () => {
  const names = chainNames.flatMap(({ id, name, aliases }) => [id, name, ...aliases].map((each) => ({ id, each })));
  const name = fc.constantFrom(...names);
  const brackets = fc.constantFrom('()', '[]', '（）', '- ', '/ ', ', ');
  fc.assert(
    fc.property(name, name, brackets, (one, other, [open, close]) => {
      const id = chainId(`${one.each} ${open}${other.each}${close}`);
      expect(id).toBe(one.id === other.id ? one.id : undefined);
    }),
    { numRuns: 1000 },
  );
});

test('no text throws or is slow', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(chainForm(text)).toBeTypeOf('string');
    }),
  );
  expect(chainId('eth '.repeat(24) + 'x')).toBeUndefined();
  expect(chainId('('.repeat(1_000_000))).toBeUndefined();
});
