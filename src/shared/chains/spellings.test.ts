import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad, createBase58check } from '@scure/base';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lookKey, normalAddress, addressKey } from './lookAlike.ts';

const base58check = createBase58check(sha256);
const TON_HEX = '906697a57af1cdb1bc39214b7049ae02b3c92a5b0c342ac61e0eb8bd9304b5f1';
const TON = [
  'UQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18b12',
  'EQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18eCz',
  `0:${TON_HEX}`,
  `0:${TON_HEX.toUpperCase()}`,
];
/** An address with both characters in which the two base64 alphabets differ. */
const TON_MARKS = [
  'EQD__________________________________________0vo',
  'EQD//////////////////////////////////////////0vo',
];
const BCH = [
  'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
  'QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
  'BITCOINCASH:QPM2QSZNHKS23Z7629MMS6S4CWEF74VCWVY22GDX6A',
];
const BCH_SCRIPT = [
  'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
  'ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq',
];
const LTC = ['MVcg9uEvtWuP5N6V48EHfEtbz48qR8TKZ9', '3PQXr1pxwQ3xGrpaxFEwqbeCfMYPPtqyjT'];

const formsOf = (chain: string, texts: readonly string[]) =>
  new Set(texts.map((address) => normalAddress(chain, address)));

describe('all spellings of an account have one normal form', () => {
  test.each<[string, string, readonly string[]]>([
    ['TON', 'ton', TON],
    ['TON on an unknown name of the chain', 'The Open Network', TON],
    ['TON in either base64 alphabet', 'ton', TON_MARKS],
    ['TON of the masterchain', 'ton', ['Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF', `-1:${'3'.repeat(64)}`]],
    ['Bitcoin Cash', 'bch', [...BCH, '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu']],
    ['Bitcoin Cash, a script', 'Bitcoin Cash', [...BCH_SCRIPT, '3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC']],
    ['Bitcoin Cash under a name that is not known here', 'cash', BCH],
    ['Litecoin, a script', 'LTC', LTC],
    ['Tron', 'trx', ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '41a614f803b6fd780986a42c78ec9c7f77e6ded13c']],
    ['Starknet, without the zeros in front', 'starknet', ['0x049d36', '0x49d36'].map((head) => head + 'a7'.repeat(29))],
  ])('%s', (_what, chain, texts) => expect([...formsOf(chain, texts)]).toHaveLength(1));
});

describe('different accounts have different normal forms', () => {
  test.each<[string, string, readonly string[]]>([
    ['TON with a wrong checksum', 'ton', [...TON.slice(0, 1), `${TON[0]?.slice(0, -1)}3`]],
    ['TON on the test network', 'ton', [TON[0] ?? '', 'kQCQZpelevHNsbw5IUtwSa4Cs8kqWww0KsYeDri9kwS18Vs5']],
    ['TON in another workchain', 'ton', [`0:${TON_HEX}`, `-1:${TON_HEX}`]],
    ['CashAddr with a wrong checksum', 'bch', [BCH[0] ?? '', `${BCH[1]?.slice(0, -1)}q`]],
    ['CashAddr in mixed case', 'bch', [BCH[0] ?? '', `Q${BCH[1]?.slice(1)}`]],
    ['CashAddr under another prefix', 'bch', [BCH[0] ?? '', `ecash:${BCH[1]}`]],
    ['a key and a script', 'bch', [BCH[0] ?? '', BCH_SCRIPT[0] ?? '']],
    ['Litecoin with a wrong checksum', 'ltc', [LTC[0] ?? '', '3PQXr1pxwQ3xGrpaxFEwqbeCfMYPPtqyjU']],
    ['the script of Bitcoin', 'bitcoin', LTC],
    ['the old form on a chain that may be any', 'cash', [BCH[0] ?? '', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu']],
  ])('%s', (_what, chain, texts) => expect([...formsOf(chain, texts)]).toHaveLength(texts.length));

  test('for any account: normal forms are equal exactly if the accounts are', () => {
    const hash = fc.uint8Array({ minLength: 20, maxLength: 20 });
    const litecoin = (version: number, bytes: Uint8Array) => base58check.encode(Uint8Array.of(version, ...bytes));
    fc.assert(
      fc.property(hash, hash, fc.nat(19), (one, other, at) => {
        const near = one.map((byte, index) => (index === at ? byte ^ 1 : byte));
        const form = normalAddress('litecoin', litecoin(0x32, one));
        expect(normalAddress('litecoin', litecoin(0x05, one))).toBe(form);
        for (const different of [other, near])
          expect(normalAddress('litecoin', litecoin(0x05, different)) === form).toBe(different.join() === one.join());
      }),
    );
  });

  test('a friendly TON address with a typo is never treated as the original account', () => {
    const position = fc.nat(47);
    const letter = fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'));
    fc.assert(
      fc.property(fc.constantFrom(...TON.slice(0, 2)), position, letter, (address, at, changed) => {
        const text = address.slice(0, at) + changed + address.slice(at + 1);
        fc.pre(text !== address);
        expect(normalAddress('ton', text)).not.toBe(normalAddress('ton', address));
      }),
    );
  });
});

test('no text throws, and a normal form stays the same when normalized again', () => {
  const chain = fc.constantFrom('ton', 'bch', 'xec', 'litecoin', 'tron', 'bitcoin', 'starknet');
  const bytes = fc.uint8Array({ minLength: 36, maxLength: 36 }).map((raw) => base64urlnopad.encode(raw));
  const known = fc.constantFrom(...TON, ...BCH, ...BCH_SCRIPT, ...LTC);
  fc.assert(
    fc.property(chain, fc.oneof(fc.string(), fc.string({ unit: 'binary' }), bytes, known), (name, text) => {
      const form = normalAddress(name, text);
      expect(normalAddress(name, form)).toBe(form);
    }),
  );
});

test('another spelling of a recipient is the same entry and not a look-alike', () => {
  expect(new Set(TON.map((address) => addressKey({ chain: 'ton', address }))).size).toBe(1);
  expect(new Set(BCH.map((address) => lookKey({ chain: 'bch', address }))).size).toBe(1);
});

test('look-alikes are compared without the prefix and the address type', () => {
  const [one, other] = ['bitcoincash:qpm2qsznhks', 'bitcoincash:qqqqqqznhks'];
  expect(lookKey({ chain: 'bch', address: one })).not.toBe(lookKey({ chain: 'bch', address: other }));
});
