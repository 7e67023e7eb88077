import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readObjectText } from './jsonObject.ts';

function reasonOf(text: string): string {
  const read = readObjectText(text);
  return read.ok ? 'taken' : read.reason;
}

describe('what is wrong is said in words, with its place', () => {
  test.each([
    ['', 'Line 1, character 1: nothing is there.'],
    ['7', 'Line 1, character 1: an object in braces { } has to be here.'],
    ['{"a": 1} x', 'Line 1, character 10: “x” stands after the end of the object.'],
    ['{"a": 1,\n "b" 2}', 'Line 2, character 6: a colon is missing after the name; “2” stands here.'],
    ['{"a": 1\n "b": 2}', 'Line 2, character 2: a comma or “}” is missing before “"”.'],
    ['{"a": 1,}', 'Line 1, character 8: this comma is one too many, nothing follows it.'],
    ['{"a": [1,\n2', 'Line 2, character 2: “]” is missing for the “[” in line 1, character 7.'],
    ['{"💸💸": x}', 'Line 1, character 8: “x” is no JSON value. Text stands in double quotes.'],
    ["{'a': 1}", 'Line 1, character 2: a name in straight double quotes (") has to be here; “\'” stands here.'],
    ['{a: 1}', 'Line 1, character 2: a name in straight double quotes (") has to be here; “a” stands here.'],
    ['{"a": “b”}', 'Line 1, character 7: text stands in straight double quotes (").'],
    ['{"a": 007}', 'Line 1, character 7: “007” is no JSON number: leave out the zeros in front.'],
    ['{"a": +1}', 'Line 1, character 7: “+1” is no JSON number: leave out the plus sign.'],
    ['{"a": .5}', 'Line 1, character 7: “.5” is no JSON number: put a 0 before the point.'],
    ['{"a": 5.}', 'Line 1, character 7: “5.” is no JSON number: digits are missing after the point.'],
    ['{"a": 1_000}', 'Line 1, character 7: “1_000” is no JSON number. Text stands in double quotes.'],
    ['{"a": NaN}', 'Line 1, character 7: “NaN” is no JSON value. Text stands in double quotes.'],
    ['{"a": True}', 'Line 1, character 7: write true in small letters.'],
    ['{"a": 1 // one\n}', 'Line 1, character 9: a comma or “}” is missing before “/”.'],
    [
      '{"a": "x\ny"}',
      'Line 1, character 7: the closing quote of this text is missing in its line; write a line break in a text as \\n.',
    ],
    ['{"a": "x\\q"}', 'Line 1, character 9: after “\\” only " \\ / b f n r t or u with four digits may come.'],
    ['{"a": "\uD800"}', 'Line 1, character 8: this is half of a character and cannot be sent.'],
    ['\uFEFF{"a": 1}', 'Line 1, character 1: an object in braces { } has to be here.'],
    [
      '{\u00A0"a": 1}',
      'Line 1, character 2: a name in straight double quotes (") has to be here; an invisible character (U+00A0) stands here.',
    ],
    ['{"a": {"b": 1, "\\u0062": 2}}', 'Line 1, character 16: “b” stands here a second time.'],
    [`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`, 'Line 1, character 501: this is nested deeper than 100 levels.'],
  ])('%j', (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });
});

test('members are found where they stand', () => {
  const text = ' {"a" : [1, {"b": "}"}] ,\n"c\\"": -1.50E+400}\n';
  const read = readObjectText(text);
  expect(read.ok && read.members.map(({ name, start, end }) => [name, text.slice(start, end)])).toEqual([
    ['a', '"a" : [1, {"b": "}"}]'],
    ['c"', '"c\\"": -1.50E+400'],
  ]);
  expect(read.ok && read.inner).toBe('"a" : [1, {"b": "}"}] ,\n"c\\"": -1.50E+400');
});

/** JSON objects with one place changed, most of them broken. */
const nearlyJson = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true }),
    fc.nat(),
    fc.constantFrom('', ' ', ',', ':', '"', '{', '}', '[', ']', '0', '-', '.', 'e', '\\', '\n', '\u2028', 'true', '/'),
    fc.nat(2),
  )
  .map(([value, place, put, gone]) => {
    const text = JSON.stringify(value, null, place % 3);
    const at = place % (text.length + 1);
    return text.slice(0, at) + put + text.slice(at + gone);
  });

function parsedObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

test('what is taken is JSON, with the members that JSON.parse finds', () => {
  fc.assert(
    fc.property(nearlyJson, (text) => {
      const read = readObjectText(text);
      fc.pre(read.ok);
      expect(parsedObject(text)).toEqual(parsedObject(`{${read.inner}}`));
      expect(read.members.map(({ name }) => name).toSorted()).toEqual(Object.keys(parsedObject(text) ?? {}).toSorted());
    }),
    { numRuns: 300 },
  );
});

test('what is JSON is taken, but for a name twice, half a character, a control character as it is', () => {
  fc.assert(
    fc.property(nearlyJson, (text) => {
      fc.pre(parsedObject(text) !== null);
      expect(reasonOf(text)).toMatch(/^taken$|second time|half of a character|may not stand in a text/);
    }),
    { numRuns: 300 },
  );
});
