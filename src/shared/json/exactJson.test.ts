import { replaceEqualDeep } from '@tanstack/react-query';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isExactNumber, parseExact, stringifyExact } from './exactJson.ts';
import { propertyRuns } from '#src/tests/depth.ts';

const digits = (least: number, most: number) => fc.stringMatching(new RegExp(`^[0-9]{${least},${most}}$`));
const whole = fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,30}$/));
const exponent = fc
  .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(1, 4))
  .map((parts) => parts.join(''));
/** Any number that JSON can write. */
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.oneof(
      fc.constant(''),
      digits(1, 30).map((decimals) => `.${decimals}`),
    ),
    fc.oneof({ weight: 3, arbitrary: fc.constant('') }, exponent),
  )
  .map((parts) => parts.join(''));

const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', '\\"', ',-0:', '"'));
const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/);
/** JSON texts, with and without spaces. No names that are array indexes: JavaScript objects put those first. */
const { json } = fc.letrec<{ json: [string, string] }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc
      .oneof(
        number,
        number,
        fc.constantFrom('true', 'false', 'null'),
        name.map((text) => JSON.stringify(text)),
      )
      .map((text): [string, string] => [text, text]),
    fc
      .tuple(fc.array(tie('json'), { maxLength: 5 }), space)
      .map(([items, gap]): [string, string] => [
        `[${items.map(([text]) => gap + text + gap).join(',')}]`,
        `[${items.map(([, text]) => text).join(',')}]`,
      ]),
    fc
      .tuple(
        fc.uniqueArray(
          fc.tuple(
            name.filter((text) => !/^\d+$/.test(text)),
            tie('json'),
          ),
          {
            maxLength: 5,
            selector: ([text]) => text,
          },
        ),
        space,
      )
      .map(([members, gap]): [string, string] => [
        `{${members.map(([key, [text]]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${text}${gap}`).join(',')}}`,
        `{${members.map(([key, [, text]]) => `${JSON.stringify(key)}:${text}`).join(',')}}`,
      ]),
  ),
}));

/** The value with every exact number converted to a JavaScript number. */
function rounded(value: unknown): unknown {
  if (isExactNumber(value)) return Number(value.toString());
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]: [string, unknown]) => [key, rounded(member)]);
  return Object.fromEntries(members) as unknown;
}

describe('JSON with every digit preserved', () => {
  test.each([
    '12345678901234567890',
    '0.0000001',
    '7.00000000000000000001',
    '-0',
    '-0.0',
    '1e5',
    '12.50',
    '1E400',
    '0e0',
  ])('%s is printed as it was written', (text) => {
    for (const [around, at] of [
      [text, (value: unknown) => value],
      [`[${text}]`, (value: unknown) => (value as unknown[])[0]],
      [`{"a":${text}}`, (value: unknown) => (value as { a: unknown }).a],
    ] as const) {
      const value = parseExact(around);
      expect(isExactNumber(at(value))).toBe(true);
      expect(stringifyExact(value)).toBe(around);
      expect(String(at(value))).toBe(text);
    }
  });

  test('every number, alone and anywhere in a text, comes back as it was written', () => {
    fc.assert(
      fc.property(json, ([text, tight]) => {
        const value = parseExact(text);
        expect(stringifyExact(value)).toBe(tight);
        expect(rounded(value)).toEqual(JSON.parse(text));
        expect(stringifyExact(parseExact(stringifyExact(value, 2)))).toBe(tight);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('nested %s are written at any depth', (_, begin, end) => {
    const deep = `${begin.repeat(50_000)}1.50${end.repeat(50_000)}`;
    expect(stringifyExact(parseExact(deep)) === deep).toBe(true);
    const indented = stringifyExact(parseExact(deep), 2);
    expect(indented.replaceAll(/\s/g, '') === deep).toBe(true);
    expect(indented.length).toBeLessThan(100 * deep.length);
  });

  test('a number that JavaScript prints unchanged stays a number', () => {
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })), (held) => {
        fc.pre(!Object.is(held, -0));
        expect(parseExact(String(held))).toBe(held);
      }),
    );
    expect(parseExact('{"created_at":1795228907,"n":[1.5,-7,0]}')).toEqual({
      created_at: 1_795_228_907,
      n: [1.5, -7, 0],
    });
  });

  test('exact numbers survive structuredClone', () => {
    fc.assert(
      fc.property(json, ([text, tight]) => {
        expect(stringifyExact(structuredClone(parseExact(text)))).toBe(tight);
      }),
    );
  });

  test('exact numbers survive structural sharing with an earlier value', () => {
    fc.assert(
      fc.property(json, json, ([before], [text, tight]) => {
        // TanStack Query drops a member of this name.
        fc.pre(!tight.includes('__proto__'));
        expect(stringifyExact(replaceEqualDeep(parseExact(before), parseExact(text)))).toBe(tight);
      }),
    );
    const [one, other] = [parseExact('{"a":1.0,"b":2}'), parseExact('{"a":1.00,"b":2}')];
    expect(stringifyExact(replaceEqualDeep(one, other))).toBe('{"a":1.00,"b":2}');
  });

  test('a string that looks like an exact number stays a string', () => {
    const value = parseExact('{"a":"-0","b":["1e-7"],"c":{"0":"-"},"d":-0}') as Record<string, unknown>;
    expect([value['a'], value['b']].flat().map(isExactNumber)).toEqual([false, false]);
    expect([value['c'], null, undefined, [], '-0'].map(isExactNumber)).toEqual([false, false, false, false, false]);
    expect(isExactNumber(value['d'])).toBe(true);
  });

  test('the last of two members with one name counts, and __proto__ is a name like any other', () => {
    const text = '{"a":1.0,"__proto__":{"b":-0},"a":2.0}';
    expect(stringifyExact(parseExact(text))).toBe('{"a":2.0,"__proto__":{"b":-0}}');
    expect(Object.getPrototypeOf(parseExact(text))).toBe(Object.prototype);
  });

  test('invalid JSON throws as in JSON.parse', () => {
    for (const text of [
      '',
      '-',
      '01',
      '1.',
      '.5',
      '+1',
      '[1.0,]',
      '{"a":1.0',
      '"1.0',
      '1.0 2.0',
      'NaN',
      '0x10',
      '-0-',
    ]) {
      expect(() => parseExact(text), text).toThrow(SyntaxError);
    }
  });

  test('deep and long JSON costs no more than in JSON.parse', () => {
    const deep = 200_000;
    let value = parseExact(`${'['.repeat(deep)}-0${']'.repeat(deep)}`);
    for (let depth = 0; depth < deep; depth += 1) value = (value as unknown[])[0];
    expect(isExactNumber(value)).toBe(true);
    const long = `["${'\\\\'.repeat(500_000)}","${'x'.repeat(20_000_000)}",-0]`;
    expect(parseExact(long)).toHaveLength(3);
  });
});

test('values without exact numbers are written as JSON.stringify writes them, indented or not', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 1, 2), (value, indent) => {
      expect(stringifyExact(value, indent)).toBe(JSON.stringify(value, null, indent));
    }),
  );
  const value = { a: undefined, b: [undefined, Number.NaN], c: {}, d: [], e: { f: 'é"\n' } };
  for (const indent of [0, 2]) expect(stringifyExact(value, indent)).toBe(JSON.stringify(value, null, indent));
});
