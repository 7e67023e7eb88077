import type { PersonState } from '#src/shared/contract/peopleContract.ts';
import {
  GRANT_COLUMNS,
  type GrantRow,
  INVITE_COLUMNS,
  type InviteRow,
  permissionsIn,
  PERSON_COLUMNS,
  type PersonRow,
  secondsOf,
} from './peopleRows.ts';
import { isCounting } from './passkeyRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import { IS_OPEN, NOW_MS } from './sessionAge.ts';
import type { WaitingRoles } from './waitingRoles.ts';

/** The people of an account, as its People page shows them. */
export function createPeopleLists(store: PeopleStore, { waitingRolesOf }: Pick<WaitingRoles, 'waitingRolesOf'>) {
  const {
    database,
    service,
    issuer,
    rpId,
    grants,
    isPersonSealed,
    passkeysOf,
    isInviteSealed,
    invitesOf,
    isGrantSealed,
    accountsEverOf,
    isDemoPerson,
    canSignIn,
    adminAccountsOf,
  } = store;

  /** Everybody who was ever invited to an account or given permissions on it. */
  async function peopleOfAccount(account: string): Promise<Set<string>> {
    const grantRows = await database.query<GrantRow>(`select ${GRANT_COLUMNS} from people.grants where account = $1`, [
      account,
    ]);
    const invites = await database.query<InviteRow>(`select ${INVITE_COLUMNS} from people.invites where account = $1`, [
      account,
    ]);
    return new Set([...grantRows.filter(isGrantSealed), ...invites.filter(isInviteSealed)].map(({ person }) => person));
  }

  /** The id of the person who invited them first; null if it was the server's console. */
  async function inviterOf(person: string): Promise<string | null> {
    const [first] = await database.query<InviteRow>(
      `select ${INVITE_COLUMNS} from people.invites where person = $1 order by created_at limit 1`,
      [person],
    );
    return first !== undefined && isInviteSealed(first) ? first.invited_by : null;
  }

  /** The name of another person who was signed in in the browser that used this invite; null if there was none. */
  async function joinedBeside({ account, person, used_at: at }: InviteRow): Promise<string | null> {
    const [line] = await database.query<{ beside: string | null }>(
      `select facts::json ->> 'beside' as beside from activity.lines
       where service = $1 and account = $2 and at >= $3::bigint and kind = 'person.joined' and subject = $4
       order by number limit 1`,
      [service, account, at, person],
    );
    return line?.beside ?? null;
  }

  /** `reader`: the id of the person who reads the list. */
  async function listPeople(account: string, reader: string | null = null) {
    const waiting = await waitingRolesOf(account);
    const here = await peopleOfAccount(account);
    const administered = reader === null ? [] : await adminAccountsOf(database, reader);
    const isAdmin = administered.includes(account);
    const rows = await database.query<PersonRow & { seen_at: string | null; sessions: string; now: string }>(
      `select p.id, p.service, p.name, p.created_at::text, p.issuer, p.subject, p.email, p.seal, ${NOW_MS}::text as now,
         (select max(s.seen_at)::text from people.sessions s where s.person = p.id and s.account = $2) as seen_at,
         (select count(*)::text from people.sessions s where s.person = p.id and s.account = $2 and ${IS_OPEN}) as sessions
       from people.people p where p.service = $1 order by lower(p.name)`,
      [service, account],
    );
    const sealed = rows.filter((row) => isPersonSealed(row));
    const names = new Map(sealed.map(({ id, name }) => [id, name]));
    const listed = sealed.filter(({ id }) => here.has(id));
    return Promise.all(
      listed.map(async (row) => {
        const person = row.id;
        const passkeys = await passkeysOf(database, person);
        const counting = passkeys.filter((passkey) => passkey.rp_id === rpId && isCounting(passkey));
        const invite = (await invitesOf(database, person)).find((each) => each.account === account);
        const accounts = await accountsEverOf(database, person);
        const { permissions = [] } = (await grants.readPerson(database, { person, account })) ?? {};
        const isOpen = invite?.used_at === null && Number(invite.expires_at) > Number(row.now);
        const hasSignIn = isDemoPerson(person) || (issuer === null ? counting.length > 0 : row.issuer === issuer);
        const isWaiting = invite?.code != null;
        const isActive = permissions.length > 0 && hasSignIn;
        const state = stateOf({ isActive, isWaiting, isInvited: invite !== undefined && !hasSignIn });
        return {
          id: person,
          name: row.name,
          state,
          can_sign_in: hasSignIn,
          waits_for_code: isWaiting,
          joined_beside: isWaiting ? await joinedBeside(invite) : null,
          waiting: waiting.get(person) ?? [],
          permissions: permissions.length > 0 || invite === undefined ? permissions : permissionsIn(invite.permissions),
          invited_by: names.get((await inviterOf(person)) ?? '') ?? null,
          created_at: secondsOf(row.created_at),
          invite_expires_at: isOpen ? secondsOf(invite.expires_at) : null,
          passkeys: counting.length,
          open_sessions: Number(row.sessions),
          last_seen_at: row.seen_at === null ? null : secondsOf(row.seen_at),
          email: isAdmin ? row.email : null,
          needs_other_admin: accounts.some((one) => one !== account && !administered.includes(one)),
        };
      }),
    );
  }

  /** People who could be given roles on this account: they have roles on another account of the same admin, and can sign in. */
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
      if (here.has(row.id) || !isPersonSealed(row)) continue;
      const accounts = await grants.accountsOf(database, row.id);
      if (!accounts.some((one) => administered.includes(one)) || !(await canSignIn(database, row.id))) continue;
      addable.push({ id: row.id, name: row.name });
    }
    return addable;
  }

  return { list: listPeople, listAddable };
}

function stateOf(person: Record<'isActive' | 'isWaiting' | 'isInvited', boolean>): PersonState {
  if (person.isActive) return 'active';
  if (person.isWaiting) return 'joined';
  return person.isInvited ? 'invited' : 'blocked';
}
