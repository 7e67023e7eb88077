/** Tables of what the people of an account share, forward only. Times are Unix seconds by the database's clock. */
export const STEPS = [
  `
create table team.accounts (
  service text not null, account text not null, epoch text not null, position bigint not null,
  primary key (service, account));

create table team.items (
  service text not null, account text not null, collection text not null, id text not null,
  value text not null, bytes integer not null, revision integer not null, who text,
  created_at bigint not null, updated_at bigint not null, deleted boolean not null, position bigint not null,
  primary key (service, account, collection, id));
create unique index items_changed on team.items (service, account, collection, position);

create table team.history (
  service text not null, account text not null, collection text not null, id text not null, revision integer not null,
  value text not null, who text, updated_at bigint not null, deleted boolean not null,
  primary key (service, account, collection, id, revision));
`,
];
