import {
  migrate,
  CommitUnknown,
  type Database,
  isProgramFault,
  DatabaseRefused,
  type Param,
  type Queries,
  type SqlRow,
} from '#src/server/database/sql.ts';
import { NotPermitted, SessionEnded } from '#src/server/people/actor.ts';
import { isSignedKind } from './contentHash.ts';
import { endUnsentOperations } from './endUnsentOperations.ts';
import type { Act, ActBy, ActivityWriter } from '#src/server/activity/activityLog.ts';
import { raiseForAct, raiseNothing } from '#src/server/activity/raiseNotice.ts';
import { migrateActivity } from '#src/server/activity/schema.ts';
import { endAllPeopleIn, resealAll } from '#src/server/people/sealedTables.ts';
import { endAllSessionsIn } from '#src/server/people/sessionRows.ts';
import { NOW_MS } from '#src/server/people/sessionAge.ts';
import { migratePeople } from '#src/server/people/schema.ts';
import { segment } from '#src/shared/paths.ts';
import { authorOf, NOBODY } from '#src/shared/author.ts';
import { isStorable } from '#src/shared/text.ts';
import { amountValues, SELECT, rowOf, wholeDuplicateKeyOf } from './rowText.ts';
import {
  CredentialInUse,
  JournalAway,
  JournalUnsure,
  type OperationListQuery,
  type ListedRows,
  type JournalFacts,
  type Rows,
  type WriteTransaction,
} from './ports.ts';
import { afterCursor, cursorOf, KEY_FREE_SQL, readable } from './sqlOperations.ts';
import {
  NONCE,
  NOW_COLUMN,
  journalFacts,
  newJournalId,
  OWN_PARTS,
  readsOn,
  type TransactionParts,
  writeTransactionOn,
} from './sqlTransaction.ts';

/** How people sign in. A server writes only while the journal has its mode. */
export interface SignInMode extends TransactionParts {
  mode: 'key' | 'people';
}

const KEY_MODE: SignInMode = { mode: 'key', ...OWN_PARTS };

/**
 * Opens the journal's rows, after migrating the tables. `claim` throws for a database that isn't this server's, before it is
 * changed. Throws DatabaseRefused in key mode if the database is in people mode.
 */
export async function openSqlRows(
  database: Database,
  signIn: SignInMode = KEY_MODE,
  claim: (database: Database) => Promise<void> = async () => undefined,
): Promise<Rows> {
  await migrateJournal(database);
  await claim(database);
  await createOrUpgradeRow(database, signIn);
  await claimMode(database, signIn);
  const away = (error: unknown): never => {
    throw new JournalAway('The database cannot be read.', { cause: error });
  };
  const reading: Queries = {
    query: <R extends SqlRow>(text: string, params?: readonly Param[]) => database.query<R>(text, params).catch(away),
    script: (text) => database.script(text).catch(away),
  };
  const exists = async (where: string, params: Param[]): Promise<boolean> =>
    (await reading.query(`select 1 as one from ${where} limit 1`, params)).length > 0;
  return {
    ...readsOn(reading, signIn.signing),
    write: (work) => write(database, signIn, work),
    list: (query) => list(reading, query),
    operationsOfOtherAccounts: async ({ service, account }, limit) =>
      readable(
        await reading.query(
          `${SELECT} where o.service = $1 and o.account_id <> $2 and o.kind = 'withdrawal'
             and (o.result_id is not null or exists
               (select 1 from operations.attempts a where a.key = o.key and a.result_id is not null))
           order by o.seq desc limit $3`,
          [service, account, limit],
        ),
      ),
    isSharedWith: (key, account) => exists('operations.shown where key = $1 and account = $2', [key, account]),
    hasAccount: ({ service, account }) =>
      exists('operations.operations where service = $1 and account_id = $2', [service, account]),
  };
}

/**
 * A journal has one service beside the sandbox. Returns the spelling of its address that the journal uses: that of the first
 * start, or `sameAs` if operations are recorded under it. Throws if that is neither `service` nor `sameAs`.
 */
