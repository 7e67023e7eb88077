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

function csvCell(text: string): string {
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
  const lines: CsvLine[] = [];
  let current: CsvLine = { line: 1, cells: [] };
  let line = 1;
  let at = 0;
  const endLine = () => {
    if (current.cells.length > 1 || current.cells[0] !== '') lines.push(current);
    current = { line, cells: [] };
  };
  for (;;) {
    const cell = body.charAt(at) === '"' ? quotedCell(body, at, separator) : plainCell(body, at, separator);
    if (cell === null) return null;
    current.cells.push(cell.text);
    line += lineEndsIn(body.slice(at, cell.end));
    at = cell.end;
    const next = body.charAt(at);
    if (next === separator) {
      at += 1;
      continue;
    }
    if (next === '') {
      endLine();
      return lines;
    }
    if (next === '\r' && body.charAt(at + 1) === '\n') at += 1;
    at += 1;
    line += 1;
    endLine();
    if (at >= body.length) return lines;
  }
}

interface Cell {
  text: string;
  end: number;
}

function plainCell(body: string, from: number, separator: string): Cell {
  let end = from;
  while (end < body.length && !['\r', '\n', separator].includes(body.charAt(end))) end += 1;
  return { text: body.slice(from, end), end };
}

/** What follows the closing quote, up to the next separator, belongs to the cell: spreadsheets read it so. */
function quotedCell(body: string, from: number, separator: string): Cell | null {
  const closing = /"(?!")/y;
  let end = from + 1;
  for (;;) {
    const quote = body.indexOf('"', end);
    if (quote === -1) return null;
    closing.lastIndex = quote;
    if (closing.test(body)) {
      const rest = plainCell(body, quote + 1, separator);
      return { text: body.slice(from + 1, quote).replaceAll('""', '"') + rest.text, end: rest.end };
    }
    end = quote + 2;
  }
}

/** The one that the head uses: spreadsheets write what their country uses. */
function separatorOf(body: string): string {
  const head = /^[^\r\n]*/.exec(body)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: head.split(sign).length }));
  return counts.reduce((most, each) => (each.count > most.count ? each : most)).sign;
}

function lineEndsIn(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}
