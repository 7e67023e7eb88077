import type { AnyFilters } from '#src/api/listQuery.ts';
import { readChoice, readInteger, readText, withParams } from '#src/lib/searchParams.ts';

/** The filters of a list as the URL has them, under the contract's own names (4.4). */
export interface ReadFilters {
  filters: AnyFilters;
  /** What the URL says under those names and cannot be meant: "created_after=abc". */
  ignored: string[];
}

export type FilterName = keyof AnyFilters;

/** Filters of deposits (4.4), and of withdrawals where the service lists them. */
export const PAYMENT_FILTERS = [
  'status',
  'asset',
  'created_after',
  'created_before',
  'order',
] as const satisfies FilterName[];
/** Filters of ledger entries: a status is none. */
export const LEDGER_FILTERS = [
  'asset',
  'source',
  'created_after',
  'created_before',
  'order',
] as const satisfies FilterName[];
/** The last second of the year 9999. */
const LATEST = 253_402_300_799;

/** Reads a search string; absent means default, and what makes no sense falls back and is named. Other parameters are not its own. */
export function readFilters(search: URLSearchParams, names: readonly FilterName[] = PAYMENT_FILTERS): ReadFilters {
  const status = readText(search, 'status');
  const asset = readText(search, 'asset');
  const source = readText(search, 'source');
  const created_after = readInteger(search, 'created_after', 0, LATEST);
  const created_before = readInteger(search, 'created_before', 0, LATEST);
  const order = readChoice(search, 'order', ['asc', 'desc']);
  const understood = { status, asset, source, created_after, created_before, order };
  const ignored = names.flatMap((name) =>
    search
      .getAll(name)
      .slice(understood[name] === undefined ? 0 : 1)
      .map((text) => `${name}=${clip(text)}`),
  );
  const all: AnyFilters = {
    ...(status === undefined ? {} : { status }),
    ...(asset === undefined ? {} : { asset }),
    ...(source === undefined ? {} : { source }),
    ...(created_after === undefined ? {} : { created_after }),
    ...(created_before === undefined ? {} : { created_before }),
    ...(order === 'asc' ? { order } : {}),
  };
  const others = [...PAYMENT_FILTERS, ...LEDGER_FILTERS].filter((name) => !names.includes(name));
  return { filters: withoutFilters(all, others), ignored };
}

function clip(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** The search string for other filters; parameters that are no filters stay, junk goes. */
export function writeFilters(
  search: URLSearchParams,
  filters: AnyFilters,
  names: readonly FilterName[] = PAYMENT_FILTERS,
): string {
  const none = Object.fromEntries(names.map((name) => [name, undefined]));
  return withParams(search, { ...none, ...filters }).toString();
}

/** The filters without some of them. */
export function withoutFilters(filters: AnyFilters, names: readonly FilterName[]): AnyFilters {
  const next = { ...filters };
  for (const name of names) delete next[name];
  return next;
}

/** Whether anything but the order is set: only these make a list shorter. */
export function isFiltered({ order: _order, ...narrowing }: AnyFilters): boolean {
  return Object.keys(narrowing).length > 0;
}
