import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyQuery, identifiersIn, isSame, plainText } from './classifyQuery.ts';

test.each([
  ['dep_4ri9kdrDX', 'deposit', 'dep_4ri9kdrDX'],
  ['  wd_abc\n', 'withdrawal', 'wd_abc'],
  ['"dep_1",', 'deposit', 'dep_1'],
  ['(wd_1).', 'withdrawal', 'wd_1'],
  ['\u202Edep_1\u202C', 'deposit', 'dep_1'],
  ['dep_\u200B1', 'deposit', 'dep_1'],
  ['\u200Breq_9', 'request', 'req_9'],
  ['op_1', 'operation', 'op_1'],
  ['whd_1', 'delivery', 'whd_1'],
  ['le_1', 'entry', 'le_1'],
  ['3F2504E0-4F89-41D3-9A0C-0305E82C3301', 'key', '3F2504E0-4F89-41D3-9A0C-0305E82C3301'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', null, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['https://example.com/deposits/dep_1/case-file?asset=BTC', 'deposit', 'dep_1'],
  [`I paid 0.5 ETH, tx 0x${'ab'.repeat(32)}.`, null, `0x${'ab'.repeat(32)}`],
  [`${'Hello! '.repeat(200)} dep_1`, 'deposit', 'dep_1'],
  ['#dep_1', 'deposit', 'dep_1'],
  ['*dep_1*', 'deposit', 'dep_1'],
  ['_dep_1_', 'deposit', 'dep_1'],
  ['dep_a_', 'deposit', 'dep_a_'],
  ['ID:dep_1', 'deposit', 'dep_1'],
  ['id=dep_1', 'deposit', 'dep_1'],
  ['dep_1?', 'deposit', 'dep_1'],
  ['dep_1!', 'deposit', 'dep_1'],
  ['dep_/../../session', 'deposit', 'dep_/../../session'],
  [`hash:0x${'ab'.repeat(32)}`, null, `0x${'ab'.repeat(32)}`],
  ['tron:TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj?amount=5', null, 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj'],
])('%j: %s', (pasted, kind, text) => {
  expect(identifiersIn(plainText(pasted))).toEqual([text]);
  expect(classifyQuery(text)).toBe(kind);
});

test.each(['BTC', 'dep_', 'https://example.com/tx/about', '', ' \t\u200B', '""', 'dep_W7L…RXrv', 'dep_W7L...RXrv'])(
  '%j holds no whole identifier',
  (pasted) => {
    expect(identifiersIn(plainText(pasted))).toEqual([]);
  },
);

test('each identifier of a text is listed once', () => {
  expect(identifiersIn('Payment dep_1,dep_2 and dep_1: wd_2')).toEqual(['dep_1', 'dep_2', 'wd_2']);
});

test.each([
  ['  “Acme” \t(Berlin). ', 'Acme Berlin'],
  ['480 USDT, where?', '480 USDT where'],
  ['on Nov 21, 480 USDT', 'on Nov 21, 480 USDT'],
  ['.5 ETH.', '.5 ETH'],
  ['1’250.5', '1’250.5'],
  ['', ''],
])('%j is read as %j', (pasted, text) => {
  expect(plainText(pasted)).toBe(text);
});

test('no text throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
      expect(plainText(text).length).toBeLessThanOrEqual(2000);
      for (const id of identifiersIn(plainText(text))) expect(plainText(text)).toContain(id);
    }),
  );
});

const HASH = 'kBp/+zXq8c2xvDkhS3BJrgKzySpbDDQqxh4OuL2TBLU=';
const HASH_HEX = '901a7ffb35eaf1cdb1bc39214b7049ae02b3c92a5b0c342ac61e0eb8bd9304b5';

test.each([
  HASH,
  HASH.slice(0, -1),
  HASH.replaceAll('/', '_').replaceAll('+', '-'),
  HASH.slice(0, -1).replaceAll('/', '_').replaceAll('+', '-'),
  HASH_HEX,
  HASH_HEX.toUpperCase(),
  `0x${HASH_HEX}`,
])('a hash is the same in hex and in base64 of either alphabet: %s', (text) => {
  expect([HASH, HASH_HEX, `0x${HASH_HEX}`].map((value) => isSame(value, text))).toEqual([true, true, true]);
  for (const pasted of [text, `tx ${text}`, `I paid 5 TON, hash: ${text}, when?`, `hash=${text}`]) {
    const [id = '', ...others] = identifiersIn(plainText(pasted));
    expect([others, isSame(HASH, id)]).toEqual([[], true]);
  }
});

test('different hashes are not the same', () => {
  // The last of 43 letters encodes four bits of the hash and two that must be zero.
  for (const text of [
    HASH_HEX.replace('90', '91'),
    HASH.replace('kB', 'kC'),
    HASH.replace('U=', 'V='),
    HASH_HEX.slice(2),
  ])
    expect([text, isSame(HASH, text)]).toEqual([text, false]);
});

test('an address that contains punctuation stays whole', () => {
  const raw = `0:${HASH_HEX}`;
  expect(identifiersIn(plainText(`to ${raw}.`))).toEqual([raw]);
  expect(identifiersIn(plainText(`-1:${HASH_HEX}`))).toEqual([`-1:${HASH_HEX}`]);
  const friendly = 'EQD//////////////////////////////////////////0vo';
  expect(identifiersIn(plainText(`Sent to ${friendly}, please`))).toEqual([friendly]);
});

test('identifiers match regardless of case; a part does not match', () => {
  expect(isSame('0xABcd', '0xabCD')).toBe(true);
  expect(isSame('0xABcd', '0xab')).toBe(false);
  expect(isSame(12, '12')).toBe(false);
  expect(isSame(`0x${'ab'.repeat(32)}`, 'AB'.repeat(32))).toBe(true);
  expect(isSame('0xab', 'ab')).toBe(false);
});
