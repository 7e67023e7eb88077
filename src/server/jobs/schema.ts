import { migrate, type Sql } from '#src/server/database/sql.ts';

/** Work that outlives a page. Times are milliseconds by the database's clock. */
export const JOB_MIGRATIONS = [
  // `run`: a new id each time a server claims the job; valid while its lease lasts. In key mode a waiting job has a lease, too,
  // because only one server has its API key. `progress`: an ExportState; with `sha256` it describes the parts.
  // `takeovers`: claims since rows were last saved.
  `
create table jobs.runs (
  id text primary key, kind text not null check (kind in ('export')), arguments text not null,
  service text not null, account text not null, person text, who text, session text not null,
  state text not null check (state in ('waiting', 'running', 'stopped', 'done', 'cancelled')),
  run text, server text, lease_until bigint,
  progress text not null, rows bigint not null default 0, sha256 text, parts integer not null default 0,
  bytes bigint not null default 0, takeovers integer not null default 0,
  worked_ms bigint not null default 0, waits_until bigint, problem text,
  created_at bigint not null, ended_at bigint, downloaded_at bigint, handed_out_at bigint, dropped_at bigint,
  check ((state = 'running') = (run is not null)), check ((state in ('waiting', 'running')) = (ended_at is null)));
create unique index runs_one on jobs.runs (service, account, coalesce(person, who, ''), kind) where state = 'running';
create index runs_unended on jobs.runs (created_at) where ended_at is null;
create index runs_kept on jobs.runs (ended_at) where dropped_at is null;
create index runs_page on jobs.runs (service, account, created_at);
create table jobs.parts (
  job text not null references jobs.runs, number integer not null, bytes bytea not null, row_ids text not null,
  primary key (job, number));
`,
  // A reading of a month is a job, too. Its progress is a MonthState, its sha256 that of the reading, and its parts are files.
  `
alter table jobs.runs drop constraint runs_kind_check;
alter table jobs.runs add constraint runs_kind_check check (kind in ('export', 'month-close'));
`,
  // The next month that an account can close, which the server prepares by itself. `job`: the current or last reading;
  // `sha256`: of the last complete reading with nothing unresolved. `prepared_at`: when two readings in a row were first equal.
  `
create table jobs.prepared (
  service text not null, account text not null, period_from bigint not null, period_to bigint not null,
  job text, sha256 text, next_at bigint not null, prepared_at bigint, reminded_at bigint,
  primary key (service, account, period_from));
`,
  // Incomplete files that were downloaded, as they were then: the job may go on. Replaces runs.handed_out_at, which says nothing
  // of the file; servers of the version before still write it.
  `
create table jobs.partial_downloads (
  job text not null references jobs.runs, sha256 text not null, rows bigint not null, at bigint not null,
  primary key (job, sha256));
insert into jobs.partial_downloads (job, sha256, rows, at) select id, sha256, rows, handed_out_at from jobs.runs
  where kind = 'export' and state <> 'done' and sha256 is not null and handed_out_at is not null;
`,
];

export function migrateJobs(sql: Sql): Promise<void> {
  return migrate(sql, 'jobs', JOB_MIGRATIONS);
}
