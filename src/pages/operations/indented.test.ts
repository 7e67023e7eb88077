import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indented } from './indented.ts';

test('every value stays as it was written', () => {
  expect(indented('{"amount":0.10000000000000000001,"n":1e400,"list":[1,{}],"s":"a, b: {\\"c\\"}"}')).toBe(
    '{\n  "amount": 0.10000000000000000001,\n  "n": 1e400,\n  "list": [\n    1,\n    {}\n  ],\n  "s": "a, b: {\\"c\\"}"\n}',
  );
});

test('it is the same JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(indented(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('text that is no JSON loses nothing but white space', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bare = (of: string) => of.replaceAll(/\s/g, '');
      fc.pre(!text.includes('"'));
      expect(bare(indented(text))).toBe(bare(text));
    }),
  );
});
