import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { LIMIT_MAX } from '#src/shared/contract/contract.ts';
import { assertFollowed, type Page, walkPages, type PageOptions } from '#src/web/api/paging/paging.ts';
import { nextStep } from '#src/shared/paging/nextStep.ts';
import { rawOf } from '#src/web/api/schemas.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { isPlausibleTime, type Zone } from '#src/shared/time.ts';
import { csvHead } from '#src/shared/files/csv.ts';
import { type CsvColumn, csvLine } from './exportColumns.ts';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import type { Sink } from './sinks.ts';
import { createTotals, type RowSum } from '#src/web/list/rowSums.tsx';

export type ExportFormat = 'csv' | 'jsonl';

export interface ExportableRow {
  readonly id: string;
  readonly status?: unknown;
  readonly asset?: unknown;
  readonly created_at?: unknown;
}

export interface ExportSource<T extends ExportableRow> {
  name: string;
  /** The service's path, for the manifest. */
  path: string;
  filters: PageFilters;
  /** Whether a row belongs in the file, where the service does not know all of the filters. */
  keeps(row: T): boolean;
  /** Those of a CSV file, with what they need loaded before the first row is written. */
  columns(): Promise<readonly CsvColumn<T>[]>;
  amountOf(row: T): unknown;
  readPage(filters: PageFilters, cursor: string | null, options: PageOptions): Promise<Page<T>>;
}

/** A row that bounds what is read; created_at as it came. */
export type Edge = NonNullable<ReturnType<typeof edgeOf>>;

const LEFT_OUT = ['repeated', 'newer', 'outside', 'unmatched'] as const;
type LeftOut = (typeof LEFT_OUT)[number];

const NOTHING_READ = {
  bytes: 0,
  pages: 0,
  first: null as Edge | null,
  last: null as Edge | null,
  /** The frozen bound: nothing newer is in the file. Null before it is known, or when the list was empty. */
  bound: null as Edge | null,
  /** Oldest first only: the bound was met. Newest first begins at it. */
  boundMet: false,
  /** Rows that came a second time and stand in the file once. */
  repeated: 0,
  /** Items without an id, which are not in the file. */
  malformed: 0,
  /** Oldest first: rows newer than the bound, left out. */
  newer: 0,
  /** Rows at or beyond the bounds of time, which the service may count as inside: left out, so that two days never share a row. */
  outside: 0,
  /** Rows left out by filters that the service does not have, such as the chain. */
  unmatched: 0,
  /** Device clock, Unix seconds; null before the first page. */
  firstReadAt: null as number | null,
  lastReadAt: null as number | null,
  complete: false,
};

export type ExportProgress = typeof NOTHING_READ & {
  columns: readonly string[];
  rows: number;
  /** 0 to 1 by the time covered; null where that cannot be told. */
  covered: number | null;
  totals: RowSum[];
  /** Hex, of the bytes so far. */
  sha256: string;
};

export type ExportRun = ReturnType<typeof createExport>;

