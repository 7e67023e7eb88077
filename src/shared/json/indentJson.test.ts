import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indentJson } from './indentJson.ts';

test('every value stays as it was written', () => {
  expect(indentJson('{"amount":0.10000000000000000001,"n":1e400,"list":[1,{}],"s":"a, b: {\\"c\\"}"}')).toBe(
    '{\n  "amount": 0.10000000000000000001,\n  "n": 1e400,\n  "list": [\n    1,\n    {}\n  ],\n  "s": "a, b: {\\"c\\"}"\n}',
  );
});

test('indented JSON parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(indentJson(JSON.stringify(value)) ?? '')).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('invalid JSON gives null', () => {
  expect(indentJson('{"a":')).toBeNull();
});
