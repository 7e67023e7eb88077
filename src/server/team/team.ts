import * as v from 'valibot';
import { COLLECTIONS, type Collection, type DepositAddress } from '#src/shared/contract/teamContract.ts';
import { COLLECTION_WRITES } from '#src/shared/permissions.ts';
import { migrate, type Sql } from '#src/server/database/sql.ts';
import { keySessionRights } from '#src/server/people/sessionRows.ts';
import type { ReadSessionRights } from '#src/server/people/actor.ts';
import { parseExact, stringifyExact } from '#src/shared/json/exactJson.ts';
import { recipientFault } from '#src/shared/recipientRules.ts';
import {
  type ItemChange,
  type Changed,
  withWriteLock,
  listItems,
  type ItemListQuery,
  type OnRecipientsNamed,
  readItem,
  type StoredItem,
  type TeamActor,
} from './items.ts';
import type { AccountOwner } from '#src/server/operations/ports.ts';
import { createStatements } from './statements.ts';

/** Migrations, forward only. Times are Unix seconds by the database's clock. */
const STEPS = [
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
  // Nothing says which of the older parts are needed, so they get no row, aren't counted, and are never deleted.
  `
create table team.closings (
  service text not null, account text not null, closing text not null, parts integer not null,
  written_at bigint not null,
  primary key (service, account, closing));
`,
  // The id of the person who wrote the revision, in people mode.
  `
alter table team.items add person text;
alter table team.history add person text;
`,
  // ZIPs of closed periods used to be items, in base64. Parts that belong to no period are from closes that never finished.
  `
create table team.closed_files (
  service text not null, account text not null, closing text not null, piece integer not null, bytes bytea not null,
  primary key (service, account, closing, piece));
with periods as (
  select service, account, value::json->>'closing' as closing from team.items
  where collection = 'closed-periods' and not deleted)
insert into team.closed_files (service, account, closing, piece, bytes)
select p.service, p.account, split_part(p.id, '.', 1), split_part(p.id, '.', 2)::integer,
  decode(p.value::json->>'data', 'base64')
from team.items p where p.collection = 'closed-period-parts' and not p.deleted
  and exists (select 1 from periods c
    where c.service = p.service and c.account = p.account and c.closing = split_part(p.id, '.', 1));
delete from team.items where collection = 'closed-period-parts';
delete from team.history where collection = 'closed-period-parts';
drop table team.closings;
`,
];

export type MadeAddress = Pick<
  DepositAddress,
  'id' | 'asset' | 'chain' | 'address' | 'along' | 'who' | 'person' | 'at'
>;

export interface MadeAddresses {
  /** Newest first; `cursor` is the `next` of the previous page. */
  list: (
    owner: AccountOwner,
    cursor: string | null,
    limit: number,
  ) => Promise<{ data: MadeAddress[]; next: string | null }>;
  /** Null if this account has no such address. */
  find: (owner: AccountOwner, id: string) => Promise<MadeAddress | null>;
}

export type WriteResult = Changed | { kind: 'refused'; why: string };

type Added = { kind: 'added'; items: StoredItem[] } | { kind: 'full' } | { kind: 'refused'; why: string };

/** The data that the people of one account share. Values are validated here for every writer. */
export type Team = Awaited<ReturnType<typeof openTeam>>;

