import { type Page, walkPages } from '#src/api/paging.ts';
import { csvRow } from '#src/lib/csv.ts';
import { isoUtc, isPlausibleTime } from '#src/lib/time.ts';

export interface CsvColumn<T> {
  name: string;
  /** The value exactly as it came. */
  of: (row: T) => unknown;
}

interface ExportableRow {
  readonly id: string;
  readonly created_at?: unknown;
}

/** An export as far as it has come; can go on from there after an error. */
export interface CsvExport {
  /** Lines of the file, the head first. */
  lines: string[];
  rows: number;
  /** Rows that came a second time and stand in the file once. */
  repeated: number;
  /** Items without an id, which are not in the file. */
  malformed: number;
  /** created_at of the last row written, Unix seconds; null before the first or where it is no time. */
  reached: number | null;
  /** Where reading goes on; undefined at the start. */
  cursor: string | undefined;
  complete: boolean;
  ids: Set<string>;
}

export function newExport<T>(columns: readonly CsvColumn<T>[]): CsvExport {
  const head = csvRow(columns.map(({ name }) => name));
  const nothing = { rows: 0, repeated: 0, malformed: 0, reached: null, cursor: undefined, complete: false };
  return { lines: [head], ...nothing, ids: new Set() };
}

/** A cell with every character as it came; what is no text as its JSON, what is missing empty. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The time column for people and spreadsheets; empty where the service sent no time. */
export function utcText(value: unknown): string {
  return isPlausibleTime(value) ? isoUtc(value) : '';
}

/** Reads every page that is left and adds its rows; throws as walkPages does, with all rows so far kept in `made`. */
export async function continueExport<T extends ExportableRow>(
  made: CsvExport,
  columns: readonly CsvColumn<T>[],
  fetchPage: (cursor: string | null, signal: AbortSignal | undefined) => Promise<Page<T>>,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (made: CsvExport) => void } = {},
): Promise<void> {
  for await (const page of walkPages(fetchPage, { signal, startAfter: made.cursor })) {
    for (const row of page.data) addRow(made, columns, row);
    made.malformed += page.malformed.length;
    made.cursor = page.next_cursor ?? made.cursor;
    onProgress?.(made);
  }
  made.complete = true;
}

function addRow<T extends ExportableRow>(made: CsvExport, columns: readonly CsvColumn<T>[], row: T): void {
  if (made.ids.has(row.id)) {
    made.repeated += 1;
    return;
  }
  made.ids.add(row.id);
  made.lines.push(csvRow(columns.map(({ of }) => cellText(of(row)))));
  made.rows += 1;
  made.reached = isPlausibleTime(row.created_at) ? row.created_at : made.reached;
}
