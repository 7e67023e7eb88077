import type { Queries } from '#src/server/database/sql.ts';
import type { WaitingRole } from '#src/shared/contract/peopleContract.ts';
import { PERMISSIONS } from '#src/shared/permissions.ts';
import { NotPermitted, requireAbility } from './actor.ts';
import { waitingEpisode } from './grantChanges.ts';
import { isUntold } from './grantRows.ts';
import { type GrantRow, secondsOf } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import { actOn, type PersonActor, rolesText } from './personTransactions.ts';
import { WAITS_FOR_ADMIN } from './waits.ts';

/** 'own': the actor gave it; 'self': it is the actor's. */
export type RoleConfirmed = 'confirmed' | 'not_waiting' | 'own' | 'self';

/** The role that the admin saw. Confirming fails if the role with this id is another one, or another person's. */
interface SeenRole {
  id: string;
  person: string;
  permission: string;
}

/** A delivered notice that roles wait. `reader`: whom it was mailed to; null for a channel that isn't one person's. */
export interface WaitingRoleNotice {
  account: string;
  /** The person who is to have the roles. */
  subject: string;
  episode: string;
  reader: string | null;
}

export type WaitingRoles = ReturnType<typeof createWaitingRoles>;

/** Roles that an admin gave and that don't count yet: another admin confirms them, or anybody who may refuses them. */
export function createWaitingRoles(store: PeopleStore) {
  const { database, grants, waitingGrants, updateGrant, endGrant, noteTold } = store;
  const { grantConfirmersOf, grantRefusersOf, consolePeersOf, withJournalLock, actAs } = store;

  async function waitingGrant(tx: Queries, { account }: PersonActor, id: string): Promise<GrantRow | undefined> {
    return (await waitingGrants(tx, account)).find((row) => row.id === id);
  }

  /** Whether both were given roles on the console, and no admin can sign in to confirm them. */
  async function isConsolePeer(tx: Queries, { account, person }: PersonActor, row: GrantRow): Promise<boolean> {
    if (!(await consolePeersOf(tx, row)).includes(person)) return false;
    return (await grants.readPerson(tx, { person, account }))?.setBack === false;
  }

  return {
    /** 'own': the actor gave the role, 'self': it is the actor's; another admin must confirm it. */
    confirmRole: (actor: PersonActor, seen: SeenRole): Promise<RoleConfirmed> => {
      return actAs(actor, 'confirm-roles', confirm, (done) =>
        done === 'confirmed' ? actOn('person.role-confirmed', seen.person, { roles: rolesIn(seen) }) : null,
      );

      async function confirm(tx: Queries, now: string): Promise<RoleConfirmed> {
        const row = await waitingGrant(tx, actor, seen.id);
        if (row === undefined || !(await isConsolePeer(tx, actor, row)))
          requireAbility(actor, 'manage-people', await grants.sessionRights(tx, actor.session));
        if (row?.person !== seen.person || row.permission !== seen.permission) return 'not_waiting';
        if (row.person === actor.person) return 'self';
        if (row.granted_by === actor.person) return 'own';
        await updateGrant(tx, { ...row, confirmed_by: actor.person, counts_from: now });
        return 'confirmed';
      }
    },

    /** The actor may refuse a role that they gave themselves, too. False: the role already counts or has ended. */
    refuseRole: (actor: PersonActor, id: string): Promise<boolean> => {
      let refused: GrantRow | undefined;
      return actAs(actor, 'veto-roles', refuse, (done) =>
        done && refused ? actOn('person.role-refused', refused.person, { roles: rolesIn(refused) }) : null,
      );

      async function refuse(tx: Queries, now: string): Promise<boolean> {
        refused = await waitingGrant(tx, actor, id);
        if (refused === undefined) return false;
        await endGrant(tx, refused, { at: now, by: actor.person });
        return true;
      }
    },

    /**
     * After these waiting roles were listed to the actor: records that somebody was told who can refuse them. Returns whether
     * there was anything to record.
     */
    noteRolesListed: async (actor: PersonActor, ids: readonly string[]): Promise<boolean> => {
      try {
        return await actAs(actor, 'veto-roles', note, () => null);
      } catch (error) {
        // Whoever can't refuse a role wasn't told of it in time to do so.
        if (error instanceof NotPermitted) return false;
        throw error;
      }

      async function note(tx: Queries, now: string): Promise<boolean> {
        let isNoted = false;
        for (const row of (await waitingGrants(tx, actor.account)).filter(isUntold)) {
          if (!ids.includes(row.id) || !(await grantRefusersOf(tx, row)).includes(actor.person)) continue;
          await noteTold(tx, row, now);
          isNoted = true;
        }
        return isNoted;
      }
    },

    /** After a notice was delivered: records that somebody was told who can refuse its roles. */
    noteRoleNotice: async ({ account, subject, episode, reader }: WaitingRoleNotice): Promise<void> => {
      const untoldIn = async (queries: Queries) =>
        (await waitingGrants(queries, account)).filter(
          (row) => row.person === subject && episode === waitingEpisode(row.waits_since ?? '') && isUntold(row),
        );
      // Check before taking the write lock, because every transaction under it writes a row.
      if ((await untoldIn(database)).length === 0) return;
      await withJournalLock(
        account,
        async (tx, now) => {
          for (const row of await untoldIn(tx))
            if (reader === null || (await grantRefusersOf(tx, row)).includes(reader)) await noteTold(tx, row, now);
        },
        () => null,
      );
    },

    /** Waiting roles by person, in the order of PERMISSIONS. */
    waitingRolesOf: async (account: string): Promise<ReadonlyMap<string, WaitingRole[]>> => {
      const waiting = new Map<string, WaitingRole[]>();
      for (const row of await waitingGrants(database, account)) {
        const permission = PERMISSIONS.find((one) => one === row.permission);
        if (permission === undefined || row.waits_since === null) continue;
        const confirmers = await Promise.all(
          [...(await grantConfirmersOf(database, row)), ...(await consolePeersOf(database, row))].map((one) =>
            named(account, one),
          ),
        );
        const role: WaitingRole = {
          id: row.id,
          permission,
          given_by: row.granted_by === null ? null : await named(account, row.granted_by),
          given_at: secondsOf(row.waits_since),
          counts_from: row.counts_from === WAITS_FOR_ADMIN ? null : secondsOf(row.counts_from),
          is_told: row.told_at !== null,
          confirmers: confirmers.toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
        };
        waiting.set(row.person, [...(waiting.get(row.person) ?? []), role]);
      }
      const order = ({ permission }: WaitingRole) => PERMISSIONS.indexOf(permission);
      for (const roles of waiting.values()) roles.sort((a, b) => order(a) - order(b));
      return waiting;
    },
  };

  async function named(account: string, person: string): Promise<{ person: string; name: string }> {
    const found = await grants.readPerson(database, { person, account });
    return { person, name: found?.name ?? person };
  }
}

function rolesIn({ permission }: { permission: string }): string {
  return rolesText(PERMISSIONS.filter((one) => one === permission));
}
