import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLines, fileBytes, piecesOf, wholeBytes } from './lines.ts';

test('a file is read in pieces of one size, whatever it was made of', async () => {
  const part = fc.oneof(fc.string({ maxLength: 30 }), fc.uint8Array({ maxLength: 30 }));
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.integer({ min: 1, max: 40 }), async (parts, size) => {
      const file = fileBytes(...parts);
      const pieces: Uint8Array[] = [];
      for await (const piece of piecesOf(file, size)) pieces.push(piece);
      const whole = Buffer.concat(parts.map((each) => Buffer.from(each)));
      expect(Buffer.concat(pieces).equals(whole)).toBe(true);
      expect(Buffer.from(await wholeBytes(file)).equals(whole)).toBe(true);
      expect(file.size).toBe(whole.length);
      expect(pieces.slice(0, -1).every((piece) => piece.length === size)).toBe(true);
      expect(pieces.at(-1)?.length ?? 1).toBeGreaterThan(0);
    }),
  );
});

test('lines that are added later don’t change a file that was taken before', () => {
  const lines = createLines();
  lines.add('a\n', 1);
  const before = lines.all();
  lines.add('ä\n', 1);
  expect([before.rows, before.text.size]).toEqual([1, 2]);
  expect([lines.all().rows, lines.all().text.size]).toEqual([2, 5]);
  const more = createLines(before);
  more.add('b\n', 1);
  expect([more.all().rows, before.text.size]).toEqual([2, 2]);
});
