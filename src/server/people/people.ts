import { randomBytes, randomUUID } from 'node:crypto';
import type { Act, Turns } from '#src/server/activity/activityLog.ts';
import type { Database, Param, Queries } from '#src/server/database/sql.ts';
import type { ActivityFacts, ActKind } from '#src/shared/contract/activityContract.ts';
import { type Ability, type Permission, rolesOf } from '#src/shared/permissions.ts';
import { type Actor, NotPermitted, requireRight } from './actor.ts';
import { createGrants } from './grants.ts';
import {
  GRANT_COLUMNS,
  type GrantRow,
  INVITE_COLUMNS,
  type InviteRow,
  PASSKEY_COLUMNS,
  type PasskeyRow,
  permissionsIn,
  permissionsText,
  PERSON_COLUMNS,
  secondsOf,
  type PersonRow,
  columnsToSeal,
} from './peopleRows.ts';
import { joinCode } from './passkeys.ts';
import type { Seals } from './seals.ts';
import { tokenHash } from './secrets.ts';
import { endSessionsOfIn, lockAccountsIn } from './sessionRows.ts';
import { IS_OPEN, NOW } from './sessionAge.ts';

const INVITE_MS = 48 * 60 * 60 * 1_000;
const CONSOLE_INVITE_MS = 30 * 60 * 1_000;
const CODE_TRIES_MAX = 5;
/** `counts_from` of a passkey that waits for its code. */
const WAITS_FOR_CODE = String(Number.MAX_SAFE_INTEGER);

/** Not one that waits for its code. */
export const isCounting = ({ counts_from: from }: Pick<PasskeyRow, 'counts_from'>): boolean => from !== WAITS_FOR_CODE;

/** A passkey as a browser made it: the credential's id and its COSE public key, both base64url. */
export interface Passkey {
  id: string;
  publicKey: string;
}

/** Somebody at an identity provider: never an e-mail address, which can be given to somebody else. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** What an invite was used with. */
type JoinedWith = { passkey: Passkey; rpId: string } | { identity: Identity };

/** Somebody who signed in as themselves. */
export interface PersonActor extends Actor {
  session: string;
  /** The person's id. */
  person: string;
  /** The passkey that signed the act; null if it isn't signed. */
  passkey: string | null;
}

const SANDBOX = 'sandbox';
/** What the ids of the sandbox's people start with. */
export const DEMO_PERSON = 'demo-';

interface DemoPersonRow {
  id: string;
  name: string;
  account: string;
  permissions: readonly Permission[];
}

/** On the server's console, to somebody who has a passkey of this domain. */
interface ConsoleGrant {
  name: string;
  permissions: readonly Permission[];
  /** Why. */
  words: string;
  rpId: string;
}

