import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type Database, isProgramFault, type Queries } from '#src/server/database/sql.ts';
import type { AccountOwner, ServicePort } from '#src/server/operations/ports.ts';
import type { Grants } from '#src/server/people/grants.ts';
import type { ServerAccounts } from '#src/server/people/serverAccounts.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import { JOB_KINDS, type JobKind, type JobProblem } from '#src/shared/contract/jobsContract.ts';
import { type CsvColumn, EXPORTED_LISTS } from '#src/shared/export/exportColumns.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { isAllowed } from '#src/shared/permissions.ts';
import { runExport } from './exportJob.ts';
import { type ClosedBooks, runMonthJob } from './monthJob.ts';
import type { Statements } from '#src/server/team/statements.ts';
import {
  claimJob,
  type ClaimedJob,
  deleteDroppedParts,
  dropOldJobs,
  type JobChange,
  type JobRow,
  PartMissing,
  readParts,
  releaseJob,
  releaseServer,
  renewLeases,
  RunLost,
  saveJob,
  SERVER_SESSION,
  stopForgotten,
  stopKeyless,
  unendedJobs,
} from './jobRows.ts';
import { type JobClock, JobStopped } from './pageReader.ts';
import { openReading } from './openReading.ts';
import { createPreparing, type MonthEvents } from './preparing.ts';

/** Most jobs that one server runs at a time; others wait. */
export const RUNNING_MAX = 10;
/** Most month readings among them: each holds its rows in memory. */
const MONTHS_MAX = 2;
const TICK_MS = 2_000;
/** A job that is claimed more often than this without saving a row stops. */
const TAKEOVERS_MAX = 5;
const CLEAN_MS = 60_000;

const RESTARTED: JobProblem = {
  code: 'server-restarted',
  message: 'The server restarted, and the API key was only in its memory.',
  request_id: null,
};
const FORGOTTEN: JobProblem = { code: 'failed', message: 'No server worked on it for a day.', request_id: null };
const FAILED: JobProblem = { code: 'failed', message: 'The server failed on this.', request_id: null };

export interface RunnerParts {
  database: Database;
  service: Pick<ServicePort, 'name' | 'read'>;
  /** Null in key mode: then a job uses the API key of the session that started it. */
  people: { accounts: ServerAccounts; grants: Pick<Grants, 'readPerson'> } | null;
  loadTeamColumns: (owner: AccountOwner, payment: PaymentKind | null) => Promise<readonly CsvColumn[]>;
  statements: Pick<Statements, 'list' | 'readZip'>;
  monthEvents: MonthEvents;
  clock: JobClock;
  /** Logs a line. */
  warn: (line: string) => void;
}

type Saving = Omit<JobChange, 'workedMs' | 'end'>;

interface WorkingParts {
  apiKey: string;
  signal: AbortSignal;
  save: (saving: Saving) => Promise<void>;
}

const DONE: JobChange['end'] = { state: 'done', problem: null };

