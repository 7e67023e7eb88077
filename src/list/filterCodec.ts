import type { ListFilters } from '#src/api/contract.ts';
import { readChoice, readInteger, readText, withParams } from '#src/lib/searchParams.ts';

/** The filters of a list as the URL has them, under the contract's own names (4.4). */
export interface ReadFilters {
  filters: ListFilters;
  /** What the URL says under those names and cannot be meant: "created_after=abc". */
  ignored: string[];
}

export type FilterName = keyof ListFilters;

const NAMES = ['status', 'asset', 'created_after', 'created_before', 'order'] as const satisfies FilterName[];
/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

/** Reads a search string; absent means default, and what makes no sense falls back and is named. */
export function readFilters(search: URLSearchParams): ReadFilters {
  const status = readText(search, 'status');
  const asset = readText(search, 'asset');
  const created_after = readInteger(search, 'created_after', 0, LATEST);
  const created_before = readInteger(search, 'created_before', 0, LATEST);
  const order = readChoice(search, 'order', ['asc', 'desc']);
  const understood = { status, asset, created_after, created_before, order };
  const ignored = NAMES.flatMap((name) =>
    search
      .getAll(name)
      .slice(understood[name] === undefined ? 0 : 1)
      .map((text) => `${name}=${clip(text)}`),
  );
  const filters: ListFilters = {
    ...(status === undefined ? {} : { status }),
    ...(asset === undefined ? {} : { asset }),
    ...(created_after === undefined ? {} : { created_after }),
    ...(created_before === undefined ? {} : { created_before }),
    ...(order === 'asc' ? { order } : {}),
  };
  return { filters, ignored };
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The search string for other filters; parameters that are no filters stay, junk goes. */
export function writeFilters(search: URLSearchParams, filters: ListFilters): string {
  const none = Object.fromEntries(NAMES.map((name) => [name, undefined]));
  return withParams(search, { ...none, ...filters }).toString();
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
