import { migrate, type Sql } from '#src/server/database/sql.ts';

/** The tables of people and their sessions, forward only. Times are milliseconds by the database's clock. */
const PEOPLE_MIGRATIONS = [
  // Accounts are named by a person; the id is the credential of the first key. `seal`: see seals.ts.
  `
create table people.accounts (
  service text not null, id text not null, name text not null, primary key (service, id), unique (service, name));
create table people.credentials (
  service text not null, credential text not null, account text not null, since bigint not null, seal text not null,
  primary key (service, credential), foreign key (service, account) references people.accounts);
`,
  // key_box: the API key, encrypted under the session's token and the server's secret together; blanked at the end.
  `
create table people.sessions (
  token_sha256 text primary key, id text unique not null, service text not null,
  account text not null, credential text not null,
  sandbox text, name text, journal_only boolean not null, key_box text,
  created_at bigint not null, seen_at bigint not null, ended_at bigint, ended_why text,
  check (ended_at is null or key_box is null), check ((ended_at is null) = (ended_why is null)));
create index sessions_open on people.sessions (seen_at) where ended_at is null;
`,
];

export function migratePeople(sql: Sql): Promise<void> {
  return migrate(sql, 'people', PEOPLE_MIGRATIONS);
}
