import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleaned, isSame, classifyQuery } from './classifyQuery.ts';

test.each([
  ['dep_4ri9kdrDX', 'deposit', 'dep_4ri9kdrDX'],
  ['  wd_abc\n', 'withdrawal', 'wd_abc'],
  ['"dep_1",', 'deposit', 'dep_1'],
  ['(wd_1).', 'withdrawal', 'wd_1'],
  ['\u202Edep_1\u202C', 'deposit', 'dep_1'],
  ['\u200Breq_9', 'request', 'req_9'],
  ['op_1', 'operation', 'op_1'],
  ['whd_1', 'delivery', 'whd_1'],
  ['le_1', 'entry', 'le_1'],
  ['3F2504E0-4F89-41D3-9A0C-0305E82C3301', 'key', '3F2504E0-4F89-41D3-9A0C-0305E82C3301'],
  ['BTC', null, 'BTC'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', null, 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  ['dep_', null, 'dep_'],
  ['dep_1 wd_2', null, 'dep_1 wd_2'],
  ['https://example.com/deposits/dep_1/case-file?asset=BTC', 'deposit', 'dep_1'],
  ['https://example.com/tx/about', null, 'https://example.com/tx/about'],
  [`I paid 0.5 ETH, tx 0x${'ab'.repeat(32)}.`, null, `0x${'ab'.repeat(32)}`],
  ['<script>alert(1)</script>', null, 'script>alert(1)</script'],
  ['', null, ''],
  [' \t\u200B', null, ''],
  ['""', null, ''],
  ['dep_W7L…RXrv', null, 'dep_W7L…RXrv'],
  ['dep_W7L...RXrv', null, 'dep_W7L...RXrv'],
])('%j: %s', (pasted, kind, text) => {
  expect(cleaned(pasted)).toBe(text);
  expect(classifyQuery(text)).toBe(kind);
});

test('nothing is too strange to be cleaned', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1000 }), (text) => {
      expect(cleaned(text).length).toBeLessThanOrEqual(500);
    }),
  );
});

test('the same but for case is the same; a part is not', () => {
  expect(isSame('0xABcd', '0xabCD')).toBe(true);
  expect(isSame('0xABcd', '0xab')).toBe(false);
  expect(isSame(12, '12')).toBe(false);
  expect(isSame(`0x${'ab'.repeat(32)}`, 'AB'.repeat(32))).toBe(true);
  expect(isSame('0xab', 'ab')).toBe(false);
});
