import { visibleCode } from '#src/shared/text.ts';
import { ADDRESS_LENGTH_MIN, type ChainAddress, normalAddress } from './lookAlike.ts';
import { type ChainId, chainLabel } from './names.ts';

// Token contracts that people paste by mistake as a recipient. Money sent to a token's own contract is lost.

interface Contracts {
  chain: ChainId | 'ton';
  /** Contract address by token code. */
  addresses: Readonly<Record<string, string>>;
}

export const CONTRACTS: readonly Contracts[] = [
  {
    chain: 'ethereum',
    addresses: {
      USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
      USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      DAI: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
      WETH: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    },
  },
  {
    chain: 'polygon',
    addresses: {
      USDT: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
      USDC: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
      'USDC.e': '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
      DAI: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
      WETH: '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
    },
  },
  {
    chain: 'bsc',
    addresses: {
      USDT: '0x55d398326f99059fF775485246999027B3197955',
      USDC: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
      DAI: '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3',
      ETH: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8',
    },
  },
  {
    chain: 'arbitrum',
    addresses: {
      USDT: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
      USDC: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
      'USDC.e': '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8',
      DAI: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
      WETH: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    },
  },
  {
    chain: 'base',
    addresses: {
      USDT: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
      USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      USDbC: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
      DAI: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
      WETH: '0x4200000000000000000000000000000000000006',
    },
  },
  {
    chain: 'optimism',
    addresses: {
      USDT: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
      USDC: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
      'USDC.e': '0x7F5c764cBc14f9669B88837ca1490cCa17c31607',
      DAI: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
      WETH: '0x4200000000000000000000000000000000000006',
    },
  },
  {
    chain: 'avalanche',
    addresses: {
      USDT: '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7',
      'USDT.e': '0xc7198437980c041c805A1EDcbA50c1Ce5db95118',
      USDC: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
      'USDC.e': '0xA7D7079b0FEaD91F3e65f86E8915Cb59c1a4C664',
      'DAI.e': '0xd586E7F844cEa2F87f50152665BCbc2C279D8d70',
      'WETH.e': '0x49D5c2BdFfac6CE2BFdB6640F4F80f226bc10bAB',
    },
  },
  {
    chain: 'tron',
    addresses: {
      USDT: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      USDC: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
    },
  },
  {
    chain: 'solana',
    addresses: {
      USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
      USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      DAI: 'EjmyN6qEC1Tf1JxiG1ae7UTJhUxSwk1TCWNWqxWV4J6o',
      WETH: '7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs',
      SOL: 'So11111111111111111111111111111111111111112',
    },
  },
  { chain: 'ton', addresses: { USDT: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs' } },
];

/** Keyed without the chain: on other chains with the same address format it isn't a wallet either. */
const TOKENS = new Map(
  CONTRACTS.toReversed().flatMap(({ chain, addresses }) =>
    Object.entries(addresses).map(([token, address]) => [normalAddress(chain, address), { token, chain }] as const),
  ),
);

/** Field names that providers use for an asset's contract. */
const CONTRACT_FIELD = /contract|mint|token_?address/i;

/** Warns that an address is the contract of a widely used token or of one of these assets; null if not. */
export function tokenContractWarning(
  { chain, address }: ChainAddress,
  assets: readonly { asset: string }[],
): string | null {
  const form = normalAddress(chain, address);
  if (form.length < ADDRESS_LENGTH_MIN) return null;
  const known = TOKENS.get(form);
  if (known) return words(known.token, ` on ${known.chain === 'ton' ? 'TON' : chainLabel(known.chain)}`);
  const own = assets.find((each) => each.asset.toLowerCase().includes(form.toLowerCase()) || isContractOf(each));
  return own ? words(visibleCode(own.asset.slice(0, 80)), '') : null;

  function isContractOf(asset: object): boolean {
    return Object.entries(asset).some(
      ([name, value]: [string, unknown]) =>
        CONTRACT_FIELD.test(name) && typeof value === 'string' && normalAddress(chain, value) === form,
    );
  }
}

const words = (token: string, place: string) =>
  `This is the contract of the ${token} token${place}, not a wallet. What is sent to it is usually lost.`;
