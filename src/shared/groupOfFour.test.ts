import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceInWords, groupsOfFour } from '#src/web/ui/AddressDiff.tsx';

const marked = (text: string, other: string) =>
  groupsOfFour(text, other)
    .map((four) => (four.differs ? `[${four.text}]` : four.text))
    .join(' ');

test('the groups that differ are marked, from both ends', () => {
  expect(marked('abcdefghijkl', 'abcdefghijkl')).toBe('abcd efgh ijkl');
  expect(marked('abcdefghijkl', 'abcdeXghijkl')).toBe('abcd [efgh] ijkl');
  expect(marked('abcdefghijkl', 'abcdXXXefghijkl')).toBe('abcd efgh ijkl');
  expect(marked('abcdXXXefghijkl', 'abcdefghijkl')).toBe('abcd [XXXe] fghi jkl');
  expect(marked('', 'abcd')).toBe('');
});

test('the position of the difference is described', () => {
  expect(differenceInWords('abcdefghijkl', 'abcdXXXXijkl')).toMatch(/^Characters 5 to 8 differ\. Only/);
  expect(differenceInWords('abcdefghijkl', 'abcdeXghijkl')).toMatch(/^Character 6 differs\. Only/);
  expect(differenceInWords('abcdYefgh', 'abcdXXefgh')).toMatch(
    /^Character 5 differs, and one is 9 long, the other 10\./,
  );
});

test('no character is lost, and for two texts of equal length exactly the differing groups are marked', () => {
  const pair = fc
    .array(fc.tuple(fc.constantFrom('a', 'b', '0'), fc.constantFrom('a', 'b', '0')), { maxLength: 60 })
    .map((columns) => [columns.map(([one]) => one).join(''), columns.map(([, other]) => other).join('')] as const);
  fc.assert(
    fc.property(pair, ([text, other]) => {
      const groups = groupsOfFour(text, other);
      expect(groups.map((four) => four.text).join('')).toBe(text);
      expect(groups.map((four) => four.differs)).toEqual(
        groups.map((four) => four.text !== other.slice(four.at, four.at + 4)),
      );
    }),
  );
});

test('no character is lost, whatever text it is compared with', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (text, other) => {
      expect(
        groupsOfFour(text, other)
          .map((four) => four.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
