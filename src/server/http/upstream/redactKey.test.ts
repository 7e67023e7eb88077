import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pipeMasked, redactKey } from './redactKey.ts';

const KEY = 'sk_live_Ab3/x';
const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');

/** Encodings of one character that some parser decodes. */
const SPELLINGS: ((character: string) => string)[] = [
  (character) => character,
  (character) => `\\u00${hexOf(character)}`,
  (character) => `\\u00${hexOf(character).toUpperCase()}`,
  (character) => `\\\\u00${hexOf(character)}`,
  (character) => `\\x${hexOf(character)}`,
  (character) => `%${hexOf(character).toUpperCase()}`,
  (character) => `%25${hexOf(character)}`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${hexOf(character)};`,
];

/** Keys without characters that begin an escape: a key with those is found unescaped, but not in every encoding. */
const keys = fc.string({
  unit: fc
    .integer({ min: 0x21, max: 0x7e })
    .map((code) => String.fromCharCode(code))
    .filter((character) => !/[\\%&]/.test(character)),
  minLength: 8,
  maxLength: 60,
});
const spelled = keys.chain((key) =>
  fc
    .array(fc.constantFrom(...SPELLINGS), { minLength: key.length, maxLength: key.length })
    .map((ways) => ({ key, text: Array.from(key, (character, at) => ways[at]?.(character) ?? character).join('') })),
);
type Codec = [encode: (text: string) => string, decode: (text: string) => string];
const CODECS: Codec[] = [
  [String, String],
  [encodeURIComponent, decodeURIComponent],
  [(text) => JSON.stringify(text), (text) => JSON.parse(text)],
  [(text) => JSON.stringify(JSON.stringify(text)), (text) => JSON.parse(JSON.parse(text))],
];
const around = fc.string({ unit: fc.constantFrom('é', '"', ' ', '{', ',', 'ż', '\n') });

/** The masked output of a body that arrives in these chunks. */
async function masked(pieces: readonly Uint8Array[], key: string): Promise<Buffer> {
  const target = new PassThrough();
  pipeMasked(Readable.from(pieces.map((piece) => Buffer.from(piece))), target, key);
  return buffer(target);
}

function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = [...at.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('a text', () => {
  test.each([
    ['as it is', `{"echo":"${KEY}"}`, '{"echo":"[API key]"}'],
    ['twice', `${KEY}${KEY}`, '[API key][API key]'],
    ['as the name of a member', `{"${KEY}":1}`, '{"[API key]":1}'],
    ['in JSON escapes', String.raw`{"echo":"\u0073k_live_Ab3\/x"}`, '{"echo":"[API key]"}'],
    [
      'in a JSON string in a JSON string',
      JSON.stringify({ log: JSON.stringify({ k: KEY }).replace('/', '\\/') }),
      String.raw`{"log":"{\"k\":\"[API key]\"}"}`,
    ],
    [
      'percent-encoded in a link',
      `/keys?${new URLSearchParams({ key: KEY }).toString()}&x=1`,
      '/keys?key=[API key]&x=1',
    ],
    ['with a plain copy before an escaped one', `${KEY} sk_live_Ab3%2Fx ${KEY}`, '[API key] [API key] [API key]'],
  ])('with the key %s loses it', (_, text, redacted) => {
    expect(redactKey(text, KEY)).toBe(redacted);
  });

  test('without the key stays as it is, and so does one with a key as short as a word', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => redactKey(text, 'sk_live_nobody') === text));
    expect(redactKey('{"amount":"100.00"}', '100')).toBe('{"amount":"100.00"}');
  });

  test('is without the key, however each of its characters is escaped', () => {
    fc.assert(
      fc.property(around, spelled, around, (before, { key, text }, after) => {
        expect(redactKey(before + text + after, key)).toBe(`${before}[API key]${after}`);
      }),
    );
  });

  test('is without the key once it is decoded', () => {
    fc.assert(
      fc.property(keys, fc.constantFrom(...CODECS), (key, [encode, decode]) => {
        expect(decode(redactKey(encode(`key: ${key}`), key))).toBe('key: [API key]');
      }),
    );
  });

  test('that was cut off within the key keeps no beginning of it', () => {
    const text = `{"echo":"${KEY}`;
    expect(redactKey(text.slice(0, -1), KEY, false)).toBe('{"echo":"');
    expect(redactKey(text.slice(0, -1), KEY)).toBe(text.slice(0, -1));
  });
});

describe('a relayed body', () => {
  test('has asterisks in place of the key and is otherwise the same, whatever chunks it comes in', async () => {
    const pieces = fc.array(fc.nat(), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(around, spelled, around, pieces, async (before, { key, text }, after, at) => {
        const bytes = Buffer.from(before + text + after);
        const expected = Buffer.from(before + '*'.repeat(text.length) + after);
        expect((await masked(cut(bytes, at), key)).toString()).toBe(expected.toString());
      }),
    );
  });

  test('can still be decoded, and doesn’t contain the key, whatever chunks it comes in', async () => {
    await fc.assert(
      fc.asyncProperty(keys, fc.constantFrom(...CODECS), fc.array(fc.nat()), async (key, [encode, decode], at) => {
        const body = await masked(cut(Buffer.from(encode(`key: ${key}`)), at), key);
        expect(decode(body.toString())).toMatch(/^key: \*+$/);
      }),
    );
  });

  test('without the key goes through byte for byte', async () => {
    const escapes = fc.array(
      fc.constantFrom('sk_live_', '\\', '\\u00', '\\u0073', '%', '%73', '&#', '&#115;', 'k', 'é'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array(),
          escapes.map((parts) => Buffer.from(parts.join(''))),
        ),
        fc.array(fc.nat(), { maxLength: 5 }),
        async (bytes, at) => {
          expect(Buffer.compare(await masked(cut(bytes, at), KEY), bytes)).toBe(0);
        },
      ),
    );
  });

  test('is held back only where it may be the beginning of the key', async () => {
    const [source, target] = [new PassThrough(), new PassThrough()];
    pipeMasked(source, target, KEY);
    source.write('{"data":"sk_live_');
    expect(String((await once(target, 'data'))[0])).toBe('{"data":"');
    source.write('other"');
    expect(String((await once(target, 'data'))[0])).toBe('sk_live_other"');
  });
});
