import { randomUUID } from 'node:crypto';
import type { Queries } from '#src/server/database/sql.ts';
import { type ReadSessionRights, requireAbility } from '#src/server/people/actor.ts';
import { JOBS_MAX } from '#src/shared/contract/jobsContract.ts';
import {
  continueJob,
  dropJob,
  dropOldMonths,
  type ExportJobRow,
  findJob,
  findSameMonth,
  insertJob,
  type JobActor,
  keptBytes,
  type JobRow,
  type MonthRow,
  listExports,
  noteDownload,
  readParts,
  type SavedPart,
} from './jobRows.ts';
import type { JobRequest } from './jobKinds.ts';
import { closeMonth, type ClosingParts, type CloseResult } from './monthClosing.ts';
import { preparedAt } from './preparing.ts';
import { createRunner, type RunnerParts } from './runner.ts';
import { fileOf } from './views.ts';

export interface JobsParts extends RunnerParts, Pick<ClosingParts, 'statements' | 'loadTeamRecords'> {
  statements: RunnerParts['statements'] & ClosingParts['statements'];
  readSessionRights: ReadSessionRights;
}

export type Jobs = ReturnType<typeof createJobs>;

/** During a download the right is checked again after this time. */
const CHECK_MS = 5_000;
/** Limit for all stored files: they share the disk with the payments. */
const KEPT_BYTES_MAX = 10_000_000_000;

/** Most readings of a month per person; older ones are dropped. */
const MONTHS_KEPT = 8;

/** `moved`: the job's state doesn't allow it. `gone`: its file was deleted. */
type Changed = { kind: 'changed'; job: JobRow } | { kind: 'not-found' | 'moved' | 'gone' };

/** Starts, lists, continues and cancels jobs for people. Call migrateJobs() first. */
export function createJobs(parts: JobsParts) {
  const { database, readSessionRights, statements, loadTeamRecords } = parts;
  const runner = createRunner(parts);
  const { keeper: server } = runner;
  /** Running closes, by job, person and rates. */
  const closing = new Map<string, Promise<CloseResult>>();

  /** Runs a write after checking the right in its transaction. Throws SessionEnded or NotPermitted. */
  function write<T>(
    actor: JobActor,
    work: (tx: Queries) => Promise<T>,
    ability: 'export' | 'close-month' = 'export',
  ): Promise<T> {
    return database.transaction(async (tx) => {
      requireAbility(actor, ability, await readSessionRights(tx, actor.session));
      return work(tx);
    });
  }

  return {
    runner,
    /** Null if the person has too many jobs, or the server stores too many bytes. */
    async start(actor: JobActor, apiKey: string, request: JobRequest): Promise<JobRow | null> {
      const id = randomUUID();
      const job = await write(actor, async (tx) => {
        if (request.kind === 'month-close') {
          const same = request.reading === null ? await findSameMonth(tx, actor, request) : null;
          if (same !== null) return same;
          await dropOldMonths(tx, actor, MONTHS_KEPT - 1);
        } else if ((await listExports(tx, actor, JOBS_MAX)).length >= JOBS_MAX) return null;
        if ((await keptBytes(tx, actor.service)) >= KEPT_BYTES_MAX) return null;
        return insertJob(tx, actor, { id, request, server });
      });
      if (job?.id === id) runner.take(id, apiKey);
      return job;
    },
    list: (actor: JobActor): Promise<ExportJobRow[]> => listExports(database, actor, JOBS_MAX),
    /** When the server prepared the month of a reading by itself, ms; null if it hasn't. */
    preparedAt: (actor: JobActor, { request }: MonthRow): Promise<number | null> =>
      preparedAt(database, actor, request),
    /** Records that a page got the result of a reading, so that the next page starts a new one. */
    noteSeen: (id: string): Promise<void> => noteDownload(database, id),
    /** Closes the period of a prepared month. `gone`: its rows were deleted. Throws SessionEnded or NotPermitted. */
    async close(
      actor: JobActor,
      id: string,
      { sha256, rates }: { sha256: string; rates: Uint8Array | null },
    ): Promise<CloseResult | { kind: 'not-found' | 'gone' }> {
      const job = await write(actor, (tx) => findJob(tx, actor, id), 'close-month');
      if (job?.kind !== 'month-close') return { kind: 'not-found' };
      if (job.droppedAt !== null) return { kind: 'gone' };
      const isPrepared = job.request.task === 'prepare' && job.state === 'done';
      if (!isPrepared || job.sha256 !== sha256) return { kind: 'moved', item: null };
      // A second press during the first one waits for the same result.
      const press = JSON.stringify([id, actor.person, actor.who, rates && Buffer.from(rates).toString('base64')]);
      const work =
        closing.get(press) ??
        closeMonth({ queries: database, statements, loadTeamRecords }, actor, { job, rates }).finally(() =>
          closing.delete(press),
        );
      closing.set(press, work);
      return work;
    },
    find: (actor: JobActor, id: string): Promise<JobRow | null> => findJob(database, actor, id),
    /** Continues a stopped job with this session. */
    async continue(actor: JobActor, apiKey: string, id: string): Promise<Changed> {
      const changed = await write(actor, async (tx): Promise<Changed> => {
        const job = await findJob(tx, actor, id, { lock: true });
        if (job === null) return { kind: 'not-found' };
        if (job.droppedAt !== null) return { kind: 'gone' };
        if (job.state !== 'stopped') return { kind: 'moved' };
        await continueJob(tx, id, { session: actor.session, server });
        return { kind: 'changed', job: { ...job, state: 'waiting', problem: null, endedAt: null, downloadedAt: null } };
      });
      if (changed.kind === 'changed') runner.take(id, apiKey);
      return changed;
    },
    /** Cancels a job and deletes its file. */
    async cancel(actor: JobActor, id: string): Promise<Changed> {
      const changed = await write(actor, async (tx): Promise<Changed> => {
        const job = await findJob(tx, actor, id, { lock: true });
        if (job === null) return { kind: 'not-found' };
        await dropJob(tx, id);
        return { kind: 'changed', job };
      });
      if (changed.kind === 'changed') runner.abort(id);
      return changed;
    },
    /** Finds an export for a download, after checking the right again. Throws SessionEnded or NotPermitted. */
    openFile: (actor: JobActor, id: string): Promise<ExportJobRow | null> =>
      write(actor, async (tx) => {
        // Locked, so that what is noted is what is handed out.
        const job = await findJob(tx, actor, id, { lock: true });
        if (job?.kind !== 'export') return null;
        if (fileOf(job) !== null) await noteDownload(tx, id);
        return job;
      }),
    /** Also throws if the session or the right ends during a slow download. */
    async *readFile(actor: JobActor, job: Pick<JobRow, 'id' | 'parts'>): AsyncGenerator<SavedPart> {
      let checkedAt = performance.now();
      for await (const part of readParts(database, job)) {
        if (performance.now() - checkedAt > CHECK_MS) {
          await write(actor, async () => undefined);
          checkedAt = performance.now();
        }
        yield part;
      }
    },
  };
}
