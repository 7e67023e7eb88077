import type { Queries } from '#src/server/database/sql.ts';
import { ownerOfAddressKey } from '#src/shared/chains/lookAlike.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { searchForm } from '#src/shared/text.ts';
import { columnsToSeal, RECIPIENT_COLUMNS, type RecipientRow } from './peopleRows.ts';
import type { Seals } from './seals.ts';

/** Whether an address is confirmed or blocked now. Times are the database's clock, ms. */
export interface RecipientStatus {
  /** Why nothing is sent to it; null if it isn't blocked. */
  blockedBecause: string | null;
  /** When it starts to count as confirmed; null if it isn't confirmed. */
  confirmedFrom: number | null;
  /**
   * When the name or address changed since an earlier confirmation: the time of the new confirmation, Infinity until there is
   * one, null if nothing changed.
   */
  changedAt: number | null;
}

/** A recipient in the team's list. */
export type NamedRecipient = {
  id: string;
  name: string;
  chain: string;
  address: string;
  /** The id of the person who gave it this name; null if unknown. */
  person: string | null;
  /** The id of the person who added it to the list, and so chose the address; null if unknown. */
  addedBy: string | null;
  /** Unix seconds by the database's clock. */
  at: number;
};

/** The recipient of a payment. `id`: its address key; `name`: as the file of a batch calls it, null if nothing does. */
export interface PaidRecipient {
  id: string;
  name: string | null;
}

/** A new decision and the one that it replaces, if any. */
export interface RecipientDecided {
  before: RecipientRow | undefined;
  next: Omit<RecipientRow, 'seal' | 'service' | 'ended_at'>;
}

export const NO_DECISION: RecipientStatus = { blockedBecause: null, confirmedFrom: null, changedAt: null };
/** Infinity: later than every earlier payment. */
const CHANGED_UNCONFIRMED: RecipientStatus = { ...NO_DECISION, changedAt: Infinity };

/** Shown for a block whose row has no valid seal. */
const UNKNOWN_REASON = 'The reason can’t be read.';

export type RecipientRows = ReturnType<typeof createRecipientRows>;

