// Rows of long lists, kept as columns: a row that nobody looks at weighs a third of an object. Whoever reads a page's rows
// has them made, which takes microseconds; once nobody holds any of them they go with the next collection.
import type { Page } from '#src/web/api/paging/paging.ts';
import { rawOf } from '#src/web/api/schemas.ts';

type Fields = Record<string, unknown>;

/** The values that the rows of a page have of one field, in their order. */
type Column =
  /** Texts, without what all of them begin with. */
  | { readonly start: string; readonly lines: string }
  /** A letter a row, whose code is the number of its kind. */
  | { readonly kinds: readonly string[]; readonly letters: string }
  /** Differences to the first number: an engine keeps small ones without an object each. */
  | { readonly from: number; readonly offsets: readonly number[] }
  | readonly unknown[];

/** The same page with its rows packed; itself where they have not all the same fields. */
export function packed<T extends Fields>(page: Page<T>): Page<T> {
  const { data, ...rest } = page;
  const [first] = data;
  // What came in another form than it is read in is known by the object that was read.
  if (!first || !data.every((row) => rawOf(row) === row && hasFieldsOf(row, first))) return page;
  return Object.assign(new PackedRows(first, data), rest);
}

/** The rows that were made with a row: a table holds some of a page's, and draws them anew when they are others. */
const madeWith = new WeakMap<object, object>();

/** Rows as far as they differ from the first of them; a class, because objects with getters of their own weigh four times as much. */
class PackedRows<T extends Fields> {
  readonly #first: T;
  readonly #length: number;
  readonly #columns: Readonly<Record<string, Column>>;
  #latest: WeakRef<T[]> | undefined;

  constructor(first: T, data: readonly T[]) {
    const names = Object.keys(first).filter((name) => data.some((row) => !Object.is(row[name], first[name])));
    this.#first = first;
    this.#length = data.length;
    this.#columns = Object.fromEntries(names.map((name) => [name, columnOf(data.map((row) => row[name]))]));
  }

  /** The same ones as long as somebody holds one of them. */
  get data(): T[] {
    const known = this.#latest?.deref();
    if (known) return known;
    const rows = Array.from({ length: this.#length }, () => ({ ...this.#first }));
    for (const [name, column] of Object.entries(this.#columns)) {
      const values = valuesOf(column);
      rows.forEach((row: Fields, at) => {
        row[name] = values[at];
      });
    }
    for (const row of rows) madeWith.set(row, rows);
    this.#latest = new WeakRef(rows);
    return rows;
  }
}

function hasFieldsOf(row: Fields, first: Fields): boolean {
  const [own, names] = [Object.keys(row), Object.keys(first)];
  return own.length === names.length && own.every((name, at) => name === names[at]);
}

const KINDS_MAX = 256;
const START_MAX = 32;

function columnOf(values: readonly unknown[]): Column {
  const [from] = values;
  if (typeof from === 'number') {
    const isExact = (value: unknown) => typeof value === 'number' && Object.is(from + (value - from), value);
    return values.every(isExact) ? { from, offsets: values.map((value) => Number(value) - from) } : values;
  }
  if (!values.every((value) => typeof value === 'string')) return values;
  const kinds = [...new Set(values)];
  if (kinds.length <= Math.min(values.length / 4, KINDS_MAX))
    return { kinds, letters: values.map((value) => String.fromCharCode(kinds.indexOf(value))).join('') };
  if (values.some((value) => value.includes('\n'))) return values;
  let start = values[0]?.slice(0, START_MAX) ?? '';
  while (!values.every((value) => value.startsWith(start))) start = start.slice(0, -1);
  return { start, lines: values.map((value) => value.slice(start.length)).join('\n') };
}

function valuesOf(column: Column): readonly unknown[] {
  if ('lines' in column) return column.lines.split('\n').map((line) => column.start + line);
  if ('offsets' in column) return column.offsets.map((offset) => column.from + offset);
  if ('letters' in column) return Array.from(column.letters, (letter) => column.kinds[letter.charCodeAt(0)]);
  return column;
}
