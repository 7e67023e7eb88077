import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  textOrJson,
  counted,
  hasInvisible,
  numberWords,
  searchForm,
  shorten,
  revealHidden,
  visibleCode,
} from './text.ts';
import { propertyRuns } from '#src/tests/depth.ts';

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

test('a shortened id keeps its head and tail', () => {
  expect(shorten('dep_9fKabcdefghijklmnopqrstuvx7Qd')).toBe('dep_9fK…x7Qd');
  expect(shorten('dep_12345678')).toBe('dep_12345678');
  expect(shorten('')).toBe('');
  expect(shorten('😀'.repeat(50_000))).toBe(`${'😀'.repeat(7)}…${'😀'.repeat(4)}`);
});

test('characters that hide or reorder text are replaced by a name', () => {
  expect(revealHidden('a\u0000b\u007F')).toBe('a␀b␡');
  expect(revealHidden('pay\u202Eeman')).toBe('pay⟨U+202E⟩eman');
  expect(revealHidden('x\u200By\uFEFF')).toBe('x⟨U+200B⟩y⟨U+FEFF⟩');
  expect(revealHidden('\uD800')).toBe('⟨U+D800⟩');
  expect(revealHidden('\u{E0041}')).toBe('⟨U+E0041⟩');
  expect(revealHidden('pay\uE000ee')).not.toMatch(/\u200D/);
});

test('ordinary text and emoji stay unchanged', () => {
  for (const text of ['plain', 'Zürich, 東京, القاهرة', '👩‍👩‍👧 ❤️‍🔥 👍🏽', 'line\n\ttwo', '<script>']) {
    expect(revealHidden(text)).toBe(text);
  }
});

test.each([
  ['Persian', 'می\u200Cخواهم'],
  ['Persian, behind a letter that never joins', 'گفت\u200Cو\u200Cگو'],
  ['Persian, behind a mark', 'دوستِ\u200Cمن'],
  ['Hindi', 'क्\u200Dष'],
  ['Hindi, without the ligature', 'क्\u200Cष'],
  ['Bengali', 'র\u200D্যাব'],
  ['Sinhala', 'ශ්\u200Dරී ලංකා'],
  ['Malayalam, at the end of a word', 'മോഹന്\u200D Stores'],
  ['a family', '👨🏽\u200D👩🏻\u200D👧🏿'],
  ['a profession', '🧑🏽\u200D⚕️'],
  ['a kiss', '👩‍❤️‍💋‍👨'],
  ['a pirate flag', '🏴\u200D☠️'],
  ['Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['a keycap and a country', '1️⃣ 🇩🇪'],
])('a joiner that letters or emoji need stays: %s', (_, text) => {
  expect(revealHidden(text)).toBe(text);
  // It doesn't belong in a code, an id or an address.
  expect(hasInvisible(text)).toBe(!text.startsWith('1️⃣'));
});

test.each([
  'Ac\u200Cme',
  'Ac\u200Dme',
  'می\u200C\u200Cخواهم',
  '\u200Cمی',
  'می\u200C',
  'می\u200C خواهم',
  'می\u200CA',
  '۱\u200C۲',
  '😀\u200D',
  '😀\u200DA',
  '日\u200C本',
  '🏴\u{E0061}\u{E0062}\u{E007F}',
])('a joiner that joins nothing is replaced by its name: %j', (text) => {
  expect(revealHidden(text)).toMatch(/⟨U\+(?:200[CD]|E0061)⟩/);
  expect(hasInvisible(text)).toBe(true);
});

test.each([
  ['Zürich', 'zurich'],
  ['Zu\u0308rich', 'ZÜRICH'],
  ['İstanbul', 'istanbul'],
  ['ISTANBUL', 'ıstanbul'],
  ['DİYARBAKIR', 'diyarbakır'],
  ['Straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος'],
  ['می\u200Cخواهم', 'میخواهم'],
  ['مُحَمَّد', 'محمد'],
  ['שָׁלוֹם', 'שלום'],
  ['Ｃａｆé', 'cafe'],
  ['ﬁnance', 'Finance'],
  ['❤️ Shop', '❤ shop'],
  ['Nguyễn', 'nguyen'],
])('%s and %s are the same in a search', (one, other) => {
  expect(searchForm(one)).toBe(searchForm(other));
});

test.each([
  ['が', 'か'],
  ['कि', 'क'],
  ['ก่า', 'กา'],
  ['o', '0'],
])('%s and %s are different in a search', (one, other) => {
  expect(searchForm(one)).not.toBe(searchForm(other));
});

test('a search ignores Unicode normalization and case', () => {
  // In upper case the iota subscript of ancient Greek becomes a letter.
  const text = fc.string({ unit: 'binary' }).filter((each) => !each.normalize('NFD').includes('\u0345'));
  fc.assert(
    fc.property(text, (each) => {
      const form = searchForm(each);
      for (const same of [form, each.normalize('NFC'), each.normalize('NFD'), each.toUpperCase(), each.toLowerCase()])
        expect(searchForm(same)).toBe(form);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('no reordering character is left, and a second pass changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = revealHidden(text);
      expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200E\u200F]/);
      expect(revealHidden(shown)).toBe(shown);
    }),
  );
});

test('a look-alike letter in an asset code is named', () => {
  expect(visibleCode('USD\u0422')).toBe('USD\u0422⟨U+0422⟩');
  expect(visibleCode('\u054DSDT')).toBe('\u054D⟨U+054D⟩SDT');
  // A code entirely in another alphabet would be read as Latin as well.
  expect(visibleCode('\u0415\u0422\u041D')).toBe('\u0415⟨U+0415⟩\u0422⟨U+0422⟩\u041D⟨U+041D⟩');
  expect(visibleCode('\uFF35SDT \u{1D414}')).toBe('\uFF35⟨U+FF35⟩SDT \u{1D414}⟨U+1D414⟩');
  // Look-alikes of a dot, a slash and a space.
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

test('a code is marked once, however often it is rendered', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ unit: 'grapheme' })), (code) => {
      expect(visibleCode(visibleCode(code))).toBe(visibleCode(code));
      expect(revealHidden(visibleCode(code))).toBe(visibleCode(code));
    }),
  );
});

test('whole numbers are grouped as in English', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(numberWords(count)).toBe(count.toLocaleString('en'));
    }),
  );
  expect(counted(1, 'row', 'rows')).toBe('1 row');
  expect(counted(1_200, 'row', 'rows')).toBe('1,200 rows');
});

test('a value that is not text becomes its JSON', () => {
  expect(textOrJson([1, ['a']])).toBe('[1,["a"]]');
});