/** Reads and writes people.recipients. The names and addresses that people see are in team.items. */
export function createRecipientRows({ service, seals }: { service: string; seals: Seals }) {
  const isSealed = (row: RecipientRow) => seals.isSealed(row.seal, ...columnsToSeal.recipient(row));

  /** Every decision about these addresses, or about all if null, newest first. */
  async function decisionsOn(
    queries: Queries,
    account: string,
    addressKeys: readonly string[] | null,
  ): Promise<RecipientRow[]> {
    return queries.query<RecipientRow>(
      `select ${RECIPIENT_COLUMNS} from people.recipients where service = $1 and account = $2
         and ($3::text is null or address_key in (select jsonb_array_elements_text($3::text::jsonb)))
       order by decided_at desc, ended_at is null desc`,
      [service, account, addressKeys && JSON.stringify(addressKeys)],
    );
  }

  /** By address key. An address without a decision has an entry only if its name was confirmed for another address, or it is blocked. */
  async function listingsOf(
    queries: Queries,
    account: string,
    recipients: readonly PaidRecipient[],
  ): Promise<ReadonlyMap<string, RecipientStatus>> {
    const addressKeys = [...new Set(recipients.map(({ id }) => id))];
    const decisions = groupBy(await decisionsOn(queries, account, addressKeys), ({ address_key: key }) => key);
    const names = await namesOf(queries, account, [...decisions.keys()]);
    const statuses = new Map([...decisions].map(([key, rows]) => [key, listingIn(rows, names.get(key) ?? null)]));
    const undecided = recipients.filter(({ id }) => (statuses.get(id) ?? NO_DECISION) === NO_DECISION);
    for (const key of await changedAddresses(queries, account, undecided)) statuses.set(key, CHANGED_UNCONFIRMED);
    const blockOf = blocksByOwner(await blocksOf(queries, account));
    for (const key of addressKeys) {
      const block = blockOf(key);
      if (block !== undefined) statuses.set(key, listingIn([block], null));
    }
    return statuses;
  }

  /** The address keys whose name, in the team's list or in a file, was confirmed for another address. */
  async function changedAddresses(
    queries: Queries,
    account: string,
    recipients: readonly PaidRecipient[],
  ): Promise<readonly string[]> {
    if (recipients.length === 0) return [];
    const [confirmation] = await queries.query(
      'select 1 as one from people.recipients where service = $1 and account = $2 and not blocked limit 1',
      [service, account],
    );
    if (confirmation === undefined) return [];
    const saved = await namesOf(
      queries,
      account,
      recipients.map(({ id }) => id),
    );
    const named = [
      ...[...saved].map(([id, name]) => ({ id, name })),
      ...recipients.flatMap(({ id, name }) => (name === null ? [] : { id, name })),
    ];
    if (named.length === 0) return [];
    const hasOtherAddress = otherAddressCheck(await decisionsOn(queries, account, null));
    return named.filter(hasOtherAddress).map(({ id }) => id);
  }

  async function blocksOf(queries: Queries, account: string): Promise<RecipientRow[]> {
    return queries.query<RecipientRow>(
      `select ${RECIPIENT_COLUMNS} from people.recipients
       where service = $1 and account = $2 and blocked and ended_at is null`,
      [service, account],
    );
  }

  /** `name`: what the team calls the address now; null: it isn't in their list. */
  function listingIn(rows: readonly RecipientRow[], name: string | null): RecipientStatus {
    const current = rows.find((row) => row.ended_at === null);
    // A block counts even without a valid seal.
    if (current?.blocked) {
      const blockedBecause = (isSealed(current) ? current.reason : null) ?? UNKNOWN_REASON;
      return { ...NO_DECISION, blockedBecause };
    }
    const isConfirmed = current !== undefined && current.name === name && isSealed(current);
    if (isConfirmed)
      return {
        blockedBecause: null,
        // 0 without a wait, so that it counts whatever the clock says.
        confirmedFrom: current.counts_from === current.decided_at ? 0 : Number(current.counts_from),
        changedAt: current.changed ? Number(current.decided_at) : null,
      };
    return rows.some(isConfirmation) ? CHANGED_UNCONFIRMED : NO_DECISION;
  }

  function isConfirmation(row: RecipientRow): boolean {
    return !row.blocked && isSealed(row);
  }

  /** Returns a check whether another address was confirmed under a recipient's name. `rows`: all decisions of the account. */
  function otherAddressCheck(
    rows: readonly RecipientRow[],
  ): (recipient: Pick<NamedRecipient, 'id' | 'name'>) => boolean {
    const byName = groupBy(rows, ({ name }) => searchForm(name));
    return ({ id, name }) =>
      (byName.get(searchForm(name)) ?? []).some((row) => row.address_key !== id && isConfirmation(row));
  }

  async function namesOf(
    queries: Queries,
    account: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await queries.query<{ id: string; name: string }>(
      `select id, value::json ->> 'name' as name from team.items
       where service = $1 and account = $2 and collection = 'recipients' and not deleted
         and id in (select jsonb_array_elements_text($3::text::jsonb))`,
      [service, account, JSON.stringify(ids)],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Recipients in the team's list (all if `ids` is null), with who added each and who gave it its present name. */
  async function namedRecipients(
    queries: Queries,
    account: string,
    ids: readonly string[] | null,
  ): Promise<NamedRecipient[]> {
    return queries.query<NamedRecipient>(
      `with own as (
         select id, revision, value::json ->> 'name' as name, value::json ->> 'chain' as chain,
           value::json ->> 'address' as address, person, updated_at
         from team.items where service = $1 and account = $2 and collection = 'recipients' and not deleted
           and ($3::text is null or id in (select jsonb_array_elements_text($3::text::jsonb)))),
       revisions as (
         select h.id, h.revision, case when h.deleted then null else h.value::json ->> 'name' end as name, h.person,
           h.updated_at from team.history h
         where h.service = $1 and h.account = $2 and h.collection = 'recipients' and h.id in (select id from own)
         union all select id, revision, name, person, updated_at from own),
       named as (
         select distinct on (o.id) o.id, r.person, r.updated_at from own o
         join revisions r on r.id = o.id and r.revision > coalesce((
           select max(other.revision) from revisions other where other.id = o.id and other.name is distinct from o.name), 0)
         order by o.id, r.revision),
       added as (
         select distinct on (o.id) o.id, r.person from own o
         join revisions r on r.id = o.id and r.revision > coalesce((
           select max(removed.revision) from revisions removed where removed.id = o.id and removed.name is null), 0)
         order by o.id, r.revision)
       select own.id, own.name, own.chain, own.address, named.person, added.person as "addedBy",
         named.updated_at::float8 as at
       from own join named on named.id = own.id join added on added.id = own.id`,
      [service, account, ids && JSON.stringify(ids)],
    );
  }

  /** Takes two statements, however many decisions there are. */
  async function decideRecipients(tx: Queries, decisions: readonly RecipientDecided[]): Promise<void> {
    const ended = decisions.flatMap(({ before, next }) => {
      if (before === undefined) return [];
      const row = { ...before, ended_at: next.decided_at };
      // Don't give a valid seal to a row that has none.
      return isSealed(before) ? { ...row, seal: seals.sealOf(...columnsToSeal.recipient(row)) } : row;
    });
    const added = decisions.map(({ next }) => {
      const row = { ...next, service, ended_at: null };
      return { ...row, seal: seals.sealOf(...columnsToSeal.recipient(row)) };
    });
    const from = 'jsonb_populate_recordset(null::people.recipients, $1::text::jsonb)';
    await tx.query(
      `update people.recipients r set ended_at = n.ended_at, seal = n.seal from ${from} n where r.id = n.id`,
      [JSON.stringify(ended)],
    );
    await tx.query(`insert into people.recipients select * from ${from}`, [JSON.stringify(added)]);
  }

  return {
    isRecipientSealed: isSealed,
    otherAddressCheck,
    decisionsOn,
    listingsOf,
    listingIn,
    namedRecipients,
    decideRecipients,
  };
}

/** Finds the block that counts for an address key. A block counts on every chain where the same person has the address. */
export function blocksByOwner(rows: readonly RecipientRow[]): (addressKey: string) => RecipientRow | undefined {
  const blocks = rows.filter(({ blocked, ended_at: ended }) => blocked && ended === null);
  const byOwner = new Map(blocks.map((row) => [ownerOfAddressKey(row.address_key), row]));
  return (addressKey) => byOwner.get(ownerOfAddressKey(addressKey));
}
