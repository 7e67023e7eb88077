import * as v from 'valibot';
import { type Param, type Queries, systemErrorCode } from '#src/server/database/sql.ts';
import { NOW } from '#src/server/people/sessionAge.ts';
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
export const LEASE_MS = 30_000;
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
  /** The first time. */
  downloadedAt: number | null;
  droppedAt: number | null;
}

export type JobRow = JobFacts & JobWork;
export type ExportRow = Extract<JobRow, { kind: 'export' }>;
export type MonthRow = Extract<JobRow, { kind: 'month-close' }>;

/** A job and the run of the server that works on it. */
export interface ClaimedJob {
  job: JobRow;
  run: string;
  /** Times that it was taken up since rows were last saved. */
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

/** In place of a session: a job that the server does by itself, where it has the API keys of all accounts. */
export const SERVER_SESSION = 'server';
/** A job in key mode: only the server that started it has the API key. */
const IS_KEYLESS = `person is null and session <> '${SERVER_SESSION}'`;

/** A job of the actor: their own one, in key mode any of the account. */
const IS_THEIRS = 'service = $1 and account = $2 and person is not distinct from $3';

function theirs({ service, account, person }: JobActor): Param[] {
  return [service, account, person];
}

/** Exports, newest first, no cancelled ones. */
export async function listExports(queries: Queries, actor: JobActor, most: number): Promise<ExportRow[]> {
  const rows = await queries.query<Columns>(
    `select ${COLUMNS} from jobs.runs where ${IS_THEIRS} and kind = 'export' and state <> 'cancelled' and dropped_at is null
     order by jobs.runs.created_at desc, id limit $4`,
    [...theirs(actor), most],
  );
  return rows.map(readJob).filter((job) => job?.kind === 'export');
}

/** One person's jobs; in key mode those of one typed name. */
const IS_OWN = "service = $1 and account = $2 and coalesce(person, who, '') = $3";

function own({ service, account, person, who }: JobActor): Param[] {
  return [service, account, person ?? who ?? ''];
}

/** The person's job that does the same, or has done it without anybody having seen the result; null if there is none. */
export async function findSameMonth(queries: Queries, actor: JobActor, request: JobRequest): Promise<JobRow | null> {
  const [row] = await queries.query<Columns>(
    `select ${COLUMNS} from jobs.runs where ${IS_OWN} and kind = 'month-close' and arguments = $4 and dropped_at is null
       and (ended_at is null or state = 'done' and downloaded_at is null)
     order by jobs.runs.created_at desc, id limit 1`,
    [...own(actor), stringifyExact(request)],
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

/** Ends a person's older readings, so that there are never many. */
export async function dropOldMonths(queries: Queries, actor: JobActor, kept: number): Promise<void> {
  const rows = await queries.query<{ id: string }>(
    `select id from jobs.runs where ${IS_OWN} and kind = 'month-close' and dropped_at is null
     order by (ended_at is null) desc, jobs.runs.created_at desc, id offset $4`,
    [...own(actor), kept],
  );
  for (const { id } of rows) await dropJob(queries, id);
}

/** Null for another person's, too, and for one of another version. `lock`: nobody changes it until the transaction ends. */
export async function findJob(
  queries: Queries,
  actor: JobActor,
  id: string,
  { lock = false } = {},
): Promise<JobRow | null> {
  // PostgreSQL takes no text with a zero byte.
  if (!isStorable(id)) return null;
  const [row] = await queries.query<Columns>(
    `select ${COLUMNS} from jobs.runs where ${IS_THEIRS} and id = $4 ${lock ? 'for update' : ''}`,
    [...theirs(actor), id],
  );
  return readJob(row);
}

/** `server`: the one that has the API key in memory; null where every server has it. */
export async function insertJob(
  queries: Queries,
  { service, account, person, who, session }: JobActor,
  { id, request, server }: { id: string; request: JobRequest; server: string | null },
): Promise<JobRow> {
  const [row] = await queries.query<Columns>(
    `insert into jobs.runs (id, kind, arguments, service, account, person, who, session, state, server, lease_until, progress, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', $9, case when $9::text is null then null else ${NOW} + ${LEASE_MS} end, $10, ${NOW})
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
       takeovers = 0, lease_until = case when $3::text is null then null else ${NOW} + ${LEASE_MS} end where id = $1`,
    [id, session, server],
  );
}

export async function noteDownload(queries: Queries, id: string): Promise<void> {
  await queries.query(
    `update jobs.runs set downloaded_at = coalesce(downloaded_at, ${NOW}), handed_out_at = coalesce(handed_out_at, ${NOW})
     where id = $1`,
    [id],
  );
}

/** Ends it for ever; deleteDroppedParts() deletes its file. */
export async function dropJob(queries: Queries, id: string): Promise<void> {
  await queries.query(
    `update jobs.runs set state = case when state = 'done' then 'done' else 'cancelled' end, run = null, server = null,
       lease_until = null, waits_until = null, ended_at = coalesce(ended_at, ${NOW}), dropped_at = ${NOW} where id = $1`,
    [id],
  );
}

/** Deletes some of what dropped jobs have left, so that no statement takes long; returns whether there was any. */
export async function deleteDroppedParts(queries: Queries): Promise<boolean> {
  const deleted = await queries.query(
    `delete from jobs.parts where (job, number) in (select p.job, p.number from jobs.parts p
       join jobs.runs r on r.id = p.job where r.dropped_at is not null limit ${PARTS_A_SLICE}) returning number`,
  );
  return deleted.length > 0;
}

const PARTS_A_SLICE = 20;

/**
 * Takes up the oldest job that may run: a waiting one, or one whose server is silent. `held`: in key mode, the jobs whose
 * API key this server has. `kinds`: those that it takes now. Null if there is none. 'unreadable': it was one of another
 * version, which is stopped now.
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
      ? `(j.person is not null or j.session = '${SERVER_SESSION}') and (j.state = 'waiting' or j.state = 'running' and j.lease_until < ${NOW})`
      : `j.person is null and j.state = 'waiting' and j.id in (select json_array_elements_text($5::text::json))`;
  try {
    const [row] = await queries.query<Columns & { takeovers: number }>(
      `update jobs.runs set state = 'running', run = $2, server = $3, lease_until = ${NOW} + ${LEASE_MS}, takeovers = takeovers + 1
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
    // Another server has just taken up another job of the same person.
    if (systemErrorCode(error) === UNIQUE_VIOLATION) return null;
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';

/** It would otherwise keep the person's other jobs waiting. */
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
    `update jobs.runs set lease_until = ${NOW} + ${LEASE_MS}
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

/** No server works on it. */
const NOBODYS = 'run = null, server = null, lease_until = null, waits_until = null';
const STOPPED = `state = 'stopped', ended_at = ${NOW}, ${NOBODYS}`;

/** In key mode: stops the jobs whose API key went with its server. */
export async function stopKeyless(queries: Queries, service: string, problem: JobProblem): Promise<void> {
  await queries.query(
    `update jobs.runs set ${STOPPED}, problem = $2
     where service = $1 and ${IS_KEYLESS} and ended_at is null and lease_until < ${NOW}`,
    [service, stringifyExact(problem)],
  );
}

/** Of a server that ends: others go on with its jobs at once, where they have the API key. */
export async function releaseServer(queries: Queries, server: string, problem: JobProblem): Promise<void> {
  await queries.query(
    `update jobs.runs set ${STOPPED}, problem = $2
     where server = $1 and ${IS_KEYLESS} and ended_at is null`,
    [server, stringifyExact(problem)],
  );
  await queries.query(
    `update jobs.runs set state = 'waiting', ${NOBODYS}
     where server = $1 and ended_at is null`,
    [server],
  );
}

/** Jobs of the other sign-in mode, which no server runs any more. `arePeoples`: in key mode, those of people. */
export async function stopForgotten(
  queries: Queries,
  { problem, arePeoples }: { problem: JobProblem; arePeoples: boolean },
): Promise<void> {
  await queries.query(
    `update jobs.runs set ${STOPPED}, problem = $1
     where ended_at is null and (person is not null or session = '${SERVER_SESSION}') = $2 and coalesce(lease_until, jobs.runs.created_at) < ${NOW} - ${KEPT_MS}`,
    [stringifyExact(problem), arePeoples],
  );
}

/** Drops jobs whose files were kept long enough. */
export async function dropOldJobs(queries: Queries): Promise<void> {
  await queries.query(
    `update jobs.runs set dropped_at = ${NOW}, state = case when state = 'stopped' then 'cancelled' else state end
     where ended_at < ${NOW} - ${KEPT_MS} and dropped_at is null`,
  );
}

/** The bytes of all files of a service that are kept. */
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
  /** Null: it goes on. */
  end: { state: 'stopped' | 'done'; problem: JobProblem | null } | null;
}

/** Writes rows, file and position together, in the transaction of the caller. Throws RunLost. */
export async function saveJob(transaction: Queries, { job, run }: ClaimedJob, change: JobChange): Promise<void> {
  const { progress, sha256, parts, workedMs, waitsUntil, end } = change;
  const [row] = await transaction.query<{ parts: number }>(
    `update jobs.runs set progress = $3, rows = $4, sha256 = $5, parts = parts + $6, worked_ms = worked_ms + $7,
       waits_until = $8::bigint, state = $9, problem = $10, bytes = $11, takeovers = case when $6 > 0 then 0 else takeovers end,
       run = case when $9 = 'running' then run end, server = case when $9 = 'running' then server end,
       lease_until = case when $9 = 'running' then ${NOW} + ${LEASE_MS} end,
       ended_at = case when $9 = 'running' then null else ${NOW} end
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

/** Gives the job back, so that any server takes it up. */
export async function releaseJob(queries: Queries, { job, run }: ClaimedJob): Promise<void> {
  await queries.query(
    `update jobs.runs set state = 'waiting', run = null, waits_until = null,
       server = case when ${IS_KEYLESS} then server end, lease_until = case when ${IS_KEYLESS} then lease_until end
     where id = $1 and run = $2`,
    [job.id, run],
  );
}

/** The file in order, one part after the other, so that it is never in memory as a whole. Throws if a part is missing. */
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
