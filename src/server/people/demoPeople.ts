import { type Permission, rolesOf } from '#src/shared/permissions.ts';
import { NO_RECIPIENT_RULES, type Policy } from '#src/shared/policy/policy.ts';
import { DEMO_PERSON } from './administration.ts';
import type { People } from './people.ts';

/** The people of the sandbox in people mode, who sign in by one press. */
export interface DemoPeople {
  /** Those on the sign-in page. */
  list: readonly DemoPerson[];
  /** Includes the people of accounts that were created for tests. */
  has: (person: string) => boolean;
  /** Answers POST /sandbox/people: creates an account with four people of its own. */
  createAccount: (seed: Uint8Array) => Promise<Response>;
}

/** A new account of the sandbox: its id there, and the dashboard's. */
interface SandboxAccount {
  sandbox: string;
  account: string;
}

export interface DemoPerson {
  id: string;
  name: string;
  permissions: readonly Permission[];
}

const TEAM: readonly Omit<DemoPerson, 'id'>[] = [
  { name: 'Ada', permissions: ['view', 'prepare'] },
  { name: 'Bo', permissions: ['view', 'approve'] },
  { name: 'Cy', permissions: ['view', 'admin'] },
  { name: 'Di', permissions: ['view'] },
];

/** In force from the first start on, as if an admin had chosen it. */
const POLICY: Policy = {
  assets: [{ asset: 'USDT', steps: [{ approvals: 0, each: '1000', day: '5000', count: 20 }], above: 1 }],
  other_assets: 1,
  recipients: NO_RECIPIENT_RULES,
  expires_hours: 72,
};

/**
 * Creates the demo people that don't exist yet. Only in the sandbox. `openAccount` creates an account for tests; a Response: the
 * sandbox's refusal of the request's body.
 */
export async function openDemoPeople(
  people: People,
  account: string,
  openAccount: (seed: Uint8Array) => Promise<SandboxAccount | Response>,
): Promise<DemoPeople> {
  const list = await createTeam(people, account);
  const ids = new Set(list.map(({ id }) => id));
  return {
    list,
    has: (person) => ids.has(person),
    async createAccount(seed) {
      const opened = await openAccount(seed);
      if (opened instanceof Response) return opened;
      const team = await createTeam(people, opened.account);
      for (const { id } of team) ids.add(id);
      const created = team.map(({ id, name, permissions }) => ({ id, name, roles: rolesOf(permissions) }));
      return Response.json({ account: opened.sandbox, people: created }, { status: 201 });
    },
  };
}

async function createTeam(people: People, account: string): Promise<DemoPerson[]> {
  const team: DemoPerson[] = [];
  for (const { name, permissions } of TEAM) {
    const id = `${DEMO_PERSON}${name.toLowerCase()}-${account}`;
    team.push({ id, name: await people.keepDemoPerson({ id, name, account, permissions }), permissions });
  }
  await people.createDemoPolicyIfMissing(account, POLICY);
  return team;
}
