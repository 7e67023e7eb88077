import { createHash } from 'node:crypto';
import { LIMIT_MAX, PROVIDER_LISTS } from '#src/shared/contract/contract.ts';
import { type ExportFilters, type ExportRequest, ROW_FILTER_NAMES } from '#src/shared/contract/jobsContract.ts';
import type { CsvColumn } from '#src/shared/export/exportColumns.ts';
import { createExportFile, edgeOf, type ExportState, isRow } from '#src/shared/export/exportFile.ts';
import { followPages } from '#src/shared/paging/followPages.ts';
import { zoneNamed } from '#src/shared/time.ts';
import type { SavedPart } from './jobRows.ts';
import { createPageReader, type JobClock, JobStopped, type DatedListPage, type Query } from './pageReader.ts';
import type { ServicePort } from '#src/server/operations/ports.ts';

/** Maximum size of a part of the file. */
export const PART_BYTES = 1 << 20;
/** A job whose file gets larger stops: files share the disk with the payments. */
const FILE_BYTES_MAX = 1_000_000_000;
/** Rows are saved after this time or this many bytes. After a takeover only unsaved rows are read again. */
const SAVE_MS = 1_000;
const SAVE_BYTES = 1 << 19;

/** Saved in one transaction: the rows since the last save, and the position after them. */
export interface ExportSaving {
  progress: ExportState;
  /** The hash of the file up to here, in hex. */
  sha256: string;
  parts: SavedPart[];
  waitsUntil: number | null;
}

interface ExportJobParts {
  request: ExportRequest;
  /** The saved position. */
  progress: ExportState;
  savedParts: AsyncIterable<SavedPart>;
  service: Pick<ServicePort, 'read'>;
  apiKey: string;
  clock: JobClock;
  signal: AbortSignal;
  loadTeamColumns: () => Promise<readonly CsvColumn[]>;
  /** Writes all or nothing. */
  save: (saving: ExportSaving) => Promise<void>;
}

