import type { ComponentType } from 'react';
import type { ListFilters } from '#src/shared/contract/contract.ts';
import { readChoice, readInteger, readText, withParams } from '#src/shared/searchParams.ts';
import type { Zone } from '#src/shared/time.ts';
import type { ListRow } from '#src/web/list/fields.tsx';

/** New values of some filters; undefined clears one. */
export type Changes<F> = { readonly [N in keyof F]?: F[N] | undefined };
/** A choice adds a history entry to go back to; typing doesn't. */
export type ChangeFilters<F> = (changes: Changes<F>, how?: 'typed') => void;

/** Words to suggest; read when a control opens. */
export interface Hints {
  valuesSeen: (field: 'status' | 'asset' | 'chain') => Iterable<string>;
  assetsHeld: () => Iterable<string>;
}

export interface ControlProps<F, V> {
  value: V | undefined;
  onChange: (value: V | undefined, how?: 'typed') => void;
  /** All filters, for a control that sets several. */
  filters: Partial<F>;
  change: ChangeFilters<F>;
  hints: Hints;
}

/** The declaration of a filter, whose name is also that of its parameter in URLs and queries. */
export interface Filter<F, V> {
  /** Undefined if the parameter is invalid; then the default applies. */
  read: (search: URLSearchParams, name: string) => V | undefined;
  /** The set filter as part of a sentence: "status completed". Empty if another filter's words include it. */
  words: (value: V, filters: Partial<F>, zone: Zone) => string;
  /** Null if another filter's control sets it: max_amount is set by min_amount's. */
  Control: ComponentType<ControlProps<F, V>> | null;
  /** The value that means the default (`order=desc`): accepted in a URL, sets no filter. */
  fallback?: string;
  /** Is first in the filter bar; F opens it. */
  isFirst?: true;
  /** The known values, if they are codes. */
  codes?: (hints: Hints) => readonly string[];
  /** It changes the order, or sets other filters. */
  excludesNoRows?: true;
  /** The service has no such filter, so it isn't sent. `keepsRow` applies it to the loaded rows. */
  isPageOnly?: true;
  keepsRow?: (value: V, row: ListRow, amount: unknown) => boolean;
}

/** Every filter of F, in the order in which URLs and sentences name them. */
export type FilterTable<F> = { readonly [N in keyof F]-?: Filter<F, NonNullable<F[N]>> };
export type FilterReads<F> = {
  readonly [N in keyof F]?: Pick<Filter<F, NonNullable<F[N]>>, 'read' | 'fallback'>;
};

/** The last second of the year 9999. */
const LATEST = 253_402_300_799;
/** How to read a filter whose value is any text. */
export const READS_TEXT = { read: readText };
const READS_TIME = { read: (search: URLSearchParams, name: string) => readInteger(search, name, 0, LATEST) };

/** How to read the service's filters from URLs. Separate from their controls, for the requests sent before the app is loaded. */
export const FILTER_READS = {
  status: READS_TEXT,
  asset: READS_TEXT,
  source: READS_TEXT,
  created_after: READS_TIME,
  created_before: READS_TIME,
  order: { read: (search, name) => readChoice(search, name, ['asc']), fallback: 'desc' },
} satisfies Required<FilterReads<ListFilters>>;

export type SomeFilters<F> = Partial<FilterTable<F>>;

export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table).filter((name): name is keyof T & string => name in table);
}

export interface ReadFilters<F> {
  filters: Partial<F>;
  /** Invalid parameters of the URL: "created_after=abc". */
  ignored: string[];
}

/** Reads a search string. Absent filters have their default; so do invalid ones, which are listed in `ignored`. */
export function readFilters<F>(search: URLSearchParams, table: FilterReads<F>): ReadFilters<F> {
  let filters: Partial<F> = {};
  const ignored: string[] = [];
  for (const name of keysOf(table)) {
    const value = table[name]?.read(search, name);
    if (value !== undefined) filters = { ...filters, [name]: value };
    const isJunk = value === undefined && search.get(name) !== table[name]?.fallback;
    const rest = search.getAll(name).slice(isJunk ? 0 : 1);
    ignored.push(...rest.map((text) => `${name}=${clip(text)}`));
  }
  return { filters, ignored };
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The search string with new filters. Keeps parameters that are not filters, and drops invalid filters. */
export function writeFilters<F>(search: URLSearchParams, filters: Partial<F>, table: SomeFilters<F>): string {
  const none = Object.fromEntries(keysOf(table).map((name) => [name, undefined]));
  return withParams(search, { ...none, ...filters }).toString();
}

export function changeFilters<F>(filters: Partial<F>, changes: Changes<F>): Partial<F> {
  const next: Partial<F> = { ...filters, ...changes };
  for (const name of keysOf(changes)) if (next[name] === undefined) delete next[name];
  return next;
}

/** The filters that exclude rows, in words: "status completed, asset BTC, created 1 Nov 2026 to 21 Nov 2026, UTC". */
export function describeFilters<F>(filters: Partial<F>, table: SomeFilters<F>, zone: Zone): string {
  const words = narrowing(filters, table).map((name) => {
    const value = filters[name];
    return value == null ? '' : table[name]?.words(value, filters, zone);
  });
  return words.filter(Boolean).join(', ');
}

export function sentFilters<F>(filters: Partial<F>, table: SomeFilters<F>): Partial<F> {
  const sent: Partial<F> = { ...filters };
  for (const name of keysOf(table)) if (table[name]?.isPageOnly) delete sent[name];
  return sent;
}

export type Keep = (row: ListRow, amount: unknown) => boolean;

export function rowFilterOf<F>(filters: Partial<F>, table: SomeFilters<F>): Keep | null {
  const tests = keysOf(table).flatMap((name): Keep[] => {
    const [value, keeps] = [filters[name], table[name]?.keepsRow];
    return value == null || keeps === undefined ? [] : [(row, amount) => keeps(value, row, amount)];
  });
  return tests.length === 0 ? null : (row, amount) => tests.every((test) => test(row, amount));
}

export function hasPageOnlyFilter<F>(filters: Partial<F>, table: SomeFilters<F>): boolean {
  return narrowing(filters, table).some((name) => table[name]?.isPageOnly);
}

export function narrowing<F>(filters: Partial<F>, table: SomeFilters<F>): (keyof F & string)[] {
  return keysOf(table).filter((name) => filters[name] !== undefined && !table[name]?.excludesNoRows);
}
