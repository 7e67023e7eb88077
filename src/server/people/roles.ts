import type { Queries } from '#src/server/database/sql.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { SANDBOX } from './administration.ts';
import { type Waiting, waitingFacts } from './grantChanges.ts';
import { columnsToSeal, PERSON_COLUMNS, type PersonRow } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import { actOn, type PersonActor, rolesText } from './personTransactions.ts';
import { endSessionsOfIn } from './sessionRows.ts';

interface DemoPersonRow {
  id: string;
  name: string;
  account: string;
  permissions: readonly Permission[];
}

/** Permissions that the server's console gives to a person who can already sign in. */
interface ConsoleGrant {
  name: string;
  permissions: readonly Permission[];
  /** The reason, as typed on the console. */
  words: string;
}

const WAS_BLOCKED = 'Whoever prepared it was blocked.';
const NO_LONGER_PREPARES = 'Whoever prepared it may no longer prepare payments.';

export type Blocked = 'blocked' | 'nothing_to_block' | 'not_found';

/** Changing a person's permissions on an account, and blocking them. */
export function createRoles(store: PeopleStore) {
  const {
    service,
    seals,
    grants,
    isPersonSealed,
    insertPerson,
    freeName,
    lockPerson,
    endInvitesOf,
    setGrants,
    replaceGrants,
    changeGrants,
    canSignIn,
    hasAccess,
    wasEverOfAccount,
    isOfActorsAccounts,
    requireAdminEverywhere,
    confirmersOf,
    withJournalLock,
    actAs,
    endUnsentOf,
  } = store;

  return {
    /**
     * For the server's console: gives permissions on an account without an admin who can sign in to a person who can. `waiting`:
     * those that don't count yet.
     */
    grantFromConsole: (
      account: string,
      { name, permissions, words }: ConsoleGrant,
    ): Promise<{ granted: string; waiting: Waiting | null } | 'no_person' | 'has_admin'> => {
      return withJournalLock(account, grantIn, (done) =>
        typeof done === 'string'
          ? null
          : {
              ...actOn('person.changed', done.granted, {
                roles: rolesText(permissions),
                words,
                ...waitingFacts(done.waiting),
              }),
              person: null,
              who: null,
            },
      );

      async function grantIn(tx: Queries, now: string) {
        const [row] = await tx.query<PersonRow>(
          `select ${PERSON_COLUMNS} from people.people where service = $1 and lower(name) = lower($2)`,
          [service, name],
        );
        if (row === undefined || !isPersonSealed(row)) return 'no_person';
        if (!(await canSignIn(tx, row.id))) return 'no_person';
        if ((await confirmersOf(tx, account)).length > 0) return 'has_admin';
        await lockPerson(tx, row.id);
        const waiting = await replaceGrants(tx, { person: row.id, account, by: null }, permissions, now);
        const onConsole = { account, person: null, who: null };
        if (!permissions.includes('prepare')) await endUnsentOf(tx, onConsole, row.id, NO_LONGER_PREPARES);
        return { granted: row.id, waiting };
      }
    },

    /** Creates a sandbox person, who has no passkey, or resets their roles to these. Returns their name. */
    keepDemoPerson: ({ id, name, account, permissions }: DemoPersonRow): Promise<string> =>
      withJournalLock(
        account,
        async (tx, now) => {
          if (service !== SANDBOX) throw new TypeError('Only the sandbox has people without a passkey.');
          const [row] = await tx.query<PersonRow>(`select ${PERSON_COLUMNS} from people.people where id = $1`, [id]);
          if (row === undefined) await insertPerson(tx, await freeName(tx, name), now, id);
          // Seal the row again, because the server's secret may have changed.
          else
            await tx.query('update people.people set seal = $2 where id = $1', [
              id,
              seals.sealOf(...columnsToSeal.person(row)),
            ]);
          const { hasChanged } = await setGrants(tx, { person: id, account, by: null }, permissions, now);
          return { name: (await grants.readPerson(tx, { person: id, account }))?.name ?? name, hasChanged };
        },
        ({ hasChanged }) =>
          hasChanged
            ? { ...actOn('person.changed', id, { roles: rolesText(permissions) }), person: null, who: null }
            : null,
      ).then((kept) => kept.name),

    /**
     * Sets a person's permissions here. They may also come from another account on which the actor is an admin. False: no such
     * person, the actor themselves, or somebody who can't sign in.
     */
    grant: (actor: PersonActor, person: string, permissions: readonly Permission[]): Promise<boolean> => {
      let waiting: Waiting | null = null;
      return actAs(actor, 'manage-people', grantIn, (done) =>
        done ? actOn('person.changed', person, { roles: rolesText(permissions), ...waitingFacts(waiting) }) : null,
      );

      async function grantIn(tx: Queries, now: string): Promise<boolean> {
        const { account, person: by } = actor;
        if (person === by || !(await canSignIn(tx, person))) return false;
        if (!(await wasEverOfAccount(tx, person, account)) && !(await isOfActorsAccounts(tx, actor, person)))
          return false;
        await lockPerson(tx, person);
        waiting = await changeGrants(tx, { person, account, by }, permissions, now);
        if (!permissions.includes('prepare')) await endUnsentOf(tx, actor, person, NO_LONGER_PREPARES);
        return true;
      }
    },

    /**
     * Ends the person's permissions, invites and unsent payments on this account, and all their sessions. 'not_found': no such
     * person here, or the actor themselves.
     */
    block: (actor: PersonActor, person: string): Promise<Blocked> => {
      return actAs(actor, 'manage-people', blockIn, (done) =>
        done === 'blocked' ? actOn('person.blocked', person) : null,
      );

      async function blockIn(tx: Queries, now: string): Promise<Blocked> {
        const { account, person: by } = actor;
        if (person === by || !(await wasEverOfAccount(tx, person, account))) return 'not_found';
        // Don't sign people out of other accounts when they have no access to this one.
        if (!(await hasAccess(tx, { person, account }))) return 'nothing_to_block';
        // Lock sessions before the person, as a write's transaction does, to avoid a deadlock.
        await endSessionsOfIn(tx, person, 'blocked');
        await lockPerson(tx, person);
        await endInvitesOf(tx, { person, account }, now);
        await changeGrants(tx, { person, account, by }, [], now);
        await endUnsentOf(tx, actor, person, WAS_BLOCKED);
        return 'blocked';
      }
    },

    /** Ends the person's sessions on all accounts. False: no such person. */
    signOutEverywhere: (actor: PersonActor, person: string): Promise<boolean> =>
      actAs(
        actor,
        person === actor.person ? 'own-sessions' : 'manage-people',
        async (tx) => {
          if (!(await wasEverOfAccount(tx, person, actor.account))) return false;
          if (person !== actor.person) await requireAdminEverywhere(tx, actor, person);
          await endSessionsOfIn(tx, person, 'signed-out-everywhere');
          return true;
        },
        (done) => (done ? actOn('person.signed-out', person) : null),
      ),
  };
}
