import { isObject, parseJson } from '#src/lib/answers.ts';
import { unquoted } from '#src/lib/csv.ts';
import { type CsvLine, readCsv } from '#src/lib/csvRead.ts';
import { stringifyExact } from '#src/lib/exactJson.ts';

/** One entry of a file as it stands there, checked by nobody yet. */
export interface ImportLine {
  /** Of a CSV file the line, of a JSON file the place among the entries, from 1. */
  line: number;
  name: string;
  chain: string;
  address: string;
  /** Unix seconds; null: not stated. */
  created: number | null;
  /** What is wrong with its shape; null: nothing. */
  fault: string | null;
}

export type ReadFile = { lines: ImportLine[] } | { problem: string };

export const BYTES_MAX = 4_000_000;

/** Reads a file that toCsv() or toJson() wrote, or that somebody made alike. */
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

function lineOf(line: number, { name, chain, address, created_at: created }: Record<string, unknown>): ImportLine {
  const isWhole = [name, chain, address].every((part) => typeof part === 'string');
  return {
    line,
    name: textOf(name),
    chain: textOf(chain),
    address: textOf(address),
    created: typeof created === 'number' && Number.isFinite(created) ? created : null,
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
  const columns = ['name', 'chain', 'address'].map((name) => names.indexOf(name));
  const [name = -1, chain = -1, address = -1] = columns;
  if (columns.includes(-1)) return { problem: 'The first line must name the columns: name, chain, address.' };
  const created = names.indexOf('created_at');
  return { lines: rows.map((row) => lineOfRow(row, names.length, { name, chain, address, created })) };
}

function lineOfRow(
  { line, cells }: CsvLine,
  width: number,
  at: Record<'name' | 'chain' | 'address' | 'created', number>,
) {
  const cell = (index: number): string => unquoted(cells[index] ?? '');
  const created = cell(at.created);
  return {
    line,
    name: cell(at.name),
    chain: cell(at.chain),
    address: cell(at.address),
    created: /^\d{1,12}$/.test(created) ? Number(created) : null,
    fault:
      cells.length > width ? 'It has more cells than the first line names: is a comma in it without quotes?' : null,
  };
}
