import { queryOptions, useQuery } from '@tanstack/react-query';
import { POLICY_PATH, type PolicyAnswer, policyAnswerSchema } from '#src/shared/contract/policyContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { sendSigned, PEOPLE, sendUnsigned } from './people.ts';
import { useCan } from './permissions.ts';
import { read } from './query.ts';
import { useSession } from './session.ts';

/** While a change waits, somebody else may decide it. */
const POLL_MS = 15_000;

export function policyQuery(account: string) {
  return queryOptions({
    queryKey: [account, PEOPLE, POLICY_PATH],
    queryFn: async ({ signal }): Promise<PolicyAnswer> =>
      (await read(POLICY_PATH, undefined, parseWith(policyAnswerSchema), { account, signal })).data,
    refetchInterval: ({ state: { data } }) => (data?.pending ? POLL_MS : false),
    refetchOnWindowFocus: true,
  });
}

/** The policy, for an admin; undefined for everyone else and until it is loaded. */
export function usePolicyOfAdmin(): PolicyAnswer | undefined {
  const { account, person } = useSession();
  const isAdmin = useCan('change-policy') && person !== null;
  const { data } = useQuery({ ...policyQuery(account), enabled: isAdmin });
  return isAdmin ? data : undefined;
}

/** Whether no one has chosen yet who approves payments. */
export function needsPolicy({ in_force: inForce, pending, is_broken: isBroken }: PolicyAnswer): boolean {
  return inForce === null && pending === null && !isBroken;
}

// Commands for usePersonCommand. Proposing and confirming are signed with a passkey, and return null if the person cancelled.

/** `number`: the newest version that the person saw. */
export function proposePolicy(account: string, input: { policy: Policy; number: number }): Promise<true | null> {
  return sendSigned(account, POLICY_PATH, input, 'PUT');
}

export function confirmPolicy(account: string, number: number): Promise<true | null> {
  return sendSigned(account, `${POLICY_PATH}/${number}/confirm`, {});
}

export function stopPolicy(account: string, number: number): Promise<true> {
  return sendUnsigned({ method: 'POST', path: `${POLICY_PATH}/${number}/veto`, body: '{}', account });
}