export interface NewInvite {
  person: string;
  /** For the link. Only its hash is stored. */
  token: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** An invite that can be used. */
export interface OpenInvite {
  account: string;
  person: string;
  /** Null: the person says it when they join. */
  name: string | null;
  /** A name; null: made on the server's console. */
  invitedBy: string | null;
  permissions: Permission[];
  /** Unix seconds. */
  expiresAt: number;
  /** Ids of the passkeys that the person has. */
  passkeys: string[];
}

export type InviteFault = 'invite_used' | 'invite_expired' | 'invite_unknown';
export type Joined =
  | { person: string; name: string; code: string | null }
  | InviteFault
  | 'name_taken'
  | 'identity_taken';
export type Confirmed = 'confirmed' | 'not_found' | { triesLeft: number };

export type People = ReturnType<typeof openPeople>;

/**
 * The people of a service. Whatever changes something takes who does it. `issuer`: of the identity provider that people
 * sign in with; null: they sign in with passkeys.
 */
export function openPeople(
  database: Database,
  service: string,
  seals: Seals,
  turns: Turns,
  issuer: string | null = null,
) {
  const grants = createGrants(service, seals);
  const isSealed = {
    passkey: (row: PasskeyRow) => seals.isSealed(row.seal, ...columnsToSeal.passkey(row)),
    invite: (row: InviteRow) => seals.isSealed(row.seal, ...columnsToSeal.invite(row)),
    grant: (row: GrantRow) => seals.isSealed(row.seal, ...columnsToSeal.grant(row)),
  };

  /** Changes of people run one after the other. `actIn`: the line of the activity; null if nothing was done. */
  function inTurn<T>(
    account: string,
    work: (tx: Queries, now: string) => Promise<T>,
    actIn: (result: T) => (Act & { person: string | null; who: string | null }) | null,
  ): Promise<T> {
    return database.transaction(async (tx) => {
      const { now } = await turns.begin(tx);
      await lockAccountsIn(tx, service);
      const result = await work(tx, String(now));
      const act = actIn(result);
      if (act !== null) {
        const { person, who, ...done } = act;
        await turns.note(tx, { service, account, person, who }, done, now);
      }
      return result;
    });
  }

  /** Throws SessionEnded or NotPermitted. */
  function actAs<T>(
    actor: PersonActor,
    ability: Ability,
    work: (tx: Queries, now: string) => Promise<T>,
    actIn: (result: T) => Act | null,
  ): Promise<T> {
    const checked = async (tx: Queries, now: string): Promise<T> => {
      requireRight(actor, ability, await grants.sessionRights(tx, actor.session));
      if (actor.passkey !== null && (await countingPasskey(tx, actor.passkey)) === null)
        throw new NotPermitted('This passkey has ended meanwhile. Nothing was changed.');
      return work(tx, now);
    };
    const { person, who } = actor;
    return inTurn(actor.account, checked, (result) => {
      const act = actIn(result);
      return act && { ...act, person, who };
    });
  }

  async function insert(tx: Queries, table: string, row: Record<string, Param>): Promise<void> {
    const columns = Object.keys(row);
    const places = columns.map((_, at) => `$${at + 1}`);
    await tx.query(`insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`, Object.values(row));
  }

  async function insertPerson(tx: Queries, name: string, now: string, id: string = randomUUID()): Promise<string> {
    const row = { id, service, name, created_at: now, issuer: null, subject: null };
    await insert(tx, 'people.people', { ...row, seal: seals.sealOf(...columnsToSeal.person(row)) });
    return row.id;
  }

  async function insertInvite(
    tx: Queries,
    invite: Pick<InviteRow, 'person' | 'account' | 'invited_by' | 'permissions'>,
    now: string,
    lifetime: number,
  ): Promise<NewInvite> {
    // A newer invite replaces the ones before.
    for (const before of await invitesOf(tx, invite.person)) await endInvite(tx, before, now);
    const token = randomBytes(32).toString('base64url');
    const expires = String(Number(now) + lifetime);
    const row: Omit<InviteRow, 'seal'> = {
      token_sha256: tokenHash(token),
      ...invite,
      created_at: now,
      expires_at: expires,
      used_at: null,
      passkey: null,
      issuer: null,
      subject: null,
      code: null,
      tries: 0,
      ended_at: null,
    };
    await insert(tx, 'people.invites', { ...row, seal: seals.sealOf(...columnsToSeal.invite(row)) });
    return { person: invite.person, token, expiresAt: secondsOf(expires) };
  }

  /** Those that can be used, or wait for their code. */
  async function invitesOf(queries: Queries, person: string): Promise<InviteRow[]> {
    const rows = await queries.query<InviteRow>(
      `select ${INVITE_COLUMNS} from people.invites where person = $1 and ended_at is null order by created_at desc`,
      [person],
    );
    return rows.filter(isSealed.invite);
  }

  async function updateInvite(tx: Queries, row: InviteRow): Promise<void> {
    await tx.query(
      `update people.invites set used_at = $2, passkey = $3, issuer = $4, subject = $5, code = $6, tries = $7,
         ended_at = $8, seal = $9
       where token_sha256 = $1`,
      [
        row.token_sha256,
        row.used_at,
        row.passkey,
        row.issuer,
        row.subject,
        row.code,
        row.tries,
        row.ended_at,
        seals.sealOf(...columnsToSeal.invite(row)),
      ],
    );
  }

  /** With the passkey that was made with it and has not counted yet. */
  async function endInvite(tx: Queries, invite: InviteRow, now: string): Promise<void> {
    await updateInvite(tx, { ...invite, ended_at: now });
    for (const passkey of await passkeysOf(tx, invite.person))
      if (passkey.id === invite.passkey && !isCounting(passkey)) await endPasskey(tx, passkey, now);
  }

  /** Those that have not ended, the oldest first. */
  async function passkeysOf(queries: Queries, person: string): Promise<PasskeyRow[]> {
    const rows = await queries.query<PasskeyRow>(
      `select ${PASSKEY_COLUMNS} from people.passkeys where person = $1 and ended_at is null order by created_at`,
      [person],
    );
    return rows.filter(isSealed.passkey);
  }

  async function countingPasskey(queries: Queries, id: string): Promise<PasskeyRow | null> {
    const [row] = await queries.query<PasskeyRow>(
      `select ${PASSKEY_COLUMNS} from people.passkeys where id = $1 and ended_at is null and counts_from <= ${NOW}`,
      [id],
    );
    return row === undefined || !isSealed.passkey(row) ? null : row;
  }

  async function insertPasskey(
    tx: Queries,
    { id, publicKey }: Passkey,
    more: Pick<PasskeyRow, 'person' | 'rp_id' | 'parent' | 'counts_from' | 'created_at'>,
  ): Promise<void> {
    const row = { id, public_key: publicKey, ...more, ended_at: null };
    await insert(tx, 'people.passkeys', { ...row, seal: seals.sealOf(...columnsToSeal.passkey(row)) });
  }

  async function updatePasskey(tx: Queries, row: PasskeyRow): Promise<void> {
    await tx.query('update people.passkeys set counts_from = $2, ended_at = $3, seal = $4 where id = $1', [
      row.id,
      row.counts_from,
      row.ended_at,
      seals.sealOf(...columnsToSeal.passkey(row)),
    ]);
  }

  const endPasskey = (tx: Queries, row: PasskeyRow, now: string) => updatePasskey(tx, { ...row, ended_at: now });

  /** Gives exactly these permissions, and ends others. `by`: a person's id; null: the server's console. */
  async function setGrants(
    tx: Queries,
    { person, account, by }: { person: string; account: string; by: string | null },
    permissions: readonly Permission[],
    now: string,
  ): Promise<void> {
    const rows = await tx.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where person = $1 and account = $2 and ended_at is null`,
      [person, account],
    );
    const isKept = (row: GrantRow) => isSealed.grant(row) && permissions.some((one) => one === row.permission);
    for (const row of rows.filter((each) => !isKept(each))) {
      const ended = { ...row, ended_at: now, ended_by: by };
      await tx.query('update people.grants set ended_at = $2, ended_by = $3, seal = $4 where id = $1', [
        row.id,
        now,
        by,
        seals.sealOf(...columnsToSeal.grant(ended)),
      ]);
    }
    const kept = new Set(rows.filter(isKept).map(({ permission }) => permission));
    for (const permission of permissions.filter((one) => !kept.has(one))) {
      const row = {
        id: randomUUID(),
        person,
        account,
        permission,
        granted_by: by,
        counts_from: now,
        ended_at: null,
        ended_by: null,
      };
      await insert(tx, 'people.grants', { ...row, seal: seals.sealOf(...columnsToSeal.grant(row)) });
    }
  }

  /** Whether an admin for whom `can` is true could type a code. */
  async function hasAdmin(tx: Queries, account: string, can: (person: string) => Promise<boolean>): Promise<boolean> {
    const rows = await tx.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where account = $1 and permission = 'admin' and ended_at is null
         and counts_from <= ${NOW}`,
      [account],
    );
    for (const { person } of rows.filter(isSealed.grant)) if (await can(person)) return true;
    return false;
  }