export async function claimService(database: Database, service: string, sameAs: string | null): Promise<string> {
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ service: string | null }>('select service from operations.journal for update');
    const isRecorded =
      sameAs !== null &&
      (await tx.query('select 1 as one from operations.operations where service = $1 limit 1', [sameAs])).length > 0;
    const name = isRecorded ? sameAs : (row?.service ?? sameAs ?? service);
    if (name !== service && name !== sameAs)
      throw new DatabaseRefused(
        `This database belongs to ${name}. If it is the same service, set PAYMENTS_SAME_AS=${name}`,
      );
    await tx.query('update operations.journal set service = $1', [name]);
    return name;
  });
}

export interface OtherSpelling {
  service: string;
  /** Number of unresolved operations under it. */
  unresolved: number;
}

/** Other spellings of the service that operations are recorded under, left by versions that didn't claim the service. */
export async function otherSpellings(database: Database, service: string): Promise<OtherSpelling[]> {
  const rows = await database.query<{ service: string; unresolved: string }>(
    `select service, (count(*) filter (where state not in ('succeeded', 'refused', 'not-sent', 'closed')))::text as unresolved
     from operations.operations where service not in ('sandbox', $1) group by service order by service`,
    [service],
  );
  return rows.map((row) => ({ service: row.service, unresolved: Number(row.unresolved) }));
}

/** Forward only. Servers of the previous version keep working until `createOrUpgradeRow` raises the version. */
async function migrateJournal(database: Database): Promise<void> {
  // The journal's transactions read and end sessions, and write the activity.
  await migratePeople(database);
  await migrateActivity(database);
  await migrate(database, 'operations', JOURNAL_MIGRATIONS);
}

/** Migrates the tables and creates or upgrades the journal's one row. */
export async function openJournal(database: Database, parts: TransactionParts): Promise<void> {
  await migrateJournal(database);
  await createOrUpgradeRow(database, parts);
}

/** Creates the journal's one row at the first start. Rewrites rows of an older version, after which older servers stop writing. */
async function createOrUpgradeRow(database: Database, parts: TransactionParts): Promise<void> {
  const { activity } = parts;
  await database.transaction(async (tx) => {
    const created = await tx.query(
      `insert into operations.journal (id, position, version) values ($1, 0, $2) on conflict (one) do nothing
       returning 1 as one`,
      [newJournalId(), JOURNAL_VERSION],
    );
    if (created.length > 0) await activity.begin(tx);
    await tx.query(
      `insert into operations.marks (position, nonce) select position, ${NONCE} from operations.journal
       on conflict (position) do nothing`,
    );
    const [row] = await tx.query<{ version: number; mode: string }>(
      'select version, mode from operations.journal for update',
    );
    if (row === undefined || row.version === JOURNAL_VERSION) return;
    if (row.version > JOURNAL_VERSION) throw new Error('This journal was written by a newer version.');
    if (row.version < 2) await rewriteDuplicateKeys(tx);
    const [mark] = await tx.query(nextMark('true'));
    if (row.version < 6 && mark !== undefined) {
      await activity.adopt(tx);
      // If this line appears again later, somebody made the database look like one of an older version.
      const sealed: Act = { kind: 'activity.sealed', subject: null, facts: {} };
      await activity.append(tx, await onServer(tx), sealed, journalFacts(mark).now);
    }
    if (row.version < 9) await fillAmounts(tx);
    if (row.version < 9 && row.mode === 'people' && mark !== undefined) {
      const event = { type: 'discard', ...NOBODY, words: 'It was recorded before people approved payments.' } as const;
      const transaction = writeTransactionOn(tx, journalFacts(mark), parts);
      await endUnsentOperations(transaction, (await transaction.unsent()).filter(isSignedKind), { event, by: NOBODY });
    }
    await tx.query('update operations.journal set version = $1', [JOURNAL_VERSION]);
  });
}

/** A start can change key mode to people mode. Going back takes an operator at the console (endPeople). */
async function claimMode(database: Database, signIn: SignInMode): Promise<void> {
  await database.transaction(async (tx) => {
    const [row] = await tx.query<{ mode: string }>('select mode from operations.journal for update');
    const { mode } = signIn;
    if (row?.mode === mode) return;
    if (mode === 'key')
      throw new DatabaseRefused(
        'People sign in to this database as themselves: set SIGN_IN=passkey. To go back to API keys: npm run console -- --end-people "why".',
      );
    await changeMode(tx, mode, 'Since then people sign in as themselves.', signIn);
  });
}

