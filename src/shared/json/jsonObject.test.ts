import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringifyExact } from './exactJson.ts';
import { parseObject } from './jsonObject.ts';
import { propertyRuns } from '#src/tests/depth.ts';

function reasonOf(text: string): string {
  const parsed = parseObject(text);
  return parsed.ok ? 'taken' : parsed.reason;
}

test.each([
  ['This must be one JSON object, in braces: { }', '7'],
  ['This must be one JSON object, in braces: { }', '[{}]'],
  ['This must be one JSON object, in braces: { }', '-0'],
  ['“b” is there twice.', '{"a": {"b": 1, "\\u0062": 2}}'],
  ['“a” is there twice.', '{"a": {"b": 1}, "a": {"b": 1}}'],
  ['“0” is there twice.', '{"0": 1, "0": 2, "n": 1e400}'],
  ['This must be one JSON object, in braces: { }', '[{"a": 1, "a": 2}]'],
  ['This is nested deeper than 100 levels.', `${'{"a":'.repeat(101)}-0${'}'.repeat(101)}`],
  ['This is nested deeper than 100 levels.', `${'['.repeat(200_000)}-0${']'.repeat(200_000)}`],
  ['taken', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`],
  ['taken', '{"a": "\\"a\\": 1", "b": {"a": [":", {"b": ""}]}, "\\\\": 1, "\\"": 2}'],
])('%s', (reason, text) => {
  expect(reasonOf(text)).toBe(reason);
});

test('invalid JSON is refused with the position, if the engine gives one, and without quoting the text', () => {
  for (const text of ['', '{"a": 1,}', "{'a': 1}", '{"a": \u202Ex}', '{"a": 007}', '{"a": "x\ny"}', '\uFEFF{}']) {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(reasonOf(text)).toMatch(/^This isn’t valid JSON(, at (position|line) \d+( column \d+)?)?\.$/);
  }
});

const names = fc.constantFrom('a', 'b', '\\u0061', '__proto__', ':', '\\"', '7');
/** JSON objects in which a name may occur twice, and whether one does. */
const { object } = fc.letrec<{ object: [string, boolean]; value: [string, boolean] }>((tie) => ({
  object: fc
    .array(fc.tuple(names, tie('value')), { maxLength: 3 })
    .map((members): [string, boolean] => [
      `{${members.map(([name, [text]]) => `"${name}" : ${text}`).join(', ')}}`,
      new Set(members.map(([name]) => JSON.parse(`"${name}"`) as unknown)).size < members.length ||
        members.some(([, [, isTwice]]) => isTwice),
    ]),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<[string, boolean]>(['"a\\":"', false], ['-0', false], ['1e400', false], ['null', false]),
    tie('object'),
    fc
      .array(tie('value'), { maxLength: 3 })
      .map((items): [string, boolean] => [
        `[${items.map(([text]) => text).join(',')}]`,
        items.some(([, isTwice]) => isTwice),
      ]),
  ),
}));

test('only a name that occurs twice in one object is refused', () => {
  fc.assert(
    fc.property(object, ([text, isTwice]) => {
      const parsed = parseObject(text);
      expect(parsed.ok && JSON.parse(stringifyExact(parsed.object))).toEqual(!isTwice && JSON.parse(text));
    }),
    { numRuns: propertyRuns(200) },
  );
});
