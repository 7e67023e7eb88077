import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chains, checkAddress, explorerOf, findChain } from './chains.ts';
import { normalAddress } from './lookAlike.ts';
import { propertyRuns } from '#src/tests/depth.ts';

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

const VALID: Record<string, string[]> = {
  bitcoin: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ],
  ethereum: [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ],
  litecoin: [
    'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9',
    'MVcg9uEvtWuP5N6V48EHfEtbz48qR8TKZ9',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
  ],
  dogecoin: ['DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', '9rXizXTU1WMifn7kBdT7B61AXaie3x9cwg'],
  tron: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TA4fLCGrYGHPqR7UEfmp2UhzbGoCchZG6Z'],
  solana: ['So11111111111111111111111111111111111111112', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
};
const EVM = ['polygon', 'bsc', 'arbitrum', 'base', 'optimism', 'avalanche'];

function reasonOf(chain: string, text: string): string {
  const result = checkAddress(chain, text);
  return 'reason' in result ? `${result.verdict}: ${result.reason}` : result.verdict;
}

describe('known addresses', () => {
  for (const [chain, addresses] of Object.entries(VALID)) {
    test(`of ${chain}`, () => {
      for (const address of addresses) expect(reasonOf(chain, address)).toBe('valid');
    });
  }
  test('chains like Ethereum accept its addresses', () => {
    for (const chain of EVM)
      for (const address of VALID['ethereum'] ?? []) expect(reasonOf(chain, address)).toBe('valid');
  });
});

test('broken segwit addresses are refused (BIP 173, BIP 350)', () => {
  for (const address of [
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8F3T4',
    'bc1gmk9yu',
    // Valid by the standards, but of a witness version that can't be spent.
    'BC1SW50QGDZ25J',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
  ]) {
    expect(reasonOf('bitcoin', address)).toMatch(/^invalid/);
  }
});