/** Exports a list from the saved position to its end. Throws JobStopped, the signal's reason, and what `save` throws. */
export async function runExport(parts: ExportJobParts): Promise<ExportSaving> {
  const { request, progress, savedParts, clock, signal, save, loadTeamColumns } = parts;
  const { list, format } = request;
  const hash = createHash('sha256');
  const ids = new Set<string>();
  // The state of a hash can't be saved, so a continued job reads its file once.
  for await (const { bytes, ids: saved } of savedParts) {
    signal.throwIfAborted();
    hash.update(bytes);
    for (const id of saved) ids.add(id);
  }
  const teamColumns = format === 'csv' ? await loadTeamColumns() : [];
  const zone = zoneNamed(request.zone);
  if (zone === null) throw new JobStopped('failed', 'This server doesn’t know the export’s time zone.');
  const file = createExportFile({ request, zone, teamColumns, from: progress, ids });
  if (!file.hasColumnsOf(progress))
    throw new JobStopped('failed', 'The server was updated, and the file’s columns are others now. Export again.');

  const pending: SavedPart[] = [];
  let pendingBytes = 0;
  let savedAt = clock.mono();
  let waitsUntil: number | null = null;
  let isSaveDue = false;
  let saving = Promise.resolve();

  function put(bytes: Uint8Array, added: readonly string[]): void {
    hash.update(bytes);
    pendingBytes += bytes.length;
    for (let at = 0; at < bytes.length || at === 0; at += PART_BYTES)
      pending.push({ bytes: bytes.subarray(at, at + PART_BYTES), ids: at === 0 ? added : [] });
  }

  /** Takes what was read since the last save. */
  function take(): ExportSaving {
    savedAt = clock.mono();
    pendingBytes = 0;
    const newParts = joinParts(pending.splice(0));
    return { progress: file.state(), sha256: hash.copy().digest('hex'), parts: newParts, waitsUntil };
  }

  // Saves run one after the other: a wait may begin while rows are being saved.
  function saveNow(): Promise<void> {
    saving = saveAfter(saving, take());
    return saving;
  }

  async function saveAfter(before: Promise<void>, next: ExportSaving): Promise<void> {
    await before;
    await save(next);
  }

  /** Saves later even if no further page arrives. */
  function saveIn(ms: number): void {
    if (isSaveDue) return;
    isSaveDue = true;
    const wait = async (): Promise<void> => {
      await clock.sleep(ms, signal);
      isSaveDue = false;
      if (pending.length > 0) await saveNow();
    };
    // The error of a failed save is thrown by the next save, or at the end.
    wait().catch(() => undefined);
  }

  const readPage = createPageReader({
    ...parts,
    path: PROVIDER_LISTS[list].path,
    onWait: (until) => {
      waitsUntil = until;
      return saveNow();
    },
  });
  const sent = providerFilters(request);

  async function read(query: Query): Promise<DatedListPage> {
    const page = await readPage(query);
    waitsUntil = null;
    return page;
  }

  if (!progress.begun) put(file.begin(await readOtherEnd(read, sent)), []);
  if (!file.isAtBound() && !file.state().isAtEnd) {
    const end = await followPages(
      (cursor) => read({ limit: LIMIT_MAX, ...sent, starting_after: cursor ?? undefined }),
      async (page) => {
        const { data: items, next_cursor: nextCursor, has_more: hasMore, readAt } = page;
        const { bytes, added } = file.add({ items, nextCursor, isLast: hasMore === false, readAt });
        put(bytes, added);
        if (file.state().bytes > FILE_BYTES_MAX)
          throw new JobStopped('too-large', 'The file would be larger than 1 GB. Export shorter periods.');
        const leftMs = savedAt + SAVE_MS - clock.mono();
        if (leftMs <= 0 || pendingBytes >= SAVE_BYTES || waitsUntil !== null) await saveNow();
        else saveIn(leftMs);
        return file.isAtBound() ? 'enough' : undefined;
      },
      { signal, startAfter: file.state().cursor, ahead: true },
    ).catch(async (error: unknown): Promise<never> => {
      // Whatever stops the job, the rows so far are valid.
      if (error instanceof JobStopped) await saveNow();
      throw error;
    });
    if (end.kind === 'broken') {
      await saveNow();
      throw new JobStopped('not-contract', end.reason);
    }
  }
  await saving;
  file.end();
  return take();
}

/** Reads the row at the other end of the list: the bound of the export, or the measure of its progress. */
async function readOtherEnd(read: (query: Query) => Promise<DatedListPage>, sent: ExportFilters) {
  const { order, ...rest } = sent;
  const other = order === 'asc' ? rest : { ...rest, order: 'asc' };
  let items: readonly unknown[] = [];
  const end = await followPages(
    (cursor) => read({ limit: 1, ...other, starting_after: cursor ?? undefined }),
    ({ data }) => {
      items = data;
      return data.length > 0 ? 'enough' : undefined;
    },
  );
  // An item that isn't a row can't be the bound, so take the first row.
  if (items.length > 0 && !items.some(isRow)) items = (await read({ limit: LIMIT_MAX, ...other })).data;
  const row = items.find(isRow);
  return { edge: row === undefined ? null : edgeOf(row), isEmpty: end.kind === 'end' };
}

/** The filters that the provider supports. */
export function providerFilters({ list, filters }: Pick<ExportRequest, 'list' | 'filters'>): ExportFilters {
  const own: readonly string[] = ROW_FILTER_NAMES[list];
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !own.includes(name)));
}

/** Pages are small, so several are joined into one part. */
function joinParts(parts: readonly SavedPart[]): SavedPart[] {
  const groups: { pieces: Uint8Array[]; size: number; ids: string[] }[] = [];
  for (const { bytes, ids } of parts) {
    const last = groups.at(-1);
    if (last !== undefined && last.size + bytes.length <= PART_BYTES) {
      last.pieces.push(bytes);
      last.size += bytes.length;
      last.ids.push(...ids);
    } else groups.push({ pieces: [bytes], size: bytes.length, ids: [...ids] });
  }
  return groups.filter(({ size }) => size > 0).map(({ pieces, ids }) => ({ bytes: Buffer.concat(pieces), ids }));
}
