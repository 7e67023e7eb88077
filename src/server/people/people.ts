import { createEmails } from './emails.ts';
import { createInvites } from './invites.ts';
import { createPeopleLists } from './listPeople.ts';
import { createOwnAccount } from './ownAccount.ts';
import { createPeopleStore, type PeopleStoreParts } from './peopleStore.ts';
import { createPolicyCommands } from './policyCommands.ts';
import { createRecipientCommands } from './recipientCommands.ts';
import { createRecipientNotices } from './recipientNotices.ts';
import type { RecipientRows } from './recipients.ts';
import { createRoles } from './roles.ts';
import { createWaitingRoles } from './waitingRoles.ts';
import { countBrokenSeals } from './sealedTables.ts';
import type { PolicyRows } from './policies.ts';
import { createSignatures, type Signatures, type SigningParts } from './signatures.ts';

/** Reads signatures over payments, the policy in force, and which recipients are confirmed. */
export type Signing = Signatures & Pick<PolicyRows, 'policyInForce'> & Pick<RecipientRows, 'listingsOf'>;

export type People = ReturnType<typeof openPeople>;

/** The people of a service. Every function that changes something takes the actor. */
export function openPeople(parts: PeopleStoreParts) {
  const store = createPeopleStore(parts);
  const { database, grants } = store;
  const waitingRoles = createWaitingRoles(store);
  return {
    grants,
    /** The person with their current permissions; null if there is no such person here. */
    findPerson: (account: string, person: string) => grants.readPerson(database, { person, account }),
    /** How many open rows are ignored because this server's secret didn't seal them. */
    countBrokenSeals: () => countBrokenSeals(database, parts.seals),
    ...createInvites(store),
    ...createRoles(store),
    ...waitingRoles,
    ...createOwnAccount(store),
    ...createEmails(store),
    ...createPolicyCommands(store),
    ...createRecipientCommands(store),
    ...createRecipientNotices(store),
    ...createPeopleLists(store, waitingRoles),
    /** Signatures of these people, and what deciding on a payment needs: the policy and the confirmed recipients. */
    signingWith: (parts: SigningParts): Signing => ({
      ...createSignatures(store, parts),
      policyInForce: store.policyInForce,
      listingsOf: store.listingsOf,
    }),
  };
}
