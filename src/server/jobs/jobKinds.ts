import * as v from 'valibot';
import { type ExportRequest, exportSchema, type JobKind } from '#src/shared/contract/jobsContract.ts';
import { type MonthRequest, monthRequestSchema } from '#src/shared/contract/monthJobContract.ts';
import { type ExportState, exportStateSchema, NOTHING_EXPORTED } from '#src/shared/export/exportFile.ts';
import { type MonthState, monthStateSchema, NOTHING_READ } from './monthState.ts';

/** A job's request and progress, by kind. */
export type JobWork =
  | { kind: 'export'; request: ExportRequest; progress: ExportState }
  | { kind: 'month-close'; request: MonthRequest; progress: MonthState };

export type JobRequest = JobWork['request'];
export type JobProgress = JobWork['progress'];

interface JobKindRow<K extends JobKind> {
  begin: (request: Extract<JobWork, { kind: K }>['request']) => Extract<JobWork, { kind: K }>;
  /** Parses stored values. Throws for those of another version. */
  read: (request: unknown, progress: unknown) => Extract<JobWork, { kind: K }>;
}

export const JOB_KIND: { [K in JobKind]: JobKindRow<K> } = {
  export: {
    begin: (request) => ({ kind: 'export', request, progress: NOTHING_EXPORTED }),
    read: (request, progress) => ({
      kind: 'export',
      request: v.parse(exportSchema, request),
      progress: v.parse(exportStateSchema, progress),
    }),
  },
  'month-close': {
    begin: (request) => ({ kind: 'month-close', request, progress: NOTHING_READ }),
    read: (request, progress) => ({
      kind: 'month-close',
      request: v.parse(monthRequestSchema, request),
      progress: v.parse(monthStateSchema, progress),
    }),
  },
};

export function beginWork(request: JobRequest): JobWork {
  return request.kind === 'export' ? JOB_KIND.export.begin(request) : JOB_KIND['month-close'].begin(request);
}
