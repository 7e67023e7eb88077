import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow, unquoted, readCsv } from './csv.ts';

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
  .map((codes) => String.fromCharCode(...codes));
const cell = fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...Array.from('=+-@\t\r\n",;\' a1.')) }));

test('cells written by csvRow() are read back unchanged', () => {
  const head = ['name', 'chain', 'address'];
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
      const text = [head, ...rows].map((cells) => csvRow(cells)).join('');
      const back = (readCsv(text) ?? []).slice(1).map(({ cells }) => cells.map(unquoted));
      expect(back).toEqual(rows);
    }),
  );
});

test('other line endings and separators, a byte order mark and empty lines are read', () => {
  expect(readCsv('\uFEFFa;b\n1;"x\ny"\n\n2;3\r', ';')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1', 'x\ny'] },
    { line: 5, cells: ['2', '3'] },
  ]);
  expect(readCsv('a\tb\r\n1,5\t2', '\t')?.[1]).toEqual({ line: 2, cells: ['1,5', '2'] });
  expect(readCsv('a,b\n"1"2,3\n,')?.map(({ cells }) => cells)).toEqual([
    ['a', 'b'],
    ['12', '3'],
    ['', ''],
  ]);
  expect(readCsv('a|b', '|')).toEqual([{ line: 1, cells: ['a', 'b'] }]);
  expect(readCsv('')).toEqual([]);
});

test('a quote that is never closed gives null', () => {
  expect(readCsv('a,b\n"1,2\n3,4\n')).toBeNull();
});
