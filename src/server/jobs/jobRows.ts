import * as v from 'valibot';
import { type Param, type Queries, systemErrorCode } from '#src/server/database/sql.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import type { Actor } from '#src/server/people/actor.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import {
  FILE_KEPT_HOURS,
  JOB_KINDS,
  JOB_STATES,
  type JobKind,
  type JobProblem,
  problemSchema,
  type JobState,
} from '#src/shared/contract/jobsContract.ts';
import { parseExact, stringifyExact } from '#src/shared/json/exactJson.ts';
import { isStorable } from '#src/shared/text.ts';
import { beginWork, JOB_KIND, type JobProgress, type JobRequest, type JobWork } from './jobKinds.ts';

/** How long a server may be silent before another takes up its job. */
export const JOB_LEASE_MS = 30_000;
/** How long the file of an ended job is kept. */
export const KEPT_MS = FILE_KEPT_HOURS * 3_600_000;

interface JobFacts extends AccountOwner {
  id: string;
  person: string | null;
  who: string | null;
  /** The session that started or continued it. */
  session: string;
  state: JobState;
  /** Hash of an export's parts so far, or of a finished reading of a month; null before that. */
  sha256: string | null;
  parts: number;
  workedMs: number;
  waitsUntil: number | null;
  problem: JobProblem | null;
  /** Milliseconds. */
  createdAt: number;
  endedAt: number | null;
  /** When it was first downloaded. */
  downloadedAt: number | null;
  droppedAt: number | null;
}

export type JobRow = JobFacts & JobWork;
export type ExportJobRow = Extract<JobRow, { kind: 'export' }>;
export type MonthRow = Extract<JobRow, { kind: 'month-close' }>;

/** A job and the run of the server that works on it. */
export interface ClaimedJob {
  job: JobRow;
  run: string;
  /** How often it was claimed since rows were last saved. */
  takeovers: number;
}

/** The person or session that a job belongs to, and its account. */
export interface JobActor extends Actor, AccountOwner {
  session: string;
}

type Columns = Record<
  'id' | 'kind' | 'arguments' | 'service' | 'account' | 'session' | 'state' | 'progress' | 'created_at',
  string
> &
  Record<
    'person' | 'who' | 'sha256' | 'problem' | 'waits_until' | 'ended_at' | 'downloaded_at' | 'dropped_at',
    string | null
  > & {
    parts: number;
    worked_ms: string;
  };

const COLUMNS = `id, kind, arguments, service, account, person, who, session, state, progress, sha256, parts, worked_ms::text,
  waits_until::text, problem, created_at::text, ended_at::text,
  downloaded_at::text, dropped_at::text`;

