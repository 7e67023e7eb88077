import type { Page, PageOptions } from '#src/web/api/paging/paging.ts';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import { createdAtColumns, type CsvColumn } from './exportColumns.ts';
import { createExport, type ExportFormat, type ExportSource } from './exportRun.ts';
import type { Sink } from './sinks.ts';

export interface ExportedRow {
  id: string;
  status?: string;
  asset?: string;
  amount?: unknown;
  created_at?: unknown;
}

export const EXPORT_TIME = 1_763_000_000;
export const columns: CsvColumn<ExportedRow>[] = [
  { name: 'id', of: (row) => row.id },
  { name: 'amount', of: (row) => row.amount },
  ...createdAtColumns<ExportedRow>(),
];
export const row = (n: number, more: Partial<ExportedRow> = {}): ExportedRow => ({
  id: `dep_${n}`,
  status: 'completed',
  asset: 'BTC',
  amount: '0.1',
  created_at: EXPORT_TIME + n,
  ...more,
});

function memorySink(): Sink & { text: () => string } {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  return {
    name: null,
    write: async (bytes) => {
      text += decoder.decode(bytes);
    },
    close: async () => undefined,
    discard: async () => undefined,
    text: () => text,
  };
}

/** A service that holds these rows, newest last; `onRead` may change them or throw. */
export function service(rows: ExportedRow[], { pageSize = 2, onRead = (_calls: number): void => undefined } = {}) {
  const asked: { order: string; cursor: string | null; limit: number | undefined }[] = [];
  const readPage = async (
    filters: PageFilters,
    cursor: string | null,
    { limit }: PageOptions,
  ): Promise<Page<ExportedRow>> => {
    asked.push({ order: filters.order ?? 'desc', cursor, limit });
    onRead(asked.length);
    const ordered = filters.order === 'asc' ? rows : rows.toReversed();
    const from = cursor === null ? 0 : ordered.findIndex(({ id }) => id === cursor) + 1;
    const size = limit === 1 ? 1 : pageSize;
    const data = ordered.slice(from, from + size);
    const more = from + size < ordered.length;
    const next_cursor = more ? (data.at(-1)?.id ?? null) : null;
    return { data, malformed: [], has_more: more, next_cursor, requestId: null, date: null, readAt: EXPORT_TIME };
  };
  return { asked, readPage };
}

export function begin(
  of: { readPage: ExportSource<ExportedRow>['readPage'] },
  { filters = {}, format = 'csv' }: { filters?: PageFilters; format?: ExportFormat } = {},
) {
  const sink = memorySink();
  const source: ExportSource<ExportedRow> = {
    name: 'deposits',
    path: '/v1/deposits',
    filters,
    columns: () => Promise.resolve(columns),
    keeps: () => true,
    amountOf: ({ amount }) => amount,
    readPage: of.readPage,
  };
  const made = createExport(source, { format, zone: 'utc', sink });
  const run = (signal = new AbortController().signal) => made.run(signal, () => undefined);
  return { sink, run, progress: made.progress };
}

export const idsIn = (text: string): string[] => text.match(/dep_\d+/g) ?? [];
