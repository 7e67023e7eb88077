import type { Queries } from '#src/server/database/sql.ts';
import { PERMISSIONS, type Permission } from '#src/shared/permissions.ts';
import { grantCounts } from './grantRows.ts';
import { GRANT_COLUMNS, type GrantRow, PERSON_COLUMNS, type PersonRow, columnsToSeal } from './peopleRows.ts';
import type { Seals } from './seals.ts';
import { APPROVING_MS, IS_OPEN, NOW_MS } from './sessionAge.ts';
import type { ReadSessionRights } from './actor.ts';

export interface GrantedPerson {
  id: string;
  name: string;
  permissions: Permission[];
  /** Whether the database was restored, so that `permissions` is limited to view: newer records may be missing. */
  setBack: boolean;
}

interface SealedSession {
  id: string;
  account: string;
  person: string;
  tokenSha256: string;
}

function sessionColumns({ id, account, person, tokenSha256 }: SealedSession): string[] {
  return ['people.sessions', id, account, person, tokenSha256];
}

export type Grants = ReturnType<typeof createGrants>;

/** Reads the permissions that a person has on an account now. */
export function createGrants(service: string, seals: Seals, wall: () => number) {
  /** Null for a person who doesn't exist here. `lock`: holds a share lock on the rows until the transaction ends. */
  async function readPerson(
    queries: Queries,
    { person, account, lock = false }: { person: string; account: string; lock?: boolean },
  ): Promise<GrantedPerson | null> {
    const sharing = lock ? 'for share' : '';
    const [row] = await queries.query<PersonRow>(
      `select ${PERSON_COLUMNS} from people.people where id = $1 and service = $2 ${sharing}`,
      [person, service],
    );
    if (row === undefined || !seals.isSealed(row.seal, ...columnsToSeal.person(row))) return null;
    const grants = await queries.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants
       where person = $1 and account = $2 and ${grantCounts(wall())} ${sharing}`,
      [person, account],
    );
    const sealed = grants.filter((grant) => seals.isSealed(grant.seal, ...columnsToSeal.grant(grant)));
    // In a restored database, permissions that were ended in the lost part count again.
    const [journal] = await queries.query<{ set_back: boolean }>(
      'select set_back_at is not null as set_back from operations.journal',
    );
    const setBack = journal?.set_back === true;
    const usable = setBack ? (['view'] as const) : PERMISSIONS;
    const permissions = usable.filter((one) => sealed.some(({ permission }) => permission === one));
    return { id: row.id, name: row.name, permissions, setBack };
  }

  /** The accounts on which a person has permissions now. */
  async function accountsOf(queries: Queries, person: string): Promise<string[]> {
    const rows = await queries.query<GrantRow>(
      `select ${GRANT_COLUMNS} from people.grants where person = $1 and ${grantCounts(wall())} order by account`,
      [person],
    );
    const sealed = rows.filter((grant) => seals.isSealed(grant.seal, ...columnsToSeal.grant(grant)));
    return [...new Set(sealed.map(({ account }) => account))];
  }

  /** Binds a session to one person, so that write access to the database isn't enough to give it to another. */
  function sealOfSession(session: SealedSession): string {
    return seals.sealOf(...sessionColumns(session));
  }

  function isSessionSealed(seal: string, session: SealedSession): boolean {
    return seals.isSealed(seal, ...sessionColumns(session));
  }

  /** In a write's transaction: a sign-out, block or change of permissions waits until it ends. */
  const sessionRights: ReadSessionRights = async (transaction, id) => {
    const [session] = await transaction.query<
      Record<'token_sha256' | 'account' | 'person' | 'seal', string> & { is_old: boolean }
    >(
      `select token_sha256, account, person, seal, created_at <= ${NOW_MS} - ${APPROVING_MS} as is_old from people.sessions
       where id = $1 and service = $2 and person is not null and ${IS_OPEN} for share`,
      [id, service],
    );
    if (session === undefined) return null;
    const { account, seal, token_sha256: tokenSha256 } = session;
    if (!isSessionSealed(seal, { id, account, person: session.person, tokenSha256 })) return null;
    const person = await readPerson(transaction, { person: session.person, account, lock: true });
    if (person === null) return null;
    const { permissions, setBack } = person;
    return { permissions, keyRefused: false, setBack, isOldSignIn: session.is_old };
  };

  return { readPerson, accountsOf, sessionRights, sealOfSession, isSessionSealed };
}
