import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { isoUtc, isPlausibleTime, type Zone, zoneName } from '#src/shared/time.ts';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import { haveStatus } from '#src/web/list/rowSums.tsx';
import type { Edge, ExportFormat, ExportProgress } from './exportRun.ts';

/** Version of the CSV columns: raised when a column is added, renamed or changes its meaning. */
export const COLUMN_VERSION = 4;

export interface ManifestOf {
  fileName: string;
  format: ExportFormat;
  zone: Zone;
  service: string;
  account: string;
  path: string;
  filters: PageFilters;
  progress: ExportProgress;
}

export function manifestText({ fileName, format, zone, progress, ...read }: ManifestOf): string {
  const { filters } = read;
  const manifest = {
    manifest_version: 1,
    file: {
      name: fileName,
      format,
      ...(format === 'csv' && { column_version: COLUMN_VERSION, columns: progress.columns, zone: zoneName(zone) }),
      bytes: progress.bytes,
      sha256: progress.sha256,
      complete: progress.complete,
    },
    service: read.service,
    account: read.account,
    path: read.path,
    filters,
    rows: progress.rows,
    first: withTime(progress.first),
    last: withTime(progress.last),
    bound: progress.bound && {
      ...withTime(progress.bound),
      stated_by: filters.order === 'asc' ? 'the newest row when the export began' : 'the first row read',
      met: progress.boundMet,
    },
    read: {
      pages: progress.pages,
      first_at_utc: timeOf(progress.firstReadAt),
      last_at_utc: timeOf(progress.lastReadAt),
      clock: 'of the device that read',
    },
    left_out: {
      repeated: progress.repeated,
      without_id: progress.malformed,
      newer_than_bound: progress.newer,
      outside_chosen_days: progress.outside,
      not_matching_filters_applied_here: progress.unmatched,
    },
    totals: progress.totals.map(({ unreadable, ...total }) => ({
      ...total,
      ...(unreadable > 0 && { rows_not_in_sum: unreadable }),
    })),
    may_have_moved: mayHaveMoved(filters, progress),
  };
  return `${stringifyExact(manifest, 2)}\n`;
}

export function mayHaveMoved(filters: PageFilters, { complete, bound, boundMet, totals }: ExportProgress): string[] {
  const words = haveStatus(totals) ? ['Statuses may have changed since each page was loaded.'] : [];
  if (filters.status !== undefined) {
    words.push('Rows that gained or lost the filtered status meanwhile may be missing or included.');
  }
  if (filters.order === 'asc' && bound !== null && complete && !boundMet) {
    words.push('The newest row at the start was not found again; newer rows were left out by their time.');
  }
  words.push('Rows created after the export began are not in the file.');
  if (!complete) words.push('The export is incomplete: rows are missing.');
  return words;
}

function withTime(edge: Edge | null) {
  return edge && { ...edge, created_at_utc: timeOf(edge.created_at) };
}

function timeOf(value: unknown): string | null {
  return isPlausibleTime(value) ? isoUtc(value) : null;
}
