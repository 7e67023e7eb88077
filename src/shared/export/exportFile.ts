import * as v from 'valibot';
import { isObject } from '#src/shared/answers.ts';
import { type ExportRequest, ROW_FILTER_NAMES, type RowFilter } from '#src/shared/contract/jobsContract.ts';
import { csvHead } from '#src/shared/files/csv.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { Zone } from '#src/shared/time.ts';
import { plausibleCreatedAt, csvLine, type CsvColumn, EXPORTED_LISTS, type ExportRow } from './exportColumns.ts';
import { ROW_FILTERS } from './rowFilters.ts';
import { createTotals, rowSumSchema } from './rowTotals.ts';

const edgeSchema = v.object({ id: v.string(), created_at: v.unknown() });
/** A row at the end of an exported range; created_at as received. */
export type Edge = v.InferOutput<typeof edgeSchema>;

/** Progress of an export. As JSON (by stringifyExact), with the ids in the file, it is all that is needed to continue. */
export const exportStateSchema = v.object({
  /** The file's header is written. */
  begun: v.boolean(),
  complete: v.boolean(),
  /** Names of the CSV columns. */
  columns: v.array(v.string()),
  /** Cursor of the page to read next; null for the first. */
  cursor: v.nullable(v.string()),
  bytes: v.number(),
  pages: v.number(),
  rows: v.number(),
  first: v.nullable(edgeSchema),
  last: v.nullable(edgeSchema),
  /** The row at the far end of the list when the export began: how much there is to cover. */
  far: v.nullable(edgeSchema),
  wasEmpty: v.boolean(),
  /** The frozen bound: nothing newer is in the file. Null before it is known, or when the list was empty. */
  bound: v.nullable(edgeSchema),
  /** Oldest first only: the bound was met. Newest first begins at it. */
  boundMet: v.boolean(),
  /** Rows received again, which are in the file only once. */
  repeated: v.number(),
  /** Items without an id, which are not in the file. */
  malformed: v.number(),
  /** Oldest first: rows newer than the bound, left out. */
  newer: v.number(),
  /** Rows at or beyond the time bounds, which the service may count as inside. Left out, so that two days never share a row. */
  outside: v.number(),
  /** Rows left out by filters that the service doesn't have, such as the chain. */
  unmatched: v.number(),
  /** The provider said that the list ends here. */
  isAtEnd: v.boolean(),
  /** The first and the last row that came, in the file or not. */
  readFrom: v.nullable(edgeSchema),
  readTo: v.nullable(edgeSchema),
  /** The server's clock, Unix seconds; null before the first page. */
  firstReadAt: v.nullable(v.number()),
  lastReadAt: v.nullable(v.number()),
  totals: v.array(rowSumSchema),
});
export type ExportState = v.InferOutput<typeof exportStateSchema>;

export const NOTHING_EXPORTED: ExportState = {
  begun: false,
  complete: false,
  columns: [],
  cursor: null,
  bytes: 0,
  pages: 0,
  rows: 0,
  first: null,
  last: null,
  far: null,
  wasEmpty: false,
  bound: null,
  boundMet: false,
  repeated: 0,
  malformed: 0,
  newer: 0,
  outside: 0,
  unmatched: 0,
  isAtEnd: false,
  readFrom: null,
  readTo: null,
  firstReadAt: null,
  lastReadAt: null,
  totals: [],
};

export interface ExportPage {
  items: readonly unknown[];
  /** Null on the last page. */
  nextCursor: string | null;
  /** The provider says so. */
  isLast: boolean;
  /** The server's clock, Unix seconds. */
  readAt: number;
}

type Bytes = Uint8Array<ArrayBuffer>;

interface ExportFileParts {
  request: Pick<ExportRequest, 'list' | 'format' | 'filters'>;
  zone: Zone;
  /** The team's columns of a CSV file. */
  teamColumns: readonly CsvColumn[];
  /** The saved state to continue from. */
  from: ExportState;
  /** The ids of the rows in the file; the export adds to them. */
  ids: Set<string>;
}

export type ExportFile = ReturnType<typeof createExportFile>;

