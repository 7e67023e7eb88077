// Reads the file of a batch: a table of payments. Nothing is guessed: what can be read two ways is a fault, or a question.
import { BATCH_FILE_MAX, BATCH_LINES_MAX } from '#src/shared/contract/batchContract.ts';
import { type CsvLine, csvHead, csvRow, readCsv, type Separator, unquoted } from '#src/shared/files/csv.ts';
import { decodeText } from '#src/shared/files/decodeText.ts';
import { counted, folded, isStorable, listInWords, numberWords } from '#src/shared/text.ts';
import { type TypedAmount, typedAmount } from '#src/shared/typedAmount.ts';

export const BATCH_COLUMNS = ['recipient', 'address', 'asset', 'chain', 'amount', 'reference'] as const;
export type BatchColumn = (typeof BATCH_COLUMNS)[number];

const REQUIRED = ['asset', 'chain', 'amount'] as const;

/** A row of the file; the amount is a plain decimal. */
export interface BatchRow extends Record<BatchColumn, string> {
  /** Line number in the file, from 1. The header counts as a line. */
  line: number;
}

/** `line`: null for a fault of the whole file. `value`: the cell's text. */
export interface BatchFault {
  line: number | null;
  column: BatchColumn | null;
  value: string | null;
  message: string;
}

/** What the sign separates in the amounts of a file. */
export type CommaMeaning = 'decimals' | 'thousands';

/** The sign whose meaning a person must choose: it could separate decimals or thousands. */
export type AmountSign = 'comma' | 'point';

/** An amount with that sign, read both ways; null where it can't be read that way. */
export interface CommaSample extends Record<CommaMeaning, string | null> {
  line: number;
  text: string;
}

/**
 * `question`: a person must first say what the sign means. `rows` include those with a faulty amount, so that their other
 * cells can be checked.
 */
export type BatchFile =
  | { kind: 'question'; sign: AmountSign; samples: CommaSample[] }
  | { kind: 'table'; rows: BatchRow[]; faults: BatchFault[] };

export function readBatchBytes(bytes: Uint8Array): { text: string } | { problem: string } {
  const { text, encoding } = decodeText(bytes);
  if (text.includes('\0'))
    return { problem: 'This isn’t a text file. If it is a spreadsheet, save it as “CSV UTF-8” and try again.' };
  if (encoding === 'Windows-1252')
    return { problem: 'This file isn’t UTF-8, so its letters can be read in several ways. Save it as “CSV UTF-8”.' };
  return { text };
}

/** `comma`: the person's answer; null before they were asked. */
export function readBatchFile(text: string, comma: CommaMeaning | null): BatchFile {
  const ofFile = (message: string): BatchFile => ({ kind: 'table', rows: [], faults: [fileFault(message)] });
  if (text.length > BATCH_FILE_MAX) return ofFile(`The file is longer than ${numberWords(BATCH_FILE_MAX)} characters.`);
  if (text.replace('\uFEFF', '').trim() === '') return ofFile('The file is empty.');
  if (!isStorable(text)) return ofFile('The file has characters that can’t be saved. Save it as “CSV UTF-8”.');
  const table = readTable(text);
  const [head, ...lines] = table?.lines ?? [];
  if (!head) return ofFile('A quote in this file is never closed.');
  const names = head.cells.map(folded);
  const headFaults = faultsOfHead(names);
  if (headFaults.length > 0) return { kind: 'table', rows: [], faults: headFaults };
  const rows = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (rows.length === 0) return ofFile('There are no payments below the column names.');
  if (rows.length > BATCH_LINES_MAX)
    return ofFile(`The file has ${numberWords(rows.length)} payments. A batch can have ${BATCH_LINES_MAX}.`);
  const read = rows.map((row) => rowOf(row, names));
  const sign = table?.separator !== ',' && haveThousandsPoints(read) ? 'point' : 'comma';
  const samples = comma === null ? samplesOf(read, sign) : [];
  if (samples.length > 0) return { kind: 'question', sign, samples };
  const results = read.map((row) => withAmount(row, comma, sign));
  return {
    kind: 'table',
    rows: results.flatMap(({ row, faults }) => (faults.every(({ column }) => column !== null) ? [row] : [])),
    faults: results.flatMap(({ faults }) => faults),
  };
}

const SEPARATORS: readonly Separator[] = [';', ',', '\t'];

/** Splits at the separator that gives the most column names. Null if a quote is never closed. */
function readTable(text: string): { separator: Separator; lines: CsvLine[] } | null {
  const tables = SEPARATORS.flatMap((separator) => {
    const lines = readCsv(text, separator);
    return lines === null ? [] : [{ separator, lines }];
  });
  const named = ({ lines: [head] }: { lines: CsvLine[] }): number =>
    head?.cells.filter((name) => isColumn(folded(name))).length ?? 0;
  return tables.toSorted((a, b) => named(b) - named(a))[0] ?? null;
}

function isColumn(name: string): name is BatchColumn {
  return BATCH_COLUMNS.some((column) => column === name);
}

function fileFault(message: string): BatchFault {
  return { line: null, column: null, value: null, message };
}

function faultsOfHead(names: readonly string[]): BatchFault[] {
  const known = names.filter(isColumn);
  if (known.length === 0)
    return [fileFault(`The first line must name the columns: ${listInWords(BATCH_COLUMNS)}. Download the template.`)];
  const unknown = names.filter((name) => !isColumn(name));
  const missing = REQUIRED.filter((name) => !known.includes(name));
  const double = BATCH_COLUMNS.filter((name) => known.indexOf(name) !== known.lastIndexOf(name));
  const messages = [
    ...unknown.map((name) =>
      name === ''
        ? 'A column has no name. Name it, or delete it.'
        : `There is no column “${name.slice(0, 60)}” here. Rename it, or delete it.`,
    ),
    ...double.map((name) => `There are two columns “${name}”.`),
    ...missing.map((name) => `The column “${name}” is missing.`),
    ...(known.includes('recipient') || known.includes('address')
      ? []
      : ['A column “recipient” or “address” is missing.']),
  ];
  return messages.map(fileFault);
}

