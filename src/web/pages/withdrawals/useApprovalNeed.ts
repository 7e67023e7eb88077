import { queryOptions, useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import * as v from 'valibot';
import type { WithdrawalFields } from '#src/shared/operations/kind.ts';
import { withdrawalRequest } from '#src/shared/operations/withdrawal.ts';
import { reviewOperation } from '#src/web/api/operations/operations.ts';
import { wait } from '#src/web/api/paging/rateLimitPause.ts';
import { type Session, useSession } from '#src/web/api/session.ts';
import type { AddressHistory } from '#src/web/list/useKnownAddresses.ts';
import { fieldsOf, type WithdrawalForm } from './withdrawalForm.ts';

/** The server is asked once the fields have been unchanged for this long. */
export const TYPING_PAUSE_MS = 500;

/** The approvals that the review will require for the typed payment; null if it isn't valid. Disabled with SIGN_IN=key. */
export function approvalNeedQuery(
  { account, person }: Pick<Session, 'account' | 'person'>,
  typed: WithdrawalFields,
  known: Pick<AddressHistory, 'settled'>,
) {
  return queryOptions({
    queryKey: [account, 'approval-need', typed],
    queryFn: async ({ signal }) => {
      await wait(TYPING_PAUSE_MS, signal);
      const fields = fieldsOf(typed.chain, known);
      const valid = { ...typed };
      for (const name of ['asset', 'chain', 'amount', 'address'] as const) {
        const checked = await v.safeParseAsync(fields[name], typed[name]);
        if (!checked.success) return null;
        valid[name] = checked.output;
      }
      return (await reviewOperation(account, withdrawalRequest(valid))).approval;
    },
    enabled: person !== null && Object.values(typed).every((text) => text.trim() !== ''),
    gcTime: 0,
  });
}

/** The approvals that the typed payment needs; null while that isn't known. */
export function useApprovalNeed({ control }: WithdrawalForm, known: AddressHistory) {
  const [asset, chain, amount, address] = useWatch({ control, name: ['asset', 'chain', 'amount', 'address'] });
  const { data, isError } = useQuery(approvalNeedQuery(useSession(), { asset, chain, amount, address }, known));
  return isError ? null : (data ?? null);
}
