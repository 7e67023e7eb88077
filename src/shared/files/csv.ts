// In locales with decimal commas, spreadsheets split at semicolons regardless of our quotes, so any separator or line break
// inside a cell may start a new one.
const CELL_START = String.raw`(?<=^|[,;\t\n]|\r(?!\n))`;

// Spreadsheets run text that starts like this as a formula, full-width forms included; some drop white space and quotes first.
const FORMULA = String.raw`(?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"'])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r]`;

// The end of a cell that ends with a separator: its closing quote would open a new cell that swallows the rest of the file.
const END = String.raw`(?<=[,;\t\r\n])`;

const UNGUARDED = new RegExp(`${CELL_START}(?=${FORMULA})|${END}(?='*$)`, 'gu');
const GUARD = new RegExp(`${CELL_START}'(?=${FORMULA})|${END}'(?='*$)`, 'gu');

const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?|september|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const MONTH = `(?:${MONTHS})(?![a-z])`;
const MARKS = String.raw`\s.,:/%+()$€£¥-`;

// Text that spreadsheets replace with a number, date or time: "0042", "1-2", "1E5", "3 Mar", "12:30 pm".
const VALUE = String.raw`(?=\D*\d)'*[${MARKS}]*(?:\d|${MONTH})(?:[\d${MARKS}]|${MONTH}|[ap]m(?![a-z])|(?<=\d)[etz])*$`;
const CHANGED_TEXT = new RegExp(`^${VALUE}`, 'i');
const UNGUARDED_TEXT = new RegExp(`${UNGUARDED.source}|^(?=${VALUE})`, 'giu');

/** Decimals and JSON numbers with an exponent, which no spreadsheet runs as a formula. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** In an object: text that must stay text in a spreadsheet, such as the reference "0042" or "1-2". */
export type CsvCell = string | { text: string };

/**
 * One line of CSV (RFC 4180) with its CRLF. Text that a spreadsheet would run as a formula gets a leading quote, whether it
 * splits cells at commas, semicolons or tabs; plain numbers don't, except at the start of a line.
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** As csvRow(), with every number but the first cell as text: an apostrophe keeps spreadsheets from rounding it to 15 digits. */
export function csvTextRow(cells: readonly CsvCell[]): string {
  const textCell = (cell: CsvCell, column: number): string =>
    column > 0 && typeof cell === 'string' && NUMBER.test(cell) ? `'${cell}` : csvCell(cell, column);
  return `${cells.map(textCell).join(',')}\r\n`;
}

/** The first line of a file. Without the byte order mark, spreadsheets read the file in the device's code page, not as UTF-8. */
export function csvHead(names: readonly string[]): string {
  return `\uFEFF${csvRow(names)}`;
}

/** A cell as it was before csvRow() put quotes against formulas in it. */
export function unquoted(cell: string): string {
  return cell.replace(GUARD, '');
}

/** Most cells: ids, amounts, times. They need no quotes and no protection against formulas. */
const PLAIN = /^\w[\w.:-]*$/;

function csvCell(cell: CsvCell, column: number): string {
  if (typeof cell !== 'string') return csvText(cell.text, column);
  if (PLAIN.test(cell)) return cell;
  // Split at semicolons, a line that starts with "-1" is one cell: "-1,2+3".
  return quoted(column > 0 && NUMBER.test(cell) ? cell : cell.replace(UNGUARDED, "'"));
}

function csvText(text: string, column: number): string {
  return CHANGED_TEXT.test(text) ? quoted(text.replace(UNGUARDED_TEXT, "'")) : csvCell(text, column);
}

function quoted(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export interface CsvLine {
  /** The line of the file at which it begins, from 1. */
  line: number;
  cells: string[];
  /** Text follows a closing quote, which programs read differently. */
  hasTextAfterQuote?: true;
}

export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The lines of a CSV file (RFC 4180, any line endings) without empty ones; null if a quote is never closed. */
export function readCsv(text: string, separator: Separator = ','): CsvLine[] | null {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  // A doubled quote ends one part and starts the next; it stands for one quote in the cell.
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
    if (parts.length > 0 && rest !== '') current.hasTextAfterQuote = true;
    line += body.slice(at, toEnd.lastIndex).split(/\r\n|\r|\n/).length - 1;
    if (end === separator) continue;
    if (current.cells.length > 1 || current.cells[0] !== '') lines.push(current);
    current = { line, cells: [] };
  }
  return lines;
}