  /** Whether an admin has what typing a code takes. */
  function canConfirmCodes(tx: Queries, admin: string, rpId: string): Promise<boolean> {
    return issuer === null ? hasPasskeyOf(tx, admin, rpId) : hasIdentity(tx, admin);
  }

  async function hasPasskeyOf(tx: Queries, person: string, rpId: string): Promise<boolean> {
    return (await passkeysOf(tx, person)).some((passkey) => passkey.rp_id === rpId && isCounting(passkey));
  }

  async function inviteOf(queries: Queries, token: string): Promise<InviteRow | InviteFault> {
    const [row] = await queries.query<InviteRow & { now: string }>(
      `select ${INVITE_COLUMNS}, ${NOW}::text as now from people.invites where token_sha256 = $1`,
      [tokenHash(token)],
    );
    if (row === undefined || !isSealed.invite(row)) return 'invite_unknown';
    if (row.used_at !== null) return 'invite_used';
    return row.ended_at !== null || Number(row.expires_at) <= Number(row.now) ? 'invite_expired' : row;
  }

  return {
    grants,

    /** With what they may do now; null: no such person here. */
    findPerson: (account: string, person: string) => grants.readPerson(database, { person, account }),

    /** Made on the server's console, for a person who says their name when they join. */
    inviteFromConsole: (account: string, permissions: readonly Permission[], words: string): Promise<NewInvite> =>
      inTurn(
        account,
        async (tx, now) => {
          const person = await insertPerson(tx, await freeName(tx, service, 'Invited on the console'), now);
          const invite = { person, account, invited_by: null, permissions: permissionsText(permissions) };
          return insertInvite(tx, invite, now, CONSOLE_INVITE_MS);
        },
        ({ person }) => ({
          ...actOn('person.invited', person, { roles: rolesText(permissions), words }),
          person: null,
          who: null,
        }),
      ),

    /** Gives somebody who has a passkey permissions on an account without an admin, as the server's console does. */
    grantFromConsole: (
      account: string,
      { name, permissions, words, rpId }: ConsoleGrant,
    ): Promise<{ granted: string } | 'no_person' | 'has_admin'> => {
      return inTurn(account, grantIn, (done) =>
        typeof done === 'string'
          ? null
          : {
              ...actOn('person.changed', done.granted, { roles: rolesText(permissions), words }),
              person: null,
              who: null,
            },
      );

      async function grantIn(tx: Queries, now: string) {
        const [row] = await tx.query<PersonRow>(
          `select ${PERSON_COLUMNS} from people.people where service = $1 and lower(name) = lower($2)`,
          [service, name],
        );
        if (row === undefined || !seals.isSealed(row.seal, ...columnsToSeal.person(row))) return 'no_person';
        if (!(await canSignIn(tx, row.id))) return 'no_person';
        if (await hasAdmin(tx, account, (admin) => canConfirmCodes(tx, admin, rpId))) return 'has_admin';
        await lockPerson(tx, row.id);
        await setGrants(tx, { person: row.id, account, by: null }, permissions, now);
        return { granted: row.id };
      }
    },

    /** A person of the sandbox without a passkey; returns their name. Their roles are as at the first start again. */
    keepDemoPerson: ({ id, name, account, permissions }: DemoPersonRow): Promise<string> =>
      inTurn(
        account,
        async (tx, now) => {
          if (service !== SANDBOX) throw new TypeError('Only the sandbox has people without a passkey.');
          const [row] = await tx.query<PersonRow>(`select ${PERSON_COLUMNS} from people.people where id = $1`, [id]);
          if (row === undefined) await insertPerson(tx, await freeName(tx, service, name), now, id);
          // Sealed anew, because the server's secret may be another one.
          else
            await tx.query('update people.people set seal = $2 where id = $1', [
              id,
              seals.sealOf(...columnsToSeal.person(row)),
            ]);
          await setGrants(tx, { person: id, account, by: null }, permissions, now);
          return (await grants.readPerson(tx, { person: id, account }))?.name ?? name;
        },
        () => null,
      ),

    /** `null`: another person has this name. */
    invite: (actor: PersonActor, name: string, permissions: readonly Permission[]): Promise<NewInvite | null> =>
      actAs(
        actor,
        'manage-people',
        async (tx, now) => {
          if ((await freeName(tx, service, name)) !== name) return null;
          const person = await insertPerson(tx, name, now);
          const { account, person: by } = actor;
          const invite = { person, account, invited_by: by, permissions: permissionsText(permissions) };
          return insertInvite(tx, invite, now, INVITE_MS);
        },
        (made) => made && actOn('person.invited', made.person, { roles: rolesText(permissions) }),
      ),

    /** For somebody who lost their passkeys: the old ones end when the code is confirmed. Null: no such person. */
    inviteAgain: (actor: PersonActor, person: string): Promise<NewInvite | null> => {
      return actAs(actor, 'manage-people', inviteIn, (made) => made && actOn('person.invited-again', person));

      async function inviteIn(tx: Queries, now: string): Promise<NewInvite | null> {
        const { account, person: by } = actor;
        if (person === by || !(await isOfAccount(tx, person, account))) return null;
        await requireAdminEverywhere(tx, actor, person);
        // Whoever was never confirmed is invited with the permissions of the invite before.
        const invites = await tx.query<InviteRow>(
          `select ${INVITE_COLUMNS} from people.invites where person = $1 order by created_at desc`,
          [person],
        );
        const before = invites.find((each) => each.account === account && isSealed.invite(each));
        const has = (await grants.readPerson(tx, { person, account }))?.permissions ?? [];
        const permissions = has.length > 0 || before === undefined ? '[]' : before.permissions;
        return insertInvite(tx, { person, account, invited_by: by, permissions }, now, INVITE_MS);
      }
    },

    endInvites: async (actor: PersonActor, person: string): Promise<void> => {
      await actAs(
        actor,
        'manage-people',
        async (tx, now) => {
          if (!(await isOfAccount(tx, person, actor.account))) return 0;
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
      const asked = permissionsIn(invite.permissions);
      return {
        account,
        person,
        name: by === null ? null : found.name,
        invitedBy: inviter?.name ?? null,
        permissions: asked.length > 0 ? asked : found.permissions,
        expiresAt: secondsOf(invite.expires_at),
        passkeys: (await passkeysOf(database, person)).map(({ id }) => id),
      };
    },

    /** Uses the invite. It counts at once for whoever was invited on the console where there is no admin yet. */
    join: (
      account: string,
      { token, name: ownName, ...joinedWith }: { token: string; name: string } & JoinedWith,
    ): Promise<Joined> => {
      return inTurn(account, joinIn, (joined) =>
        typeof joined === 'string'
          ? null
          : { ...actOn('person.joined', joined.person), person: joined.person, who: joined.name },
      );

      async function joinIn(tx: Queries, now: string): Promise<Joined> {
        const invite = await inviteOf(tx, token);
        if (typeof invite === 'string') return invite;
        const { person } = invite;
        const found = invite.account === account ? await grants.readPerson(tx, { person, account }) : null;
        if (found === null) return 'invite_unknown';
        const name = invite.invited_by === null ? ownName : found.name;
        if (name !== found.name && (await freeName(tx, service, name)) !== name) return 'name_taken';
        const isByIdentity = 'identity' in joinedWith;
        if (isByIdentity && (await isTaken(tx, joinedWith.identity, person))) return 'identity_taken';
        if (name !== found.name) await rename(tx, person, name);
        const canConfirm = (admin: string) =>
          isByIdentity ? hasIdentity(tx, admin) : hasPasskeyOf(tx, admin, joinedWith.rpId);
        const countsNow = invite.invited_by === null && !(await hasAdmin(tx, account, canConfirm));
        const used = { ...invite, used_at: now, ended_at: countsNow ? now : null };
        let code: string | null;
        if (isByIdentity) {
          const { identity } = joinedWith;
          code = countsNow ? null : joinCode(token, [identity.issuer, identity.subject]);
          if (countsNow) await setIdentity(tx, person, identity);
          await updateInvite(tx, { ...used, ...identity, code });
        } else {
          const { passkey, rpId } = joinedWith;
          code = countsNow ? null : joinCode(token, [passkey.id, passkey.publicKey]);
          const counts_from = countsNow ? now : WAITS_FOR_CODE;
          await insertPasskey(tx, passkey, { person, rp_id: rpId, parent: null, counts_from, created_at: now });
          await updateInvite(tx, { ...used, passkey: passkey.id, code });
        }
        if (countsNow) await setGrants(tx, { person, account, by: null }, permissionsIn(invite.permissions), now);
        return { person, name, code };
      }
    },

    /** The person's passkey or identity counts from now on, with the permissions of the invite; older passkeys end. */
    confirm: (actor: PersonActor, person: string, code: string): Promise<Confirmed> => {
      return actAs(actor, 'manage-people', confirmIn, (confirmed) => {
        if (confirmed === 'not_found') return null;
        return actOn(confirmed === 'confirmed' ? 'person.confirmed' : 'person.wrong-code', person);
      });

      async function confirmIn(tx: Queries, now: string): Promise<Confirmed> {
        const { account, person: by } = actor;
        const invite = (await invitesOf(tx, person)).find((each) => each.code !== null && each.account === account);
        if (invite === undefined || person === by) return 'not_found';
        await requireAdminEverywhere(tx, actor, person);
        if (invite.code !== code) {
          const tries = invite.tries + 1;
          if (tries >= CODE_TRIES_MAX) await endInvite(tx, { ...invite, tries }, now);
          else await updateInvite(tx, { ...invite, tries });
          return { triesLeft: CODE_TRIES_MAX - tries };
        }
        const identity = identityOf(invite);
        // It may have become another person's since.
        if (identity !== null && (await isTaken(tx, identity, person))) return 'not_found';
        if (identity !== null) await setIdentity(tx, person, identity);
        await updateInvite(tx, { ...invite, ended_at: now });
        for (const passkey of await passkeysOf(tx, person)) {
          if (passkey.id === invite.passkey) await updatePasskey(tx, { ...passkey, counts_from: now });
          else await endPasskey(tx, passkey, now);
        }
        await endSessionsOfIn(tx, person, 'passkey-lost');
        const permissions = permissionsIn(invite.permissions);
        if (permissions.length > 0) await setGrants(tx, { person, account, by }, permissions, now);
        return 'confirmed';
      }
    },

    /** Also to somebody from another account, where the actor is an admin. False: no such person, or oneself. */
    grant: (actor: PersonActor, person: string, permissions: readonly Permission[]): Promise<boolean> =>
      actAs(
        actor,
        'manage-people',
        async (tx, now) => {
          const { account, person: by } = actor;
          if (person === by || !(await canSignIn(tx, person))) return false;
          if (!(await isOfAccount(tx, person, account)) && !(await isOfActorsAccounts(tx, actor, person))) return false;
          await lockPerson(tx, person);
          await setGrants(tx, { person, account, by }, permissions, now);
          return true;
        },
        (done) => (done ? actOn('person.changed', person, { roles: rolesText(permissions) }) : null),
      ),

    /** Ends the permissions and invites of a person on this account, and all their sessions. False: no such person, or oneself. */
    block: (actor: PersonActor, person: string): Promise<boolean> => {
      return actAs(actor, 'manage-people', blockIn, (done) => (done ? actOn('person.blocked', person) : null));

      async function blockIn(tx: Queries, now: string): Promise<boolean> {
        const { account, person: by } = actor;
        if (person === by || !(await isOfAccount(tx, person, account))) return false;
        // Sessions before the person, in the order of a write's transaction.
        await endSessionsOfIn(tx, person, 'blocked');
        await lockPerson(tx, person);
        await endInvitesOf(tx, { person, account }, now);
        await setGrants(tx, { person, account, by }, [], now);
        return true;
      }
    },

    signOutEverywhere: async (actor: PersonActor, person: string): Promise<void> => {
      await actAs(
        actor,
        person === actor.person ? 'own-account' : 'manage-people',
        async (tx) => {
          if (!(await isOfAccount(tx, person, actor.account))) return false;
          if (person !== actor.person) await requireAdminEverywhere(tx, actor, person);
          await endSessionsOfIn(tx, person, 'signed-out-everywhere');
          return true;
        },
        (done) => (done ? actOn('person.signed-out', person) : null),
      );
    },

    /** A passkey that counts, and whose it is; null otherwise. */
    findPasskey: async (id: string, rpId: string): Promise<{ person: string; publicKey: string } | null> => {
      const row = await countingPasskey(database, id);
      return row?.rp_id === rpId ? { person: row.person, publicKey: row.public_key } : null;
    },

    /** The person with this identity; null: nobody. */
    findIdentity: async (identity: Identity): Promise<string | null> => personWith(database, identity),

    /** Whether the identity used an invite whose code nobody has typed yet. */
    isIdentityWaitingForCode: async (identity: Identity): Promise<boolean> =>
      (await invitesWith(database, identity)).length > 0,

    /** Whether the passkey was made with an invite whose code nobody has typed yet. */
    isWaitingForCode: async (id: string): Promise<boolean> => {
      const rows = await database.query(
        'select 1 as one from people.passkeys where id = $1 and ended_at is null and counts_from = $2',
        [id, WAITS_FOR_CODE],
      );
      return rows.length > 0;
    },

    noteUse: async (id: string): Promise<void> => {
      await database.query(`update people.passkeys set used_at = ${NOW} where id = $1`, [id]);
    },

    ownPasskeys: async (person: string): Promise<PasskeyRow[]> => passkeysOf(database, person),

    addPasskey: (actor: PersonActor, passkey: Passkey, rpId: string, parent: string | null): Promise<void> =>
      actAs(
        actor,
        'own-account',
        (tx, now) =>
          insertPasskey(tx, passkey, { person: actor.person, rp_id: rpId, parent, counts_from: now, created_at: now }),
        () => actOn('passkey.added', actor.person),
      ),

    /**
     * The first passkey of somebody who signed in with their identity. That of an approver or admin waits until another
     * admin types its code, so that whoever rules the identity provider can't approve in their name. Null: they have one.
     */
    addFirstPasskey: (actor: PersonActor, passkey: Passkey, rpId: string): Promise<{ code: string | null } | null> => {
      return actAs(actor, 'own-account', addIn, (added) => added && actOn('passkey.added', actor.person));

      async function addIn(tx: Queries, now: string): Promise<{ code: string | null } | null> {
        const { person, account } = actor;
        if (!(await hasIdentity(tx, person)) || (await hasPasskeyOf(tx, person, rpId))) return null;
        const everywhere = await Promise.all(
          (await grants.accountsOf(tx, person)).map((one) => grants.readPerson(tx, { person, account: one })),
        );
        const isPowerful = everywhere.some(
          (found) => found?.permissions.includes('approve') || found?.permissions.includes('admin'),
        );
        const canConfirm = async (admin: string) => admin !== person && hasPasskeyOf(tx, admin, rpId);
        const waits = isPowerful && (await hasAdmin(tx, account, canConfirm));
        const counts_from = waits ? WAITS_FOR_CODE : now;
        const row = { person, rp_id: rpId, parent: null, counts_from, created_at: now };
        if (!waits) {
          await insertPasskey(tx, passkey, row);
          return { code: null };
        }
        // As after a new invite that was used: the admin types the code on the People page.
        const invite = { person, account, invited_by: null, permissions: '[]' };
        const { token } = await insertInvite(tx, invite, now, INVITE_MS);
        await insertPasskey(tx, passkey, row);
        const code = joinCode(token, [passkey.id, passkey.publicKey]);
        const made = await inviteOf(tx, token);
        if (typeof made === 'string') throw new Error('The invite was not found again.');
        await updateInvite(tx, { ...made, used_at: now, passkey: passkey.id, code });
        return { code };
      }
    },

    /** Ends one's other sessions, too. False: no such passkey of one's own, or the last one. */
    removePasskey: (actor: PersonActor, id: string): Promise<boolean> => {
      return actAs(actor, 'own-account', removeIn, (done) => (done ? actOn('passkey.removed', actor.person) : null));

      async function removeIn(tx: Queries, now: string): Promise<boolean> {
        const own = (await passkeysOf(tx, actor.person)).filter(isCounting);
        const found = own.find((row) => row.id === id);
        if (found === undefined || own.length < 2) return false;
        await endPasskey(tx, found, now);
        // Somebody else may be signed in with it.
        await endSessionsOfIn(tx, actor.person, 'passkey-lost', actor.session);
        return true;
      }
    },

    ownSessions: (person: string) =>
      database.query<Record<'id' | 'created_at' | 'seen_at', string>>(
        `select id, created_at::text, seen_at::text from people.sessions where person = $1 and service = $2 and ${IS_OPEN}
         order by created_at desc`,
        [person, service],
      ),

    /** False: no open session of one's own. */
    endSession: (actor: PersonActor, session: string): Promise<boolean> =>
      actAs(
        actor,
        'own-account',
        async (tx) => {
          const ended = await tx.query(
            `update people.sessions set ended_at = ${NOW}, ended_why = 'signed-out'
             where id = $1 and person = $2 and ended_at is null returning 1 as one`,
            [session, actor.person],
          );
          return ended.length > 0;
        },
        (done) => (done ? actOn('session.ended', actor.person) : null),
      ),

    list: listPeople,
    listAddable,

    /** The account of the person's newest session; null: there is none. */
    lastAccountOf: async (person: string): Promise<string | null> => {
      const [last] = await database.query<{ account: string }>(
        'select account from people.sessions where person = $1 and service = $2 order by seen_at desc, created_at desc limit 1',
        [person, service],
      );
      return last?.account ?? null;
    },
  };

  function rename(tx: Queries, person: string, name: string): Promise<void> {
    return updatePerson(tx, person, { name });
  }

  async function updatePerson(
    tx: Queries,
    person: string,
    change: Partial<Pick<PersonRow, 'name' | 'issuer' | 'subject'>>,
  ): Promise<void> {
    const [before] = await tx.query<PersonRow>(`select ${PERSON_COLUMNS} from people.people where id = $1 for update`, [
      person,
    ]);
    // A new seal would make a changed row valid.
    if (before === undefined || !seals.isSealed(before.seal, ...columnsToSeal.person(before))) return;
    const row = { ...before, ...change };
    await tx.query('update people.people set name = $2, issuer = $3, subject = $4, seal = $5 where id = $1', [
      person,
      row.name,
      row.issuer,
      row.subject,
      seals.sealOf(...columnsToSeal.person(row)),
    ]);
  }

  /** Whether the person was ever invited to this account or given permissions on it. */
  async function isOfAccount(tx: Queries, person: string, account: string): Promise<boolean> {
    if ((await grants.readPerson(tx, { person, account })) === null) return false;
    const given = await tx.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where person = $1 and account = $2`,
      [person, account],
    );
    if (given.some(isSealed.grant)) return true;
    const invites = await tx.query<InviteRow>(
      `select ${INVITE_COLUMNS} from people.invites where person = $1 and account = $2`,
      [person, account],
    );
    return invites.some(isSealed.invite);
  }

  /** The accounts on which a person is an admin. */
  async function adminAccountsOf(queries: Queries, person: string): Promise<string[]> {
    const accounts = await grants.accountsOf(queries, person);
    const found = await Promise.all(accounts.map((account) => grants.readPerson(queries, { person, account })));
    return accounts.filter((_, at) => found[at]?.permissions.includes('admin'));
  }

  /** Whether the person has permissions on an account where the actor is an admin. */
  async function isOfActorsAccounts(tx: Queries, actor: PersonActor, person: string): Promise<boolean> {
    const administered = await adminAccountsOf(tx, actor.person);
    return (await grants.accountsOf(tx, person)).some((account) => administered.includes(account));
  }

  /** For what changes how a person signs in, on every account where they have permissions. Throws NotPermitted. */
  async function requireAdminEverywhere(tx: Queries, actor: PersonActor, person: string): Promise<void> {
    const administered = await adminAccountsOf(tx, actor.person);
    if ((await grants.accountsOf(tx, person)).every((account) => administered.includes(account))) return;
    throw new NotPermitted(
      'They also have roles on another account. Only an admin of all their accounts can do this. Nothing was changed.',
    );
  }

  async function endInvitesOf(
    tx: Queries,
    { person, account }: { person: string; account: string },
    now: string,
  ): Promise<number> {
    const invites = (await invitesOf(tx, person)).filter((invite) => invite.account === account);
    for (const invite of invites) await endInvite(tx, invite, now);
    return invites.length;
  }

  /** Whether the person has what sign-in takes in this mode. */
  async function canSignIn(queries: Queries, person: string): Promise<boolean> {
    if (isDemoPerson(person)) return true;
    return issuer === null ? (await passkeysOf(queries, person)).some(isCounting) : hasIdentity(queries, person);
  }

  async function peopleWith(queries: Queries, column: 'id' | 'subject', value: string): Promise<PersonRow[]> {
    const rows = await queries.query<PersonRow>(
      `select ${PERSON_COLUMNS} from people.people where service = $1 and issuer = $2 and ${column} = $3`,
      [service, issuer, value],
    );
    return rows.filter((row) => seals.isSealed(row.seal, ...columnsToSeal.person(row)));
  }

  async function hasIdentity(queries: Queries, person: string): Promise<boolean> {
    return (await peopleWith(queries, 'id', person)).length > 0;
  }

  async function personWith(queries: Queries, identity: Identity): Promise<string | null> {
    if (identity.issuer !== issuer) return null;
    const [found] = await peopleWith(queries, 'subject', identity.subject);
    return found?.id ?? null;
  }

  /** Invites that this identity used and that wait for their code. */
  async function invitesWith(queries: Queries, identity: Identity): Promise<InviteRow[]> {
    const rows = await queries.query<InviteRow & { service: string }>(
      `select ${INVITE_COLUMNS} from people.invites
       where issuer = $1 and subject = $2 and code is not null and ended_at is null
         and exists (select 1 from people.people p where p.id = person and p.service = $3)`,
      [identity.issuer, identity.subject, service],
    );
    return rows.filter(isSealed.invite);
  }

  /** Whether another person has the identity, or waits for it. Somebody whose permissions have all ended doesn't keep it. */
  async function isTaken(tx: Queries, identity: Identity, person: string): Promise<boolean> {
    const owner = await personWith(tx, identity);
    if (owner !== null && owner !== person) {
      const [kept] = await tx.query(
        'select 1 as one from people.grants where person = $1 and ended_at is null limit 1',
        [owner],
      );
      if (kept !== undefined) return true;
    }
    return (await invitesWith(tx, identity)).some((invite) => invite.person !== person);
  }

  async function setIdentity(tx: Queries, person: string, identity: Identity): Promise<void> {
    const owner = await personWith(tx, identity);
    if (owner !== null && owner !== person) await updatePerson(tx, owner, { issuer: null, subject: null });
    // A row whose seal fails doesn't exist, and doesn't keep an identity either.
    await tx.query(
      'update people.people set issuer = null, subject = null where service = $1 and issuer = $2 and subject = $3 and id <> $4',
      [service, identity.issuer, identity.subject, person],
    );
    await updatePerson(tx, person, identity);
  }

  function isDemoPerson(person: string): boolean {
    return service === SANDBOX && person.startsWith(DEMO_PERSON);
  }

  /** Waits for writes of that person that are under way: they share this row. */
  async function lockPerson(tx: Queries, person: string): Promise<void> {
    await tx.query('select 1 as one from people.people where id = $1 for update', [person]);
  }

  /** Who invited them first; null: the server's console. */
  async function inviterOf(person: string): Promise<string | null> {
    const [first] = await database.query<InviteRow>(
      `select ${INVITE_COLUMNS} from people.invites where person = $1 order by created_at limit 1`,
      [person],
    );
    return first !== undefined && isSealed.invite(first) ? first.invited_by : null;
  }

  /** Everybody who was ever invited to an account or given permissions on it. */
  async function peopleOfAccount(account: string): Promise<Set<string>> {
    const given = await database.query<GrantRow>(`select ${GRANT_COLUMNS} from people.grants where account = $1`, [
      account,
    ]);
    const invites = await database.query<InviteRow>(`select ${INVITE_COLUMNS} from people.invites where account = $1`, [
      account,
    ]);
    return new Set([...given.filter(isSealed.grant), ...invites.filter(isSealed.invite)].map(({ person }) => person));
  }

  /** People of other accounts where the admin is an admin, too, and who could be given roles on this one. */
  async function listAddable(account: string, admin: string) {
    const administered = await adminAccountsOf(database, admin);
    if (!administered.includes(account)) return [];
    const here = await peopleOfAccount(account);
    const rows = await database.query<PersonRow>(
      `select ${PERSON_COLUMNS} from people.people where service = $1 order by lower(name)`,
      [service],
    );
    const addable = [];
    for (const row of rows) {
      if (here.has(row.id) || !seals.isSealed(row.seal, ...columnsToSeal.person(row))) continue;
      const accounts = await grants.accountsOf(database, row.id);
      if (!accounts.some((one) => administered.includes(one)) || !(await canSignIn(database, row.id))) continue;
      addable.push({ id: row.id, name: row.name });
    }
    return addable;
  }

  /** `reader`: the id of the person who reads the list. */
  async function listPeople(account: string, reader: string | null = null) {
    const here = await peopleOfAccount(account);
    const administered = reader === null ? [] : await adminAccountsOf(database, reader);
    const rows = await database.query<PersonRow & { seen_at: string | null; sessions: string; now: string }>(
      `select p.id, p.service, p.name, p.created_at::text, p.issuer, p.subject, p.seal, ${NOW}::text as now,
         (select max(s.seen_at)::text from people.sessions s where s.person = p.id) as seen_at,
         (select count(*)::text from people.sessions s where s.person = p.id and s.ended_at is null) as sessions
       from people.people p where p.service = $1 order by lower(p.name)`,
      [service],
    );
    const sealed = rows.filter((row) => seals.isSealed(row.seal, ...columnsToSeal.person(row)));
    const names = new Map(sealed.map(({ id, name }) => [id, name]));
    const listed = sealed.filter(({ id }) => here.has(id));
    return Promise.all(
      listed.map(async (row) => {
        const person = row.id;
        const passkeys = await passkeysOf(database, person);
        const counting = passkeys.filter(isCounting);
        const invite = (await invitesOf(database, person)).find((each) => each.account === account);
        const accounts = await grants.accountsOf(database, person);
        const { permissions = [] } = (await grants.readPerson(database, { person, account })) ?? {};
        const isOpen = invite?.used_at === null && Number(invite.expires_at) > Number(row.now);
        const hasSignIn = isDemoPerson(person) || (issuer === null ? counting.length > 0 : row.issuer === issuer);
        const state = stateOf({
          isWaiting: invite?.code != null,
          isActive: permissions.length > 0 && hasSignIn,
          hasSignIn,
        });
        return {
          id: person,
          name: row.name,
          state,
          permissions: permissions.length > 0 || invite === undefined ? permissions : permissionsIn(invite.permissions),
          invited_by: names.get((await inviterOf(person)) ?? '') ?? null,
          created_at: secondsOf(row.created_at),
          invite_expires_at: isOpen ? secondsOf(invite.expires_at) : null,
          passkeys: counting.length,
          open_sessions: Number(row.sessions),
          last_seen_at: row.seen_at === null ? null : secondsOf(row.seen_at),
          needs_other_admin: accounts.some((one) => one !== account && !administered.includes(one)),
        };
      }),
    );
  }
}

function actOn(kind: ActKind, person: string, facts: ActivityFacts = {}): Act {
  return { kind, subject: person, facts };
}

function rolesText(permissions: readonly Permission[]): string {
  return rolesOf(permissions).join(', ');
}

function stateOf({ isWaiting, isActive, hasSignIn }: { isWaiting: boolean; isActive: boolean; hasSignIn: boolean }) {
  if (isWaiting) return 'joined' as const;
  if (isActive) return 'active' as const;
  return hasSignIn ? ('blocked' as const) : ('invited' as const);
}

function identityOf({ issuer, subject }: InviteRow): Identity | null {
  return issuer === null || subject === null ? null : { issuer, subject };
}

/** The name, or the name with a number if somebody has it. */
async function freeName(tx: Queries, service: string, name: string): Promise<string> {
  const rows = await tx.query<{ name: string }>('select lower(name) as name from people.people where service = $1', [
    service,
  ]);
  const names = new Set(rows.map((row) => row.name));
  let free = name;
  for (let number = 2; names.has(free.toLowerCase()); number += 1) free = `${name} ${number}`;
  return free;
}
