import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePaymentUri } from './parsePaymentUri.ts';

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const XRP = 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY';
const STELLAR = 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO';
const TON = 'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz';
const SOLANA = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const REFERENCE = '82ZJ7nbGpixjeDCmEhUcmwXYfvurzAgGdtSMuHnUgyny';

const reasonOf = (text: string) => {
  const paste = parsePaymentUri(text);
  return 'reason' in paste ? `${paste.kind}: ${paste.reason}` : paste.kind;
};

describe('an address stays as pasted', () => {
  test.each([
    BTC,
    `${BTC}\n`,
    `0:${'9'.repeat(64)}`,
    `k:${'ab'.repeat(32)}`,
    'kaspa:qpauqsvk7yf9unexwmxsnmg547mhyga37csh0kj53q6xxgl24ydxjsgzthw5j',
    'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    'BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
    'ecash:qpm2qsznhks23z7629mms6s4cwef74vcwva87rkuu2',
    'nexa:nqtsq5g5jsdmqqywaqd82lhnnk3a8wqunjz6gtxdtavnnekc',
  ])('%s', (text) => expect(parsePaymentUri(text)).toEqual({ kind: 'plain', address: text }));
});

describe('a payment link is split into its parts', () => {
  test.each<[string, object]>([
    [
      `bitcoin:${BTC}?amount=0.50&label=Shop%20%231&unknown=1`,
      { chain: 'bitcoin', address: BTC, amount: '0.50', label: 'Shop #1' },
    ],
    [`BITCOIN:${BTC.toUpperCase()}`, { chain: 'bitcoin', address: BTC.toUpperCase() }],
    [`bitcoin:${BTC}?lightning=lnbc1&message=a+b`, { chain: 'bitcoin', address: BTC, label: 'a+b' }],
    [
      'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a?amount=1',
      { chain: 'Bitcoin Cash', address: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', amount: '1' },
    ],
    [`ripple:${XRP}?amount=3`, { chain: 'XRP Ledger', address: XRP, amount: '3' }],
    [`xrpl:${XRP}?dt=`, { chain: 'XRP Ledger', address: XRP }],
    [
      `web+stellar:pay?destination=${STELLAR}&amount=120.12&asset_code=USD&asset_issuer=${STELLAR}&msg=Rent`,
      {
        chain: 'Stellar',
        address: STELLAR,
        token: `USD ${STELLAR}`,
        otherAmount: '120.12 of the token',
        label: 'Rent',
      },
    ],
    [
      `ton://transfer/${TON}?amount=1500000000`,
      { chain: 'TON', address: TON, otherAmount: '1500000000, in the smallest unit' },
    ],
    [`solana:${SOLANA}?amount=0.01&label=Shop`, { chain: 'solana', address: SOLANA, amount: '0.01', label: 'Shop' }],
    [
      `solana:${SOLANA}?amount=0.01&spl-token=${USDC}`,
      { chain: 'solana', address: SOLANA, token: USDC, otherAmount: '0.01 of the token' },
    ],
  ])('%s', (text, parts) => expect(parsePaymentUri(text)).toEqual({ kind: 'uri', ...parts }));
});

describe('an address with its chain (EIP-681, EIP-3770, CAIP-10) names that chain', () => {
  test.each([
    [`ethereum:${EVM}`, 'ethereum'],
    [`ethereum:pay-${EVM}@1`, 'ethereum'],
    [`ethereum:${EVM}@137`, 'polygon'],
    [`eth:${EVM}`, 'ethereum'],
    [`arb1:${EVM}`, 'arbitrum'],
    [`oeth:${EVM}`, 'optimism'],
    [`matic:${EVM}`, 'polygon'],
    [`bnb:${EVM}`, 'bsc'],
    [`base:${EVM}`, 'base'],
    [`avax:${EVM}`, 'avalanche'],
    [`eip155:42161:${EVM}`, 'arbitrum'],
  ])('%s', (text, chain) => expect(parsePaymentUri(text)).toEqual({ kind: 'uri', chain, address: EVM }));

  test.each([
    [`gno:${EVM}`, '“gno:”'],
    [`ethereum:${EVM}@100`, 'the ID 100'],
    [`eip155:100:${EVM}`, 'the ID 100'],
    [`polygon:${EVM}@1`, 'two chains'],
  ])('%s is refused', (text, reason) => expect(reasonOf(text)).toContain(reason));
});

test('a link that pays a token names the recipient and the contract, and never pays the contract', () => {
  const contract = '0x89205a3a3b2a69de6dbf7f01ed13b2108b2c43e7';
  const recipient = '0x8e23ee67d1332ad560396262c48ffbb01f93d052';
  expect(parsePaymentUri(`ethereum:${contract}/transfer?address=${recipient}&uint256=1`)).toEqual({
    kind: 'uri',
    chain: 'ethereum',
    address: recipient,
    token: contract,
    otherAmount: '1, in the smallest unit',
  });
  expect(parsePaymentUri(`ethereum:${contract}@137?value=2.014e18&gas=10`)).toEqual({
    kind: 'uri',
    chain: 'polygon',
    address: contract,
    otherAmount: '2.014e18, in the smallest unit',
  });
  expect(reasonOf(`ethereum:${contract}/approve?address=${recipient}&uint256=1`)).toContain('“approve”');
  expect(reasonOf(`ethereum:${contract}/transfer?uint256=1`)).toContain('no address');
  expect(reasonOf('ethereum:vitalik.eth')).toContain('“vitalik.eth”');
});

describe('a link whose tag or memo would be lost is refused, naming the tag and its value', () => {
  test.each([
    [`ripple:${XRP}?dt=1337`, 'destination tag “1337”'],
    [`xrpl:${XRP}?amount=2&dt=0`, 'destination tag “0”'],
    [`${XRP}?dt=23`, 'destination tag “23”'],
    [`${XRP}?DT=23`, 'destination tag “23”'],
    [`https://xaman.app/detect/request:${XRP}?amount=2&amp;dt=123`, 'destination tag “123”'],
    [`web+stellar:pay?destination=${STELLAR}&memo=skdjfasf&memo_type=MEMO_TEXT`, 'memo “skdjfasf”'],
    [`stellar:${STELLAR}?memo_id=7`, 'memo id “7”'],
    [`ton://transfer/${TON}?amount=1&text=order%2042`, 'comment “order 42”'],
    [`https://app.tonkeeper.com/transfer/${TON}?text=42`, 'comment “42”'],
    [`ton://transfer/${TON}?bin=te6cc`, 'data “te6cc”'],
    [`solana:${SOLANA}?amount=1&memo=OrderId12345`, 'memo “OrderId12345”'],
    [`solana:${SOLANA}?amount=1&reference=${REFERENCE}`, `reference “${REFERENCE}”`],
    [`cosmos:cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a?memo=1`, 'memo “1”'],
    [`bitcoin:${BTC}?memo=%3D%3ABTC.BTC`, 'memo “=:BTC.BTC”'],
    [`ethereum:${EVM}?value=0&data=0xabcd`, 'data “0xabcd”'],
    [`${XRP}\nDestination tag: 12345`, 'destination tag “12345”'],
    [`Address: ${STELLAR}\nMemo (required): 77`, 'memo “77”'],
    [`${XRP}:12345`, '“12345” after the address'],
    [`${XRP}#12345`, '“12345” after the address'],
    [`${XRP} 12345`, '“12345” after the address'],
  ])('%s', (text, named) => {
    expect(reasonOf(text)).toMatch(/^refused: .*can’t carry/);
    expect(reasonOf(text)).toContain(named);
  });

  test('several tags are all named', () => {
    const reason = reasonOf(`solana:${SOLANA}?memo=a&reference=b&reference=c`);
    expect(reason).toContain('memo “a”, the reference “b” and the reference “c”');
    expect(reason).toContain('without them');
  });

  test('an unknown parameter is refused by name, except on chains like Bitcoin', () => {
    expect(reasonOf(`ripple:${XRP}?invoiceid=5`)).toContain('“invoiceid=5”');
    expect(reasonOf(`${XRP}?foo=5`)).toContain('“foo=5”');
    expect(reasonOf(`ethereum:${EVM}?address=${EVM}`)).toContain(`“address=${EVM}”`);
  });

  test('invisible and reordering characters of a value are made visible, and the value is clipped', () => {
    expect(reasonOf(`${XRP}?dt=1%E2%80%AE2`)).toContain('“1⟨U+202E⟩2”');
    expect(reasonOf(`${XRP}?dt=${'1'.repeat(500)}`).length).toBeLessThan(300);
  });
});

test('a link of which a part would be lost is refused', () => {
  for (const paste of [
    `bitcoin:${BTC}?amount=1&amount=2`,
    `bitcoin:${BTC}?amount=1e8`,
    `bitcoin:${BTC}?amount=1,5`,
    `bitcoin:${BTC}?req-lock=1`,
    'bitcoin:?amount=1',
    `ethereum:${EVM}?value=1&amount=2`,
    'web+stellar:tx?xdr=AAAA',
    'solana:https%3A%2F%2Fexample.com%2Fsolana-pay',
    `https://evil.test/${BTC}`,
    `https://evil.test/?address=${BTC}`,
    `javascript:alert(1)`,
    `foo:${BTC}?amount=1`,
    `${BTC}?amount=1`,
    `${BTC}#fragment`,
  ]) {
    expect([paste, parsePaymentUri(paste).kind]).toEqual([paste, 'refused']);
  }
  expect(reasonOf('bitcoin:?lightning=lnbc1')).toContain('Lightning');
});

test('several words are ambiguous, as they may be a name', () => {
  for (const text of [`${BTC} ${EVM}`, `Address: ${BTC} Amount: 1`, 'Acme Hosting', 'Memo Smith', 'Tag: Heuer 1860']) {
    expect([text, parsePaymentUri(text).kind]).toEqual([text, 'ambiguous']);
  }
});

test('no paste throws, and a plain address is never changed', () => {
  fc.assert(
    fc.property(anyText, (paste) => {
      const taken = parsePaymentUri(paste);
      expect(taken.kind === 'plain' ? taken.address : paste).toBe(paste);
    }),
  );
});

test('a tag is never dropped, whatever its scheme, address and position', () => {
  const scheme = fc.constantFrom(
    '',
    'bitcoin:',
    'ripple:',
    'ethereum:',
    'ton://transfer/',
    'solana:',
    'foo:',
    'kaspa:',
  );
  const address = fc.constantFrom(BTC, EVM, XRP, STELLAR, TON, SOLANA);
  const tag = fc.constantFrom('dt', 'memo', 'tag', 'destination_tag', 'memo_id', 'payment_id', 'text', 'comment');
  const others = fc.array(fc.constantFrom('amount=1', 'label=x', 'value=5', 'message=a'), { maxLength: 3 });
  fc.assert(
    fc.property(scheme, address, tag, fc.nat(), others, others, (before, to, name, value, left, right) => {
      const text = `${before}${to}?${[...left, `${name}=${value}`, ...right].join('&')}`;
      expect(reasonOf(text)).toMatch(new RegExp(`^refused: .*“${value}”`));
    }),
  );
});
