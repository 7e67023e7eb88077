import type { Queries } from '#src/server/database/sql.ts';
import { asksToConfirmRecipients, type Policy } from '#src/shared/policy/policy.ts';
import type { PeopleStore } from './peopleStore.ts';
import { PolicyBroken } from './policies.ts';
import { NOT_LISTED } from './recipients.ts';
import { readNow } from './sessionAge.ts';

/** Tells who can confirm recipients that there are some to confirm. */
export function createRecipientNotices({
  service,
  database,
  raise,
  policyInForce,
  listingsOf,
  namedRecipients,
}: PeopleStore) {
  async function policyNow(tx: Queries, account: string): Promise<Policy | null> {
    try {
      return (await policyInForce(tx, account))?.policy ?? null;
    } catch (error) {
      // Nothing is sent until there is a policy again.
      if (error instanceof PolicyBroken) return null;
      throw error;
    }
  }

  return {
    /** In the transaction that saved them: one notice, however many they are. */
    raiseForNamed: async (tx: Queries, { account }: { account: string }, ids: readonly string[]): Promise<void> => {
      const policy = await policyNow(tx, account);
      if (policy === null || !asksToConfirmRecipients(policy)) return;
      const listings = await listingsOf(tx, account, ids);
      const waiting = ids.filter((id) => {
        const { blockedBecause, confirmedFrom } = listings.get(id) ?? NOT_LISTED;
        return blockedBecause === null && confirmedFrom === null;
      });
      const [first] = waiting;
      if (first === undefined) return;
      const now = await readNow(tx);
      const of = { service, account, event: 'recipient.waiting', subject: first, count: waiting.length } as const;
      await raise(tx, { ...of, episode: `named ${now}` }, now);
    },

    /** Who gave the recipient its name; null: nobody who is known. */
    namerOf: async (account: string, id: string): Promise<string | null> =>
      (await namedRecipients(database, account, [id]))[0]?.person ?? null,
  };
}
