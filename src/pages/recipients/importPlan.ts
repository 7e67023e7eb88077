import { counted, numberWords, searchForm, textOf } from '#src/lib/text.ts';
import type { KnownRecipient } from '#src/api/recipients.ts';
import { COLLECTIONS, ITEMS_MAX } from '#src/api/teamContract.ts';
import { addressRule } from '#src/lib/chains/addressRule.ts';
import { type ChainAddress, lookKey, ownerKey, placeKey } from '#src/lib/chains/lookAlike.ts';
import { stringifyExact } from '#src/lib/json/exactJson.ts';
import { chainRule, recipientNameRule } from '#src/lib/fieldRules.ts';
import type { KnownAddresses } from '#src/lib/operations/knownAddresses.ts';
import { groupBy } from '#src/lib/groupBy.ts';
import { isObject, parseJson } from '#src/lib/answers.ts';
import { csvRow, unquoted, type CsvLine, readCsv } from '#src/lib/files/csv.ts';

/** The head of the CSV file; an import needs the first three. */
const HEAD = ['name', 'chain', 'address', 'asset', 'reference', 'note'] as const;

/** The lines of a CSV file; cells that a spreadsheet would run get a quote, which an import takes off again. */
export function toCsv(entries: readonly Pick<KnownRecipient, (typeof HEAD)[number]>[]): string[] {
  return [csvRow(HEAD), ...entries.map((entry) => csvRow(HEAD.map((name) => entry[name])))];
}

type Cell = (typeof HEAD)[number];

export interface ImportLine extends Record<Cell, string> {
  /** Of a CSV file the line, of a JSON file the place among the entries, from 1. */
  line: number;
  fault: string | null;
}

type ReadFile = { lines: ImportLine[] } | { problem: string };

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
  const isWhole = NEEDED.every((name) => typeof entry[name] === 'string');
  const fault = isWhole ? null : 'Name, chain or address is missing, or is no text.';
  return { ...cellsOf((name) => textOf(entry[name]) ?? ''), line, fault };
}

const cellsOf = (cell: (name: Cell) => string): Record<Cell, string> => ({
  name: cell('name'),
  chain: cell('chain'),
  address: cell('address'),
  asset: cell('asset'),
  // On one line, as the field of a form shows it.
  reference: cell('reference').replace(/\s*[\r\n]+\s*/g, ' '),
  note: cell('note'),
});

function readTable(text: string): ReadFile {
  const lines = readCsv(text);
  if (lines === null) return { problem: 'This is not a CSV file: a quote in it is never closed.' };
  const [head, ...rows] = lines;
  const names = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  if (NEEDED.some((name) => !names.includes(name)))
    return { problem: 'The first line must name the columns: name, chain, address.' };
  return { lines: rows.map((row) => lineOfRow(row, names)) };
}

const NEEDED = ['name', 'chain', 'address'] as const;

function lineOfRow({ line, cells }: CsvLine, names: readonly string[]): ImportLine {
  const isLonger = cells.length > names.length;
  const fault = isLonger ? 'It has more cells than the first line names: is a comma in it without quotes?' : null;
  return { ...cellsOf((name) => unquoted(cells[names.indexOf(name)] ?? '')), line, fault };
}

/** What an import would do with a line: only `add` and `same-name` can be taken, and the second only when chosen. */
export interface PlannedLine extends ImportLine {
  verdict: 'add' | 'same-name' | 'there' | 'look-alike' | 'refused';
  reason: string;
}

interface Basis {
  entries: readonly Pick<KnownRecipient, 'name' | 'chain' | 'address'>[];
  known: KnownAddresses;
}

export async function planImport(lines: readonly ImportLine[], { entries, known }: Basis): Promise<PlannedLine[]> {
  const book = new Map(entries.map((entry) => [placeKey(entry), entry]));
  const names = new Set(entries.map(nameKey));
  const alike = alikeWithin(lines);
  const first = new Map<string, number>();
  const planned: PlannedLine[] = [];
  let room = ITEMS_MAX - entries.length;
  for (const line of lines) {
    const ruled = await faultOf(line);
    const key = placeKey(line);
    const there = book.get(key);
    const before = first.get(key);
    if (ruled === null && !first.has(key)) first.set(key, line.line);
    const take = (verdict: PlannedLine['verdict'], reason = '') => planned.push({ ...line, verdict, reason });
    if (ruled !== null) take('refused', ruled);
    else if (there) take('there', `Already saved as “${there.name}”.`);
    else if (before !== undefined) take('there', `The same address stands in line ${before}.`);
    else if (known.lookAlikes(line).length > 0) take('look-alike', looksLike(known, line));
    else if (alike.has(ownerKey(line))) take('look-alike', 'It looks like another address of this file.');
    else if (room <= 0) take('refused', `There is room for ${numberWords(ITEMS_MAX)} recipients.`);
    else {
      room -= 1;
      if (names.has(nameKey(line))) take('same-name', 'Another address has this name on this chain.');
      else take('add');
      names.add(nameKey(line));
    }
  }
  return planned;
}

async function faultOf({ line: _line, fault, ...entry }: ImportLine): Promise<string | null> {
  if (fault !== null) return fault;
  const { name, chain, address } = entry;
  if (`${name}${chain}`.includes('\uFFFD')) return 'A character of it is lost. Save the file as UTF-8.';
  const missing = Object.entries({ name, chain, address }).find(([, text]) => text.trim() === '');
  if (missing) return `The ${missing[0]} is missing.`;
  const rulings = [
    recipientNameRule(name),
    chainRule(chain),
    await addressRule(chain, address, 'Copy the address alone.'),
  ];
  // One line that the server does not take would keep all others of its request out.
  const checked = COLLECTIONS.recipients.check(entry);
  const [field] = 'why' in checked ? checked.why.split(':') : [];
  const kept = field === undefined || `The ${field} is too long, or has characters that can’t be saved.`;
  return [...rulings, kept].find((ruling) => ruling !== true) ?? null;
}

function looksLike(known: KnownAddresses, place: ChainAddress): string {
  const [first] = known.lookAlikes(place);
  const whose = first?.name == null ? 'one that was paid before' : `“${first.name}”`;
  return `It begins and ends like ${whose}, and is another one.`;
}

/** Owners of addresses that look like another address of the same file. */
function alikeWithin(lines: readonly ImportLine[]): Set<string> {
  const alike = groupBy(lines, lookKey);
  // Too short to be mistaken.
  alike.delete(null);
  const owners = [...alike.values()].map((group) => new Set(group.map(ownerKey)));
  return new Set(owners.filter(({ size }) => size > 1).flatMap((each) => [...each]));
}

function nameKey({ name, chain }: { name: string; chain: string }): string {
  return stringifyExact([searchForm(name.trim()), searchForm(chain.trim())]);
}

const WORDS: Record<PlannedLine['verdict'], string> = {
  add: 'new',
  'same-name': 'with a name that is taken',
  there: 'already there',
  'look-alike': 'looking like another address',
  refused: 'refused',
};

export function summaryOf(plan: readonly PlannedLine[]): string {
  if (plan.length === 0) return 'The file has no recipients.';
  const counts = Object.entries(WORDS).flatMap(([verdict, words]) => {
    const count = plan.filter((line) => line.verdict === verdict).length;
    return count === 0 ? [] : [`${numberWords(count)} ${words}`];
  });
  return `${counted(plan.length, 'line', 'lines')}: ${counts.join(', ')}.`;
}
