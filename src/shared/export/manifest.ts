import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { isoUtc, isPlausibleTime, type Zone, zoneName } from '#src/shared/time.ts';
import type { ExportFilters, ExportFormat } from '#src/shared/contract/jobsContract.ts';
import type { Edge, ExportState } from './exportFile.ts';
import { haveStatus } from './rowTotals.ts';

/** Version of the CSV columns: raised when a column is added, renamed or changes its meaning. */
export const COLUMN_VERSION = 4;

export interface ManifestOf {
  fileName: string;
  format: ExportFormat;
  zone: Zone;
  service: string;
  account: string;
  path: string;
  filters: ExportFilters;
  state: ExportState;
  /** Hex, of the whole file. */
  sha256: string;
}

export function manifestText({ fileName, format, zone, state, sha256, ...read }: ManifestOf): string {
  const { filters } = read;
  const manifest = {
    manifest_version: 1,
    file: {
      name: fileName,
      format,
      ...(format === 'csv' && { column_version: COLUMN_VERSION, columns: state.columns, zone: zoneName(zone) }),
      bytes: state.bytes,
      sha256,
      complete: state.complete,
    },
    service: read.service,
    account: read.account,
    path: read.path,
    filters,
    rows: state.rows,
    first: withTime(state.first),
    last: withTime(state.last),
    bound: state.bound && {
      ...withTime(state.bound),
      stated_by: filters.order === 'asc' ? 'the newest row when the export began' : 'the first row read',
      met: state.boundMet,
    },
    read: {
      pages: state.pages,
      first_at_utc: timeOf(state.firstReadAt),
      last_at_utc: timeOf(state.lastReadAt),
      clock: 'of the server that read',
    },
    left_out: {
      repeated: state.repeated,
      without_id: state.malformed,
      newer_than_bound: state.newer,
      outside_chosen_days: state.outside,
      not_matching_filters_applied_here: state.unmatched,
    },
    totals: state.totals.map(({ unreadable, ...total }) => ({
      ...total,
      ...(unreadable > 0 && { rows_not_in_sum: unreadable }),
    })),
    may_have_moved: mayHaveMoved(filters, state),
  };
  return `${stringifyExact(manifest, 2)}\n`;
}

export function mayHaveMoved(
  filters: ExportFilters,
  { complete, bound, boundMet, totals }: Pick<ExportState, 'complete' | 'bound' | 'boundMet' | 'totals'>,
): string[] {
  const words = haveStatus(totals) ? ['Statuses may have changed since each page was loaded.'] : [];
  if (filters.status !== undefined) {
    words.push('Rows that gained or lost the filtered status meanwhile may be missing or included.');
  }
  if (filters.order === 'asc' && bound !== null && complete && !boundMet) {
    words.push(
      'The row that was newest when the export began did not come last. Newer rows were left out by their time.',
    );
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
