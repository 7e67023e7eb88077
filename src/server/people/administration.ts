import type { Queries } from '#src/server/database/sql.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { NotPermitted } from './actor.ts';
import { grantCounts, type GrantRows } from './grantRows.ts';
import type { Grants } from './grants.ts';
import type { Identities } from './identities.ts';
import type { InviteRows } from './inviteRows.ts';
import type { PasskeyRows } from './passkeyRows.ts';
import { GRANT_COLUMNS, type GrantRow, INVITE_COLUMNS, type InviteRow } from './peopleRows.ts';
import type { PersonActor } from './personTransactions.ts';

export const SANDBOX = 'sandbox';
/** Id prefix of the sandbox's people. */
export const DEMO_PERSON = 'demo-';

/** Marks the invite that carries the code of a first passkey: no inviter and no roles. No other invite has neither. */
export const FIRST_PASSKEY_INVITE = { invited_by: null, permissions: '[]' } as const;

const ADMIN_OF_ALL =
  'Only an admin of every account where this person has or had roles can do this. Nothing was changed.';

interface AdministrationParts {
  service: string;
  /** URL of the identity provider; null if people sign in with passkeys. */
  issuer: string | null;
  grants: Grants;
  /** This server's clock, ms. */
  wall: () => number;
  rows: PasskeyRows & InviteRows & GrantRows & Pick<Identities, 'hasIdentity'>;
}

export type Administration = ReturnType<typeof createAdministration>;

/** Who belongs to an account, and who may change whom. */
export function createAdministration({ service, issuer, grants, wall, rows }: AdministrationParts) {
  const { passkeysOf, hasPasskey, invitesOf, isInviteSealed, isGrantSealed, peopleWith, accountsEverOf, hasIdentity } =
    rows;

  function isDemoPerson(person: string): boolean {
    return service === SANDBOX && person.startsWith(DEMO_PERSON);
  }

  /** Whether the person has the passkey, or with an identity provider the identity, that signing in needs. */
  async function canSignIn(queries: Queries, person: string): Promise<boolean> {
    if (isDemoPerson(person)) return true;
    return issuer === null ? hasPasskey(queries, person) : hasIdentity(queries, person);
  }

  /** Whether the person can sign in, and can sign acts with a passkey. */
  async function canSign(queries: Queries, person: string): Promise<boolean> {
    if (isDemoPerson(person)) return true;
    return (await canSignIn(queries, person)) && (await hasPasskey(queries, person));
  }

  /** Whether the person has permissions on this account, or an invite to it. */
  async function hasAccess(tx: Queries, { person, account }: { person: string; account: string }): Promise<boolean> {
    const openGrants = await tx.query(
      'select 1 as one from people.grants where person = $1 and account = $2 and ended_at is null limit 1',
      [person, account],
    );
    return openGrants.length > 0 || (await invitesOf(tx, person)).some((invite) => invite.account === account);
  }

  /** Whether the person was ever invited to this account or given permissions on it. */
  async function wasEverOfAccount(tx: Queries, person: string, account: string): Promise<boolean> {
    if ((await grants.readPerson(tx, { person, account })) === null) return false;
    const grantRows = await tx.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where person = $1 and account = $2`,
      [person, account],
    );
    if (grantRows.some(isGrantSealed)) return true;
    const invites = await tx.query<InviteRow>(
      `select ${INVITE_COLUMNS} from people.invites where person = $1 and account = $2`,
      [person, account],
    );
    return invites.some(isInviteSealed);
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

  /** The actor must be an admin of every account where the person has or had permissions. Throws NotPermitted. */
  async function requireAdminEverywhere(tx: Queries, actor: PersonActor, person: string): Promise<void> {
    const administered = await adminAccountsOf(tx, actor.person);
    if (!(await accountsEverOf(tx, person)).every((account) => administered.includes(account)))
      throw new NotPermitted(ADMIN_OF_ALL);
  }

  /**
   * Admins who can enter a code here: they can sign in and have a passkey of this domain. Counts them even in a restored
   * database, where nobody may do more than view: otherwise no code would be needed there.
   */
  async function confirmersOf(tx: Queries, account: string): Promise<string[]> {
    const rows = await tx.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where account = $1 and permission = 'admin' and ${grantCounts(wall())}`,
      [account],
    );
    const found: string[] = [];
    for (const { person } of rows.filter(isGrantSealed))
      if ((await canSignIn(tx, person)) && (await hasPasskey(tx, person))) found.push(person);
    return found;
  }

  /**
   * People who have one of the permissions here and can sign in. Counts them even in a restored database, where nobody may do
   * more than view.
   */
  async function holdersOf(queries: Queries, account: string, permissions: readonly Permission[]): Promise<string[]> {
    const found: string[] = [];
    for (const person of await peopleWith(queries, account, permissions))
      if (await canSignIn(queries, person)) found.push(person);
    return found;
  }

  /** Like holdersOf(), of those who can sign with a passkey. */
  async function signersOf(queries: Queries, account: string, permission: Permission): Promise<string[]> {
    const found: string[] = [];
    for (const person of await peopleWith(queries, account, [permission]))
      if (await canSign(queries, person)) found.push(person);
    return found;
  }

  /**
   * The admins who can enter the code of a person's first passkey, and the account on which they do: those who are admins of
   * all the person's accounts, or else the admins of the first account that has any, starting with `here`. Null: no admin can.
   */
  async function firstPasskeyConfirmers(
    tx: Queries,
    { person, here }: { person: string; here: string },
  ): Promise<{ account: string; admins: string[] } | null> {
    const accounts = await grants.accountsOf(tx, person);
    const found: { account: string; admins: string[] }[] = [];
    for (const account of [here, ...accounts.filter((one) => one !== here)]) {
      found.push({ account, admins: await confirmersOf(tx, account) });
    }
    const ofAll = found[0]?.admins.filter((admin) => found.every(({ admins }) => admins.includes(admin))) ?? [];
    if (ofAll.length > 0) return { account: here, admins: ofAll };
    return found.find(({ admins }) => admins.length > 0) ?? null;
  }

  /** Throws NotPermitted. */
  async function requireConfirmer(tx: Queries, actor: PersonActor, invite: InviteRow): Promise<void> {
    const { person, invited_by: by, permissions } = invite;
    const isFirstPasskeyInvite =
      by === FIRST_PASSKEY_INVITE.invited_by && permissions === FIRST_PASSKEY_INVITE.permissions;
    const passkey = (await passkeysOf(tx, person)).find(({ id }) => id === invite.passkey);
    if (!isFirstPasskeyInvite || passkey === undefined) return requireAdminEverywhere(tx, actor, person);
    const confirmers = await firstPasskeyConfirmers(tx, { person, here: actor.account });
    if (!confirmers?.admins.includes(actor.person)) throw new NotPermitted(ADMIN_OF_ALL);
  }

  return {
    isDemoPerson,
    canSignIn,
    canSign,
    hasAccess,
    wasEverOfAccount,
    adminAccountsOf,
    isOfActorsAccounts,
    requireAdminEverywhere,
    confirmersOf,
    holdersOf,
    signersOf,
    firstPasskeyConfirmers,
    requireConfirmer,
  };
}
