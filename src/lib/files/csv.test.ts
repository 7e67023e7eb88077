import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow } from './csv.ts';

/** Any UTF-16 at all, lone surrogates among it. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

/** A reader of RFC 4180, written apart from the writer. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === ',') {
      row.push(cell);
      cell = '';
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      at += 1;
    } else cell += character;
  }
  return rows;
}

test('cells that a spreadsheet would run are neutralised', () => {
  for (const cell of [
    '=1+1',
    '+1',
    '-1+2',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\uFF1D1',
    ' =1',
    '\u200B=1',
    '-',
    '-1e',
    '-e5',
    '-1e5+1',
  ]) {
    expect(parse(csvRow([cell]))).toEqual([[`'${cell}`]]);
  }
});

test('plain numbers are untouched, negative ones too', () => {
  expect(csvRow(['-1.50', '0.000000000000000001', '-0'])).toBe('-1.50,0.000000000000000001,-0\r\n');
  expect(csvRow(['-1e5', '-1.5E-400'])).toBe('-1e5,-1.5E-400\r\n');
});

test('quotes, commas and line breaks come back', () => {
  expect(csvRow(['a,b', 'say "x"', 'two\r\nlines', ''])).toBe('"a,b","say ""x""","two\r\nlines",\r\n');
});

test('every row is read back cell by cell', () => {
  const cell = fc.oneof(anyText, fc.string({ unit: fc.constantFrom(...Array.from('=+-@\t\r\n",; a1.')) }));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }), (rows) => {
      const back = parse(rows.map((cells) => csvRow(cells)).join(''));
      expect(back.map((cells) => cells.length)).toEqual(rows.map((cells) => cells.length));
      for (const [r, cells] of rows.entries()) {
        expect(cells.every((text, c) => [text, `'${text}`].includes(back[r]?.[c] ?? ''))).toBe(true);
      }
    }),
  );
});
