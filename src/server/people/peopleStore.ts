import { raiseNothing, type RaiseNotice } from '#src/server/activity/raiseNotice.ts';
import type { ActivityWriter } from '#src/server/activity/activityLog.ts';
import type { Database } from '#src/server/database/sql.ts';
import { createAdministration } from './administration.ts';
import { createApprovers } from './approvers.ts';
import { createGrantChanges } from './grantChanges.ts';
import { createGrantRows } from './grantRows.ts';
import { createGrants } from './grants.ts';
import { createIdentities } from './identities.ts';
import { createInviteRows } from './inviteRows.ts';
import { createPasskeyRows } from './passkeyRows.ts';
import { createPersonNotices } from './personNotices.ts';
import { createPersonRows } from './personRows.ts';
import { createPolicyRows } from './policies.ts';
import { createRecipientRows } from './recipients.ts';
import { createPersonTransactions } from './personTransactions.ts';
import type { Seals } from './seals.ts';

export interface PeopleStoreParts {
  database: Database;
  service: string;
  seals: Seals;
  activityWriter: ActivityWriter;
  /** Sends notices of changes; without it none are sent. */
  raise?: RaiseNotice;
  /** The domain of this dashboard, whose passkeys sign in here. */
  rpId: string;
  /** URL of the identity provider; null if people sign in with passkeys. */
  issuer: string | null;
  /** This server's clock, ms. */
  wall?: () => number;
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;

/** The tables, checks and transactions that the parts of openPeople() share. */
export function createPeopleStore({
  database,
  service,
  seals,
  activityWriter,
  raise = raiseNothing,
  rpId,
  issuer,
  wall = Date.now,
}: PeopleStoreParts) {
  const grants = createGrants(service, seals, wall);
  const passkeyRows = createPasskeyRows(seals, rpId);
  const tables = {
    ...createPersonRows(service, seals),
    ...passkeyRows,
    ...createInviteRows(seals, passkeyRows),
    ...createGrantRows(seals, wall),
    ...createPolicyRows({ service, seals, wall }),
    ...createRecipientRows({ service, seals }),
  };
  const rows = { ...tables, ...createIdentities({ service, issuer, rows: tables }) };
  const administration = createAdministration({ service, issuer, grants, wall, rows });
  const personNotices = createPersonNotices({ service, raise, rows });
  const approvers = createApprovers({ service, raise, grants, rows, administration });
  return {
    database,
    service,
    seals,
    raise,
    wall,
    issuer,
    rpId,
    grants,
    ...rows,
    ...administration,
    ...approvers,
    ...createGrantChanges({ service, raise, grants, rows, administration, approvers, personNotices }),
    ...createPersonTransactions({ database, service, activityWriter, grants, rows }),
  };
}
