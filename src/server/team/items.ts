import { authorOf } from '#src/shared/author.ts';
import type { Param, Queries, Sql } from '#src/server/database/sql.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import { type Actor, requireAbility } from '#src/server/people/actor.ts';
import type { ReadSessionRights } from '#src/server/people/actor.ts';
import type { Ability } from '#src/shared/permissions.ts';
import { ITEMS_MAX, type Collection } from '#src/shared/contract/teamContract.ts';
import { isObject, parseJson } from '#src/shared/answers.ts';

/** One stored item; `value` is its exact JSON text. */
export type StoredItem = {
  id: string;
  value: string;
  revision: number;
  who: string | null;
  person: string | null;
  /** Unix seconds by the database's clock. */
  createdAt: number;
  updatedAt: number;
  deleted: boolean;
};

export interface ItemChange {
  collection: Collection;
  id: string;
  /** JSON; null removes the item. */
  value: string | null;
  /** The revision that the person saw; 0 if there was no item. */
  revision: number;
}

/** `moved`: nothing was written, because the stored revision is another one; `item` null if the item doesn't exist. */
export type Changed =
  | { kind: 'written'; item: StoredItem }
  | { kind: 'moved'; item: StoredItem | null }
  | { kind: 'full' };

/** A page of a list ends after this many bytes, even below its limit. */
const PAGE_BYTES = 2_000_000;

/** A write transaction. Those of one account run one after the other. */
export interface TeamTransaction {
  read: (collection: Collection, id: string) => Promise<StoredItem | null>;
  change: (change: ItemChange) => Promise<Changed>;
  /** Throws NotPermitted, and nothing is saved. */
  requireAbility: (ability: Ability) => void;
}

/** The actor of a write, with the service and account. */
export interface TeamActor extends Actor, AccountOwner {}

interface LockedAccount {
  tx: Queries;
  owner: TeamActor;
  /** The database's clock, Unix seconds. */
  now: number;
  position: number;
  live: Map<Collection, number>;
  /** Ids of recipients that are new or were renamed. */
  namedRecipients: string[];
}

/** The database, and how a write reads the actor's rights in its own transaction. */
export interface TeamDatabase {
  sql: Sql;
  readSessionRights: ReadSessionRights;
  onRecipientsNamed: OnRecipientsNamed;
}

/** Called in the transaction that saved new or renamed recipients. */
export type OnRecipientsNamed = (transaction: Queries, owner: AccountOwner, ids: readonly string[]) => Promise<void>;

/** Throws SessionEnded or NotPermitted, and saves nothing, if the actor may not, or no longer, do it. */
export function withWriteLock<T>(
  { sql, readSessionRights, onRecipientsNamed }: TeamDatabase,
  actor: TeamActor,
  ability: Ability,
  work: (transaction: TeamTransaction, tx: Queries) => Promise<T>,
): Promise<T> {
  return sql.transaction(async (tx) => {
    const taken = await lockAccount(tx, actor);
    const session = actor.session === null ? actor.rights : await readSessionRights(tx, actor.session);
    requireAbility(actor, ability, session);
    const before = taken.position;
    const transaction: TeamTransaction = {
      read: (collection, id) => readItem(tx, actor, collection, id),
      change: (change) => changeItem(taken, change),
      requireAbility: (other) => requireAbility(actor, other, session),
    };
    const done = await work(transaction, tx);
    if (taken.position > before) {
      await tx.query('update team.accounts set position = $3 where service = $1 and account = $2', [
        actor.service,
        actor.account,
        taken.position,
      ]);
    }
    if (taken.namedRecipients.length > 0) await onRecipientsNamed(tx, actor, taken.namedRecipients);
    return done;
  });
}

/** Locks the account's row until the end of the transaction. */
async function lockAccount(tx: Queries, owner: TeamActor): Promise<LockedAccount> {
  const [row] = await tx.query<{ now: string; position: string }>(
    `insert into team.accounts (service, account, epoch, position)
       values ($1, $2, replace(gen_random_uuid()::text, '-', ''), 0)
     on conflict (service, account) do update set position = team.accounts.position
     returning position::text, extract(epoch from clock_timestamp())::bigint::text as now`,
    [owner.service, owner.account],
  );
  const [now, position] = [Number(row?.now), Number(row?.position)];
  return { tx, owner, now, position, live: new Map(), namedRecipients: [] };
}

async function changeItem(taken: LockedAccount, change: ItemChange): Promise<Changed> {
  const { tx, owner, now, live } = taken;
  const { collection, id, value, revision } = change;
  const before = await readItem(tx, owner, collection, id);
  const isThere = before !== null && !before.deleted;
  if (before !== null && isRepeated(before, change, owner.who)) return { kind: 'written', item: before };
  if (revision !== (isThere ? before.revision : 0)) return { kind: 'moved', item: before };
  if (!isThere && value === null) return { kind: 'moved', item: before };
  const others = isThere ? 0 : (live.get(collection) ?? (await countItems(tx, owner, collection)));
  if (others >= ITEMS_MAX) return { kind: 'full' };
  if (!isThere) live.set(collection, others + 1);
  taken.position += 1;
  const item: StoredItem = {
    id,
    value: value ?? before?.value ?? 'null',
    revision: (before?.revision ?? 0) + 1,
    ...authorOf(owner),
    createdAt: isThere ? before.createdAt : now,
    updatedAt: now,
    deleted: value === null,
  };
  await write(taken, collection, item, before !== null);
  const isNamed = value !== null && nameIn(value) !== (isThere ? nameIn(before.value) : null);
  if (collection === 'recipients' && isNamed) taken.namedRecipients.push(id);
  return { kind: 'written', item };
}

