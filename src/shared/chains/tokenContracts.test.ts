import { describe, expect, test } from 'vitest';
import { checkAddress } from './chains.ts';
import { CONTRACTS, tokenContractWarning } from './tokenContracts.ts';

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7';
const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TON_USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
/** An asset without a code, and one without a contract. */
const EMPTY = [{ asset: '' }, { asset: 'ETH', contract: null, mint: '' }];
const warning = (chain: string, address: string, held: { asset: string }[] = []) =>
  tokenContractWarning({ chain, address }, held);

test('every contract of the list is a valid address of its chain, including the checksum', () => {
  const listed = CONTRACTS.flatMap(({ chain, addresses }) =>
    Object.values(addresses).map((each) => [chain, each] as const),
  );
  for (const [chain, address] of listed.filter(([of]) => of !== 'ton'))
    expect([address, checkAddress(chain, address)]).toEqual([
      address,
      { verdict: 'valid', unchecked: chain === 'solana' },
    ]);
});

describe('a destination that is a token’s contract', () => {
  test.each([
    ['ethereum', USDT, 'USDT'],
    ['ERC20', USDT.toLowerCase(), 'USDT'],
    // The same address on another chain is not a wallet either.
    ['polygon', USDT, 'USDT'],
    ['base', '0x4200000000000000000000000000000000000006', 'WETH'],
    ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'USDT'],
    ['trc20', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'USDT'],
    ['solana', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC'],
    ['toncoin', TON_USDT, 'USDT'],
    ['ton', 'UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p', 'USDT'],
  ])('on %s, %s is recognized as the contract of %s', (chain, address, token) => {
    expect(warning(chain, address)).toContain(`contract of the ${token} token`);
  });

  test('is recognized from the provider’s asset data, under any field name', () => {
    const held = [{ asset: 'PEPE', contract_address: WALLET.toLowerCase() }, { asset: 'ETH' }];
    expect(warning('ethereum', WALLET, held)).toContain('contract of the PEPE token');
    const other = [{ asset: 'ETH' }, { asset: 'PEPE', tokenContract: WALLET }];
    expect(warning('ethereum', WALLET, other)).toContain('contract of the PEPE token');
    expect(warning('ethereum', WALLET, [{ asset: `USDX-${WALLET}` }])).toContain('contract of the USDX-');
  });

  test.each([
    ['ethereum', WALLET],
    ['ethereum', ''],
    ['', ''],
    ['tron', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ])('on %s, %j is not a token’s contract', (chain, address) => {
    expect(warning(chain, address, EMPTY)).toBeNull();
  });
});
