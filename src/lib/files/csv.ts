// Spreadsheets run a cell that starts so as a formula, the full-width forms too, and some after dropping white space.
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/u;

/** Decimals, and the numbers of JSON with an exponent: nothing that a spreadsheet runs. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** One line of CSV (RFC 4180) with its CRLF. Cells that a spreadsheet would run get a leading quote; plain numbers never do. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** A cell as it was before csvRow() put a quote in front of it. */
export function unquoted(cell: string): string {
  const text = cell.slice(1);
  return cell.startsWith("'") && isFormula(text) ? text : cell;
}

function isFormula(text: string): boolean {
  return FORMULA.test(text) && !NUMBER.test(text);
}

/** Most cells: ids, amounts, times. Nothing of them is quoted, and nothing runs. */
const PLAIN = /^\w[\w.:-]*$/;

function csvCell(text: string): string {
  if (PLAIN.test(text)) return text;
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export interface CsvLine {
  /** Where it begins in the file, from 1. */
  line: number;
  cells: string[];
}

/** The lines of a CSV file (RFC 4180, any line ends), empty ones left out; null where a quote is never closed. */
export function readCsv(text: string): CsvLine[] | null {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const separator = separatorOf(body);
  // Two parts in a row have a quote of the cell's own between them.
  const inQuotes = /"([^"]*)("?)/y;
  const toEnd = new RegExp(String.raw`([^${separator}\r\n]*)(${separator}|\r\n|[\r\n]|$)`, 'y');
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
    // What follows the closing quote belongs to the cell: spreadsheets read it so.
    const [, rest = '', end] = toEnd.exec(body) ?? [];
    current.cells.push(parts.join('"') + rest);
    line += body.slice(at, toEnd.lastIndex).split(/\r\n|\r|\n/).length - 1;
    if (end === separator) continue;
    if (current.cells.length > 1 || current.cells[0] !== '') lines.push(current);
    current = { line, cells: [] };
  }
  return lines;
}

/** The one that the head uses: spreadsheets write what their country uses. */
function separatorOf(body: string): string {
  const head = /^[^\r\n]*/.exec(body)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).sign;
}