async function write(
  { tx, owner, position }: LockedAccount,
  collection: Collection,
  item: StoredItem,
  isKnown: boolean,
) {
  const where: Param[] = [owner.service, owner.account, collection, item.id];
  if (isKnown) {
    await tx.query(
      `insert into team.history (service, account, collection, id, revision, value, who, person, updated_at, deleted)
       select service, account, collection, id, revision, value, who, person, updated_at, deleted from team.items
       where service = $1 and account = $2 and collection = $3 and id = $4`,
      where,
    );
  }
  const { value, revision, who, person, createdAt, updatedAt, deleted } = item;
  await tx.query(
    `insert into team.items (service, account, collection, id, value, bytes, revision, who, person, created_at, updated_at,
       deleted, position) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (service, account, collection, id) do update set value = excluded.value, bytes = excluded.bytes,
       revision = excluded.revision, who = excluded.who, person = excluded.person, created_at = excluded.created_at,
       updated_at = excluded.updated_at, deleted = excluded.deleted, position = excluded.position`,
    [...where, value, Buffer.byteLength(value), revision, who, person, createdAt, updatedAt, deleted, position],
  );
}

function nameIn(value: string): unknown {
  const recipient = parseJson(value);
  return isObject(recipient) ? recipient['name'] : null;
}

/** Recognises a repeated request whose response was lost: its change is already stored. */
function isRepeated(before: StoredItem, { value, revision }: ItemChange, who: string | null): boolean {
  if (before.who !== who) return false;
  const isNext = revision === 0 ? before.revision > 0 : before.revision === revision + 1;
  return isNext && (value === null ? before.deleted : !before.deleted && before.value === value);
}

const COLUMNS = `id, value, revision, who, person, created_at::float8 as "createdAt", updated_at::float8 as "updatedAt", deleted`;

export async function readItem(
  queries: Queries,
  { service, account }: AccountOwner,
  collection: Collection,
  id: string,
): Promise<StoredItem | null> {
  const [item] = await queries.query<StoredItem>(
    `select ${COLUMNS} from team.items where service = $1 and account = $2 and collection = $3 and id = $4`,
    [service, account, collection, id],
  );
  return item ?? null;
}

async function countItems(
  queries: Queries,
  { service, account }: AccountOwner,
  collection: Collection,
): Promise<number> {
  const [row] = await queries.query<{ count: string }>(
    `select count(*)::text as count from team.items
     where service = $1 and account = $2 and collection = $3 and not deleted`,
    [service, account, collection],
  );
  return Number(row?.count);
}

export interface ItemListQuery {
  collection: Collection;
  /** Only items changed after this position, including removed ones; null for all existing items. */
  updatedAfter: string | null;
  cursor: number;
  limit: number;
}

export interface ListedItems {
  items: StoredItem[];
  /** Pass it back for the next page; null on the last page. */
  next: string | null;
  /** The account's position before this read. */
  position: string;
  /** False if these are only the changes since a position. */
  complete: boolean;
}

/** In order of change: an item that changes during paging appears again at the end, and is never missed. */
export async function listItems(queries: Queries, owner: AccountOwner, query: ItemListQuery): Promise<ListedItems> {
  const { collection, updatedAfter, cursor, limit } = query;
  const { service, account } = owner;
  const [at] = await queries.query<{ epoch: string; position: string }>(
    'select epoch, position::text from team.accounts where service = $1 and account = $2',
    [service, account],
  );
  const since = at === undefined ? null : sinceIn(updatedAfter, at);
  const rows = await queries.query<StoredItem & { position: string; whole: string }>(
    `select ${COLUMNS}, position::text, whole::text from (
       select *, sum(bytes) over (order by position) - bytes as before, count(*) over () as whole from team.items
       where service = $1 and account = $2 and collection = $3 and position > $4
         and (not deleted or $5)) paged
     where before < ${PAGE_BYTES} order by paged.position limit $6`,
    [service, account, collection, Math.max(cursor, since ?? 0), since !== null, limit],
  );
  const last = rows.at(-1);
  return {
    items: rows,
    next: last !== undefined && Number(last.whole) > rows.length ? last.position : null,
    position: at === undefined ? '' : `${at.epoch}.${at.position}`,
    complete: since === null,
  };
}

/** The position sent by a page; null if it is from another database or from before a restore. */
function sinceIn(updatedAfter: string | null, { epoch, position }: { epoch: string; position: string }): number | null {
  const [, sentEpoch, number] = /^(\w{1,64})\.(\d{1,15})$/.exec(updatedAfter ?? '') ?? [];
  return sentEpoch === epoch && Number(number) <= Number(position) ? Number(number) : null;
}

/** The item as JSON, with the value's text as stored, so that no digit of it can change. */
export function itemText({ id, revision, who, person, createdAt, updatedAt, deleted, value }: StoredItem): string {
  const facts = { id, revision, who, person, created_at: createdAt, updated_at: updatedAt, deleted };
  return `${JSON.stringify(facts).slice(0, -1)},"value":${value}}`;
}
