import type { Act, ActBy, ActivityWriter } from '#src/server/activity/activityLog.ts';
import type { Database, Queries } from '#src/server/database/sql.ts';
import type { ActivityFacts, PersonActKind } from '#src/shared/contract/activityContract.ts';
import { type Ability, type Permission, rolesOf } from '#src/shared/permissions.ts';
import { type Actor, NotPermitted, requireAbility } from './actor.ts';
import type { Grants } from './grants.ts';
import type { PasskeyRows } from './passkeyRows.ts';
import { lockAccountsIn } from './sessionRows.ts';

/** An actor who signed in as a person. */
export interface PersonActor extends Actor {
  session: string;
  /** The person's id. */
  person: string;
  /** The passkey that signed the act; null if it isn't signed. */
  passkey: string | null;
}

interface PersonTransactionsParts {
  database: Database;
  service: string;
  activityWriter: ActivityWriter;
  grants: Grants;
  rows: Pick<PasskeyRows, 'countingPasskey'>;
}

/** Transactions that change people, each with its line in the activity log. */
export function createPersonTransactions({ database, service, activityWriter, grants, rows }: PersonTransactionsParts) {
  const { countingPasskey } = rows;

  /** Runs a change under the journal's lock. `actIn` returns the line for the activity log; null if nothing was changed. */
  function withJournalLock<T>(
    account: string,
    work: (tx: Queries, now: string) => Promise<T>,
    actIn: (result: T) => (Act & { person: string | null; who: string | null }) | null,
  ): Promise<T> {
    return database.transaction(async (tx) => {
      const { now } = await activityWriter.begin(tx);
      await lockAccountsIn(tx, service);
      const result = await work(tx, String(now));
      const act = actIn(result);
      if (act !== null) {
        const { person, who, ...done } = act;
        await activityWriter.note(tx, { service, account, person, who }, done, now);
      }
      return result;
    });
  }

  /** Runs a change as the actor, whose rights are checked in the same transaction. Throws SessionEnded or NotPermitted. */
  function actAs<T>(
    actor: PersonActor,
    ability: Ability,
    work: (tx: Queries, now: string) => Promise<T>,
    actIn: (result: T) => Act | null,
  ): Promise<T> {
    const checked = async (tx: Queries, now: string): Promise<T> => {
      requireAbility(actor, ability, await grants.sessionRights(tx, actor.session));
      if (actor.passkey !== null && (await countingPasskey(tx, actor.passkey)) === null)
        throw new NotPermitted('This passkey has ended meanwhile. Nothing was changed.');
      return work(tx, now);
    };
    const { person, who } = actor;
    return withJournalLock(actor.account, checked, (result) => {
      const act = actIn(result);
      return act && { ...act, person, who };
    });
  }

  /** Ends, as not sent, what a person prepared here before they lost the permission to: no approval could make it leave. */
  function endUnsentOf(
    tx: Queries,
    { account, person, who }: Pick<ActBy, 'person' | 'who'> & { account: string },
    maker: string,
    words: string,
  ): Promise<void> {
    return activityWriter.endUnsentOf(tx, { service, account, person, who }, { maker, words });
  }

  return { withJournalLock, actAs, endUnsentOf };
}

export function actOn(kind: PersonActKind, person: string, facts: ActivityFacts = {}): Act {
  return { kind, subject: person, facts };
}

export function rolesText(permissions: readonly Permission[]): string {
  return rolesOf(permissions).join(', ');
}
