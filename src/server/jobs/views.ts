import { authorOf } from '#src/shared/author.ts';
import { PROVIDER_LISTS } from '#src/shared/contract/contract.ts';
import type { Job, JobDetail } from '#src/shared/contract/jobsContract.ts';
import { plausibleCreatedAt } from '#src/shared/export/exportColumns.ts';
import { coveredOf } from '#src/shared/export/exportFile.ts';
import { manifestText, mayHaveMoved } from '#src/shared/export/manifest.ts';
import { isoUtc, zoneNamed } from '#src/shared/time.ts';
import type { MonthJob } from '#src/shared/contract/monthJobContract.ts';
import { type ExportJobRow, KEPT_MS, type MonthRow } from './jobRows.ts';

const seconds = (ms: number): number => Math.floor(ms / 1_000);

export function exportJobView(job: ExportJobRow): Job {
  const { id, request, state, progress, workedMs, waitsUntil, problem } = job;
  const { kind, list, format, zone, filters } = request;
  const { rows, bytes, readTo } = progress;
  return {
    id,
    kind,
    list,
    format,
    zone,
    filters,
    state,
    ...authorOf(job),
    created_at: seconds(job.createdAt),
    ended_at: job.endedAt === null ? null : seconds(job.endedAt),
    expires_at: job.endedAt === null || job.droppedAt !== null ? null : seconds(job.endedAt + KEPT_MS),
    rows,
    bytes,
    covered: coveredOf(progress),
    reached_at: readTo === null ? null : plausibleCreatedAt({ ...readTo }),
    worked_ms: workedMs,
    waits_until: waitsUntil,
    problem,
    downloaded_at: job.downloadedAt === null ? null : seconds(job.downloadedAt),
    file: fileOf(job),
  };
}

export function detailOf(job: ExportJobRow): JobDetail {
  const { service, account, request, progress } = job;
  const file = fileOf(job);
  const { format, zone, list, filters } = request;
  const about = { service, account, format, path: PROVIDER_LISTS[list].path, filters, state: progress };
  const manifest =
    file && manifestText({ ...about, fileName: file.name, zone: zoneNamed(zone) ?? 'utc', sha256: file.sha256 });
  const { totals, repeated, malformed, newer, outside, unmatched } = progress;
  const leftOut = { repeated, malformed, newer, outside, unmatched };
  const summary = file && { totals, ...leftOut, may_have_moved: mayHaveMoved(filters, progress) };
  return { ...exportJobView(job), summary, manifest };
}

/** `preparedAt`: when the server prepared the month by itself, ms. */
export function monthViewOf(job: MonthRow, preparedAt: number | null = null): MonthJob {
  const { id, request, state, progress, problem, waitsUntil, sha256 } = job;
  const { task, from, to, closed } = request;
  const { doing, month, late, moved } = progress;
  return {
    id,
    task,
    from,
    to,
    closed,
    state,
    doing,
    progress: progress.progress,
    waits_until: waitsUntil,
    problem,
    month,
    late,
    moved,
    sha256,
    prepared_at: preparedAt === null ? null : seconds(preparedAt),
  };
}

/** The file of an ended job; a stopped job has the rows so far. Null if there is no file. */
export function fileOf({ state, request, progress, sha256, endedAt, droppedAt }: ExportJobRow): Job['file'] {
  const hasEnded = state === 'done' || state === 'stopped';
  if (!hasEnded || sha256 === null || endedAt === null || droppedAt !== null) return null;
  const { complete, bytes } = progress;
  const at = isoUtc(seconds(endedAt)).replaceAll(':', '');
  const name = `${request.list}-${at}${complete ? '' : '-incomplete'}.${request.format}`;
  return { name, bytes, sha256, complete };
}
