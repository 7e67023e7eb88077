import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asText, counted, numberWords, shorten, visible, visibleCode } from './text.ts';

/** Any UTF-16 at all, lone surrogates among it. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

test('an id keeps its head and tail', () => {
  expect(shorten('dep_9fKabcdefghijklmnopqrstuvx7Qd')).toBe('dep_9fK…x7Qd');
  expect(shorten('dep_12345678')).toBe('dep_12345678');
  expect(shorten('')).toBe('');
  expect(shorten('😀'.repeat(50_000))).toBe(`${'😀'.repeat(7)}…${'😀'.repeat(4)}`);
});

test('what hides or reorders text gets a name', () => {
  expect(visible('a\u0000b\u007F')).toBe('a␀b␡');
  expect(visible('pay\u202Eeman')).toBe('pay⟨U+202E⟩eman');
  expect(visible('x\u200By\uFEFF')).toBe('x⟨U+200B⟩y⟨U+FEFF⟩');
  expect(visible('\uD800')).toBe('⟨U+D800⟩');
  expect(visible('\u{E0041}')).toBe('⟨U+E0041⟩');
  expect(visible('pay\uE000ee')).not.toMatch(/\u200D/);
});

test('ordinary text and emoji stay', () => {
  for (const text of ['plain', 'Zürich, 東京, القاهرة', '👩‍👩‍👧 ❤️‍🔥 👍🏽', 'line\n\ttwo', '<script>']) {
    expect(visible(text)).toBe(text);
  }
});

test('nothing that reorders is left, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200E\u200F]/);
      expect(visible(shown)).toBe(shown);
    }),
  );
});

test('a letter of an asset code that only looks like one of the keyboard is named', () => {
  expect(visibleCode('USD\u0422')).toBe('USD\u0422⟨U+0422⟩');
  expect(visibleCode('\u054DSDT')).toBe('\u054D⟨U+054D⟩SDT');
  // A whole code of another alphabet is read as Latin, too.
  expect(visibleCode('\u0415\u0422\u041D')).toBe('\u0415⟨U+0415⟩\u0422⟨U+0422⟩\u041D⟨U+041D⟩');
  expect(visibleCode('\uFF35SDT \u{1D414}')).toBe('\uFF35⟨U+FF35⟩SDT \u{1D414}⟨U+1D414⟩');
  // A dot, a slash and a space that are none.
  expect(visibleCode('USDC\u2024e')).toBe('USDC\u2024⟨U+2024⟩e');
  expect(visibleCode('ibc\u204427')).toBe('ibc\u2044⟨U+2044⟩27');
  expect(visibleCode('USDT\u00A0')).toBe('USDT\u00A0⟨U+00A0⟩');
  expect(visibleCode('US\u200BDT')).toBe('US⟨U+200B⟩DT');
});

test.each(['USDT', 'USDC.e', 'ibc/27394FB0', 'USD₮', '₿', 'vUSDC-1', '币安人生', 'コイン', '🚀', 'dep_9fK…x7Qd'])(
  'the code %s stays as it is',
  (code) => {
    expect(visibleCode(code)).toBe(code);
  },
);

test('a code is marked once, however often it is drawn', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme' })), (code) => {
      expect(visibleCode(visibleCode(code))).toBe(visibleCode(code));
      expect(visible(visibleCode(code))).toBe(visibleCode(code));
    }),
  );
});

test('whole numbers are grouped as English does', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(numberWords(count)).toBe(count.toLocaleString('en'));
    }),
  );
  expect(counted(1, 'row', 'rows')).toBe('1 row');
  expect(counted(1_200, 'row', 'rows')).toBe('1,200 rows');
});

test('what is no text is its JSON', () => {
  expect(asText([1, ['a']])).toBe('[1,["a"]]');
});
