/**
 * The journal's tables, forward only. Times by a clock of this house are milliseconds, the service's are Unix seconds.
 * Nothing here is ever deleted: it is the audit trail. An operator may blank the names, words and notes of people.
 */
export const STEPS = [
  `
create table operations.journal (
  one boolean primary key default true check (one), id text not null, position bigint not null,
  version integer not null, set_back_at bigint);
create table operations.set_backs (at bigint not null, journal text not null, ended_at bigint, words text);

create table operations.operations (
  key text primary key, seq bigint not null, kind text not null, service text not null, account text not null,
  place text not null, path text not null, body text not null, body_sha256 text not null,
  first_service bigint not null, first_server bigint not null, first_database bigint not null,
  last_service bigint not null, last_server bigint not null, last_database bigint not null,
  who text, state text not null, reason text, retry_at bigint, asleep_until bigint,
  second_send_of text not null, result text, result_id text, contradiction text, ending text,
  ended_service bigint, ended_server bigint, ended_database bigint, lease_until bigint, revision integer not null);
create unique index operations_result on operations.operations (service, result_id)
  where kind = 'withdrawal' and result_id is not null;
create unique index operations_place on operations.operations (service, account, place)
  where state not in ('succeeded', 'refused', 'not-sent', 'closed');
create index operations_places on operations.operations (place);
create index operations_account on operations.operations (service, account, seq);

create table operations.attempts (
  key text not null references operations.operations (key), number integer not null, id text not null,
  start_at bigint not null, end_at bigint, service_date bigint, who text, outcome text, status integer, request_id text,
  replayed boolean not null, result_id text, details text not null, primary key (key, number));
create index attempts_result on operations.attempts (result_id) where result_id is not null;

create table operations.tombstones (
  key text primary key, service text not null, account text not null, why text not null, at bigint not null);
create table operations.shown (key text not null, account text not null, primary key (key, account));
create table operations.closed_unreadable (key text primary key, words text not null, who text, at bigint not null);
`,
];

/** Raised when the normal form of a place changes: the columns are rewritten, and servers of another version stop writing. */
export const PLACE_VERSION = 1;
