// Reads files of recipients: our own exports, other programs' files and spreadsheets.
import type { KnownRecipient } from '#src/web/api/recipients.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';
import { chainOfEvmId, isEvmChainId } from '#src/shared/chains/evmChainIds.ts';
import { chainId } from '#src/shared/chains/names.ts';
import { type Tag, tagReason } from '#src/shared/chains/parsePaymentUri.ts';
import { csvHead, type CsvLine, csvRow, readCsv, SEPARATORS, unquoted } from '#src/shared/files/csv.ts';
import { decodeText } from '#src/shared/files/decodeText.ts';
import { isMemoName } from '#src/shared/chains/memoFields.ts';
import { areOf, counted, folded, textOrNull } from '#src/shared/text.ts';

export const RECIPIENT_FIELDS = ['name', 'chain', 'address', 'asset', 'reference', 'note'] as const;
export type RecipientColumn = (typeof RECIPIENT_FIELDS)[number];

export const REQUIRED_FIELDS = ['name', 'chain', 'address'] as const;

/** The lines of a CSV file. */
export function toCsv(entries: readonly Pick<KnownRecipient, RecipientColumn>[]): string[] {
  return [csvHead(RECIPIENT_FIELDS), ...entries.map((entry) => csvRow(RECIPIENT_FIELDS.map((name) => entry[name])))];
}

export interface ImportLine extends Record<RecipientColumn, string> {
  /** Line of the file, or position in a JSON list; from 1. */
  line: number;
  fault: string | null;
}

/** A table whose columns have to be matched by the person. */
export interface ImportTable {
  rows: readonly CsvLine[];
  /** The initial match: column names from the widest of the first rows, columns by exact name. */
  suggested: ColumnMatch;
}

/** Column of each field, from 0. */
export type Columns = Partial<Record<RecipientColumn, number>>;

export interface ColumnMatch {
  /** Index of the row with the column names; null if there is none. */
  head: number | null;
  columns: Columns;
}

/** A remark on how the file was read; `open`: the person should check it. */
export interface ImportNote {
  tone: 'sub' | 'open';
  text: string;
}

export type ImportFile =
  | { problem: string }
  | { lines: ImportLine[]; notes: ImportNote[] }
  | { table: ImportTable; notes: ImportNote[] };

export const BYTES_MAX = 4_000_000;

export function readImport(bytes: Uint8Array): ImportFile {
  const { text, encoding } = decodeText(bytes);
  const start = text.trimStart().charAt(0);
  if (start === '') return { problem: 'This file is empty.' };
  if (text.includes('\0'))
    return { problem: 'This is not a text file. If it is a spreadsheet, save it as “CSV UTF-8” first.' };
  const file = start === '{' || start === '[' ? readJson(text) : readTable(text);
  if ('problem' in file || encoding !== 'Windows-1252') return file;
  return { ...file, notes: [WINDOWS_1252, ...file.notes] };
}

const WINDOWS_1252: ImportNote = {
  tone: 'open',
  text: 'This file is not UTF-8 and was read as Windows-1252. Check letters with accents, or save the file as UTF-8.',
};

function readJson(text: string): ImportFile {
  const value = parseJson(text);
  if (value === undefined || (isObject(value) && REQUIRED_FIELDS.every((name) => name in value)))
    return readJsonLines(text);
  const entries = isObject(value) ? value['entries'] : value;
  if (!Array.isArray(entries)) return { problem: 'There is no list of "entries" in this file.' };
  return { lines: entries.map((entry, index) => lineOfEntry(index + 1, entry)), notes: [] };
}

function readJsonLines(text: string): ImportFile {
  const entries = text
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((each) => each.text !== '')
    .map((each) => ({ line: each.line, entry: parseJson(each.text) }));
  if (!isObject(entries[0]?.entry)) return { problem: 'This is not a whole JSON file.' };
  return {
    lines: entries.map(({ line, entry }) => lineOfEntry(line, entry)),
    notes: [{ tone: 'sub', text: 'This file is JSON Lines: one recipient per line.' }],
  };
}

function lineOfEntry(line: number, entry: unknown): ImportLine {
  if (entry === undefined) return { ...lineOf(line, () => ''), fault: 'This line is not whole JSON.' };
  const object = isObject(entry) ? entry : {};
  const isWhole = REQUIRED_FIELDS.every((name) => typeof object[name] === 'string');
  const read = lineOf(line, (name) => textOrNull(object[name]) ?? '');
  if (!isWhole) return { ...read, fault: 'Name, chain or address is missing, or is no text.' };
  const others = Object.entries(object).map(([label, value]): Tag => ({ label, value: textOrNull(value) ?? '' }));
  return withTagFault(read, others);
}

/** Refuses lines with a tag or memo: withdrawals can't carry one, so the recipient would not get the money. */
function withTagFault(line: ImportLine, others: readonly Tag[]): ImportLine {
  const id = chainId(line.chain);
  // Known chains other than Solana don't need a tag to identify the recipient, so there the column is just a note.
  if (line.fault !== null || (id !== undefined && id !== 'solana')) return line;
  const tags = others
    .filter(({ label, value }) => value !== '' && isTagName(label))
    .map(({ label, value }) => ({ label: folded(label), value }));
  return tags.length === 0 ? line : { ...line, fault: tagReason(tags) };
}

/** Recognizes "Memo / Tag" and "Destination tag (optional)", too. A comment counts as a note. */
function isTagName(label: string): boolean {
  const names = folded(label)
    .replace(/\(.*\)/, '')
    .split('/');
  return names
    .map((name) => name.trim().replace(/[\s-]+/g, '_'))
    .some((name) => name !== 'comment' && isMemoName(name));
}

