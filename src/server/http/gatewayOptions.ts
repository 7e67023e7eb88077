import type { Queries } from '#src/server/database/sql.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import type { Clock } from '#src/server/operations/ports.ts';
import type { Team } from '#src/server/team/team.ts';
import type { Asset } from './assets/assets.ts';
import type { TrustedProxies } from './clientAddress.ts';
import type { Accounts } from '#src/server/people/accounts.ts';
import type { Joining } from '#src/server/operations/joining.ts';
import type { PeopleParts } from './peopleRoutes.ts';
import type { Sessions } from '#src/server/people/sessions.ts';
import type { Service } from './upstream/service.ts';

export interface GatewayOptions {
  origin: string;
  service: Service;
  operations: Operations;
  team: Team;
  readOnly: boolean;
  /** A key that the service refuses may see and close the operations recorded under it. */
  journalOnly: boolean;
  trustedProxies: TrustedProxies;
  accounts: Accounts;
  /** Null: a new API key always gets an account of its own. */
  joining: Pick<Joining, 'accountAtSignIn'> | null;
  /** Where people sign in as themselves; null in key mode. */
  people: Pick<PeopleParts, 'people' | 'tickets' | 'accounts' | 'oidc' | 'demo'> | null;
  sessions: Sessions;
  /** For the activity. */
  queries: Queries;
  /** The built index.html, or Vite's for this path. */
  template(path: string, signedIn: boolean, search: string): Promise<string> | string;
  assets: ReadonlyMap<string, Asset>;
  /** For tests: when refused keys are answered. */
  clock?: Pick<Clock, 'mono' | 'later'>;
  development?: boolean;
}
