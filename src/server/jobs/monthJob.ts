import type { ServicePort } from '#src/server/operations/ports.ts';
import type { MonthRequest } from '#src/shared/contract/monthJobContract.ts';
import type { ClosedPeriod } from '#src/shared/contract/statementContract.ts';
import {
  closingVerdictsIn,
  addReportedRowsOfFiles,
  addReportedRowsOfZip,
  readLateEntries,
} from '#src/shared/statement/archive.ts';
import { daysMoved, partFiles } from '#src/shared/statement/freezePeriod.ts';
import type { FileBytes } from '#src/shared/statement/lines.ts';
import { ListBroken, ListRefused } from '#src/shared/statement/monthReads.ts';
import { isSamePeriod } from '#src/shared/statement/period.ts';
import { type Month, type MonthProgress, readMonth } from '#src/shared/statement/readMonth.ts';
import { checkMonth, noReportedRows, withAdjustments } from '#src/shared/statement/reportedRows.ts';
import { seriesZone } from '#src/shared/statement/seriesZone.ts';
import { shownLate, shownMonth } from '#src/shared/statement/shownMonth.ts';
import type { SavedPart } from './jobRows.ts';
import { createMonthReads } from './monthReads.ts';
import { type MonthState, NOTHING_READ } from './monthState.ts';
import { type JobClock, JobStopped } from './pageReader.ts';
import { type Reading, storeReading } from './storedReading.ts';

/** How often the progress is saved. */
const SAVE_MS = 500;

export interface MonthSaving {
  progress: MonthState;
  /** The hash of the complete reading; null before it ends. */
  sha256: string | null;
  parts: SavedPart[];
  waitsUntil: number | null;
}

/** The closed periods of the job's account. */
export interface ClosedBooks {
  list: () => Promise<ClosedPeriod[]>;
  readZip: (period: ClosedPeriod) => Promise<FileBytes>;
}

interface MonthJobParts {
  request: MonthRequest;
  books: ClosedBooks;
  /** Loads the earlier reading that the task continues from. Throws JobStopped if it is gone. */
  loadReading: (id: string) => Promise<Reading>;
  service: Pick<ServicePort, 'read'>;
  apiKey: string;
  clock: JobClock;
  signal: AbortSignal;
  /** Writes all or nothing. */
  save: (saving: MonthSaving) => Promise<void>;
}

/** Once another period is closed, the sums, the adjustments and the start of this one may change. */
export const PERIOD_CLOSED_MEANWHILE = 'A period was closed in the meantime. Load the month again.';

/**
 * Runs a task of a month close. It always starts at the beginning: a server that takes it over reads everything again. Throws
 * JobStopped, the signal's reason, and errors of `save`.
 */
export async function runMonthJob(parts: MonthJobParts): Promise<MonthSaving> {
  try {
    return await runTask(parts);
  } catch (error) {
    if (error instanceof ListRefused && error.cause instanceof JobStopped) throw error.cause;
    if (error instanceof ListBroken) throw new JobStopped('not-contract', error.message);
    throw error;
  }
}

async function runTask({ request, books, loadReading, save, signal, clock, ...provider }: MonthJobParts) {
  const bounds = { from: request.from, to: request.to };
  const state: MonthState = { ...NOTHING_READ };
  let savedAt = -Infinity;
  let waitsUntil: number | null = null;
  let saving = Promise.resolve();
  // Saves run one after the other. The error of a failed save is thrown by the next one, and at the end.
  function saveNow(): Promise<void> {
    savedAt = clock.mono();
    const now: MonthSaving = { progress: { ...state }, sha256: null, parts: [], waitsUntil };
    saving = saving.then(() => save(now));
    saving.catch(() => undefined);
    return saving;
  }
  const rowsBefore = { rows: 0, list: '', seen: 0 };
  function onProgress(progress: MonthProgress): void {
    if (progress.list !== rowsBefore.list || progress.rows < rowsBefore.seen) rowsBefore.rows += rowsBefore.seen;
    Object.assign(rowsBefore, { list: progress.list, seen: progress.rows });
    state.progress = progress;
    state.rows = rowsBefore.rows + progress.rows;
    waitsUntil = null;
    if (clock.mono() - savedAt >= SAVE_MS) void saveNow();
  }
  function begin(doing: MonthState['doing']): Promise<void> {
    Object.assign(state, { doing, progress: null } satisfies Partial<MonthState>);
    return saveNow();
  }

  const closed = await books.list();
  if (closed.length !== request.closed) throw new JobStopped('moved-on', PERIOD_CLOSED_MEANWHILE);
  const isFirst = closed.length === 0;
  const isClosed = closed.some((period) => isSamePeriod(period, bounds));
  const reads = createMonthReads({
    ...provider,
    clock,
    signal,
    onWait: (until) => {
      waitsUntil = until;
      return saveNow();
    },
    lateEntriesIn: async (period) => readLateEntries(await books.readZip(period)),
    closingVerdicts: async (period) => closingVerdictsIn(await books.readZip(period)),
  });

  async function read(): Promise<Month> {
    if (request.reading !== null) return (await loadReading(request.reading)).month;
    await begin('reading');
    return readMonth(reads, { bounds, closed, signal, onProgress });
  }

  /** Finds rows of a range that are in no statement and, with `withPeriod`, not in the period itself. */
  async function findLateRows(month: Month, { from, withPeriod }: { from: number | null; withPeriod: boolean }) {
    const reportedRows = noReportedRows();
    for (const period of closed) await addReportedRowsOfZip(await books.readZip(period), reportedRows);
    if (withPeriod) await addReportedRowsOfFiles(partFiles(month.parts), reportedRows);
    const range = { from, to: withPeriod ? bounds.to : bounds.from };
    return checkMonth(reads, month, { reportedRows, range, isFirst, signal, onProgress });
  }

  async function search(month: Month): Promise<Reading> {
    await begin('finding');
    const checked = await findLateRows(month, { from: isFirst ? bounds.from : null, withPeriod: true });
    return { checked, month: isClosed ? month : withAdjustments(month, checked.adjustments) };
  }

  /** Checks everything before the period; rows in no statement are reported in this one. */
  async function prepare(month: Month): Promise<Reading> {
    await begin('checking');
    // Start without earlier adjustments, as there may be more now.
    const unadjusted = withAdjustments(month, []);
    const checked = await findLateRows(unadjusted, { from: null, withPeriod: false });
    const adjusted = withAdjustments(unadjusted, checked.adjustments);
    state.moved = await daysMoved({ month: adjusted, checked, zone: seriesZone(closed) });
    return { checked, month: adjusted };
  }

  async function doTask(): Promise<Reading> {
    const month = await read();
    state.month = shownMonth(month);
    if (request.task === 'prepare') return prepare(month);
    const isUnexplained = month.sums?.some(({ verdict }) => verdict === 'unexplained') === true;
    return request.task === 'search' || isUnexplained ? search(month) : { month, checked: null };
  }

  const reading = await doTask();
  const { parts, files, bytes, sha256 } = await storeReading(reading);
  await saving;
  signal.throwIfAborted();
  const progress: MonthState = {
    ...state,
    progress: null,
    month: shownMonth(reading.month),
    late: reading.checked && shownLate(reading.checked),
    files,
    bytes,
  };
  return { progress, sha256, parts, waitsUntil: null };
}
