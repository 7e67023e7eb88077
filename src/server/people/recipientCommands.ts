import { randomUUID } from 'node:crypto';
import type { Act } from '#src/server/activity/activityLog.ts';
import type { Queries } from '#src/server/database/sql.ts';
import type { RecipientControl, RecipientDecision, SeenRecipient } from '#src/shared/contract/recipientsContract.ts';
import { groupBy } from '#src/shared/groupBy.ts';
import { isAllowed } from '#src/shared/permissions.ts';
import { NO_RECIPIENT_RULES } from '#src/shared/policy/policy.ts';
import { searchForm } from '#src/shared/text.ts';
import { type RecipientRow, secondsOf } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import type { PersonActor } from './personTransactions.ts';
import { blocksByOwner, type NamedRecipient } from './recipients.ts';
import { readNow } from './sessionAge.ts';

const HOUR_MS = 60 * 60 * 1_000;
export const OWN_ENTRY = 'You entered its name or its address, so somebody else has to confirm it.';
/** The most decisions that are listed for one recipient. */
const MOST_DECISIONS = 100;

/** With the name of the recipient: `changed` if it was renamed or removed from the team's list, `confirmed` if it already is. */
export type RecipientsConfirmed = 'confirmed' | 'own' | { changed: string } | { confirmed: string };

