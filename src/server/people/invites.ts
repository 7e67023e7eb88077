import type { Queries } from '#src/server/database/sql.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { type Waiting, waitingFacts } from './grantChanges.ts';
import type { Identity } from './identities.ts';
import type { InviteFault, NewInvite } from './inviteRows.ts';
import { type Passkey, WAITS_FOR_CODE } from './passkeyRows.ts';
import { joinCode } from './passkeys.ts';
import { INVITE_COLUMNS, type InviteRow, permissionsIn, permissionsText, secondsOf } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import { actOn, type PersonActor, rolesText } from './personTransactions.ts';
import { endSessionsOfIn } from './sessionRows.ts';

export const INVITE_MS = 48 * 60 * 60 * 1_000;
const CONSOLE_INVITE_MS = 30 * 60 * 1_000;
const CODE_TRIES_MAX = 5;

/** The passkey or identity that an invite was used with. */
type JoinedWith = { passkey: Passkey } | { identity: Identity };

/** An invite that can be used. */
export interface OpenInvite {
  account: string;
  person: string;
  /** Null if the person chooses it when they join. */
  name: string | null;
  /** The inviter's name; null if the invite was made on the server's console. */
  invitedBy: string | null;
  permissions: Permission[];
  /** Unix seconds. */
  expiresAt: number;
  /** Ids of the passkeys that the person has. */
  passkeys: string[];
}

export type Joined =
  | { person: string; name: string; code: string | null }
  | InviteFault
  | 'name_taken'
  | 'identity_taken';
export type Confirmed = 'confirmed' | 'not_found' | 'identity_taken' | { triesLeft: number };

