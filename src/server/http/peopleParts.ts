import type { Approvals } from '#src/server/operations/approvals/approvals.ts';
import type { DemoPeople } from '#src/server/people/demoPeople.ts';
import type { People } from '#src/server/people/people.ts';
import type { ServerAccounts } from '#src/server/people/serverAccounts.ts';
import type { Tickets } from '#src/server/people/tickets.ts';
import type { OidcParts } from './oidcRoutes.ts';

/** What the routes of people need. */
export interface PeopleParts {
  people: People;
  tickets: Tickets;
  accounts: ServerAccounts;
  /** Null: people sign in with passkeys. */
  oidc: OidcParts | null;
  /** Those who sign in by one press; null outside the sandbox. */
  demo: DemoPeople | null;
  origin: string;
  /** The content hashes of recorded payments, which an approver signs. */
  itemsOf: Approvals['itemsOf'];
  readOnly: boolean;
  /** Notices go out by e-mail. */
  sendsMail: boolean;
}
