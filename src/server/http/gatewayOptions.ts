import type { Queries } from '#src/server/database/sql.ts';
import type { Operations } from '#src/server/operations/operations.ts';
import type { Clock } from '#src/server/operations/ports.ts';
import type { Jobs } from '#src/server/jobs/jobs.ts';
import type { FindOutside } from '#src/server/overview/outside.ts';
import type { Overviews } from '#src/server/overview/overviews.ts';
import type { Team } from '#src/server/team/team.ts';
import type { Notices } from '#src/server/notices/notices.ts';
import type { Asset } from './assets/assets.ts';
import type { TrustedProxies } from './clientAddress.ts';
import type { Accounts } from '#src/server/people/accounts.ts';
import type { Joining } from '#src/server/operations/joining.ts';
import type { PeopleParts } from './peopleParts.ts';
import type { Sessions } from '#src/server/people/sessions.ts';
import type { RequestFacts } from './log.ts';
import type { Service } from './upstream/service.ts';

export interface GatewayOptions {
  origin: string;
  service: Service;
  operations: Operations;
  team: Team;
  jobs: Jobs;
  notices: Notices;
  overviews: Overviews;
  findOutside: FindOutside;
  readOnly: boolean;
  /** A key that the service refuses may see and close the operations recorded under it. */
  journalOnly: boolean;
  trustedProxies: TrustedProxies;
  accounts: Accounts;
  /** Null if a new API key always gets its own account. */
  joining: Pick<Joining, 'accountAtSignIn'> | null;
  /** Null in key mode. */
  people: Pick<PeopleParts, 'people' | 'tickets' | 'accounts' | 'oidc' | 'demo'> | null;
  sessions: Sessions;
  /** For reading the activity log. */
  queries: Queries;
  /** The built index.html, or Vite's for this path. */
  template(path: string, signedIn: boolean, search: string): Promise<string> | string;
  assets: ReadonlyMap<string, Asset>;
  /** Called for every request, once it was answered. */
  observe?: (facts: RequestFacts) => void;
  /** True from SIGTERM on: /readyz then answers 503. */
  isStopping?: () => boolean;
  /** For tests: the clock that delays answers to refused keys. */
  clock?: Pick<Clock, 'mono' | 'later'>;
  development?: boolean;
}