/** Inviting, joining, and the code that makes a first passkey or identity count. */
export function createInvites(store: PeopleStore) {
  const {
    database,
    grants,
    insertPerson,
    rename,
    freeName,
    isNameTaken,
    passkeysOf,
    insertPasskey,
    updatePasskey,
    endPasskey,
    isInviteSealed,
    inviteOf,
    invitesOf,
    insertInvite,
    updateInvite,
    endInvite,
    endInvitesOf,
    replaceGrants,
    restartGrantWaits,
    accountsEverOf,
    isTaken,
    setIdentity,
    wasEverOfAccount,
    requireAdminEverywhere,
    confirmersOf,
    requireConfirmer,
    withJournalLock,
    actAs,
  } = store;

  return {
    /** An invite made on the server's console, for a person who chooses their name when they join. */
    inviteFromConsole: (account: string, permissions: readonly Permission[], words: string): Promise<NewInvite> =>
      withJournalLock(
        account,
        async (tx, now) => {
          const person = await insertPerson(tx, await freeName(tx, 'Invited on the console'), now);
          const invite = { person, account, invited_by: null, permissions: permissionsText(permissions) };
          return insertInvite(tx, invite, now, CONSOLE_INVITE_MS);
        },
        ({ person }) => ({
          ...actOn('person.invited', person, { roles: rolesText(permissions), words }),
          person: null,
          who: null,
        }),
      ),

    /** Null if another person has this name. */
    invite: (actor: PersonActor, name: string, permissions: readonly Permission[]): Promise<NewInvite | null> =>
      actAs(
        actor,
        'manage-people',
        async (tx, now) => {
          if (await isNameTaken(tx, name)) return null;
          const person = await insertPerson(tx, name, now);
          const { account, person: by } = actor;
          const invite = { person, account, invited_by: by, permissions: permissionsText(permissions) };
          return insertInvite(tx, invite, now, INVITE_MS);
        },
        (made) => made && actOn('person.invited', made.person, { roles: rolesText(permissions) }),
      ),

    /**
     * A new invite for a person who lost their passkeys; the old passkeys end when its code is confirmed. Null: no such person
     * here, or the actor themselves.
     */
    inviteAgain: (actor: PersonActor, person: string): Promise<NewInvite | null> => {
      return actAs(actor, 'manage-people', inviteIn, (made) => made && actOn('person.invited-again', person));

      async function inviteIn(tx: Queries, now: string): Promise<NewInvite | null> {
        const { account, person: by } = actor;
        if (person === by || !(await wasEverOfAccount(tx, person, account))) return null;
        await requireAdminEverywhere(tx, actor, person);
        const invites = await tx.query<InviteRow>(
          `select ${INVITE_COLUMNS} from people.invites where person = $1 order by created_at desc`,
          [person],
        );
        const before = invites.find((each) => each.account === account && isInviteSealed(each));
        // The roles of the previous invite apply only to a person who never had roles here: roles that were ended stay ended.
        const hadRoles = (await accountsEverOf(tx, person)).includes(account);
        const permissions = hadRoles || before === undefined ? '[]' : before.permissions;
        return insertInvite(tx, { person, account, invited_by: by, permissions }, now, INVITE_MS);
      }
    },

    endInvites: async (actor: PersonActor, person: string): Promise<void> => {
      await actAs(
        actor,
        'manage-people',
        async (tx, now) => {
          if (!(await wasEverOfAccount(tx, person, actor.account))) return 0;
          return endInvitesOf(tx, { person, account: actor.account }, now);
        },
        (ended) => (ended > 0 ? actOn('person.invite-ended', person) : null),
      );
    },

    findInvite: async (token: string): Promise<OpenInvite | InviteFault> => {
      const invite = await inviteOf(database, token);
      if (typeof invite === 'string') return invite;
      const { account, person } = invite;
      const found = await grants.readPerson(database, { person, account });
      if (found === null) return 'invite_unknown';
      const { invited_by: by } = invite;
      const inviter = by === null ? null : await grants.readPerson(database, { person: by, account });
      const invitePermissions = permissionsIn(invite.permissions);
      return {
        account,
        person,
        name: by === null ? null : found.name,
        invitedBy: inviter?.name ?? null,
        permissions: invitePermissions.length > 0 ? invitePermissions : found.permissions,
        expiresAt: secondsOf(invite.expires_at),
        passkeys: (await passkeysOf(database, person)).map(({ id }) => id),
      };
    },

    /**
     * Uses the invite. `beside`: the name of another person who was signed in in that browser, for whoever confirms.
     * An invite from the console needs no code if the account has no admin who could enter one. If others have approver or
     * admin roles, though they can't sign in, these roles of the new person wait.
     */
    join: (
      account: string,
      {
        token,
        name: ownName,
        beside = null,
        ...joinedWith
      }: { token: string; name: string; beside?: string | null } & JoinedWith,
    ): Promise<Joined> => {
      let waiting: Waiting | null = null;
      return withJournalLock(account, joinIn, (joined) =>
        typeof joined === 'string'
          ? null
          : {
              ...actOn('person.joined', joined.person, {
                ...(beside !== null && { beside }),
                ...waitingFacts(waiting),
              }),
              person: joined.person,
              who: joined.name,
            },
      );

      async function joinIn(tx: Queries, now: string): Promise<Joined> {
        const invite = await inviteOf(tx, token);
        if (typeof invite === 'string') return invite;
        const { person } = invite;
        const found = invite.account === account ? await grants.readPerson(tx, { person, account }) : null;
        if (found === null) return 'invite_unknown';
        const name = invite.invited_by === null ? ownName : found.name;
        if (name !== found.name && (await isNameTaken(tx, name))) return 'name_taken';
        const isByIdentity = 'identity' in joinedWith;
        if (isByIdentity && (await isTaken(tx, joinedWith.identity, person))) return 'identity_taken';
        if (name !== found.name) await rename(tx, person, name);
        const countsNow = invite.invited_by === null && (await confirmersOf(tx, account)).length === 0;
        const used = { ...invite, used_at: now, ended_at: countsNow ? now : null };
        let code: string | null;
        if (isByIdentity) {
          const { identity } = joinedWith;
          code = countsNow ? null : joinCode(token, [identity.issuer, identity.subject]);
          if (countsNow) await setIdentity(tx, person, identity);
          await updateInvite(tx, { ...used, ...identity, code });
        } else {
          const { passkey } = joinedWith;
          code = countsNow ? null : joinCode(token, [passkey.id, passkey.publicKey]);
          const counts_from = countsNow ? now : WAITS_FOR_CODE;
          await insertPasskey(tx, passkey, { person, parent: null, counts_from, created_at: now });
          await updateInvite(tx, { ...used, passkey: passkey.id, code });
        }
        if (countsNow)
          waiting = await replaceGrants(tx, { person, account, by: null }, permissionsIn(invite.permissions), now);
        return { person, name, code };
      }
    },

    /** Makes the person's new passkey or identity count, with the permissions of the invite, and ends their older passkeys. */
    confirm: (actor: PersonActor, person: string, code: string): Promise<Confirmed> => {
      let waiting: Waiting | null = null;
      return actAs(actor, 'manage-people', confirmIn, (confirmed) => {
        if (confirmed === 'not_found' || confirmed === 'identity_taken') return null;
        if (confirmed !== 'confirmed') return actOn('person.wrong-code', person);
        return actOn('person.confirmed', person, waitingFacts(waiting));
      });

      async function confirmIn(tx: Queries, now: string): Promise<Confirmed> {
        const { account, person: by } = actor;
        const invite = (await invitesOf(tx, person)).find((each) => each.code !== null && each.account === account);
        if (invite === undefined || person === by) return 'not_found';
        await requireConfirmer(tx, actor, invite);
        if (invite.code !== code) {
          const tries = invite.tries + 1;
          if (tries >= CODE_TRIES_MAX) await endInvite(tx, { ...invite, tries }, now);
          else await updateInvite(tx, { ...invite, tries });
          return { triesLeft: CODE_TRIES_MAX - tries };
        }
        const identity = identityOf(invite);
        // The identity may have become another person's in the meantime.
        if (identity !== null && (await isTaken(tx, identity, person))) return 'identity_taken';
        if (identity !== null) await setIdentity(tx, person, identity);
        await updateInvite(tx, { ...invite, ended_at: now });
        for (const passkey of await passkeysOf(tx, person)) {
          if (passkey.id === invite.passkey) await updatePasskey(tx, { ...passkey, counts_from: now });
          else await endPasskey(tx, passkey, now);
        }
        await endSessionsOfIn(tx, person, 'passkey-lost');
        const { invited_by: inviter } = invite;
        // Without an inviter there is nothing to confirm again: a first passkey beside an identity was added by the person
        // themselves, and the console invites only new people.
        if (inviter !== null) waiting = await restartGrantWaits(tx, { person, by, inviter }, now);
        const permissions = permissionsIn(invite.permissions);
        if (permissions.length > 0)
          waiting = (await replaceGrants(tx, { person, account, by, inviter }, permissions, now)) ?? waiting;
        return 'confirmed';
      }
    },
  };
}

function identityOf({ issuer, subject }: InviteRow): Identity | null {
  return issuer === null || subject === null ? null : { issuer, subject };
}
