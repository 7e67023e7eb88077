import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { canonicalJson } from './compare.ts';

describe('the normal form of a JSON value', () => {
  it('is the same for members in any order, and parses to the same value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed());
        const text = canonicalJson(value);
        return (
          text === canonicalJson(turned) &&
          JSON.stringify(JSON.parse(text)) !== undefined &&
          canonicalJson(JSON.parse(text)) === text
        );
      }),
    );
  });

  it('differs for another value, another order of a list, and another type', () => {
    const values = [
      { a: 1 },
      { a: '1' },
      { a: [1, 2] },
      { a: [2, 1] },
      { a: null },
      {},
      { a: {} },
      { a: [] },
      { b: 1 },
    ];
    expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
  });

  it('treats a member named __proto__ like any other', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"c":2}}'))).toBe('{"__proto__":{"c":2},"b":1}');
  });
});
