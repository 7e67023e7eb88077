import type { Queries } from '#src/server/database/sql.ts';
import { asksToConfirmRecipients } from '#src/shared/policy/policy.ts';
import type { PeopleStore } from './peopleStore.ts';
import { NO_DECISION } from './recipients.ts';
import { readNow } from './sessionAge.ts';

/** Notifies the people who can confirm recipients that some wait for confirmation. */
export function createRecipientNotices({
  service,
  database,
  raise,
  inForceOrBroken,
  listingsOf,
  namedRecipients,
}: PeopleStore) {
  return {
    /** Call it in the transaction that saved the recipients. Raises one notice, however many there are. */
    raiseForNamed: async (tx: Queries, { account }: { account: string }, ids: readonly string[]): Promise<void> => {
      const inForce = await inForceOrBroken(tx, account);
      if (inForce === null || inForce === 'broken' || !asksToConfirmRecipients(inForce.policy)) return;
      const listings = await listingsOf(
        tx,
        account,
        ids.map((id) => ({ id, name: null })),
      );
      const waiting = ids.filter((id) => {
        const { blockedBecause, confirmedFrom } = listings.get(id) ?? NO_DECISION;
        return blockedBecause === null && confirmedFrom === null;
      });
      const [first] = waiting;
      if (first === undefined) return;
      const now = await readNow(tx);
      const notice = { service, account, event: 'recipient.waiting', subject: first, count: waiting.length } as const;
      await raise(tx, { ...notice, episode: `named ${now}` }, now);
    },

    /** The id of the person who gave the recipient its name; null if unknown. */
    namerOf: async (account: string, id: string): Promise<string | null> =>
      (await namedRecipients(database, account, [id]))[0]?.person ?? null,
  };
}