export async function openTeam(
  sql: Sql,
  madeAddresses: MadeAddresses,
  readSessionRights: ReadSessionRights = keySessionRights,
  onRecipientsNamed: OnRecipientsNamed = async () => undefined,
) {
  await migrate(sql, 'team', STEPS);
  const database = { sql, readSessionRights, onRecipientsNamed };
  return {
    list: (owner: AccountOwner, query: ItemListQuery) => listItems(sql, owner, query),
    read: (owner: AccountOwner, collection: Collection, id: string) => readItem(sql, owner, collection, id),
    madeAddresses,
    statements: createStatements(database),

    put: async (
      actor: TeamActor,
      { value, ...change }: Omit<ItemChange, 'value'> & { value: unknown },
    ): Promise<WriteResult> => {
      const { collection, id, revision } = change;
      const checked = COLLECTIONS[collection].check(value);
      if ('why' in checked) return { kind: 'refused', why: checked.why };
      const fault = await faultOf(collection, checked.value);
      if (fault !== null) return { kind: 'refused', why: fault };
      return withWriteLock(database, actor, COLLECTION_WRITES[collection], async (transaction) => {
        const item = await transaction.read(collection, id);
        const before = item?.deleted === false ? item : null;
        if (isHandledMark(collection, checked.value) || (before && isHandledMark(collection, parseExact(before.value))))
          transaction.requireAbility('mark-handled');
        if (revision === (before?.revision ?? 0)) {
          const why = misplaced(collection, id, before, checked.id);
          if (why !== null) return { kind: 'refused', why };
        }
        return transaction.change({ ...change, value: stringifyExact(checked.value) });
      });
    },

    remove: (actor: TeamActor, change: Omit<ItemChange, 'value'>): Promise<WriteResult> =>
      withWriteLock(database, actor, COLLECTION_WRITES[change.collection], async (transaction) => {
        const item = await transaction.read(change.collection, change.id);
        if (item && isHandledMark(change.collection, parseExact(item.value)))
          transaction.requireAbility('mark-handled');
        return transaction.change({ ...change, value: null });
      }),

    /** Adds the values that have no item yet: all of them, or none if one is invalid or the collection would be too full. */
    add: async (
      actor: TeamActor,
      { collection, values }: Pick<ItemChange, 'collection'> & { values: unknown[] },
    ): Promise<Added> => {
      const added: { id: string; text: string }[] = [];
      for (const [index, value] of values.entries()) {
        const checked = COLLECTIONS[collection].check(value);
        if ('why' in checked) return { kind: 'refused', why: `Value ${index + 1}: ${checked.why}` };
        if (checked.id === null) return { kind: 'refused', why: 'Values of this collection are added one by one.' };
        const fault = await faultOf(collection, checked.value);
        if (fault !== null) return { kind: 'refused', why: `Value ${index + 1}: ${fault}` };
        added.push({ id: checked.id, text: stringifyExact(checked.value) });
      }
      return withWriteLock(database, actor, COLLECTION_WRITES[collection], async (transaction): Promise<Added> => {
        const items: StoredItem[] = [];
        for (const { id, text } of added) {
          if (isHandledMark(collection, parseExact(text))) transaction.requireAbility('mark-handled');
          const changed = await transaction.change({ collection, id, value: text, revision: 0 });
          if (changed.kind === 'full') throw new NoRoom();
          if (changed.kind === 'written') items.push(changed.item);
        }
        return { kind: 'added', items };
      }).catch((error: unknown) => {
        if (error instanceof NoRoom) return { kind: 'full' };
        throw error;
      });
    },
  };
}

/** Why a value with a valid schema may still not be saved. Earlier versions did save such values, so they can be read. */
async function faultOf(collection: Collection, value: unknown): Promise<string | null> {
  if (collection !== 'recipients' && collection !== 'standing-payments') return null;
  return recipientFault(v.parse(COLLECTIONS[collection].value, value));
}

/** Whether the value is a mark that removes something from Home. */
function isHandledMark(collection: Collection, value: unknown): boolean {
  const mark = collection === 'marks' ? v.safeParse(COLLECTIONS.marks.value, value) : null;
  return mark?.success === true && mark.output.mark !== 'taken';
}

/** Thrown to roll back the values that were already added. */
class NoRoom extends Error {}

/** Why the value may not be saved under this id. An existing item may keep an id that its value no longer yields. */
function misplaced(collection: Collection, id: string, before: StoredItem | null, own: string | null): string | null {
  if (own === null || own === id) return null;
  const was = before && COLLECTIONS[collection].check(parseExact(before.value));
  return was && 'id' in was && was.id === own ? null : 'The value belongs to another id.';
}
