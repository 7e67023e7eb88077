import { migrate, type Sql } from '#src/server/database/sql.ts';

/** Notices and channels. Contains no amount, address or name of a payee. Times are ms by the database's clock. */
export const NOTICE_MIGRATIONS = [
  // One row for each channel; a row of mail is split into one for each person. `id`: equal for all tries, for the receiver.
  // held: waits for the next digest, whose id is then in `digest`. count: number of causes in a digest.
  // run: set while a server sends it. channels.address_mac: a channel that is off is turned on when its address changes.
  `
create table notices.outbox (
  id text primary key, service text not null, account text, event text not null, subject text not null, episode text not null,
  channel text not null, person text,
  state text not null check (state in ('waiting', 'held', 'folded', 'sent', 'dead')),
  is_digest boolean not null default false, count integer not null default 1, digest text,
  at bigint not null, next_at bigint not null, tries integer not null default 0,
  run text, lease_until bigint, done_at bigint, problem text,
  check ((state = 'folded') = (digest is not null)), check ((run is null) = (lease_until is null)));
create unique index outbox_once on notices.outbox
  (service, coalesce(account, ''), event, subject, episode, channel, coalesce(person, ''));
create index outbox_due on notices.outbox (channel, next_at) where state = 'waiting';
create index outbox_held on notices.outbox (channel) where state = 'held';
create index outbox_recent on notices.outbox (service, event, channel, at);
create index outbox_digests on notices.outbox (service, event, channel, at) where is_digest;
create index outbox_page on notices.outbox (service, state, at);
create table notices.channels (
  channel text primary key, address_mac text not null, sent_at bigint, failed_at bigint, failing_since bigint,
  problem text, off_at bigint);
`,
  // An account is watched by the server that holds its lease. baseline_at: earlier findings are old and raise no notice.
  // Findings are stored while they last and for a month, so that each raises one notice.
  `
create table notices.watches (
  service text not null, account text not null, holder text, lease_until bigint, next_at bigint not null,
  failures integer not null default 0, created_at bigint not null, baseline_at bigint, read_at bigint, problem text,
  primary key (service, account));
create table notices.findings (
  service text not null, account text not null, event text not null, subject text not null, episode text not null,
  seen_at bigint not null, primary key (service, account, event, subject, episode));
`,
  // ended: e-mail that was split into one for each person, or whose person can no longer act on it. email: a person's former
  // address, which gets a notice of the change. notices.seals: number of rows without a valid seal at the last count.
  `
alter table notices.outbox drop constraint outbox_state_check;
alter table notices.outbox add constraint outbox_state_check
  check (state in ('waiting', 'held', 'folded', 'ended', 'sent', 'dead'));
alter table notices.outbox add email text;
create table notices.seals (service text primary key, broken integer not null);
`,
  // baseline_lacks: lists that couldn't be read at the baseline. The first reading of such a list is its baseline.
  `
alter table notices.watches add baseline_lacks text not null default '';
`,
];

export function migrateNotices(sql: Sql): Promise<void> {
  return migrate(sql, 'notices', NOTICE_MIGRATIONS);
}
