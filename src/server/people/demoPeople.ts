import type { Permission } from '#src/shared/permissions.ts';
import { NO_RECIPIENT_RULES, type Policy } from '#src/shared/policy/policy.ts';
import { DEMO_PERSON } from './administration.ts';
import type { People } from './people.ts';

/** The people of the sandbox in people mode, who sign in by one press. */
export interface DemoPeople {
  list: readonly DemoPerson[];
  has: (person: string) => boolean;
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

/** Creates the demo people that don't exist yet. Only in the sandbox. */
export async function openDemoPeople(people: People, account: string): Promise<DemoPeople> {
  const list: DemoPerson[] = [];
  for (const { name, permissions } of TEAM) {
    const id = `${DEMO_PERSON}${name.toLowerCase()}-${account}`;
    list.push({ id, name: await people.keepDemoPerson({ id, name, account, permissions }), permissions });
  }
  await people.createDemoPolicyIfMissing(account, POLICY);
  return { list, has: (person) => list.some(({ id }) => id === person) };
}