/** Goes back from people mode to key mode: ends unsent operations and signs everybody out. */
export async function endPeople(database: Database, words: string, parts: TransactionParts = OWN_PARTS): Promise<void> {
  await openJournal(database, parts);
  await database.transaction(async (tx) => {
    await tx.query('select 1 as one from operations.journal for update');
    await changeMode(tx, 'key', words, parts);
    // Otherwise the next admin invited at the console would need a code typed by somebody who may have left.
    await endAllPeopleIn(tx, parts.seals);
  });
}

/** After the server's secret changed: seals the rows of people as they are now, so that they count again. Returns how many. */
export async function reseal(database: Database, words: string, parts: TransactionParts): Promise<number> {
  await openJournal(database, parts);
  return database.transaction(async (tx) => {
    const { now } = await takeWriteLockInAnyMode(tx);
    const resealed = await resealAll(tx, parts.seals);
    if (resealed === 0) return 0;
    await parts.activity.goOnWithNewSecret(tx);
    const act: Act = { kind: 'people.resealed', subject: null, facts: { rows: String(resealed), words } };
    await parts.activity.append(tx, await onServer(tx), act, now);
    await endAllSessionsIn(tx, 'secret-changed');
    return resealed;
  });
}

async function changeMode(
  tx: Queries,
  mode: SignInMode['mode'],
  words: string,
  parts?: TransactionParts,
): Promise<void> {
  const transaction = writeTransactionOn(tx, await takeWriteLockInAnyMode(tx), parts);
  const by = await onServer(tx);
  await transaction.note(by, { kind: 'sign-in.changed', subject: null, facts: { to: mode, words } });
  const author = authorOf(by);
  const ending = { event: { type: 'discard', ...author, words }, by: author } as const;
  await endUnsentOperations(transaction, await transaction.unsent(), ending);
  await tx.query('update operations.journal set mode = $1', [mode]);
  await endAllSessionsIn(tx, 'mode-changed');
}

/** For activity of the server or its console, on no account. */
export async function onServer(tx: Queries): Promise<ActBy> {
  const [journal] = await tx.query<{ service: string | null }>('select service from operations.journal');
  return { service: journal?.service ?? 'sandbox', account: null, person: null, who: null };
}

/** The first statement of a write: locks the journal's row until the end of the transaction, and writes a mark. */
function nextMark(where: string): string {
  return `with this_write as (
      update operations.journal set position = position + 1 where ${where}
      returning id, position, set_back_at, set_back_position, ${NOW_COLUMN}),
    mark as (insert into operations.marks (position, nonce) select position, ${NONCE} from this_write returning nonce)
    select id, position::text, nonce, set_back_at::text, set_back_position::text, now from this_write, mark`;
}

/**
 * Ended rows too: a finished replay may still have to be confirmed. Unresolved rows with different duplicate keys may now have
 * the same: all stay and block, but all except the oldest are marked as twins, because the unique index allows one.
 */
async function rewriteDuplicateKeys(tx: Queries): Promise<void> {
  const rows = await tx.query('select key, kind, path, body, body_sha256, place from operations.operations');
  const moved = rows.flatMap((row) => {
    const duplicateKey = wholeDuplicateKeyOf(row);
    return duplicateKey === null || duplicateKey === row['place'] ? [] : [{ key: row['key'] ?? null, duplicateKey }];
  });
  // Avoid conflicts of the unique index while keys are rewritten.
  await tx.query('update operations.operations set twin = key');
  for (const { key, duplicateKey } of moved)
    await tx.query('update operations.operations set place = $2 where key = $1', [key, duplicateKey]);
  await tx.query(`update operations.operations o set twin = '' where not exists
    (select 1 from operations.operations e where e.service = o.service and e.account = o.account and e.place = o.place
       and e.state not in ${KEY_FREE_SQL} and (e.seq, e.key) < (o.seq, o.key))`);
}

/** Fills in recent withdrawals of versions without limits, so that a policy's limits count them. */
async function fillAmounts(tx: Queries): Promise<void> {
  const rows = await tx.query<{ key: string; body: string }>(
    `select key, body from operations.operations where kind = 'withdrawal' and amount is null
       and last_database > ${NOW_MS} - 90000000`,
  );
  for (const { key, body } of rows) {
    const [asset = null, amount = null] = amountValues({ kind: 'withdrawal', body });
    await tx.query('update operations.operations set asset_key = $2, amount = $3 where key = $1', [key, asset, amount]);
  }
}

/**
 * Begins a write: locks the journal's row until the end of the transaction, as its first statement. Throws where the
 * database has another version or mode.
 */
