import type { Approvals } from '#src/server/operations/approvals/approvals.ts';
import type { DemoPeople } from '#src/server/people/demoPeople.ts';
import type { People } from '#src/server/people/people.ts';
import type { ServerAccounts } from '#src/server/people/serverAccounts.ts';
import type { Tickets } from '#src/server/people/tickets.ts';
import type { OidcParts } from './oidcRoutes.ts';

/** Dependencies of the people routes. */
export interface PeopleParts {
  people: People;
  tickets: Tickets;
  accounts: ServerAccounts;
  /** Null if people sign in with passkeys. */
  oidc: OidcParts | null;
  /** The demo people, who sign in with one click; null outside the sandbox. */
  demo: DemoPeople | null;
  origin: string;
  /** Reads the content hashes of recorded payments, which an approver signs. */
  itemsOf: Approvals['itemsOf'];
  readOnly: boolean;
  /** Whether notices are sent by e-mail. */
  sendsMail: boolean;
}
