import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleaned, isSame, classifyQuery } from './classifyQuery.ts';

test.each([
  ['dep_4ri9kdrDX', { kind: 'deposit', id: 'dep_4ri9kdrDX' }],
  ['  wd_abc\n', { kind: 'withdrawal', id: 'wd_abc' }],
  ['"dep_1",', { kind: 'deposit', id: 'dep_1' }],
  ['(wd_1).', { kind: 'withdrawal', id: 'wd_1' }],
  ['\u202Edep_1\u202C', { kind: 'deposit', id: 'dep_1' }],
  ['\u200Breq_9', { kind: 'request', id: 'req_9' }],
  ['op_1', { kind: 'operation', id: 'op_1' }],
  ['whd_1', { kind: 'delivery', id: 'whd_1' }],
  ['le_1', { kind: 'entry', id: 'le_1' }],
  ['3F2504E0-4F89-41D3-9A0C-0305E82C3301', { kind: 'key', key: '3F2504E0-4F89-41D3-9A0C-0305E82C3301' }],
  ['BTC', { kind: 'word', word: 'BTC' }],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', { kind: 'text', text: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
  ['dep_', { kind: 'text', text: 'dep_' }],
  ['dep_1 wd_2', { kind: 'text', text: 'dep_1 wd_2' }],
  ['https://example.com/deposits/dep_1/case-file?asset=BTC', { kind: 'deposit', id: 'dep_1' }],
  ['https://example.com/tx/about', { kind: 'text', text: 'https://example.com/tx/about' }],
  [`I paid 0.5 ETH, tx 0x${'ab'.repeat(32)}.`, { kind: 'text', text: `0x${'ab'.repeat(32)}` }],
  ['<script>alert(1)</script>', { kind: 'text', text: 'script>alert(1)</script' }],
  ['', { kind: 'nothing' }],
  [' \t\u200B', { kind: 'nothing' }],
  ['""', { kind: 'nothing' }],
])('%j', (pasted, expected) => {
  expect(classifyQuery(pasted)).toEqual(expected);
});

test('anything is recognised as something', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1000 }), (text) => {
      expect(classifyQuery(text).kind).toBeTypeOf('string');
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
