import { isObject, parseJson } from '#src/lib/answers.ts';
import type { KnownRecipient } from '#src/api/recipients.ts';
import { csvRow, unquoted } from '#src/lib/csv.ts';
import { type CsvLine, readCsv } from '#src/lib/csvRead.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';

/** The head of the CSV file; an import needs the first three. */
const HEAD = ['name', 'chain', 'address', 'asset', 'reference', 'note'] as const;

/** The lines of a CSV file; cells that a spreadsheet would run get a quote, which an import takes off again. */
export function toCsv(entries: readonly Pick<KnownRecipient, (typeof HEAD)[number]>[]): string[] {
  return [csvRow(HEAD), ...entries.map((entry) => csvRow(HEAD.map((name) => entry[name])))];
}

/** One entry of a file as it stands there, checked by nobody yet. */
export interface ImportLine {
  /** Of a CSV file the line, of a JSON file the place among the entries, from 1. */
  line: number;
  name: string;
  chain: string;
  address: string;
  asset: string;
  reference: string;
  note: string;
  /** What is wrong with its shape; null: nothing. */
  fault: string | null;
}

export type ReadFile = { lines: ImportLine[] } | { problem: string };

export const BYTES_MAX = 4_000_000;

/** Takes apart a file that toCsv() wrote, the JSON that earlier versions wrote, or what somebody made alike. */
export function readImport(text: string): ReadFile {
  const start = text.trimStart().charAt(0);
  if (start === '') return { problem: 'This file is empty.' };
  return start === '{' || start === '[' ? readJson(text) : readTable(text);
}

function readJson(text: string): ReadFile {
  const value = parseJson(text);
  if (value === undefined) return { problem: 'This is not a whole JSON file.' };
  const entries = isObject(value) ? value['entries'] : value;
  if (!Array.isArray(entries)) return { problem: 'There is no list of "entries" in this file.' };
  return { lines: entries.map((entry, index) => lineOf(index + 1, isObject(entry) ? entry : {})) };
}

function lineOf(line: number, entry: Record<string, unknown>): ImportLine {
  const { name, chain, address, asset, reference, note } = entry;
  const isWhole = [name, chain, address].every((part) => typeof part === 'string');
  return {
    line,
    name: textOf(name),
    chain: textOf(chain),
    address: textOf(address),
    asset: textOf(asset),
    reference: textOf(reference),
    note: textOf(note),
    fault: isWhole ? null : 'Name, chain or address is missing, or is no text.',
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : stringifyExact(value);
}

function readTable(text: string): ReadFile {
  const lines = readCsv(text);
  if (lines === null) return { problem: 'This is not a CSV file: a quote in it is never closed.' };
  const [head, ...rows] = lines;
  const names = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  if (NEEDED.some((name) => !names.includes(name)))
    return { problem: 'The first line must name the columns: name, chain, address.' };
  return { lines: rows.map((row) => lineOfRow(row, names)) };
}

const NEEDED = ['name', 'chain', 'address'];

function lineOfRow({ line, cells }: CsvLine, names: readonly string[]): ImportLine {
  const cell = (name: string): string => unquoted(cells[names.indexOf(name)] ?? '');
  return {
    line,
    name: cell('name'),
    chain: cell('chain'),
    address: cell('address'),
    asset: cell('asset'),
    reference: cell('reference'),
    note: cell('note'),
    fault:
      cells.length > names.length
        ? 'It has more cells than the first line names: is a comma in it without quotes?'
        : null,
  };
}
