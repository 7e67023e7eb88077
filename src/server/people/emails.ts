import type { Queries } from '#src/server/database/sql.ts';
import type { Permission } from '#src/shared/permissions.ts';
import { grantCounts } from './grantRows.ts';
import { GRANT_COLUMNS, type GrantRow } from './peopleRows.ts';
import type { PeopleStore } from './peopleStore.ts';
import { actOn, type PersonActor } from './personTransactions.ts';

export interface MailPerson {
  id: string;
  name: string;
  email: string | null;
}

type Changed = 'changed' | 'as_before' | 'not_found';

/** Where people's notices go. */
export function createEmails(store: PeopleStore) {
  const {
    database,
    service,
    raise,
    wall,
    readPersonRow,
    isGrantSealed,
    updatePerson,
    canSignIn,
    wasEverOfAccount,
    requireAdminEverywhere,
    actAs,
  } = store;

  /** Sends a notice to the former address, because somebody else may have made the change. */
  async function change(
    tx: Queries,
    { account, person, email }: { account: string; person: string; email: string | null },
    now: string,
  ): Promise<Changed> {
    const before = await readPersonRow(tx, person);
    if (before === null) return 'not_found';
    if (before.email === email) return 'as_before';
    await updatePerson(tx, person, { email });
    if (before.email !== null) {
      const notice = { service, account, event: 'email.changed', subject: person, episode: `former ${now}` } as const;
      await raise(tx, { ...notice, to: { person, email: before.email } }, Number(now));
    }
    return 'changed';
  }

  return {
    emailOf: async (person: string): Promise<string | null> => (await readPersonRow(database, person))?.email ?? null,

    setOwnEmail: (actor: PersonActor, email: string | null): Promise<Changed> =>
      actAs(
        actor,
        'own-email',
        (tx, now) => change(tx, { account: actor.account, person: actor.person, email }, now),
        (done) => (done === 'changed' ? actOn('person.email-changed', actor.person, { whose: 'own' }) : null),
      ),

    /** 'not_found': no such person here, or the actor themselves. */
    setEmail: (actor: PersonActor, person: string, email: string | null): Promise<Changed> =>
      actAs(
        actor,
        'manage-people',
        async (tx, now) => {
          if (person === actor.person || !(await wasEverOfAccount(tx, person, actor.account))) return 'not_found';
          await requireAdminEverywhere(tx, actor, person);
          return change(tx, { account: actor.account, person, email }, now);
        },
        (done) => (done === 'changed' ? actOn('person.email-changed', person) : null),
      ),

    /**
     * People who can sign in and have one of these permissions on the account, or on any account if it is null. Counts
     * permissions even in a restored database, where nobody may do more than view: people must be notified of that.
     */
    peopleWith: async (account: string | null, needs: readonly Permission[]): Promise<MailPerson[]> => {
      const rows = await database.query<GrantRow>(
        `select ${GRANT_COLUMNS} from people.grants
         where ($1::text is null or account = $1) and ${grantCounts(wall())}`,
        [account],
      );
      const able = rows.filter(
        (row) => isGrantSealed(row) && needs.some((permission) => permission === row.permission),
      );
      const found: MailPerson[] = [];
      for (const id of new Set(able.map(({ person }) => person))) {
        const row = await readPersonRow(database, id);
        if (row !== null && (await canSignIn(database, id))) found.push({ id, name: row.name, email: row.email });
      }
      return found;
    },
  };
}
