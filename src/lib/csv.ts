import { isAmount } from './amount.ts';

// Spreadsheets run a cell that starts so as a formula, the full-width forms too, and some after dropping white space.
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/u;

/** One line of CSV (RFC 4180) with its CRLF. Cells that a spreadsheet would run get a leading quote; plain decimals never do. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const plain: boolean = isAmount(text);
  const safe = !plain && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
