import { describe, expect, test } from 'vitest';
import { memoFieldsOf, withMemo } from '#src/shared/chains/memoFields.ts';
import { addressIn } from './addressIn.ts';

const BTC = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ETH = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ASKED = { asset: 'BTC', chain: 'bitcoin' };

const found = (answer: unknown) => addressIn(JSON.stringify(answer), ASKED);

test('a memo or tag is found with its address, wherever it is in the response and whatever its name', () => {
  for (const name of [
    'memo',
    'tag',
    'comment',
    'Comment',
    'destinationTag',
    'dest_tag',
    'address_tag',
    'memo_id',
    'extra_id',
    'paymentId',
  ])
    expect(memoFieldsOf({ address: BTC, [name]: 7 })).toEqual([{ name, value: '7' }]);
  expect(found({ data: { address: BTC }, memo: '12' })).toMatchObject({ along: [{ name: 'memo', value: '12' }] });
  expect(memoFieldsOf({ address: BTC, message: 'x', memo: '', tag: null })).toEqual([]);
  expect(withMemo(BTC, { memo: '12' })).toBe(`${BTC}\nmemo: 12`);
  expect(withMemo(BTC, {})).toBe(BTC);
});

describe('the address in a response', () => {
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
  ])('%s is not an address', (_, answer) => {
    expect(found(answer)).toEqual({ kind: 'none' });
  });

  test('invalid JSON and an empty body give no address', () => {
    for (const text of ['', 'null', '<html>', `"${BTC}"`]) expect(addressIn(text, ASKED)).toEqual({ kind: 'none' });
    expect(addressIn('{"__proto__":{"address":"x"}}', ASKED)).toMatchObject({ kind: 'one', address: 'x' });
  });

  test('several different addresses give no address', () => {
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
  ])('an address for another asset or chain is not accepted: %j', (answer, stated) => {
    expect(found(answer)).toEqual({ kind: 'other', ...stated });
  });

  test('two spellings of one account are one address', () => {
    const [one, other] = [
      'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz',
      'UQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18b12',
    ];
    const text = JSON.stringify({ address: one, deposit_address: other, bounceable: one });
    expect(addressIn(text, { asset: 'TON', chain: 'ton' })).toEqual({ kind: 'one', address: one, along: [] });
  });

  test('any other text of the response is shown with the address, as the payment may need it', () => {
    const answer = {
      id: 'da_1',
      object: 'deposit_address',
      status: 'active',
      asset: 'BTC',
      chain: 'bitcoin',
      created_at: 1,
      address: BTC,
      routing_phrase: 'pay 7 Ana',
      reference: 'R-12',
    };
    expect(found(answer)).toMatchObject({
      along: [
        { name: 'routing_phrase', value: 'pay 7 Ana' },
        { name: 'reference', value: 'R-12' },
      ],
    });
    expect(found({ data: { address: BTC, phrase: 'x' }, request_id: 'req_1' })).toMatchObject({
      along: [{ name: 'phrase', value: 'x' }],
    });
  });

  test.each<[string, object]>([
    ['what the contract names', { id: 'da_1', object: 'deposit_address', status: 'x', asset: 'BTC', chain: 'BTC' }],
    ['what says the same again', { deposit_address: BTC, wallet: BTC, coin: 'btc', network: 'Bitcoin (mainnet)' }],
    ['times and ids', { created_at: '2026-11-22', expires_at: '2026', customer_id: 'cus_1', requestId: 'req_1' }],
    ['a picture', { qr: `data:image/png;base64,${'A'.repeat(900)}` }],
    ['nothing', { label: '', note: null, active: true, confirmations: 3, limits: { least: '0.1' } }],
  ])('%s is not shown with the address', (_, more) => {
    expect(found({ address: BTC, ...more })).toEqual({ kind: 'one', address: BTC, along: [] });
  });

  test('a memo or tag is found at any level, but not one of another address', () => {
    const along = [{ name: 'memo', value: '12' }];
    expect(found({ address: BTC, instructions: { payment: [{ memo: 12 }] } })).toMatchObject({ along });
    expect(found({ data: { address: BTC }, extra: { memo: '12' } })).toMatchObject({ along });
    expect(found({ address: BTC, memo: '12', refund: { address: ETH, tag: '5' } })).toMatchObject({ along });
    // The one nearest to the address comes first.
    expect(found({ data: { address: BTC, memo: '12' }, memo: '13' })).toMatchObject({ along });
  });

  test('a memo or tag keeps every digit', () => {
    expect(found({ address: BTC, memo: '007', destination_tag: 12, tag: null, payment_id: { a: 1 } })).toMatchObject({
      along: [
        { name: 'memo', value: '007' },
        { name: 'destination_tag', value: '12' },
        { name: 'payment_id', value: 'as in the raw JSON' },
      ],
    });
    for (const tag of ['12345678901234567890', '-0', '1e3', '7.00000000000000000001']) {
      const text = `{"address":"${BTC}","tag":${tag}}`;
      expect(addressIn(text, ASKED)).toMatchObject({ along: [{ name: 'tag', value: tag }] });
    }
  });
});
