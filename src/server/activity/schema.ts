import { migrate, type Sql } from '#src/server/database/sql.ts';

/** Append-only. `at`: the database's clock, ms. `account` is null if a line concerns the whole server. */
export const ACTIVITY_MIGRATIONS = [
  `
create table activity.lines (
  number bigint primary key, at bigint not null, service text not null, account text, person text, who text,
  kind text not null, subject text, facts text not null, mac text not null);
create index lines_page on activity.lines (service, account, at);
create function activity.refuse_change() returns trigger language plpgsql as
  $$ begin raise exception 'Lines of the activity are never changed.'; end $$;
create trigger append_only before update or delete on activity.lines
  for each row execute function activity.refuse_change();
`,
  // Deleting lines at the end leaves the chain before them intact, so this row records where the chain ends.
  `
create table activity.last_line (
  one boolean primary key default true check (one), number bigint not null, mac text not null, seal text not null);
create trigger never_truncated before truncate on activity.lines
  for each statement execute function activity.refuse_change();
`,
];

export function migrateActivity(sql: Sql): Promise<void> {
  return migrate(sql, 'activity', ACTIVITY_MIGRATIONS);
}