/** Writes the pages of a list as a file, from a saved state on. The bound is frozen at the first page. */
export function createExportFile({ request, zone, teamColumns, from, ids }: ExportFileParts) {
  const { list, format, filters } = request;
  const { amount } = EXPORTED_LISTS[list];
  const columns: readonly CsvColumn[] = [...EXPORTED_LISTS[list].columns, ...teamColumns];
  const isAscending = filters.order === 'asc';
  const totals = createTotals(from.totals);
  const encoder = new TextEncoder();
  const state: ExportState = { ...from };

  function encode(text: string): Bytes {
    const bytes = encoder.encode(text);
    state.bytes += bytes.length;
    return bytes;
  }

  function matches(row: ExportRow): boolean {
    const names: readonly RowFilter[] = ROW_FILTER_NAMES[list];
    return names.every((name) => {
      const wanted = filters[name];
      return wanted === undefined || ROW_FILTERS[name](wanted, row, row[amount]);
    });
  }

  function whyLeftOut(row: ExportRow): 'repeated' | 'newer' | 'outside' | 'unmatched' | null {
    if (ids.has(row.id)) return 'repeated';
    if (isAscending && isNewer(row, state.bound)) return 'newer';
    if (isOutside(row)) return 'outside';
    return matches(row) ? null : 'unmatched';
  }

  function isOutside(row: ExportRow): boolean {
    const { created_after: after, created_before: before } = filters;
    const at = plausibleCreatedAt(row);
    return at !== null && ((after !== undefined && at <= after) || (before !== undefined && at >= before));
  }

  /** True if the service ignores the order: then its first row is the bound, and the export has to read the whole list. */
  function isNewestFirst(bound: ExportRow, further: readonly unknown[]): boolean {
    const isFirst = state.first === null || state.first.id === bound.id;
    return isFirst && further.some((item) => isRow(item) && isNewer(bound, edgeOf(item)));
  }

  return {
    /** `edge`: the row at the other end of the list: the bound, or how much there is to cover. Returns the file's header. */
    begin({ edge, isEmpty }: { edge: Edge | null; isEmpty: boolean }): Bytes {
      Object.assign(state, { begun: true, far: edge, wasEmpty: isEmpty } satisfies Partial<ExportState>);
      if (isAscending) state.bound = edge;
      if (format !== 'csv') return encode('');
      state.columns = columns.map(({ name }) => name);
      return encode(csvHead(state.columns));
    },
    /** Adds a page. Returns its lines, and the ids of the rows in them. */
    add({ items, nextCursor, isLast, readAt }: ExportPage): { bytes: Bytes; added: string[] } {
      const lines: string[] = [];
      const added: string[] = [];
      let last: ExportRow | null = null;
      for (const [at, item] of items.entries()) {
        if (!isRow(item)) {
          state.malformed += 1;
          continue;
        }
        state.readTo = edgeOf(item);
        state.readFrom ??= state.readTo;
        const why = whyLeftOut(item);
        if (why !== null) state[why] += 1;
        else {
          ids.add(item.id);
          added.push(item.id);
          totals.add(item['asset'], item['status'], item[amount]);
          lines.push(format === 'csv' ? csvLine(columns, item, zone) : `${stringifyExact(item)}\n`);
          state.first ??= edgeOf(item);
          last = item;
        }
        if (isAscending && item.id === state.bound?.id && !isNewestFirst(item, items.slice(at + 1))) {
          state.boundMet = true;
          break;
        }
      }
      if (last !== null) state.last = edgeOf(last);
      if (!isAscending) {
        state.bound ??= state.first;
        state.boundMet = state.bound !== null;
      }
      state.rows += added.length;
      state.pages += 1;
      state.firstReadAt ??= readAt;
      state.lastReadAt = readAt;
      state.cursor = nextCursor ?? state.cursor;
      state.isAtEnd = isLast;
      return { bytes: encode(lines.join('')), added };
    },
    /** Whether a saved export has the columns that the file would get now. */
    hasColumnsOf: ({ begun, columns: saved }: ExportState): boolean =>
      !begun || format !== 'csv' || saved.join('\n') === columns.map(({ name }) => name).join('\n'),
    end(): void {
      state.complete = true;
    },
    /** Oldest first: every later row would be newer than the bound. */
    isAtBound: (): boolean => isAscending && (state.boundMet || state.wasEmpty),
    state: (): ExportState => ({ ...state, totals: totals.list() }),
  };
}

/** The share of the time range that is covered, 0 to 1; null if unknown. */
export function coveredOf({ complete, readFrom, readTo, far }: ExportState): number | null {
  if (complete) return 1;
  const [from, at, to] = [readFrom, readTo, far].map((edge) =>
    edge === null ? null : plausibleCreatedAt({ ...edge }),
  );
  if (from == null || at == null || to == null || from === to) return null;
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}

export function isRow(item: unknown): item is ExportRow {
  return isObject(item) && typeof item['id'] === 'string' && item['id'] !== '';
}

export function edgeOf(row: ExportRow): Edge {
  return { id: row.id, created_at: row['created_at'] ?? null };
}

function isNewer(row: ExportRow, bound: Edge | null): boolean {
  const [at, most] = [plausibleCreatedAt(row), bound === null ? null : plausibleCreatedAt({ ...bound })];
  return at !== null && most !== null && at > most;
}