/** Null for a row that another version of the server wrote, which this one can't read. */
function readJob(row: Columns | undefined): JobRow | null {
  if (row === undefined) return null;
  try {
    return jobOf(row);
  } catch (error) {
    if (error instanceof v.ValiError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function jobOf(row: Columns): JobRow {
  const work = JOB_KIND[v.parse(v.picklist(JOB_KINDS), row.kind)].read(
    parseExact(row.arguments),
    parseExact(row.progress),
  );
  const read = (text: string | null): number | null => (text === null ? null : Number(text));
  return {
    ...work,
    id: row.id,
    service: row.service,
    account: row.account,
    person: row.person,
    who: row.who,
    session: row.session,
    state: v.parse(v.picklist(JOB_STATES), row.state),
    sha256: row.sha256,
    parts: row.parts,
    workedMs: Number(row.worked_ms),
    waitsUntil: read(row.waits_until),
    problem: row.problem === null ? null : v.parse(problemSchema, parseExact(row.problem)),
    createdAt: Number(row.created_at),
    endedAt: read(row.ended_at),
    downloadedAt: read(row.downloaded_at),
    droppedAt: read(row.dropped_at),
  };
}

/** Stands for a session in jobs that the server starts by itself, for which it has the API keys of all accounts. */
export const SERVER_SESSION = 'server';
/** A job in key mode: only the server that started it has the API key. */
const IS_KEYLESS = `person is null and session <> '${SERVER_SESSION}'`;

/** The actor's own jobs; in key mode all jobs of the account. */
const IS_THEIRS = 'service = $1 and account = $2 and person is not distinct from $3';

function theirParams({ service, account, person }: JobActor): Param[] {
  return [service, account, person];
}

/** Exports that weren't cancelled, newest first. */
export async function listExports(queries: Queries, actor: JobActor, most: number): Promise<ExportJobRow[]> {
  const rows = await queries.query<Columns>(
    `select ${COLUMNS} from jobs.runs where ${IS_THEIRS} and kind = 'export' and state <> 'cancelled' and dropped_at is null
     order by jobs.runs.created_at desc, id limit $4`,
    [...theirParams(actor), most],
  );
  return rows.map(readJob).filter((job) => job?.kind === 'export');
}

/** One person's jobs; in key mode those under the same typed name. */
const IS_OWN = "service = $1 and account = $2 and coalesce(person, who, '') = $3";

function ownParams({ service, account, person, who }: JobActor): Param[] {
  return [service, account, person ?? who ?? ''];
}

/** The person's job with the same request that hasn't ended, or whose result nobody has fetched; null if there is none. */
export async function findSameMonth(queries: Queries, actor: JobActor, request: JobRequest): Promise<JobRow | null> {
  const [row] = await queries.query<Columns>(
    `select ${COLUMNS} from jobs.runs where ${IS_OWN} and kind = 'month-close' and arguments = $4 and dropped_at is null
       and (ended_at is null or state = 'done' and downloaded_at is null)
     order by jobs.runs.created_at desc, id limit 1`,
    [...ownParams(actor), stringifyExact(request)],
  );
  return readJob(row);
}

export async function isUnended(queries: Queries, id: string): Promise<boolean> {
  return (await unendedJobs(queries, [id])).has(id);
}

/** An ended reading of the account; null if it was deleted. */
export async function findReading(
  queries: Queries,
  { service, account }: AccountOwner,
  id: string,
): Promise<MonthRow | null> {
  const [row] = await queries.query<Columns>(
    `select ${COLUMNS} from jobs.runs where service = $1 and account = $2 and id = $3
       and kind = 'month-close' and state = 'done' and dropped_at is null`,
    [service, account, id],
  );
  const job = readJob(row);
  return job?.kind === 'month-close' ? job : null;
}

/** Drops a person's older readings beyond the newest `kept`. */
export async function dropOldMonths(queries: Queries, actor: JobActor, kept: number): Promise<void> {
  const rows = await queries.query<{ id: string }>(
    `select id from jobs.runs where ${IS_OWN} and kind = 'month-close' and dropped_at is null
     order by (ended_at is null) desc, jobs.runs.created_at desc, id offset $4`,
    [...ownParams(actor), kept],
  );
  for (const { id } of rows) await dropJob(queries, id);
}

/** Null also for another person's job or one of another version. `lock`: locks the row until the transaction ends. */
export async function findJob(
  queries: Queries,
  actor: JobActor,
  id: string,
  { lock = false } = {},
): Promise<JobRow | null> {
  // PostgreSQL rejects text with a zero byte.
  if (!isStorable(id)) return null;
  const [row] = await queries.query<Columns>(
    `select ${COLUMNS} from jobs.runs where ${IS_THEIRS} and id = $4 ${lock ? 'for update' : ''}`,
    [...theirParams(actor), id],
  );
  return readJob(row);
}

/** `server`: the server that has the API key in memory; null if every server has it. */
export async function insertJob(
  queries: Queries,
  { service, account, person, who, session }: JobActor,
  { id, request, server }: { id: string; request: JobRequest; server: string | null },
): Promise<JobRow> {
  const [row] = await queries.query<Columns>(
    `insert into jobs.runs (id, kind, arguments, service, account, person, who, session, state, server, lease_until, progress, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', $9, case when $9::text is null then null else ${NOW_MS} + ${JOB_LEASE_MS} end, $10, ${NOW_MS})
     returning ${COLUMNS}`,
    [
      id,
      request.kind,
      stringifyExact(request),
      service,
      account,
      person,
      who,
      session,
      server,
      stringifyExact(beginWork(request).progress),
    ],
  );
  if (row === undefined) throw new Error('The database returned no row.');
  return jobOf(row);
}

export async function continueJob(
  queries: Queries,
  id: string,
  { session, server }: { session: string; server: string | null },
): Promise<void> {
  await queries.query(
    `update jobs.runs set state = 'waiting', session = $2, server = $3, problem = null, ended_at = null, downloaded_at = null,
       takeovers = 0, lease_until = case when $3::text is null then null else ${NOW_MS} + ${JOB_LEASE_MS} end where id = $1`,
    [id, session, server],
  );
}

/** Records a download, and of an incomplete file its rows and hash: the job may go on. */
export async function noteDownload(queries: Queries, id: string): Promise<void> {
  await queries.query(`update jobs.runs set downloaded_at = coalesce(downloaded_at, ${NOW_MS}) where id = $1`, [id]);
  await queries.query(
    `insert into jobs.partial_downloads (job, sha256, rows, at) select id, sha256, rows, ${NOW_MS} from jobs.runs
     where id = $1 and kind = 'export' and state <> 'done' and sha256 is not null on conflict do nothing`,
    [id],
  );
}

/** Ends the job for good; deleteDroppedParts() deletes its file. */
export async function dropJob(queries: Queries, id: string): Promise<void> {
  await queries.query(
    `update jobs.runs set state = case when state = 'done' then 'done' else 'cancelled' end, run = null, server = null,
       lease_until = null, waits_until = null, ended_at = coalesce(ended_at, ${NOW_MS}), dropped_at = ${NOW_MS} where id = $1`,
    [id],
  );
}

/** Deletes a few parts of dropped jobs, so that no statement takes long. Returns whether there were any. */
export async function deleteDroppedParts(queries: Queries): Promise<boolean> {
  const deleted = await queries.query(
    `delete from jobs.parts where (job, number) in (select p.job, p.number from jobs.parts p
       join jobs.runs r on r.id = p.job where r.dropped_at is not null limit ${PARTS_A_SLICE}) returning number`,
  );
  return deleted.length > 0;
}

const PARTS_A_SLICE = 20;

/**
 * Claims the oldest job that may run: a waiting job, or one whose lease expired. `held`: in key mode, the jobs whose API key
 * this server has. `kinds`: the kinds that it can run now. Null if there is no such job. 'unreadable': it was a job of another
 * version, which this has stopped.
 */
export async function claimJob(
  queries: Queries,
  {
    service,
    server,
    run,
    held,
    kinds,
  }: { service: string; server: string; run: string; held: readonly string[] | null; kinds: readonly JobKind[] },
): Promise<ClaimedJob | 'unreadable' | null> {
  const mayRun =
    held === null
      ? `(j.person is not null or j.session = '${SERVER_SESSION}') and (j.state = 'waiting' or j.state = 'running' and j.lease_until < ${NOW_MS})`
      : `j.person is null and j.state = 'waiting' and j.id in (select json_array_elements_text($5::text::json))`;
  try {
    const [row] = await queries.query<Columns & { takeovers: number }>(
      `update jobs.runs set state = 'running', run = $2, server = $3, lease_until = ${NOW_MS} + ${JOB_LEASE_MS}, takeovers = takeovers + 1
       where id = (select j.id from jobs.runs j where j.service = $1 and j.ended_at is null
         and j.kind in (select json_array_elements_text($4::text::json)) and ${mayRun}
         and not exists (select 1 from jobs.runs o where o.state = 'running' and o.id <> j.id and o.service = j.service
           and o.account = j.account and o.kind = j.kind and coalesce(o.person, o.who, '') = coalesce(j.person, j.who, ''))
         order by j.created_at, j.id limit 1 for update skip locked)
       returning ${COLUMNS}, takeovers`,
      [service, run, server, JSON.stringify(kinds), ...(held === null ? [] : [JSON.stringify(held)])],
    );
    if (row === undefined) return null;
    const job = readJob(row);
    if (job !== null) return { job, run, takeovers: row.takeovers };
    await queries.query(`update jobs.runs set ${STOPPED}, problem = $2 where run = $1`, [
      run,
      stringifyExact(OTHER_VERSION),
    ]);
    return 'unreadable';
  } catch (error) {
    // Another server has just claimed another job of the same person.
    if (systemErrorCode(error) === UNIQUE_VIOLATION) return null;
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';

/** A job of another version is stopped, because it would keep the person's other jobs waiting. */
const OTHER_VERSION: JobProblem = {
  code: 'failed',
  message: 'Another version of the server started it.',
  request_id: null,
};

/** Renews the leases of a server's jobs: `runs`, and waiting ones whose API key it has. Returns the runs that are still its own. */
export async function renewLeases(
  queries: Queries,
  { server, runs, held }: { server: string; runs: readonly string[]; held: readonly string[] },
): Promise<Set<string>> {
  const rows = await queries.query<{ run: string | null }>(
    `update jobs.runs set lease_until = ${NOW_MS} + ${JOB_LEASE_MS}
     where server = $1 and ended_at is null and (run in (select json_array_elements_text($2::text::json))
       or state = 'waiting' and id in (select json_array_elements_text($3::text::json)))
     returning run`,
    [server, JSON.stringify(runs), JSON.stringify(held)],
  );
  return new Set(rows.flatMap(({ run }) => (run === null ? [] : [run])));
}

export async function unendedJobs(queries: Queries, ids: readonly string[]): Promise<Set<string>> {
  const rows = await queries.query<{ id: string }>(
    'select id from jobs.runs where ended_at is null and id in (select json_array_elements_text($1::text::json))',
    [JSON.stringify(ids)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Columns of a job that no server works on. */
const NO_SERVER = 'run = null, server = null, lease_until = null, waits_until = null';
const STOPPED = `state = 'stopped', ended_at = ${NOW_MS}, ${NO_SERVER}`;

/** In key mode: stops jobs whose server is gone, and with it their API key. */
export async function stopKeyless(queries: Queries, service: string, problem: JobProblem): Promise<void> {
  await queries.query(
    `update jobs.runs set ${STOPPED}, problem = $2
     where service = $1 and ${IS_KEYLESS} and ended_at is null and lease_until < ${NOW_MS}`,
    [service, stringifyExact(problem)],
  );
}

/** Called by a server that ends: other servers can claim its jobs at once. Those without an API key elsewhere are stopped. */
export async function releaseServer(queries: Queries, server: string, problem: JobProblem): Promise<void> {
  await queries.query(
    `update jobs.runs set ${STOPPED}, problem = $2
     where server = $1 and ${IS_KEYLESS} and ended_at is null`,
    [server, stringifyExact(problem)],
  );
  await queries.query(
    `update jobs.runs set state = 'waiting', ${NO_SERVER}
     where server = $1 and ended_at is null`,
    [server],
  );
}

/** Stops jobs of the other sign-in mode, which no server runs any more. `arePeoples`: stop those of people (in key mode). */
export async function stopForgotten(
  queries: Queries,
  { problem, arePeoples }: { problem: JobProblem; arePeoples: boolean },
): Promise<void> {
  await queries.query(
    `update jobs.runs set ${STOPPED}, problem = $1
     where ended_at is null and (person is not null or session = '${SERVER_SESSION}') = $2 and coalesce(lease_until, jobs.runs.created_at) < ${NOW_MS} - ${KEPT_MS}`,
    [stringifyExact(problem), arePeoples],
  );
}

/** Drops jobs that ended longer than KEPT_MS ago. */
export async function dropOldJobs(queries: Queries): Promise<void> {
  await queries.query(
    `update jobs.runs set dropped_at = ${NOW_MS}, state = case when state = 'stopped' then 'cancelled' else state end
     where ended_at < ${NOW_MS} - ${KEPT_MS} and dropped_at is null`,
  );
}

/** The total bytes of a service's stored files. */
export async function keptBytes(queries: Queries, service: string): Promise<number> {
  const [row] = await queries.query<{ bytes: string }>(
    'select coalesce(sum(bytes), 0)::text as bytes from jobs.runs where service = $1 and dropped_at is null',
    [service],
  );
  return Number(row?.bytes ?? 0);
}

/** Another server took the job up, or somebody ended it: nothing was written. */
export class RunLost extends Error {
  override name = 'RunLost';
}

export interface SavedPart {
  bytes: Uint8Array;
  ids: readonly string[];
}

export interface JobChange {
  progress: JobProgress;
  sha256: string | null;
  parts: readonly SavedPart[];
  workedMs: number;
  waitsUntil: number | null;
  /** Null if the job goes on. */
  end: { state: 'stopped' | 'done'; problem: JobProblem | null } | null;
}

/** Writes rows, file and position together, in the transaction of the caller. Throws RunLost. */
export async function saveJob(transaction: Queries, { job, run }: ClaimedJob, change: JobChange): Promise<void> {
  const { progress, sha256, parts, workedMs, waitsUntil, end } = change;
  const [row] = await transaction.query<{ parts: number }>(
    `update jobs.runs set progress = $3, rows = $4, sha256 = $5, parts = parts + $6, worked_ms = worked_ms + $7,
       waits_until = $8::bigint, state = $9, problem = $10, bytes = $11, takeovers = case when $6 > 0 then 0 else takeovers end,
       run = case when $9 = 'running' then run end, server = case when $9 = 'running' then server end,
       lease_until = case when $9 = 'running' then ${NOW_MS} + ${JOB_LEASE_MS} end,
       ended_at = case when $9 = 'running' then null else ${NOW_MS} end
     where id = $1 and run = $2 returning parts`,
    [
      job.id,
      run,
      stringifyExact(progress),
      progress.rows,
      sha256,
      parts.length,
      Math.round(workedMs),
      waitsUntil === null ? null : String(Math.round(waitsUntil)),
      end?.state ?? 'running',
      end?.problem == null ? null : stringifyExact(end.problem),
      String(progress.bytes),
    ],
  );
  if (row === undefined) throw new RunLost('Another run has this job.');
  for (const [index, { bytes, ids }] of parts.entries())
    await transaction.query(
      `insert into jobs.parts (job, number, bytes, row_ids) values ($1, $2, decode($3, 'base64'), $4)`,
      [job.id, row.parts - parts.length + index, Buffer.from(bytes).toString('base64'), JSON.stringify(ids)],
    );
}

/** Releases the job, so that any server can claim it. */
export async function releaseJob(queries: Queries, { job, run }: ClaimedJob): Promise<void> {
  await queries.query(
    `update jobs.runs set state = 'waiting', run = null, waits_until = null,
       server = case when ${IS_KEYLESS} then server end, lease_until = case when ${IS_KEYLESS} then lease_until end
     where id = $1 and run = $2`,
    [job.id, run],
  );
}

/** Reads the file part by part, so that it is never in memory as a whole. Throws if a part is missing. */
export async function* readParts(
  queries: Queries,
  { id, parts }: Pick<JobRow, 'id' | 'parts'>,
): AsyncGenerator<SavedPart> {
  for (let number = 0; number < parts; number += 1) {
    const [row] = await queries.query<{ bytes: string; row_ids: string }>(
      `select encode(bytes, 'base64') as bytes, row_ids from jobs.parts where job = $1 and number = $2`,
      [id, number],
    );
    if (row === undefined) throw new PartMissing('The file was deleted.');
    const ids: string[] = JSON.parse(row.row_ids);
    yield { bytes: Buffer.from(row.bytes, 'base64'), ids };
  }
}

export class PartMissing extends Error {
  override name = 'PartMissing';
}
