import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { canonicalJson, depthOf, duplicateMember } from './canonicalJson.ts';

describe('the normal form of a JSON value', () => {
  it('is the same for the members in any order, and means the same value', () => {
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

  it('takes a member named __proto__ for one like any other', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"c":2}}'))).toBe('{"__proto__":{"c":2},"b":1}');
  });
});

describe('a member named twice', () => {
  it.each<[string, string | null]>([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a":{"b":1,"b":2}}', 'b'],
    ['[{"a":1},{"a":1,"a":1}]', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"a" : 1 , "a"\n: 2}', 'a'],
    ['{"a":{"a":{"a":1}}}', null],
    ['[{"a":1},{"a":1}]', null],
    ['{"a":"a","b":["a","a"]}', null],
    ['{"a":"\\"a\\":1,\\"a\\":2"}', null],
    ['{"a\\"":1,"a":2}', null],
  ])('%s: %s', (text, name) => {
    expect(JSON.parse(text)).toBeDefined();
    expect(duplicateMember(text)).toBe(name);
  });

  it('is found wherever it is, and in no text that names each once', () => {
    const names = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        const name = Object.keys(value)[at % Object.keys(value).length] ?? '';
        const twice = `${text.slice(0, -1)},${JSON.stringify(name)}:0}`;
        return duplicateMember(text) === null && duplicateMember(twice) === name;
      }),
    );
  });
});

it('depth counts what is open, not what is written in a text', () => {
  expect(['{}', '[[]]', '{"a":[{"b":1}],"c":{}}', '1', '{"a":"[[[["}'].map(depthOf)).toEqual([1, 2, 3, 0, 1]);
});
