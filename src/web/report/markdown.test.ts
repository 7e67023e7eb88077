import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { codeSpan, plainOrCode } from './caseMarkdown.ts';

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('`', '|', '<', '>', '\n', '\r', '\u2028', '\u202E', '\u0000', '*', '_', '\\', '#', 'a', ' '),
    maxLength: 40,
  }),
  fc.constantFrom(
    '``` js',
    '<script>alert(1)</script>',
    '@everyone',
    '[a](javascript:alert(1))',
    '![x](//e.example/p)',
  ),
);

test('any text becomes one code span on one line, with nothing hidden in it', () => {
  fc.assert(
    fc.property(HOSTILE, (text) => {
      const span = codeSpan(text);
      expect(span).toMatch(/^(?:`[^`|]+`|\(empty\))$/);
      expect(span).not.toMatch(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u);
    }),
  );
  expect(codeSpan('a`b|c\nd')).toBe('`a⟨U+0060⟩b⟨U+007C⟩c d`');
  expect(codeSpan('x'.repeat(300))).toBe(`\`${'x'.repeat(200)}…\``);
  expect(codeSpan(' \n ')).toBe('(empty)');
});

test('plain words stay words; what Markdown could read anything into is code', () => {
  for (const words of ['no response, the connection failed', '401 authentication_error', 'not forwarded: read-only.'])
    expect(plainOrCode(words)).toBe(words);
  for (const words of [
    '400 <b>',
    '# 1',
    '@here',
    'a_',
    'www.example.com',
    'https://example.com',
    '1. a\n2. b',
    '',
    '- a',
  ])
    expect(plainOrCode(words)).toBe(codeSpan(words));
  fc.assert(
    fc.property(HOSTILE, (text) => {
      expect(plainOrCode(text)).toMatch(/^(?:`[^`|]+`|\(empty\)|[^`|<>*[\]\\#@]+)$/);
    }),
  );
});
