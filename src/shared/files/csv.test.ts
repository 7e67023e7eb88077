import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow, csvTextRow, unquoted } from './csv.ts';
import { propertyRuns } from '#src/tests/depth.ts';

/**
 * A CSV reader for any separator, independent of the writer. Like spreadsheets, it opens a quote only at the start of a
 * cell and appends text after the closing quote.
 */
function parse(text: string, separator = ','): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isStart = true;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const opens = isStart && character === '"';
    isStart = false;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (opens) isQuoted = true;
    else if (character === separator) {
      row.push(cell);
      cell = '';
      isStart = true;
    } else if (character === '\n' || (character === '\r' && text[at + 1] === '\n')) {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      isStart = true;
      if (character === '\r') at += 1;
    } else cell += character;
  }
  return rows;
}

/** Some spreadsheets drop white space and quotes before they look for a formula. */
function mayRun(cell: string): boolean {
  if (/^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(cell)) return false;
  return /^[\t\r]|^[\s"\u200B]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell);
}

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));
const hostileText = fc.string({
  unit: fc.constantFrom(...Array.from('=+-@\t\r\n",;\' \u200B\uFF1D\uFF0B\uFF0D\uFF20a1.')),
  maxLength: 12,
});
const cell = fc.oneof(anyText, hostileText, fc.constantFrom('-1.50', '-1', '7', '', 'dep_1'));
const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 });

test('a cell that a spreadsheet would run gets a leading quote', () => {
  for (const text of [
    '=1+1',
    '+1',
    '-1+2',
    '@SUM(A1)',
    '\uFF1D1',
    ' =1',
    '\u200B=1',
    '-',
    '-1e',
    '-e5',
    '-1e5+1',
    "'=1",
  ]) {
    expect(parse(csvRow(['id', text]))).toEqual([['id', `'${text}`]]);
  }
  expect(parse(csvRow(['\t=1', '\r=1']))).toEqual([["'\t'=1", "'\r'=1"]]);
});

test('a formula after a separator or line break inside a cell gets a quote too, and the cell is quoted', () => {
  const text = 'Acme;=1+1\t+2,@3\n-4\r\n\uFF1D5; "=6';
  expect(parse(csvRow([text]))).toEqual([[`Acme;'=1+1\t'+2,'@3\n'-4\r\n'\uFF1D5;' "=6`]]);
  expect(csvRow(['a;=1', 'a;b', 'a\tb'])).toBe('"a;\'=1","a;b","a\tb"\r\n');
});

test('plain and negative numbers are unchanged', () => {
  expect(csvRow(['id', '-1.50', '0.000000000000000001', '-0'])).toBe('id,-1.50,0.000000000000000001,-0\r\n');
  expect(csvRow(['id', '-1e5', '-1.5E-400'])).toBe('id,-1e5,-1.5E-400\r\n');
});

test('a negative number at the start of a line gets a quote: split at semicolons, the whole line is its cell', () => {
  expect(csvRow(['-1', '2+3'])).toBe("'-1,2+3\r\n");
});

test('quotes, commas and line breaks are read back unchanged', () => {
  expect(csvRow(['a,b', 'say "x"', 'two\r\nlines', ''])).toBe('"a,b","say ""x""","two\r\nlines",\r\n');
});

test.each([',', ';', '\t'])('split at %j, no cell is one that a spreadsheet would run', (separator) => {
  fc.assert(
    fc.property(table, (rows) => {
      const text = rows.map((cells) => csvRow(cells)).join('');
      expect(parse(text, separator).flat().filter(mayRun)).toEqual([]);
    }),
    { numRuns: propertyRuns(200) },
  );
});

test('every row is read back cell by cell', () => {
  fc.assert(
    fc.property(table, (rows) => {
      const back = parse(rows.map((cells) => csvRow(cells)).join(''));
      expect(back.map((cells) => cells.map(unquoted))).toEqual(rows);
    }),
  );
});

test.each([';', '\n', ' ', "'", '"', ';\n =', 'sept', 'june5'])(
  'writing a cell of 300,000 times %j takes linear time',
  (unit) => {
    const text = unit.repeat(300_000);
    expect(unquoted(parse(csvRow(['id', text]))[0]?.[1] ?? '') === text).toBe(true);
    expect(parse(csvRow(['id', { text: `${text}1x` }]))[0]?.[1]).toMatch(/1x$/);
  },
);

test('a text row marks every number as text, and guards against formulas like any row', () => {
  const cells = ['2026-10-01', '1234567.123456789012345678', '-5', '0042', '1e5', '', '12:30:00', '=1+1', 'a,b'];
  expect(csvTextRow(cells)).toBe("2026-10-01,'1234567.123456789012345678,'-5,'0042,'1e5,,12:30:00,'=1+1,\"a,b\"\r\n");
});

test('text that a spreadsheet would change into a number, date or time begins with an apostrophe, and other text does not', () => {
  const changed = ['1-2', '0042', '1E5', '-5', '12345678901234567890', '1/2', '2026-10', '3 Mar', 'sept2', '12:30 PM'];
  for (const row of [csvRow, csvTextRow]) {
    for (const text of [...changed, '50%', '$5', '2026-10-01T00:00:00Z', "'7"])
      expect(row(['id', { text }])).toBe(`id,'${text}\r\n`);
    for (const text of ['', 'INV-7', 'dep_1', 'E5', '1INCH', 'Mayer 7', 'May', '7a', '-', "'"])
      expect(row(['id', { text }])).toBe(row(['id', text]));
    expect(row(['id', { text: '1,-2;3' }])).toBe(row(['id', '1,-2;3']));
  }
  expect(csvRow(['id', { text: '1,5' }, '0042'])).toBe(`id,"'1,5",0042\r\n`);
});
