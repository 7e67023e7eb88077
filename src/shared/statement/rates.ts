// The optional rate file of a month close. Strict: a wrong rate would go into the books, so one fault refuses the file.
import { isPositive } from '#src/shared/amount.ts';
import { type CsvLine, readCsv, unquoted } from '#src/shared/files/csv.ts';
import { counted, numberWords } from '#src/shared/text.ts';
import { dayStart } from '#src/shared/time.ts';

export const RATE_COLUMNS = ['day', 'asset', 'currency', 'rate', 'source'] as const;

interface Rate {
  currency: string;
  rate: string;
  source: string;
}

export interface Rates {
  currency: string;
  count: number;
  /** By day and asset. */
  byDay: ReadonlyMap<string, Rate>;
}

export interface RateFault {
  /** Line of the file, from 1; null: of the whole file. */
  line: number | null;
  text: string;
}

export function rateOn(rates: Rates | null, day: string, asset: string): Rate | null {
  return rates?.byDay.get(keyOf(day, asset)) ?? null;
}

/** Those without a rate in the file: "USDT on 2026-10-03". */
export function withoutRate(rates: Rates, moved: readonly (readonly [day: string, asset: string])[]): string[] {
  return moved.flatMap(([day, asset]) => (rateOn(rates, day, asset) === null ? `${asset} on ${day}` : []));
}

function keyOf(day: string, asset: string): string {
  return `${day} ${asset}`;
}

const HEAD = RATE_COLUMNS.join(', ');
/** More than a valid file of RATE_BYTES_MAX can have. Reading millions of lines would block the server. */
const LINES_MAX = 200_000;

/** The rates, or every fault of the file. */
export function readRates(text: string): { rates: Rates } | { faults: RateFault[] } {
  if (hasMoreLines(text, LINES_MAX))
    return { faults: [{ line: null, text: `The file has more than ${numberWords(LINES_MAX)} lines.` }] };
  // Spreadsheets save semicolons where the decimal point is a comma.
  const rows = readCsv(text, text.split(/[\r\n]/, 1)[0]?.includes(';') ? ';' : ',');
  if (rows === null) return { faults: [{ line: null, text: 'A quotation mark isn’t closed.' }] };
  const [head, ...lines] = rows.map(({ line, cells }) => ({ line, cells: cells.map((cell) => unquoted(cell).trim()) }));
  if (head?.cells.join(', ').toLowerCase() !== HEAD)
    return { faults: [{ line: head?.line ?? 1, text: `The first line must be: ${HEAD}` }] };
  if (lines.length === 0) return { faults: [{ line: null, text: 'The file has no rates.' }] };
  const byDay = new Map<string, Rate & { line: number }>();
  const currency = lines[0]?.cells[2] ?? '';
  const faults = lines.flatMap((each) => {
    const texts = faultsOf(each, currency);
    const [day = '', asset = '', , rate = '', source = ''] = each.cells;
    const before = byDay.get(keyOf(day, asset));
    if (before) texts.push(`${asset} on ${day} is already in line ${before.line}.`);
    else byDay.set(keyOf(day, asset), { currency, rate, source, line: each.line });
    return texts.map((text): RateFault => ({ line: each.line, text }));
  });
  return faults.length > 0 ? { faults } : { rates: { currency, count: byDay.size, byDay } };
}

function hasMoreLines(text: string, most: number): boolean {
  const breaks = /\r\n?|\n/g;
  let lines = 1;
  while (lines <= most && breaks.test(text)) lines += 1;
  return lines > most;
}

const SOURCE_MAX = 200;

function faultsOf({ cells }: CsvLine, currencyOfFile: string): string[] {
  if (cells.length !== RATE_COLUMNS.length)
    return [`${counted(cells.length, 'column', 'columns')} instead of ${RATE_COLUMNS.length}.`];
  const [day = '', asset = '', currency = '', rate = '', source = ''] = cells;
  const isRate: boolean = isPositive(rate);
  const faults: string[] = [];
  if (dayStart(day, 'utc') === null) faults.push(`“${day}” isn’t a date like 2026-10-31.`);
  if (asset === '') faults.push('The asset is missing.');
  if (!/^[A-Z]{3,10}$/.test(currency)) faults.push(`“${currency}” isn’t a currency code like EUR.`);
  else if (currency !== currencyOfFile) faults.push(`${currency}, but the first rate is in ${currencyOfFile}.`);
  if (!isRate) faults.push(`“${rate}” isn’t a positive number with a decimal point.`);
  if (source === '') faults.push('The source is missing.');
  else if (source.length > SOURCE_MAX) faults.push(`The source is longer than ${SOURCE_MAX} characters.`);
  return faults;
}
