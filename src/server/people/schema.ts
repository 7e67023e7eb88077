import { migrate, type Sql } from '#src/server/database/sql.ts';

/** The tables of people and their sessions, forward only. Times are milliseconds by the database's clock. */
export const PEOPLE_MIGRATIONS = [
  // accounts.name is chosen by a person; accounts.id is the credential of the first key. `seal`: see seals.ts.
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
  // counts_from: the row doesn't count before this time. An invite's `code` is set when a passkey was made with it.
  `
create table people.people (
  id text primary key, service text not null, name text not null, created_at bigint not null, seal text not null);
create unique index people_name on people.people (service, lower(name));
create table people.grants (
  id text primary key, person text not null references people.people, account text not null,
  permission text not null check (permission in ('view', 'prepare', 'approve', 'admin')),
  granted_by text references people.people, counts_from bigint not null, ended_at bigint, ended_by text, seal text not null,
  check (granted_by <> person));
create unique index grants_now on people.grants (person, account, permission) where ended_at is null;
create table people.passkeys (
  id text primary key, person text not null references people.people, public_key text not null, rp_id text not null,
  parent text references people.passkeys, counts_from bigint not null, created_at bigint not null, used_at bigint,
  ended_at bigint, seal text not null);
create index passkeys_person on people.passkeys (person);
create table people.invites (
  token_sha256 text primary key, person text not null references people.people, account text not null,
  invited_by text references people.people, permissions text not null,
  created_at bigint not null, expires_at bigint not null,
  used_at bigint, passkey text references people.passkeys, code text, tries integer not null default 0, ended_at bigint,
  seal text not null);
create index invites_person on people.invites (person);
alter table people.sessions add person text references people.people, add seal text;
alter table people.sessions add check (person is null or key_box is null), add check ((person is null) = (seal is null));
create index sessions_person on people.sessions (person) where ended_at is null;
`,
  // With SIGN_IN=oidc. On an invite: the identity that used it, which becomes the person's when the code is confirmed.
  `
alter table people.people add issuer text, add subject text, add check ((issuer is null) = (subject is null));
create unique index people_identity on people.people (service, issuer, subject);
alter table people.invites add issuer text, add subject text, add check ((issuer is null) = (subject is null));
`,
  // longest_ms: 12 hours, or 8 for sessions from an identity provider. opened_at: when the session switched to this account;
  // null if it began with a sign-in, at created_at.
  `
alter table people.sessions add longest_ms bigint not null default 43200000;
alter table people.sessions add opened_at bigint;
update people.sessions s set longest_ms = 28800000 from people.people p where p.id = s.person and p.issuer is not null;
`,
  // The address for notices.
  `alter table people.people add email text;`,
  // Payments that people signed with their passkeys. Rows never change. `subject`: an operation's key.
  `
create table people.signatures (
  id text primary key, service text not null, person text not null references people.people,
  passkey text references people.passkeys, decision text not null check (decision in ('send')),
  items text not null, ticket text not null, client_data text, authenticator_data text, signature text,
  session text not null, at bigint not null, unique (id, person, decision),
  check (service = 'sandbox' or (passkey is not null and signature is not null)));
create table people.signed (
  signature text, subject text, content_sha256 text not null, person text not null, decision text not null,
  primary key (signature, subject),
  foreign key (signature, person, decision) references people.signatures (id, person, decision));
create index signed_subject on people.signed (subject);
create function people.refuse_change() returns trigger language plpgsql as $$
begin raise exception 'signatures are never changed or deleted'; end $$;
create trigger refuse_change before update or delete on people.signatures
  for each row execute function people.refuse_change();
create trigger refuse_change before update or delete on people.signed
  for each row execute function people.refuse_change();
`,
  // Approvals and rejections; a rejection takes no passkey. `seen`: ids of the unusual findings that the approver saw.
  `
alter table people.signatures drop constraint signatures_decision_check, drop constraint signatures_check,
  add column seen text, add column reason text, alter column ticket drop not null,
  add check (decision in ('send', 'approve', 'reject', 'stop')),
  add check (decision in ('reject', 'stop') or service = 'sandbox' or (passkey is not null and signature is not null)),
  add check (decision not in ('reject', 'stop') or reason is not null);
`,
  // Approval policies. `body` never changes. counts_from: WAITS_FOR_ADMIN until another admin confirms it.
  `
create table people.policies (
  service text not null, account text not null, number integer not null, body text not null,
  proposed_by text references people.people, proposed_at bigint not null,
  confirmed_by text references people.people, counts_from bigint not null,
  ended_at bigint, ended_by text, seal text not null,
  primary key (service, account, number), check (confirmed_by <> proposed_by));
`,
  // Recipients that were confirmed, by another person than the one who named them, or blocked. Names and addresses are copies
  // from the team's list.
  `
create table people.recipients (
  id text primary key, service text not null, account text not null, address_key text not null,
  chain text not null, address text not null, name text not null,
  proposed_by text references people.people, decided_by text not null references people.people, decided_at bigint not null,
  blocked boolean not null, reason text, counts_from bigint not null, changed boolean not null, ended_at bigint,
  seal text not null, check (blocked or decided_by <> proposed_by), check (not blocked or reason is not null));
create unique index recipients_now on people.recipients (service, account, address_key) where ended_at is null;
create index recipients_address on people.recipients (service, account, address_key);
`,
  // Approver and admin roles need two admins. waits_since: null for a grant that counted at once.
  `
alter table people.grants add confirmed_by text references people.people, add waits_since bigint,
  add check (confirmed_by <> person), add check (confirmed_by <> granted_by);
create index grants_waiting on people.grants (account) where ended_at is null and waits_since is not null;
`,
  // told_at: when somebody was told who could refuse a waiting role. 0 (TOLD_UNRECORDED) for roles given before this was
  // recorded, because SQL can't seal them again: those that count go on counting, and the others wait for their time alone.
  `
alter table people.grants add told_at bigint;
update people.grants set told_at = 0 where waits_since is not null;
`,
];

export function migratePeople(sql: Sql): Promise<void> {
  return migrate(sql, 'people', PEOPLE_MIGRATIONS);
}