/** Confirming recipients, and blocking them. */
export function createRecipientCommands(store: PeopleStore) {
  const {
    database,
    actAs,
    inForceOrBroken,
    isRecipientSealed,
    decisionsOn,
    listingIn,
    otherAddressCheck,
    namedRecipients,
    decideRecipients,
  } = store;

  return {
    /** Confirms all of them or none. */
    confirmRecipients: (actor: PersonActor, seen: readonly SeenRecipient[]): Promise<RecipientsConfirmed> =>
      actAs(
        actor,
        'confirm-recipients',
        (tx, now) => confirm(tx, actor, seen, now),
        (done) => (done === 'confirmed' ? actOnRecipients('recipient.confirmed', seen) : null),
      ),

    /** False: the recipient isn't in the team's list, and nobody ever decided about it. */
    blockRecipient: (actor: PersonActor, { id, reason }: { id: string; reason: string }): Promise<boolean> => {
      let name = '';
      return actAs(actor, 'block-recipients', block, (done) =>
        done ? actOnRecipients('recipient.blocked', [{ id, name }], reason) : null,
      );

      async function block(tx: Queries, now: string): Promise<boolean> {
        const { account } = actor;
        const decisions = await decisionsOn(tx, account, [id]);
        const [named] = await namedRecipients(tx, account, [id]);
        const about = named ?? decisions[0];
        if (about === undefined) return false;
        name = about.name;
        const before = decisions.find((row) => row.ended_at === null);
        const decision = newDecision(
          actor,
          { id, name, chain: about.chain, address: about.address, person: null },
          now,
        );
        const next = { ...decision, blocked: true, reason, counts_from: now, changed: false };
        await decideRecipients(tx, [{ before, next }]);
        return true;
      }
    },

    /** All recipients in the team's list. `refusal` depends on what `reader` may do. */
    readRecipients: async (reader: Pick<PersonActor, 'account' | 'person' | 'rights'>): Promise<RecipientControl[]> => {
      const { account } = reader;
      const all = await decisionsOn(database, account, null);
      const decisions = groupBy(all, ({ address_key: key }) => key);
      const blockOf = blocksByOwner(all);
      const hasOtherAddress = otherAddressCheck(all);
      const named = await namedRecipients(database, account, null);
      const names = await namesOfPeople([
        ...named.flatMap(({ person }) => person ?? []),
        ...[...decisions.values()].flatMap((rows) => rows.map(({ decided_by: by }) => by)),
      ]);
      const now = await readNow(database);
      return named.map((one) => {
        const block = blockOf(one.id);
        const rows = block === undefined ? decisions.get(one.id) : [block];
        return controlOf(one, { rows: rows ?? [], hasOtherAddress, names, now, reader });
      });
    },

    /** Decisions about this address and about other addresses with its name, newest first. */
    readRecipientDecisions: async (account: string, id: string): Promise<RecipientDecision[]> => {
      const all = await decisionsOn(database, account, null);
      const [named] = await namedRecipients(database, account, [id]);
      const name = named?.name ?? all.find((row) => row.address_key === id)?.name;
      const rows = all
        .filter((row) => row.address_key === id || (name !== undefined && isSameName(row.name, name)))
        .slice(0, MOST_DECISIONS);
      const names = await namesOfPeople(rows.flatMap((row) => [row.proposed_by ?? [], row.decided_by].flat()));
      return rows.map((row) => ({
        id: row.address_key,
        name: row.name,
        chain: row.chain,
        address: row.address,
        is_blocked: row.blocked,
        reason: row.reason,
        named_by: personIn(names, row.proposed_by),
        decided_by: personIn(names, row.decided_by),
        decided_at: secondsOf(row.decided_at),
        ended_at: row.ended_at === null ? null : secondsOf(row.ended_at),
      }));
    },
  };

  async function confirm(
    tx: Queries,
    actor: PersonActor,
    seen: readonly SeenRecipient[],
    now: string,
  ): Promise<RecipientsConfirmed> {
    const { account, person } = actor;
    const ids = seen.map(({ id }) => id);
    const named = new Map((await namedRecipients(tx, account, ids)).map((one) => [one.id, one]));
    const all = await decisionsOn(tx, account, null);
    const countsFrom = String(Number(now) + (await waitHours(tx, account)) * HOUR_MS);
    const current = new Map(all.flatMap((row) => (row.ended_at === null ? [[row.address_key, row] as const] : [])));
    const recipients: NamedRecipient[] = [];
    for (const { id, name } of new Map(seen.map((one) => [one.id, one])).values()) {
      const recipient = named.get(id);
      if (recipient?.name !== name) return { changed: name };
      if (isEnteredBy(recipient, person)) return 'own';
      if (isConfirmation(current.get(id), recipient)) return { confirmed: name };
      recipients.push(recipient);
    }
    await decideRecipients(
      tx,
      recipients.map((recipient) => ({
        before: current.get(recipient.id),
        next: {
          ...newDecision(actor, recipient, now),
          blocked: false,
          reason: null,
          counts_from: countsFrom,
          changed: all.some((row) => isFormer(row, recipient)),
        },
      })),
    );
    return 'confirmed';
  }

  function isConfirmation(row: RecipientRow | undefined, { name }: NamedRecipient): boolean {
    return row !== undefined && !row.blocked && row.name === name && isRecipientSealed(row);
  }

  /** Whether this decision confirmed the same address under another name, or another address under the same name. */
  function isFormer(row: RecipientRow, { id, name }: Pick<NamedRecipient, 'id' | 'name'>): boolean {
    if (row.blocked || !isRecipientSealed(row)) return false;
    return (row.address_key === id) !== isSameName(row.name, name);
  }

  function newDecision(
    { account, person }: PersonActor,
    { id, name, chain, address, person: by }: Omit<NamedRecipient, 'at' | 'addedBy'>,
    now: string,
  ) {
    const named = { address_key: id, name, chain, address, proposed_by: by };
    return { id: randomUUID(), account, ...named, decided_by: person, decided_at: now };
  }

  async function waitHours(queries: Queries, account: string): Promise<number> {
    const inForce = await inForceOrBroken(queries, account);
    const rules = inForce === null || inForce === 'broken' ? NO_RECIPIENT_RULES : inForce.policy.recipients;
    return rules.wait_hours;
  }

  function controlOf(
    named: NamedRecipient,
    {
      rows,
      hasOtherAddress,
      names,
      now,
      reader,
    }: {
      rows: readonly RecipientRow[];
      hasOtherAddress: (recipient: NamedRecipient) => boolean;
      names: ReadonlyMap<string, string>;
      now: number;
      reader: Pick<PersonActor, 'person' | 'rights'>;
    },
  ): RecipientControl {
    const { blockedBecause: reason, confirmedFrom, changedAt } = listingIn(rows, named.name);
    const decision = reason === null && confirmedFrom === null ? undefined : rows.find((row) => row.ended_at === null);
    return {
      id: named.id,
      name: named.name,
      state: stateOf({ reason, confirmedFrom, now }),
      named_by: personIn(names, named.person),
      named_at: named.at,
      decided_by: personIn(names, decision?.decided_by ?? null),
      decided_at: decision === undefined ? null : secondsOf(decision.decided_at),
      counts_from: confirmedFrom === null || decision === undefined ? null : secondsOf(decision.counts_from),
      reason: reason === null || decision === undefined ? reason : reasonFor(named, decision, reason),
      is_changed: changedAt !== null || (decision === undefined && hasOtherAddress(named)),
      refusal:
        confirmedFrom === null && isAllowed('confirm-recipients', reader.rights) && isEnteredBy(named, reader.person)
          ? OWN_ENTRY
          : null,
    };
  }

  async function namesOfPeople(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await database.query<{ id: string; name: string }>(
      'select id, name from people.people where id in (select jsonb_array_elements_text($1::text::jsonb))',
      [JSON.stringify([...new Set(ids)])],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

/** Adding counts too: otherwise somebody could confirm their own address after a colleague corrects its name. */
function isEnteredBy({ person: namedBy, addedBy }: NamedRecipient, person: string): boolean {
  return namedBy === person || addedBy === person;
}

function stateOf({
  reason,
  confirmedFrom,
  now,
}: {
  reason: string | null;
  confirmedFrom: number | null;
  now: number;
}): RecipientControl['state'] {
  if (reason !== null) return 'blocked';
  if (confirmedFrom === null) return 'unconfirmed';
  return confirmedFrom > now ? 'waiting' : 'confirmed';
}

/** Names the entry to confirm again, if the block is of the same address on another chain. */
function reasonFor({ id }: NamedRecipient, { address_key: key, name, chain }: RecipientRow, reason: string): string {
  return key === id ? reason : `${reason} (blocked as ${name} on ${chain})`;
}

function isSameName(one: string, other: string): boolean {
  return searchForm(one) === searchForm(other);
}

function personIn(names: ReadonlyMap<string, string>, id: string | null): { person: string; name: string } | null {
  return id === null ? null : { person: id, name: names.get(id) ?? id };
}

function actOnRecipients(
  kind: 'recipient.confirmed' | 'recipient.blocked',
  recipients: readonly SeenRecipient[],
  reason?: string,
): Act {
  const [first] = recipients;
  return {
    kind,
    subject: recipients.length === 1 ? (first?.id ?? null) : null,
    facts: {
      name: first?.name ?? '',
      recipients: String(recipients.length),
      ...(reason === undefined ? {} : { words: reason }),
    },
  };
}