test('testnet addresses are refused, naming the network', () => {
  for (const address of [
    'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn',
    '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  ]) {
    expect(reasonOf('bitcoin', address)).toMatch(/testnet/);
  }
  expect(reasonOf('dogecoin', 'nUHcbQagcvXT6DodQom7JVmkoVAUfXiNhe')).toMatch(/testnet/);
});

test('a wrong EIP-55 checksum is refused; an address in one case throughout is accepted', () => {
  expect(reasonOf('ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')).toMatch(/typo/);
  expect(reasonOf('ethereum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe('valid');
  expect(reasonOf('ethereum', '0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toMatch(/small x/);
  expect(reasonOf('ethereum', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toMatch(/0x in front/);
  expect(reasonOf('ethereum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae')).toMatch(/39 characters/);
  expect(reasonOf('ethereum', `0x${'0'.repeat(40)}`)).toMatch(/zero address/);
});

const named = (chain: string, address: string): unknown => {
  const result = checkAddress(chain, address);
  return result.verdict === 'other-chain' ? result.chain.id : result.verdict;
};

test('another network is named', () => {
  expect(named('bitcoin', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe('ethereum');
  expect(named('ethereum', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe('tron');
  expect(named('tron', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9')).toBe('litecoin');
  expect(named('solana', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L')).toBe('dogecoin');
  expect(named('dogecoin', 'So11111111111111111111111111111111111111112')).toBe('solana');
});

test('an address of one chain is valid on no other kind of chain', () => {
  for (const [chain, addresses] of Object.entries(VALID)) {
    for (const other of Object.keys(VALID)) {
      if (other === chain) continue;
      for (const address of addresses) expect(reasonOf(other, address)).toMatch(/^(?:other-chain|invalid: .*both)/);
    }
  }
});

describe('a text that is not an address of the chain is refused, saying what it is', () => {
  const INVOICE =
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp';
  const MWEB =
    'ltcmweb1qqv57ylsh9yntktp72ztlzr6lcnmve6ud5g9r2xp7s7rf4l8nre7ryqu629adtk8csu2e7ty9w0a5ezdvzx2e7xshxdr0czny5t2fyz0swcnp2wh3';

  test.each([
    ['a Lightning invoice', 'bitcoin', INVOICE, 'payment request of the Lightning network'],
    ['in capitals, as QR codes have it', 'BTC', INVOICE.toUpperCase(), 'payment request of the Lightning network'],
    ['on another chain', 'ethereum', INVOICE, 'payment request of the Lightning network'],
    ['an LNURL', 'bitcoin', 'LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35', 'Lightning'],
    ['an MWEB address', 'litecoin', MWEB, 'MWEB address of Litecoin'],
    ['an MWEB address on Bitcoin', 'bitcoin', MWEB, 'MWEB address of Litecoin'],
    ['an old address of Litecoin', 'litecoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'both start with 3'],
    ['a Kaspa address', 'bitcoin', 'kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j', 'of Kaspa'],
  ])('%s', (_what, chain, text, words) => expect(reasonOf(chain, text)).toMatch(new RegExp(`^invalid: .*${words}`)));

  test('a typo in a legacy Litecoin address is reported as a typo', () => {
    expect(reasonOf('litecoin', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz')).toMatch(/typo/);
  });

  test('an invoice passes if the chain is Lightning', () => {
    expect(reasonOf('lightning', INVOICE)).toMatch(/^unknown-chain/);
  });
});

test('the tag in an X-address of the XRP Ledger is read if the checksum is right', () => {
  const tagIn = (text: string) => {
    const check = checkAddress('XRP', text);
    return check.verdict === 'unknown-chain' ? check.tag : undefined;
  };
  expect(tagIn('XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi')).toBe('4294967295');
  expect(tagIn('XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD28Sq49uo34VyjnmK5H')).toBe('12345');
  // Without a tag; with a typo; the usual form.
  expect(tagIn('XVLhHMPHU98es4dbozjVtdWzVrDjtV5fdx1mHp98tDMoQXb')).toBeNull();
  expect(tagIn('XV5sbjUmgPpvXv4ixFWZ5ptAYZ6PD28Sq49uo34VyjnmK5J')).toBeNull();
  expect(tagIn('rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY')).toBeNull();
});

test('the hash of a transaction is distinguished from an address', () => {
  const hex = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
  const solana = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
  for (const [chain, hash] of [
    ['bitcoin', hex],
    ['tron', hex],
    ['ethereum', `0x${hex}`],
    ['solana', solana],
  ] as const) {
    expect(reasonOf(chain, hash)).toMatch(/^tx-hash/);
  }
});

test('invisible, foreign and look-alike characters are refused with the reason, on unknown chains too', () => {
  const address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  for (const chain of ['bitcoin', 'ethereum', 'unheard-of']) {
    expect(reasonOf(chain, '')).toMatch(/Enter/);
    expect(reasonOf(chain, ` ${address}`)).toMatch(/space/);
    expect(reasonOf(chain, address.replace('w', 'w\u00A0'))).toMatch(/space/);
    expect(reasonOf(chain, `${address}\n`)).toMatch(/space or a line break/);
    expect(reasonOf(chain, address.replace('w', 'w\u200B'))).toMatch(/invisible.*U\+200B/);
    expect(reasonOf(chain, `\u202E${address}`)).toMatch(/invisible.*U\+202E/);
    expect(reasonOf(chain, address.replace('a', 'а'))).toMatch(/U\+0430.*only looks/);
    expect(reasonOf(chain, address.replace('5', '５'))).toMatch(/U\+FF15.*only looks/);
    expect(reasonOf(chain, `${address}\u0000`)).toMatch(/invisible.*U\+0000/);
    expect(reasonOf(chain, 'a'.repeat(100_000))).toMatch(/longer/);
  }
  expect(checkAddress('unheard-of', address).verdict).toBe('unknown-chain');
});

test('a changed character is never accepted', () => {
  const cases = Object.entries(VALID).flatMap(([chain, list]) => list.map((address) => [chain, address] as const));
  // Solana's and single-case hex addresses have no checksum, so a typo can't be detected.
  const checked = cases.filter(
    ([chain, address]) => chain !== 'solana' && !/^0x(?:[0-9a-f]+|[0-9A-F]+)$/.test(address),
  );
  const base58 = Array.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz');
  fc.assert(
    fc.property(fc.constantFrom(...checked), fc.nat(), fc.constantFrom(...base58), ([chain, address], at, letter) => {
      const place = 2 + (at % (address.length - 2));
      const changed = address.slice(0, place) + letter + address.slice(place + 1);
      expect(changed !== address && checkAddress(chain, changed).verdict === 'valid').toBe(false);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('no text throws, on any chain', () => {
  fc.assert(
    fc.property(fc.constantFrom(...chains), fc.oneof(anyText, fc.string()), ({ id }, text) => {
      expect(checkAddress(id, text).verdict).toBeTypeOf('string');
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('chains are found by other names, and an id stays one segment in explorer links', () => {
  expect(findChain('Bitcoin')?.id).toBe('bitcoin');
  expect(findChain('TRC-20')?.id).toBe('tron');
  expect(findChain('Polygon PoS')?.id).toBe('polygon');
  expect(findChain('constructor')).toBeUndefined();
  for (const { explorer } of chains) expect(new URL(explorer.transaction).protocol).toBe('https:');
  expect(explorerOf('bitcoin', 'transaction', 'aaaaaaaaaaaaaaaa/../bbbb?c')).toBeNull();
});

test('the normal form lowercases hex and bech32 and leaves base58 unchanged', () => {
  expect(normalAddress('ETH', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toBe(
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  );
  expect(normalAddress('bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4')).toBe(
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  );
  expect(normalAddress('bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')).toBe('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa');
  expect(normalAddress('unheard-of', ' AbC ')).toBe('AbC');
});

test('explorer links use https, and exist only for plain ids on known chains', () => {
  const kind = fc.constantFrom('transaction' as const, 'address' as const);
  const chain = fc.constantFrom(...chains.map(({ id }) => id), 'ERC20', 'nochain', '__proto__', 'javascript:');
  const text = fc.oneof(
    anyText,
    fc.stringMatching(/^[A-Za-z0-9]{10,140}$/),
    fc.constantFrom('', '#e2e/', 'a'.repeat(20) + '\n'),
  );
  fc.assert(
    fc.property(chain, kind, text, (name, what, of) => {
      const found = explorerOf(name, what, of);
      if (found === null) return;
      const url = new URL(found.url);
      expect(url.protocol).toBe('https:');
      expect(url.pathname.split('/').at(-1) === of || url.hash.endsWith(`/${of}`)).toBe(true);
      expect(of).toMatch(/^[A-Za-z0-9]{16,128}$/);
    }),
  );
  expect(explorerOf('ETH', 'transaction', `0x${'a'.repeat(64)}`)).toEqual({
    name: 'Etherscan',
    url: `https://etherscan.io/tx/0x${'a'.repeat(64)}`,
  });
  expect(explorerOf('newchain', 'address', 'a'.repeat(20))).toBeNull();
  expect(explorerOf('bitcoin', 'address', '<script>alert(1)</script>')).toBeNull();
});
