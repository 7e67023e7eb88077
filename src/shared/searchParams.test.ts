import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readChoice, readInteger, readText, withParams } from './searchParams.ts';

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

test('junk falls back to the default', () => {
  const search = new URLSearchParams('order=up&created_after=1e5&status=&asset=BTC&asset=ETH');
  expect(readChoice(search, 'order', ['asc'])).toBeUndefined();
  expect(readInteger(search, 'created_after', 0, 4e9)).toBeUndefined();
  expect(readText(search, 'status')).toBeUndefined();
  expect(readText(search, 'absent')).toBeUndefined();
  expect(readText(search, 'asset')).toBe('BTC');
  for (const junk of ['', ' 5', '5 ', '+5', '05', '0x5', '5.0', '-1', 'NaN', '99999999999999999999', '５']) {
    expect([junk, readInteger(new URLSearchParams({ n: junk }), 'n', 0, 4e9)]).toEqual([junk, undefined]);
  }
});

test('values survive the URL, and other parameters stay', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200 }), fc.integer({ min: 0, max: 4e9 }), (text, whole) => {
      const written = withParams(new URLSearchParams('keep=1&gone=2'), { text, whole, gone: undefined });
      const read = new URLSearchParams(new URL(`http://house.test/?${written.toString()}`).search);
      expect(readText(read, 'text')).toBe(text);
      expect(readInteger(read, 'whole', 0, 4e9)).toBe(whole);
      expect(read.get('keep')).toBe('1');
      expect(read.has('gone')).toBe(false);
    }),
  );
});

test('no search string throws', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const search = new URLSearchParams(text);
      const read = [readText(search, 'a'), readChoice(search, 'a', ['x']), readInteger(search, 'a', 0, 1)];
      expect(read).toHaveLength(3);
    }),
  );
});
