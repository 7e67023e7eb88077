import type { Queries } from '#src/server/database/sql.ts';
import type { InviteRows } from './inviteRows.ts';
import { INVITE_COLUMNS, type InviteRow, PERSON_COLUMNS, type PersonRow } from './peopleRows.ts';
import type { PersonRows } from './personRows.ts';

/** A person at an identity provider. Never an e-mail address: those can be reassigned to somebody else. */
export interface Identity {
  issuer: string;
  subject: string;
}

interface IdentitiesParts {
  service: string;
  /** URL of the identity provider; null if people sign in with passkeys. */
  issuer: string | null;
  rows: Pick<PersonRows & InviteRows, 'isPersonSealed' | 'updatePerson' | 'isInviteSealed'>;
}

export type Identities = ReturnType<typeof createIdentities>;

/** Maps identities to people. One identity belongs to one person. */
export function createIdentities({ service, issuer, rows }: IdentitiesParts) {
  const { isPersonSealed, updatePerson, isInviteSealed } = rows;

  async function peopleWith(queries: Queries, column: 'id' | 'subject', value: string): Promise<PersonRow[]> {
    const rows = await queries.query<PersonRow>(
      `select ${PERSON_COLUMNS} from people.people where service = $1 and issuer = $2 and ${column} = $3`,
      [service, issuer, value],
    );
    return rows.filter((row) => isPersonSealed(row));
  }

  async function hasIdentity(queries: Queries, person: string): Promise<boolean> {
    return (await peopleWith(queries, 'id', person)).length > 0;
  }

  async function personWith(queries: Queries, identity: Identity): Promise<string | null> {
    if (identity.issuer !== issuer) return null;
    const [found] = await peopleWith(queries, 'subject', identity.subject);
    return found?.id ?? null;
  }

  /** Invites that this identity has used and whose code hasn't been typed yet. */
  async function invitesWith(queries: Queries, identity: Identity): Promise<InviteRow[]> {
    const rows = await queries.query<InviteRow & { service: string }>(
      `select ${INVITE_COLUMNS} from people.invites
       where issuer = $1 and subject = $2 and code is not null and ended_at is null
         and exists (select 1 from people.people p where p.id = person and p.service = $3)`,
      [identity.issuer, identity.subject, service],
    );
    return rows.filter(isInviteSealed);
  }

  /**
   * Whether another person has the identity, or used an invite with it whose code hasn't been typed yet. A person whose
   * permissions have all ended doesn't block it.
   */
  async function isTaken(tx: Queries, identity: Identity, person: string): Promise<boolean> {
    const owner = await personWith(tx, identity);
    if (owner !== null && owner !== person) {
      const [openGrant] = await tx.query(
        'select 1 as one from people.grants where person = $1 and ended_at is null limit 1',
        [owner],
      );
      if (openGrant !== undefined) return true;
    }
    return (await invitesWith(tx, identity)).some((invite) => invite.person !== person);
  }

  async function setIdentity(tx: Queries, person: string, identity: Identity): Promise<void> {
    const owner = await personWith(tx, identity);
    if (owner !== null && owner !== person) await updatePerson(tx, owner, { issuer: null, subject: null });
    // Rows whose seal fails are ignored, but the unique index still sees them.
    await tx.query(
      'update people.people set issuer = null, subject = null where service = $1 and issuer = $2 and subject = $3 and id <> $4',
      [service, identity.issuer, identity.subject, person],
    );
    await updatePerson(tx, person, identity);
  }

  return { hasIdentity, personWith, invitesWith, isTaken, setIdentity };
}