export async function takeWriteLock(tx: Queries, mode: SignInMode['mode']): Promise<JournalFacts> {
  const [row] = await tx.query(nextMark('version = $1 and mode = $2'), [JOURNAL_VERSION, mode]);
  if (row === undefined) throw new Error('Another version, or one with another SIGN_IN, writes this journal.');
  return journalFacts(row);
}

/** The same for a start and the console, which change the mode or repair the database. */
export async function takeWriteLockInAnyMode(tx: Queries): Promise<JournalFacts> {
  const [row] = await tx.query(nextMark('true'));
  if (row === undefined) throw new Error('There is no journal.');
  return journalFacts(row);
}

/** For transactions that write other tables, with a line in the activity log. */
export function createActivityWriter(mode: SignInMode['mode'], parts: TransactionParts = OWN_PARTS): ActivityWriter {
  const { activity, raise = raiseNothing } = parts;
  return {
    begin: (tx) => takeWriteLock(tx, mode),
    note: async (tx, by, act, now) => {
      await activity.append(tx, by, act, now);
      await raiseForAct(raise, tx, by, act, now);
    },
    endUnsentOf: async (tx, { service, account, ...by }, { maker, words }) => {
      const transaction = writeTransactionOn(tx, await readsOn(tx).facts(), parts);
      const unsent = await transaction.unsent({ service, account, maker });
      const author = authorOf(by);
      const event = { type: 'discard', ...author, words } as const;
      await endUnsentOperations(transaction, unsent, {
        event,
        by: author,
        batchReason: 'maker-not-permitted',
      });
    },
  };
}

async function write<T>(
  database: Database,
  signIn: SignInMode,
  work: (transaction: WriteTransaction) => Promise<T>,
): Promise<T> {
  // Errors thrown by the work itself aren't database errors.
  let own: { error: unknown } | null = null;
  try {
    return await database.transaction(async (tx) => {
      // Writers are serialised, because a look-alike that has just succeeded is not in the unique index.
      const transaction = writeTransactionOn(tx, await takeWriteLock(tx, signIn.mode), signIn);
      return work(transaction).catch((error: unknown) => {
        own = { error };
        throw error;
      });
    });
  } catch (error) {
    if (error instanceof CommitUnknown) throw new JournalUnsure(error.message, { cause: error });
    if (own !== null && !isDatabases(error)) throw error;
    throw new JournalAway('The database refused, or cannot be reached.', { cause: error });
  }
}

function isDatabases(error: unknown): boolean {
  return !isProgramFault(error) && ![SessionEnded, NotPermitted, CredentialInUse].some((kind) => error instanceof kind);
}

async function list(queries: Queries, query: OperationListQuery): Promise<ListedRows> {
  const { service, account, states, kind, about, cursor, limit } = query;
  if (about !== null && !isStorable(about)) return { rows: [], next: null };
  const params: Param[] = [service, account];
  const param = (value: Param): string => `$${params.push(value)}`;
  const where = [
    'o.service = $1',
    ...(states ? [`o.state in (${states.map(param).join(', ')})`] : []),
    ...(kind === null ? [] : [`o.kind = ${param(kind)}`]),
    ...afterCursor(cursor, param),
    ...(about === null ? [] : [aboutIn(param(about), param(JSON.stringify(about)), param(segment(about)))]),
  ].join(' and ');
  const newest = `order by seq desc, line limit ${param(limit + 1)}`;
  // Two ordered scans and a union: one `or` would defeat the index and read all rows for one page.
  const keys = `select key from (
      (select o.key, o.seq, o.line from operations.operations o where o.account_id = $2 and ${where} ${newest}) union
      (select o.key, o.seq, o.line from operations.shown s join operations.operations o on o.key = s.key
         where s.account = $2 and ${where} ${newest})) page ${newest}`;
  const rows = await queries.query(`${SELECT} where o.key in (${keys}) order by o.seq desc, o.line`, params);
  const page = rows.slice(0, limit);
  return { rows: page.map(rowOf), next: rows.length > limit ? cursorOf(page.at(-1)) : null };
}