/** Claims and runs jobs on this server. */
export function createRunner(parts: RunnerParts) {
  const { database, service, people, loadTeamColumns, statements, monthEvents, clock, warn } = parts;
  const prepareMonth = createPreparing({ database, statements, events: monthEvents, wall: clock.wall });
  const server = randomUUID();
  /** In key mode: API keys by job, only in memory. A continued job gets a new entry. */
  const keys = new Map<string, { apiKey: string }>();
  const working = new Map<string, { kind: JobKind; run: string; stop: AbortController; ended: Promise<void> }>();
  /** Runs that ended because the database failed, still to be released. */
  const unreleased = new Set<ClaimedJob>();
  /** Aborted when this server ends. */
  const stopping = new AbortController();
  let ticking: Promise<void> | null = null;
  let isTickDue = false;
  const beganAt = clock.mono();
  let cleanedAt = -Infinity;
  /** Files of dropped jobs may be left to delete. */
  let hasDropped = false;
  /** Files were deleted since the last vacuum. */
  let hasDeleted = false;
  let reportedFailure = '';
  let timer: NodeJS.Timeout | undefined;

  /** Throws JobStopped if the person or session that started the job may no longer export. */
  async function checkOwner(queries: Queries, { person, account, session }: JobRow): Promise<void> {
    // The server's own job, which exists only in people mode.
    if (session === SERVER_SESSION) return;
    if (people !== null) {
      const found = person === null ? null : await people.grants.readPerson(queries, { person, account });
      const rights = { permissions: found?.permissions ?? [], readOnly: false, keyRefused: false };
      if (!isAllowed('export', rights))
        throw new JobStopped('not-permitted', 'Whoever started it has no role on this account any more.');
      return;
    }
    // An idle session still counts, so that a job outlives its tab; a session that was signed out doesn't.
    const [row] = await queries.query<{ open: boolean }>(
      `select (ended_at is null or ended_why = 'idle') and created_at > ${NOW_MS} - longest_ms as open
       from people.sessions where id = $1`,
      [session],
    );
    if (row?.open !== true)
      throw new JobStopped('signed-out', 'The session that it used was signed out, or was older than 12 hours.');
  }

  /** Runs the job to its end. */
  function resultOf(job: JobRow, working: WorkingParts): Promise<Saving> {
    const parts = { ...working, service, clock };
    if (job.kind === 'export') {
      const { request, progress } = job;
      const savedParts = readParts(database, job);
      const columns = () => loadTeamColumns(job, EXPORTED_LISTS[request.list].payment);
      return runExport({ ...parts, request, progress, savedParts, loadTeamColumns: columns });
    }
    const { request } = job;
    const books: ClosedBooks = {
      list: () => statements.list(job),
      readZip: (period) => statements.readZip(job, period),
    };
    return runMonthJob({ ...parts, request, books, loadReading: (id) => openReading(database, job, id) });
  }

  async function workOn(claimed: ClaimedJob, stop: AbortController): Promise<void> {
    const { job } = claimed;
    const { signal } = stop;
    let saved: Pick<JobChange, 'progress' | 'sha256'> = { progress: job.progress, sha256: job.sha256 };
    let since = clock.mono();
    const save = async (saving: Saving, end: JobChange['end']): Promise<void> => {
      const now = clock.mono();
      await database.transaction(async (tx) => {
        await saveJob(tx, claimed, { ...saving, workedMs: now - since, end });
        if (end?.state !== 'stopped') await checkOwner(tx, job);
      });
      since = now;
      saved = saving;
    };
    const saveStop = (problem: JobProblem): Promise<void> =>
      save({ ...saved, parts: [], waitsUntil: null }, { state: 'stopped', problem });
    try {
      if (claimed.takeovers > TAKEOVERS_MAX) throw new JobStopped('failed', 'Several servers failed on this.');
      await checkOwner(database, job);
      const apiKey = people === null ? keys.get(job.id)?.apiKey : people.accounts.find(job.account)?.apiKey;
      if (apiKey === undefined) throw new JobStopped('failed', 'The server has no API key of this account.');
      await save(await resultOf(job, { apiKey, signal, save: (saving) => save(saving, null) }), DONE);
    } catch (error) {
      if (error instanceof RunLost || signal.aborted) return;
      try {
        if (error instanceof JobStopped) await saveStop(error.problem);
        else if (isFault(error)) {
          warn(`Jobs: ${error instanceof Error ? error.stack : String(error)}`);
          await saveStop(FAILED);
        } else throw error;
      } catch (failure) {
        if (failure instanceof RunLost) return;
        // The database failed: the job will continue from the last save.
        report(failure);
        unreleased.add(claimed);
      }
    } finally {
      // Aborts a page that was requested ahead.
      stop.abort();
    }
  }

  function report(error: unknown): void {
    const line = error instanceof Error ? error.message : String(error);
    if (line !== reportedFailure) warn(`Jobs: ${line}`);
    reportedFailure = line;
  }

  function begin(claimed: ClaimedJob): void {
    const stop = new AbortController();
    const { id } = claimed.job;
    const ended = workOn(claimed, stop).finally(() => {
      if (working.get(id)?.stop === stop) working.delete(id);
      // Don't retry at once after a failure of the database.
      if (!stopping.signal.aborted && !unreleased.has(claimed)) void tick();
    });
    working.set(id, { kind: claimed.job.kind, run: claimed.run, stop, ended });
  }

  async function renew(): Promise<void> {
    if (working.size === 0 && keys.size === 0) return;
    const before = [...working];
    const runs = before.map(([, { run }]) => run);
    const own = await renewLeases(database, { server, runs, held: [...keys.keys()] });
    // These jobs were cancelled, or taken over by another server.
    for (const [, { run, stop }] of before) if (!own.has(run)) stop.abort();
  }

  /** Forgets the API keys of ended jobs. */
  async function forgetKeys(): Promise<void> {
    if (keys.size === 0) return;
    const before = [...keys];
    const ids = await unendedJobs(
      database,
      before.map(([id]) => id),
    );
    // Only keys from before the query: a key added during it isn't in the result.
    for (const [id, key] of before) if (!ids.has(id) && keys.get(id) === key) keys.delete(id);
  }

  async function deleteFiles(): Promise<void> {
    hasDropped = false;
    while (!stopping.signal.aborted && (await deleteDroppedParts(database))) hasDeleted = true;
  }

  async function tickOnce(): Promise<void> {
    for (const claimed of unreleased) {
      await releaseJob(database, claimed);
      unreleased.delete(claimed);
    }
    await forgetKeys();
    await renew();
    if (people === null) await stopKeyless(database, service.name, RESTARTED);
    if (clock.mono() - cleanedAt >= CLEAN_MS) {
      cleanedAt = clock.mono();
      await dropOldJobs(database);
      await deleteFiles();
      // PGlite has no autovacuum: without this, the space of deleted files would never be used again.
      if (hasDeleted && database.engine === 'PGlite') await database.script('vacuum jobs.parts');
      hasDeleted = false;
      await stopForgotten(database, { problem: FORGOTTEN, arePeoples: people === null });
      // Not right after the start of the server.
      if (clock.mono() - beganAt >= CLEAN_MS)
        for (const { account } of people?.accounts.list() ?? [])
          await prepareMonth({ service: service.name, account }).catch(report);
    }
    if (hasDropped) await deleteFiles();
    while (!stopping.signal.aborted && working.size < RUNNING_MAX) {
      const held = people === null ? [...keys.keys()].filter((id) => !working.has(id)) : null;
      if (held?.length === 0) break;
      const months = [...working.values()].filter(({ kind }) => kind === 'month-close').length;
      const kinds = JOB_KINDS.filter((kind) => kind !== 'month-close' || months < MONTHS_MAX);
      const claimed = await claimJob(database, { service: service.name, server, run: randomUUID(), held, kinds });
      if (claimed === null) break;
      if (claimed !== 'unreadable') begin(claimed);
    }
  }

  /** Renews leases and claims jobs. Never rejects; concurrent calls share one run. */
  async function tick(): Promise<void> {
    isTickDue = true;
    ticking ??= (async () => {
      while (isTickDue && !stopping.signal.aborted) {
        isTickDue = false;
        await tickOnce().catch(report);
      }
      ticking = null;
    })();
    return ticking;
  }

  return {
    /** This server's id if only it has the API keys of its jobs; null if every server has them. */
    keeper: people === null ? server : null,
    /** Call it when a job was recorded. */
    take(id: string, apiKey: string): void {
      if (people === null) keys.set(id, { apiKey });
      void tick();
    },
    /** Call it when a job was cancelled. */
    abort(id: string): void {
      keys.delete(id);
      hasDropped = true;
      working.get(id)?.stop.abort();
      void tick();
    },
    tick,
    /** Waits for the jobs that this server can work on now. */
    async idle(): Promise<void> {
      await tick();
      while (working.size > 0) {
        await Promise.all([...working.values()].map(({ ended }) => ended));
        await tick();
      }
    },
    begin(): void {
      timer ??= setInterval(() => void tick(), TICK_MS).unref();
      void tick();
    },
    /** Saves nothing more. Other servers take over this server's jobs if they have the API key. */
    async stop(): Promise<void> {
      stopping.abort();
      clearInterval(timer);
      await ticking;
      const ended = [...working.values()].map((job) => job.ended);
      for (const { stop } of working.values()) stop.abort();
      await Promise.all(ended);
      keys.clear();
      await releaseServer(database, server, RESTARTED).catch(report);
    },
  };
}

/** An error of this program or of its stored data, not of the database: a retry would not help. */
function isFault(error: unknown): boolean {
  return isProgramFault(error) || [SyntaxError, v.ValiError, PartMissing].some((kind) => error instanceof kind);
}
