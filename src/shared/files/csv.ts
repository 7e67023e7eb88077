// In a country with decimal commas a spreadsheet splits at semicolons, whatever the quotes say: any separator or line break
// inside a cell may start another one.
const CELL_START = String.raw`(?<=^|[,;\t\n]|\r(?!\n))`;

// A spreadsheet runs what starts so as a formula, the full-width forms too, and some after dropping white space and quotes.
const FORMULA = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"'])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]`;

// The end of a cell that ends with a separator: its closing quote would open a cell of the rest of the file.
const END = String.raw`(?<=[,;\t\r\n])`;

const UNGUARDED = new RegExp(`${CELL_START}(?=${FORMULA})|${END}(?='*$)`, 'gu');
const GUARD = new RegExp(`${CELL_START}'(?=${FORMULA})|${END}'(?='*$)`, 'gu');

/** Decimals, and the numbers of JSON with an exponent: nothing that a spreadsheet runs. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/**
 * One line of CSV (RFC 4180) with its CRLF. What a spreadsheet would run as a formula gets a leading quote, whether it
 * splits cells at commas, semicolons or tabs; plain numbers don't, except at the start of a line.
 */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** The first line of a file: without the byte order mark, spreadsheets read UTF-8 as the code page of the device. */
export function csvHead(names: readonly string[]): string {
  return `\uFEFF${csvRow(names)}`;
}

/** A cell as it was before csvRow() put quotes against formulas in it. */
export function unquoted(cell: string): string {
  return cell.replace(GUARD, '');
}

/** Most cells: ids, amounts, times. Nothing of them is quoted, and nothing runs. */
const PLAIN = /^\w[\w.:-]*$/;

function csvCell(text: string, column: number): string {
  if (PLAIN.test(text)) return text;
  // Split at semicolons, a line that starts with "-1" is one cell: "-1,2+3".
  const safe = column > 0 && NUMBER.test(text) ? text : text.replace(UNGUARDED, "'");
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export interface CsvLine {
  /** Where it begins in the file, from 1. */
  line: number;
  cells: string[];
}

export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The lines of a CSV file (RFC 4180, any line ends), empty ones left out; null where a quote is never closed. */
export function readCsv(text: string, separator: Separator = ','): CsvLine[] | null {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  // Two parts in a row have a quote of the cell's own between them.
  const inQuotes = /"([^"]*)("?)/y;
  const toEnd = new RegExp(String.raw`([^${separator}\r\n]*)([${separator}]|\r\n|[\r\n]|$)`, 'y');
  const lines: CsvLine[] = [];
  let current: CsvLine = { line: 1, cells: [] };
  let line = 1;
  for (let at = 0; at < body.length || current.cells.length > 0; at = toEnd.lastIndex) {
    const parts: string[] = [];
    inQuotes.lastIndex = toEnd.lastIndex = at;
    for (let part = inQuotes.exec(body); part; part = inQuotes.exec(body)) {
      if (part[2] === '') return null;
      parts.push(part[1] ?? '');
      toEnd.lastIndex = inQuotes.lastIndex;
    }
    // Like spreadsheets, treat text after the closing quote as part of the cell.
    const [, rest = '', end] = toEnd.exec(body) ?? [];
    current.cells.push(parts.join('"') + rest);
    line += body.slice(at, toEnd.lastIndex).split(/\r\n|\r|\n/).length - 1;
    if (end === separator) continue;
    if (current.cells.length > 1 || current.cells[0] !== '') lines.push(current);
    current = { line, cells: [] };
  }
  return lines;
}