/** One export; its bound is frozen at the first page, and a run that failed goes on from the last page written. */
export function createExport<T extends ExportableRow>(
  source: ExportSource<T>,
  { format, zone, sink }: { format: ExportFormat; zone: Zone; sink: Sink },
) {
  const { filters } = source;
  let columns: readonly CsvColumn<T>[] = [];
  const ascending = filters.order === 'asc';
  const hash = sha256.create();
  const totals = createTotals();
  const ids = new Set<string>();
  const encoder = new TextEncoder();
  let cursor: string | undefined;
  /** The far end of the list when it began: how much there is to cover. */
  let far: Edge | null = null;
  let wasEmpty = false;
  let begun = false;
  const state = { ...NOTHING_READ };

  const columnNames = () => columns.map(({ name }) => name);

  async function put(text: string): Promise<void> {
    const bytes = encoder.encode(text);
    await sink.write(bytes);
    hash.update(bytes);
    state.bytes += bytes.length;
  }

  async function readOtherEnd(signal: AbortSignal): Promise<Page<T>> {
    const { order: _order, ...rest } = filters;
    const other: PageFilters = ascending ? rest : { ...rest, order: 'asc' };
    const page = await source.readPage(other, null, { limit: 1, signal });
    // An item that is no row bounds nothing; the first real row does.
    return page.malformed.length === 0 ? page : source.readPage(other, null, { limit: LIMIT_MAX, signal });
  }

  /** The row at the other end of the list is read first: the bound, or how much there is to cover. */
  async function begin(signal: AbortSignal): Promise<void> {
    const isCsv = format === 'csv';
    const [page, named] = await Promise.all([readOtherEnd(signal), isCsv ? source.columns() : []]);
    far = edgeOf(page.data[0]);
    wasEmpty = far === null && page.malformed.length === 0 && nextStep(page, { used: [] }).kind === 'end';
    if (ascending) state.bound = far;
    columns = named;
    if (isCsv) await put(csvHead(columnNames()));
    begun = true;
  }

  function whyLeftOut(row: T): LeftOut | null {
    if (ids.has(row.id)) return 'repeated';
    if (ascending && isNewer(row, state.bound)) return 'newer';
    if (isOutside(row, filters)) return 'outside';
    return source.keeps(row) ? null : 'unmatched';
  }

  /** Nothing counts before it is written, so that a page can be read again after an error. */
  async function take(page: Page<T>): Promise<void> {
    const fresh: T[] = [];
    const here = new Set<string>();
    const left = { repeated: 0, newer: 0, outside: 0, unmatched: 0 };
    for (const row of page.data) {
      const why = here.has(row.id) ? 'repeated' : whyLeftOut(row);
      if (why !== null) left[why] += 1;
      else {
        here.add(row.id);
        fresh.push(row);
      }
      if (ascending && row.id === state.bound?.id) {
        state.boundMet = true;
        break;
      }
    }
    await put(fresh.map(lineOf).join(''));
    for (const row of fresh) {
      ids.add(row.id);
      totals.add(row.asset, row.status, source.amountOf(row));
    }
    state.first ??= edgeOf(fresh[0]);
    state.last = edgeOf(fresh.at(-1)) ?? state.last;
    if (!ascending) {
      state.bound ??= state.first;
      state.boundMet = state.bound !== null;
    }
    for (const why of LEFT_OUT) state[why] += left[why];
    state.malformed += page.malformed.length;
    state.pages += 1;
    state.firstReadAt ??= page.readAt;
    state.lastReadAt = page.readAt;
    cursor = page.next_cursor ?? cursor;
  }

  function lineOf(row: T): string {
    return format === 'csv' ? csvLine(columns, row, zone) : `${stringifyExact(rawOf(row))}\n`;
  }

  return {
    /** Reads on from where it stands, to the end; throws what a read, the paging or the sink throws, and the signal's reason. */
    run: async (signal: AbortSignal, onProgress: () => void): Promise<void> => {
      if (!begun) await begin(signal);
      // Oldest first and nothing there when it began: whatever comes now is newer.
      if (!(ascending && wasEmpty)) {
        const end = await walkPages(
          (at) => source.readPage(filters, at, { limit: LIMIT_MAX, signal }),
          async (page) => {
            await take(page);
            onProgress();
            return ascending && state.boundMet ? 'enough' : undefined;
          },
          { signal, startAfter: cursor, ahead: true },
        );
        assertFollowed(end);
      }
      state.complete = true;
      onProgress();
    },
    progress: (): ExportProgress => ({
      columns: columnNames(),
      ...state,
      rows: ids.size,
      covered: state.complete ? 1 : coveredOf(state.first, state.last, far),
      totals: totals.list(),
      sha256: bytesToHex(hash.clone().digest()),
    }),
  };
}

function edgeOf(row: ExportableRow | undefined) {
  return row === undefined ? null : { id: row.id, created_at: row.created_at ?? null };
}

function isNewer(row: ExportableRow, bound: Edge | null): boolean {
  const { created_at: at } = row;
  return isPlausibleTime(at) && isPlausibleTime(bound?.created_at) && at > bound.created_at;
}

function isOutside({ created_at: at }: ExportableRow, { created_after: after, created_before: before }: PageFilters) {
  if (!isPlausibleTime(at)) return false;
  return (after !== undefined && at <= after) || (before !== undefined && at >= before);
}

function coveredOf(first: Edge | null, last: Edge | null, far: Edge | null): number | null {
  const [from, at, to] = [first?.created_at, last?.created_at, far?.created_at];
  if (!isPlausibleTime(from) || !isPlausibleTime(at) || !isPlausibleTime(to) || from === to) return null;
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}