/** Matches the result id, or the id as text in confirmed earlier sends and stored responses. */
function aboutIn(id: string, quoted: string, segmentOf: string): string {
  return `(o.result_id = ${id} or position(${quoted} in o.second_send_of) > 0
    or position(${quoted} in coalesce(o.result, '')) > 0 or position(${quoted} in coalesce(o.contradiction, '')) > 0
    or (o.kind = 'webhook-replay' and o.path = '/v1/webhook-deliveries/' || ${segmentOf} || '/replay')
    or exists (select 1 from operations.attempts a where a.key = o.key and a.result_id = ${id}))`;
}

/**
 * The journal's tables, forward only. Times by the server's and the database's clocks are milliseconds, the service's are Unix
 * seconds. Nothing here is ever deleted: it is the audit trail. An operator may blank the names, words and notes of people.
 */
export const JOURNAL_MIGRATIONS = [
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
  // Marks of all writes, the one service of this journal, and its ids unique under every spelling of that service's address.
  // An id that was recorded under two spellings stays with both records; look-ups return the first.
  `
create table operations.marks (position bigint primary key, nonce text not null);
alter table operations.journal add column service text;
alter table operations.journal add column set_back_position bigint;
update operations.journal set set_back_position = position where set_back_at is not null;
update operations.journal set service =
  (select service from operations.operations where service <> 'sandbox' order by seq desc limit 1);
drop index operations.operations_result;
alter table operations.operations add column result_repeated boolean not null default false;
update operations.operations o set result_repeated = true
  where kind = 'withdrawal' and result_id is not null and exists (select 1 from operations.operations p
    where p.kind = 'withdrawal' and p.result_id = o.result_id and p.key <> o.key
      and (p.service = 'sandbox') = (o.service = 'sandbox') and (p.seq, p.key) < (o.seq, o.key));
create unique index operations_result on operations.operations ((service = 'sandbox'), result_id)
  where kind = 'withdrawal' and result_id is not null and not result_repeated;
`,
  // twin: usually empty; an operation's own key if a migration or a set-back left it the duplicate key of another unresolved one.
  `
alter table operations.operations add column twin text not null default '';
drop index operations.operations_place;
create unique index operations_place on operations.operations (service, account, place, twin)
  where state not in ('succeeded', 'refused', 'not-sent', 'closed');
`,
  // The column account is derived from the API key that recorded the operation; account_id is the account, which may have
  // several keys in turn. Tombstones and shared operations name the account.
  `
alter table operations.operations add column account_id text;
update operations.operations set account_id = account;
alter table operations.operations alter column account_id set not null;
drop index operations.operations_account;
create index operations_account on operations.operations (service, account_id, seq);
`,
  // How people sign in: a server with another mode writes nothing.
  `
alter table operations.journal add column mode text not null default 'key' check (mode in ('key', 'people'));
`,
  // The https address of the dashboard; null if none is known yet.
  `
alter table operations.journal add column origin text;
`,
  // Batches, and rules that no version of the code may break. A trigger compares a changed row with its attempts at that moment:
  // outcomes are written before the row, new attempts after it. The migration for approvals replaces check_change.
  `
create table operations.batches (
  id text primary key, seq bigint not null, service text not null, account text not null, credential text not null,
  person text, who text, at bigint not null, file_name text, file text not null, fingerprint text not null,
  lines integer not null check (lines between 1 and 500), again text,
  state text not null check (state in ('waiting', 'running', 'paused', 'stopped', 'done')), why text, why_line integer,
  run text, lease_until bigint, run_until bigint, revision integer not null,
  check ((state = 'running') = (run is not null and lease_until is not null and run_until is not null)));
create unique index batches_once on operations.batches (service, account, fingerprint) where again is null;
create index batches_account on operations.batches (service, account, seq);

alter table operations.operations add column batch text references operations.batches, add column line integer,
  add column reference text, add column recipient text,
  add column recorded_service bigint, add column recorded_server bigint, add column recorded_database bigint,
  add check ((batch is null) = (line is null) and (batch is null) = (recorded_database is null)),
  add check (state <> 'awaiting' or batch is not null);
create index operations_awaiting on operations.operations (service, account_id) where state = 'awaiting';
create unique index operations_line on operations.operations (batch, line) where batch is not null;
create unique index operations_reference on operations.operations (service, account_id, reference)
  where reference is not null and state not in ('refused', 'not-sent');
drop index operations.operations_place;
create unique index operations_place on operations.operations (service, account, place, twin)
  where state not in ('awaiting', 'succeeded', 'refused', 'not-sent', 'closed');

create function operations.refuse_change() returns trigger language plpgsql as $$
begin raise exception 'operations are recorded before they are sent, and never deleted'; end $$;
create trigger check_insert before insert on operations.operations
  for each row when (new.state not in ('ready', 'awaiting')) execute function operations.refuse_change();
create trigger check_delete before delete on operations.operations
  for each row execute function operations.refuse_change();

create function operations.check_change() returns trigger language plpgsql as $$
begin
  if (new.key, new.kind, new.service, new.account, new.account_id, new.path, new.body, new.second_send_of, new.batch, new.line,
      new.reference, new.recorded_service, new.recorded_server, new.recorded_database)
    is distinct from (old.key, old.kind, old.service, old.account, old.account_id, old.path, old.body, old.second_send_of,
      old.batch, old.line, old.reference, old.recorded_service, old.recorded_server, old.recorded_database)
    then raise exception 'recorded content cannot change'; end if;
  if new.state = 'awaiting' and old.state not in ('awaiting', 'sending')
    then raise exception 'an operation cannot go back to awaiting'; end if;
  if old.state in ('not-sent', 'refused', 'closed') and new.state in ('awaiting', 'ready', 'sending')
    then raise exception 'an ended operation cannot start again'; end if;
  if (new.first_service, new.first_server, new.first_database)
    is distinct from (old.first_service, old.first_server, old.first_database)
    and not (old.state = 'awaiting' and new.state = 'sending')
    then raise exception 'the first-send clocks are set once'; end if;
  if (new.state = 'awaiting' or old.state = 'awaiting' and new.state = 'sending')
    and exists (select 1 from operations.attempts a where a.key = new.key and a.outcome is distinct from 'not-made')
    then raise exception 'an attempt may have connected'; end if;
  return new;
end $$;
create trigger check_change before update on operations.operations
  for each row execute function operations.check_change();
`,
  // Signed payments: in people mode a withdrawal is sent only with its maker's signature over exactly its content. The next one
  // replaces check_signature.
  `
alter table operations.operations add column maker text, add column content_sha256 text,
  add check ((maker is null) = (content_sha256 is null));

create function operations.check_signature() returns trigger language plpgsql as $$
begin
  if (new.maker, new.content_sha256) is distinct from (old.maker, old.content_sha256)
    then raise exception 'recorded content cannot change'; end if;
  if new.state <> 'sending' or old.state = 'sending' then return new; end if;
  if new.content_sha256 is null and new.kind = 'withdrawal' and (select mode from operations.journal) = 'people'
    then raise exception 'nobody signed this payment'; end if;
  if new.content_sha256 is not null and not exists (select 1 from people.signed s
      where s.subject = new.key and s.content_sha256 = new.content_sha256 and s.decision = 'send' and s.person = new.maker)
    then raise exception 'its maker did not sign this payment'; end if;
  return new;
end $$;
create trigger check_signature before update on operations.operations
  for each row execute function operations.check_signature();
`,
  // Approvals. `needs`: null counts as 0. `policy`: the number of the one in force then. `wait_hours`: how long it waits for them.
  // asset_key and amount are what the policy's limits add up.
  `
alter table operations.operations drop constraint operations_check, drop constraint operations_check1,
  add column needs integer check (needs between 0 and 5), add column policy integer, add column wait_hours integer,
  add column asset_key text, add column amount numeric check (amount > 0),
  add check ((batch is null) = (line is null) and (batch is null or recorded_database is not null)),
  add check (state <> 'awaiting' or recorded_database is not null),
  add check (state <> 'awaiting' or batch is not null or content_sha256 is not null);
create index operations_sums on operations.operations
  (service, account_id, asset_key, greatest(last_database, last_server, last_service * 1000)) where asset_key is not null;

create or replace function operations.check_change() returns trigger language plpgsql as $$
begin
  if (new.key, new.kind, new.service, new.account, new.account_id, new.path, new.body, new.second_send_of, new.batch, new.line,
      new.reference, new.recorded_service, new.recorded_server, new.recorded_database, new.wait_hours)
    is distinct from (old.key, old.kind, old.service, old.account, old.account_id, old.path, old.body, old.second_send_of,
      old.batch, old.line, old.reference, old.recorded_service, old.recorded_server, old.recorded_database, old.wait_hours)
    then raise exception 'recorded content cannot change'; end if;
  if old.amount is not null and (new.asset_key, new.amount) is distinct from (old.asset_key, old.amount)
    then raise exception 'recorded content cannot change'; end if;
  if coalesce(new.needs, 0) < coalesce(old.needs, 0) then raise exception 'needs cannot decrease'; end if;
  if new.state = 'awaiting' and old.state not in ('awaiting', 'ready', 'sending')
    then raise exception 'an operation cannot go back to awaiting'; end if;
  if old.state in ('not-sent', 'refused', 'closed') and new.state in ('awaiting', 'ready', 'sending')
    then raise exception 'an ended operation cannot start again'; end if;
  if (new.first_service, new.first_server, new.first_database)
    is distinct from (old.first_service, old.first_server, old.first_database)
    and not (old.state = 'awaiting' and new.state = 'sending')
    then raise exception 'the first-send clocks are set once'; end if;
  if (new.state = 'awaiting' or old.state = 'awaiting' and new.state = 'sending')
    and exists (select 1 from operations.attempts a where a.key = new.key and a.outcome is distinct from 'not-made')
    then raise exception 'an attempt may have connected'; end if;
  return new;
end $$;

create or replace function operations.check_signature() returns trigger language plpgsql as $$
begin
  if (new.maker, new.content_sha256) is distinct from (old.maker, old.content_sha256)
    then raise exception 'recorded content cannot change'; end if;
  if new.state <> 'sending' or old.state = 'sending' then return new; end if;
  if new.content_sha256 is null then
    if new.kind = 'withdrawal' and (select mode from operations.journal) = 'people'
      then raise exception 'nobody signed this payment'; end if;
    return new;
  end if;
  if exists (select 1 from people.signed s where s.subject = new.key and s.decision in ('reject', 'stop'))
    then raise exception 'this payment was rejected or stopped'; end if;
  if coalesce(new.needs, 0) = 0 and not exists (select 1 from people.signed s
      where s.subject = new.key and s.content_sha256 = new.content_sha256 and s.decision = 'send' and s.person = new.maker)
    then raise exception 'its maker did not sign this payment'; end if;
  if new.needs > (select count(distinct s.person) from people.signed s
      where s.subject = new.key and s.content_sha256 = new.content_sha256 and s.decision = 'approve' and s.person <> new.maker)
    then raise exception 'too few people approved this payment'; end if;
  return new;
end $$;
`,
  // The limits also count payments by their first send, whose clocks never change.
  `
create index operations_first_sums on operations.operations
  (service, account_id, asset_key, greatest(first_database, first_server, first_service * 1000)) where asset_key is not null;
`,
  // Who recorded an operation, made an attempt or ended it: the person's id, null if the name was only typed. Attempts and
  // endings have it in their JSON. For older rows it is taken from the activity, which has a line for each act of a person.
  `
alter table operations.operations add column person text;
update operations.operations set person = maker where maker is not null;
update operations.operations o set person = l.person from activity.lines l
  where o.person is null and l.subject = o.key and l.kind = 'operation.recorded' and l.person is not null;

with sends as (select subject, who, person, row_number() over (partition by subject order by number desc) as nth
    from activity.lines where kind = 'operation.sent'),
  presses as (select key, number, who, row_number() over (partition by key order by number desc) as nth
    from operations.attempts where details like '%"by":"person"%')
update operations.attempts a set details = '{"person":' || to_json(s.person)::text || ',' || substr(a.details, 2)
  from presses p join sends s on s.subject = p.key and s.nth = p.nth and s.who = p.who
  where a.key = p.key and a.number = p.number and s.person is not null;

update operations.operations o set ending = '{"person":' || to_json(l.person)::text || ',' || substr(o.ending, 2)
  from activity.lines l
  where l.person is not null and l.who = o.ending::json->>'who'
    and l.kind in ('operation.discarded', 'operation.rejected', 'operation.closed', 'operation.confirmed-not-sent')
    and l.subject = o.key;
update operations.operations o set ending = '{"person":' || to_json(l.person)::text || ',' || substr(o.ending, 2)
  from activity.lines l
  where l.person is not null and l.who = o.ending::json->>'who' and (o.ending::json->>'person') is null
    and l.kind in ('batch.withdrawn', 'batch.rejected') and l.subject = o.batch;
`,
];

/** Raise it when writes must do something new, or a column's format changes: older servers then stop writing. */
export const JOURNAL_VERSION = 10;