interface ReadRow {
  row: BatchRow;
  faults: BatchFault[];
}

function rowOf({ line, cells, hasTextAfterQuote }: CsvLine, names: readonly string[]): ReadRow {
  const cell = (column: BatchColumn): string => cells[names.indexOf(column)]?.trim() ?? '';
  const row: BatchRow = {
    line,
    recipient: unquoted(cell('recipient')),
    address: cell('address'),
    asset: cell('asset'),
    chain: cell('chain'),
    amount: cell('amount'),
    reference: unquoted(cell('reference')),
  };
  const ofLine = (message: string): BatchFault => ({ line, column: null, value: null, message });
  const faults: BatchFault[] = [];
  const { length } = cells;
  if (length !== names.length) {
    const why = length > names.length ? 'Is a separator in it without quotes?' : 'Is a separator missing?';
    faults.push(ofLine(`It has ${counted(length, 'cell', 'cells')} for ${names.length} columns. ${why}`));
  } else if (hasTextAfterQuote) faults.push(ofLine('There is text after a closing quote.'));
  else if (cells.some((text) => text.includes('\uFFFD')))
    faults.push(ofLine('A character of it is lost. Save the file as “CSV UTF-8”.'));
  return { row, faults };
}

function withAmount(read: ReadRow, comma: CommaMeaning | null, sign: AmountSign): ReadRow {
  const { row, faults } = read;
  if (faults.length > 0) return read;
  const amount = sign === 'point' ? pointAmount(row.amount, comma) : plainAmount(row.amount, comma);
  if (amount.ok) return { row: { ...row, amount: amount.amount }, faults };
  const { line, amount: value } = row;
  return { row, faults: [{ line, column: 'amount', value, message: amount.reason }] };
}

/**
 * Accepts only plain decimals. Other spellings that a form accepts are probably slips in a file, where the person doesn't
 * see them read back.
 */
function plainAmount(text: string, comma: CommaMeaning | null): TypedAmount {
  if (comma === 'decimals' && /^\d[\d,]*\.[\d,]*$/.test(text))
    return { ok: false, reason: 'It has a point, but the commas of this file are decimal commas.' };
  const plain = (comma !== null && withoutCommas(text, comma)) || text;
  const typed = typedAmount(plain);
  return typed.ok && typed.amount !== plain ? { ok: false, reason: `Write it as ${typed.amount}.` } : typed;
}

/** For a file whose points may separate thousands. */
function pointAmount(text: string, meaning: CommaMeaning | null): TypedAmount {
  const plain = readAs(text, meaning ?? 'decimals', 'point');
  if (plain === null)
    return { ok: false, reason: 'It can’t have points between thousands, as the rest of this file does.' };
  return typedAmount(plain);
}

const DECIMAL_COMMA = /^\d+,\d+$/;
const COMMA_THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;

const DECIMAL_POINT = /^\d{1,3}\.\d{3}$/;
const POINT_THOUSANDS = /^[1-9]\d{0,2}\.\d{3}$/;

/** Whether every amount looks like "1.250", which is more than a thousand where commas are decimal commas. */
function haveThousandsPoints(rows: readonly ReadRow[]): boolean {
  const amounts = rows.flatMap(({ row, faults }) => (faults.length > 0 ? [] : [row.amount]));
  return amounts.every((text) => DECIMAL_POINT.test(text)) && amounts.some((text) => POINT_THOUSANDS.test(text));
}

function readAs(text: string, meaning: CommaMeaning, sign: AmountSign): string | null {
  if (sign === 'comma') return withoutCommas(text, meaning);
  if (meaning === 'decimals') return DECIMAL_POINT.test(text) ? text : null;
  return POINT_THOUSANDS.test(text) ? text.replace('.', '') : null;
}

/** Null if the commas can't have that meaning. */
function withoutCommas(text: string, comma: CommaMeaning): string | null {
  if (comma === 'decimals') return DECIMAL_COMMA.test(text) ? text.replace(',', '.') : null;
  return COMMA_THOUSANDS.test(text) ? text.replaceAll(',', '') : null;
}

const SAMPLES = 3;

function samplesOf(rows: readonly ReadRow[], sign: AmountSign): CommaSample[] {
  const samples: CommaSample[] = [];
  for (const { row, faults } of rows) {
    const { line, amount: text } = row;
    const [decimals, thousands] = [readAs(text, 'decimals', sign), readAs(text, 'thousands', sign)];
    if (faults.length > 0 || (decimals === null && thousands === null)) continue;
    samples.push({ line, text, decimals, thousands });
    if (samples.length === SAMPLES) break;
  }
  return samples;
}

/** A file that reads back as these rows: the template, and the payments of a batch that failed. */
export function batchFileText(rows: readonly Record<BatchColumn, string>[]): string {
  const lines = rows.map((row) => csvRow(BATCH_COLUMNS.map((column) => row[column])));
  return csvHead(BATCH_COLUMNS) + lines.join('');
}

/** Two lines to be replaced: one by a saved recipient's name, one by an address. */
export const BATCH_TEMPLATE = batchFileText([
  { recipient: 'Acme Hosting', address: '', asset: 'USDT', chain: 'tron', amount: '1250.50', reference: 'INV-1001' },
  {
    recipient: 'Berta Print',
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    asset: 'USDC',
    chain: 'ethereum',
    amount: '99',
    reference: 'INV-1002',
  },
]);