function lineOf(line: number, cell: (name: RecipientColumn) => string): ImportLine {
  // Also removes tabs and no-break spaces, which come from spreadsheets and web pages.
  const trimmed = (name: RecipientColumn) => cell(name).trim();
  const chain = trimmed('chain');
  const chainOfId = isEvmChainId(chain) ? chainOfEvmId(chain) : chain;
  return {
    name: trimmed('name'),
    chain: chainOfId ?? chain,
    address: trimmed('address'),
    asset: trimmed('asset'),
    // As one line, like the form's field.
    reference: trimmed('reference').replace(/\s*[\r\n]+\s*/g, ' '),
    note: trimmed('note'),
    line,
    fault: chainOfId === undefined ? `No chain with the ID ${chain} is known here. Write the chain’s name.` : null,
  };
}

/** Rows searched for the column names; titles and dates may be above them. */
export const HEAD_ROWS_MAX = 20;

/** A first line that names the separator ("sep=;"), as spreadsheets write it. */
const SEPARATOR_LINE = /^"?sep=(.)"?[ \t]*(?=[\r\n]|$)/i;

function readTable(text: string): ImportFile {
  const [line = '', sign] = SEPARATOR_LINE.exec(text) ?? [];
  const named = SEPARATORS.filter((separator) => separator === sign);
  // Keep the separator's line as an empty line, so that line numbers stay right.
  const table = named.length > 0 ? text.slice(line.length) : text;
  const readings = (named.length > 0 ? named : SEPARATORS).flatMap((separator) => {
    const rows = readCsv(table, separator);
    return rows === null ? [] : [rows.map(cleanRow).filter(hasText)];
  });
  if (readings.length === 0) return { problem: 'This is not a CSV file: a quote in it is never closed.' };
  for (const rows of readings) {
    const head = rows.slice(0, HEAD_ROWS_MAX).findIndex(namesAllColumns);
    const names = rows[head];
    if (names) {
      const lines = linesOfTable(rows, { head, columns: importColumns(names) });
      return { lines, notes: notesOf(names, head) };
    }
  }
  const rows = readings.reduce((best, each) => (countWide(each) > countWide(best) ? each : best));
  if (countWide(rows) === 0) return { problem: 'A CSV file needs columns for name, chain and address.' };
  return { table: { rows, suggested: suggestedMatch(rows) }, notes: [] };
}

function suggestedMatch(rows: readonly CsvLine[]): ColumnMatch {
  const widths = rows.slice(0, HEAD_ROWS_MAX).map(({ cells }) => cells.filter((cell) => cell !== '').length);
  const head = widths.indexOf(Math.max(...widths));
  const names = rows[head];
  return { head, columns: names ? importColumns(names) : {} };
}

function cleanRow({ line, cells }: CsvLine): CsvLine {
  return { line, cells: cells.map((cell) => unquoted(cell).trim()) };
}

function hasText({ cells }: CsvLine): boolean {
  return cells.some((cell) => cell !== '');
}

/** Rows with enough cells for a recipient. */
function countWide(rows: readonly CsvLine[]): number {
  return rows.slice(0, HEAD_ROWS_MAX).filter(({ cells }) => cells.length >= REQUIRED_FIELDS.length).length;
}

const CHAIN_ID = 'chainid';

function fieldOf(name: string): RecipientColumn | undefined {
  const word = folded(name);
  return word === CHAIN_ID ? 'chain' : RECIPIENT_FIELDS.find((field) => field === word);
}

/** By exact name; a name that occurs twice matches no column. */
export function importColumns({ cells }: CsvLine): Columns {
  const fields = cells.map(fieldOf);
  const found = RECIPIENT_FIELDS.map((field) => [field, fields.indexOf(field)] as const);
  return Object.fromEntries(found.filter(([field, at]) => at >= 0 && at === fields.lastIndexOf(field)));
}

function namesAllColumns(row: CsvLine): boolean {
  const columns = importColumns(row);
  const named = row.cells.filter((cell) => fieldOf(cell) !== undefined);
  return REQUIRED_FIELDS.every((field) => field in columns) && named.length === Object.keys(columns).length;
}

function notesOf({ cells }: CsvLine, above: number): ImportNote[] {
  const words = cells.map(folded).filter((word) => word !== '');
  const isSafe = words.toSorted().join() === `address,${CHAIN_ID},name`;
  const texts = [
    isSafe && 'This is a Safe{Wallet} address book.',
    words.includes(CHAIN_ID) && 'Chain IDs are shown as the names of their chains.',
    above > 0 && `${counted(above, 'line', 'lines')} above the column names ${areOf(above)} left out.`,
  ];
  return texts.flatMap((text) => (text === false ? [] : [{ tone: 'sub', text }]));
}

export function linesOfTable(rows: readonly CsvLine[], { head, columns }: ColumnMatch): ImportLine[] {
  const names = head === null ? undefined : rows[head];
  const from = head === null ? 0 : head + 1;
  const matched = new Set(Object.values(columns));
  return rows.slice(from).map(({ line, cells }) => {
    const read = lineOf(line, (field) => cells[columns[field] ?? -1] ?? '');
    const isLonger = names !== undefined && cells.slice(names.cells.length).some((cell) => cell !== '');
    if (isLonger) return { ...read, fault: LONGER };
    const others = names?.cells.map((label, at): Tag => ({ label, value: matched.has(at) ? '' : (cells[at] ?? '') }));
    return withTagFault(read, others ?? []);
  });
}

const LONGER = 'It has more cells than there are column names: is a separator in it without quotes?';
