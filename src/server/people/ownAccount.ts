import type { Queries } from '#src/server/database/sql.ts';
import type { Identity } from './identities.ts';
import { FIRST_PASSKEY_INVITE } from './administration.ts';
import { INVITE_MS } from './invites.ts';
import { isCounting, type Passkey, WAITS_FOR_CODE } from './passkeyRows.ts';
import { joinCode } from './passkeys.ts';
import type { PasskeyRow } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import { actOn, type PersonActor } from './personTransactions.ts';
import { endSessionsOfIn } from './sessionRows.ts';
import { IS_OPEN, NOW_MS } from './sessionAge.ts';

export type PasskeyRemoved = 'removed' | 'last_passkey' | 'not_found';

/** A person's own passkeys, identity and sessions. */
export function createOwnAccount(store: PeopleStore) {
  const {
    database,
    service,
    passkeysOf,
    countingPasskey,
    hasPasskey,
    rpId,
    insertPasskey,
    endPasskey,
    inviteOf,
    invitesOf,
    insertInvite,
    updateInvite,
    endInvite,
    hasIdentity,
    personWith,
    invitesWith,
    firstPasskeyConfirmers,
    actAs,
  } = store;

  return {
    /** The owner and public key of a passkey that counts and is of this domain; null otherwise. */
    findPasskey: async (id: string): Promise<{ person: string; publicKey: string } | null> => {
      const row = await countingPasskey(database, id);
      return row?.rp_id === rpId ? { person: row.person, publicKey: row.public_key } : null;
    },

    findIdentity: async (identity: Identity): Promise<string | null> => personWith(database, identity),

    /** Whether the identity was used with an invite whose code hasn't been typed yet. */
    isIdentityWaitingForCode: async (identity: Identity): Promise<boolean> =>
      (await invitesWith(database, identity)).length > 0,

    /** Whether the passkey was made with an invite whose code hasn't been typed yet. */
    isWaitingForCode: async (id: string): Promise<boolean> => {
      const rows = await database.query(
        'select 1 as one from people.passkeys where id = $1 and ended_at is null and counts_from = $2',
        [id, WAITS_FOR_CODE],
      );
      return rows.length > 0;
    },

    noteUse: async (id: string): Promise<void> => {
      await database.query(`update people.passkeys set used_at = ${NOW_MS} where id = $1`, [id]);
    },

    /** The domains of all passkeys if none is of this domain, so that no passkey can sign in here; empty otherwise. */
    unusablePasskeyDomains: async (): Promise<string[]> => {
      const rows = await database.query<{ rp_id: string }>(
        `select distinct k.rp_id from people.passkeys k join people.people p on p.id = k.person
         where p.service = $1 and k.ended_at is null order by k.rp_id`,
        [service],
      );
      const domains = rows.map((row) => row.rp_id);
      return domains.includes(rpId) ? [] : domains;
    },

    /** The person's passkeys of this domain, including one that waits for its code. */
    ownPasskeys: async (person: string): Promise<PasskeyRow[]> =>
      (await passkeysOf(database, person)).filter((row) => row.rp_id === rpId),

    addPasskey: (actor: PersonActor, passkey: Passkey, parent: string | null): Promise<void> =>
      actAs(
        actor,
        'own-passkeys',
        (tx, now) => insertPasskey(tx, passkey, { person: actor.person, parent, counts_from: now, created_at: now }),
        () => actOn('passkey.added', actor.person),
      ),

    /**
     * Adds the first passkey of a person who signed in with their identity. It doesn't count until an admin types its code:
     * otherwise somebody who controls the identity provider could sign in this person's name, now or with permissions they
     * get later. If no admin could type the code, it counts at once. Null: they already have a passkey, or have no identity.
     */
    addFirstPasskey: (actor: PersonActor, passkey: Passkey): Promise<{ code: string | null } | null> => {
      return actAs(actor, 'own-passkeys', addIn, (added) => added && actOn('passkey.added', actor.person));

      async function addIn(tx: Queries, now: string): Promise<{ code: string | null } | null> {
        const { person } = actor;
        if (!(await hasIdentity(tx, person)) || (await hasPasskey(tx, person))) return null;
        const confirmers = await firstPasskeyConfirmers(tx, { person, here: actor.account });
        const row = { person, parent: null, created_at: now };
        if (confirmers === null) {
          await insertPasskey(tx, passkey, { ...row, counts_from: now });
          return { code: null };
        }
        // Stored as a used invite, so that the admin confirms it like any other code.
        const { account } = confirmers;
        const { token } = await insertInvite(tx, { person, account, ...FIRST_PASSKEY_INVITE }, now, INVITE_MS);
        await insertPasskey(tx, passkey, { ...row, counts_from: WAITS_FOR_CODE });
        const code = joinCode(token, [passkey.id, passkey.publicKey]);
        const made = await inviteOf(tx, token);
        if (typeof made === 'string') throw new Error('The invite was not found again.');
        await updateInvite(tx, { ...made, used_at: now, passkey: passkey.id, code });
        return { code };
      }
    },

    /** Also ends the actor's other sessions. The last passkey of this domain that counts can't be removed. */
    removePasskey: (actor: PersonActor, id: string): Promise<PasskeyRemoved> => {
      return actAs(actor, 'own-passkeys', removeIn, (done) =>
        done === 'removed' ? actOn('passkey.removed', actor.person) : null,
      );

      async function removeIn(tx: Queries, now: string): Promise<PasskeyRemoved> {
        const own = await passkeysOf(tx, actor.person);
        const found = own.find((row) => row.id === id);
        if (found === undefined) return 'not_found';
        const others = own.filter((row) => row !== found && row.rp_id === rpId && isCounting(row));
        if (isCounting(found) && found.rp_id === rpId && others.length === 0) return 'last_passkey';
        // A passkey that waits for its code: end its invite, too.
        for (const invite of await invitesOf(tx, actor.person))
          if (invite.passkey === id) await endInvite(tx, invite, now);
        await endPasskey(tx, found, now);
        // Somebody else may be signed in with this passkey.
        await endSessionsOfIn(tx, actor.person, 'passkey-lost', actor.session);
        return 'removed';
      }
    },

    ownSessions: (person: string) =>
      database.query<Record<'id' | 'created_at' | 'seen_at', string>>(
        `select id, created_at::text, seen_at::text from people.sessions where person = $1 and service = $2 and ${IS_OPEN}
         order by created_at desc`,
        [person, service],
      ),

    /** False: the actor has no such open session. */
    endSession: (actor: PersonActor, session: string): Promise<boolean> =>
      actAs(
        actor,
        'own-sessions',
        async (tx) => {
          const ended = await tx.query(
            `update people.sessions set ended_at = ${NOW_MS}, ended_why = 'signed-out'
             where id = $1 and person = $2 and ended_at is null returning 1 as one`,
            [session, actor.person],
          );
          return ended.length > 0;
        },
        (done) => (done ? actOn('session.ended', actor.person) : null),
      ),

    /** The account of the person's most recent session; null if they never had one. */
    lastAccountOf: async (person: string): Promise<string | null> => {
      const [last] = await database.query<{ account: string }>(
        'select account from people.sessions where person = $1 and service = $2 order by seen_at desc, created_at desc limit 1',
        [person, service],
      );
      return last?.account ?? null;
    },
  };
}
