import type { ListFilters } from '#src/api/contract.ts';

/** The filters of a list as the URL has them, under the contract's own names (4.4). */
export interface ReadFilters {
  filters: ListFilters;
  /** What the URL says under those names and cannot be meant: "created_after=abc". */
  ignored: string[];
}

export type FilterName = keyof ListFilters;

const NAMES: readonly FilterName[] = ['status', 'asset', 'created_after', 'created_before', 'order'];
const WORD_MAX = 200;
const LATEST = 253_402_300_799;

function readWord(text: string): string | undefined {
  const word = text.trim();
  return word === '' || word.length > WORD_MAX ? undefined : word;
}

function readTime(text: string): number | undefined {
  return /^\d{1,12}$/.test(text) && Number(text) <= LATEST ? Number(text) : undefined;
}

/** Reads a search string; absent means default, and what makes no sense falls back and is named. */
export function readFilters(search: URLSearchParams): ReadFilters {
  const filters: ListFilters = {};
  const ignored: string[] = [];
  for (const name of NAMES) {
    const [text, ...others] = search.getAll(name);
    if (text === undefined) continue;
    if (!takeFilter(filters, name, text)) ignored.push(`${name}=${clip(text)}`);
    for (const other of others) ignored.push(`${name}=${clip(other)}`);
  }
  return { filters, ignored };
}

function takeFilter(filters: ListFilters, name: FilterName, text: string): boolean {
  if (name === 'order') {
    if (text === 'asc') filters.order = 'asc';
    return text === 'asc' || text === 'desc';
  }
  if (name === 'status' || name === 'asset') {
    const word = readWord(text);
    if (word !== undefined) filters[name] = word;
    return word !== undefined;
  }
  const time = readTime(text);
  if (time !== undefined) filters[name] = time;
  return time !== undefined;
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The search string for other filters; parameters that are no filters stay, junk goes. */
export function writeFilters(search: URLSearchParams, filters: ListFilters): string {
  const next = new URLSearchParams(search);
  for (const name of NAMES) next.delete(name);
  for (const name of NAMES) {
    const value = filters[name];
    if (value !== undefined) next.set(name, String(value));
  }
  return next.toString();
}

/** The filters without some of them. */
export function withoutFilters(filters: ListFilters, names: readonly FilterName[]): ListFilters {
  const next = { ...filters };
  for (const name of names) delete next[name];
  return next;
}

/** Whether anything but the order is set: only these make a list shorter. */
export function isFiltered({ order: _order, ...narrowing }: ListFilters): boolean {
  return Object.keys(narrowing).length > 0;
}
