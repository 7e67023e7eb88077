import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  closedSetBackSchema,
  type ClosedSetBack,
  setBackPaymentsSchema,
} from '#src/shared/contract/gatewayContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { isUnsentBeforeRestore } from '#src/shared/operations/unsettled.ts';
import { CLOSE_SET_BACK_PATH } from '#src/shared/serverPaths.ts';
import { POLLED } from '#src/web/api/polled.ts';
import { read, request } from '#src/web/api/query.ts';
import { useSession } from '#src/web/api/session.ts';
import { operationErrorOf, operationLists } from './operations.ts';
import { useOpenOperations } from './useOperations.ts';

const POLL_MS = 15_000;
const parsePayments = parseWith(setBackPaymentsSchema);
const parseClosed = parseWith(closedSetBackSchema);

/** Its key is below that of the operation lists: invalidating those reloads it, too. */
function setBackPaymentsQuery(account: string) {
  return queryOptions({
    queryKey: [...operationLists(account), 'set-back'],
    queryFn: async ({ signal }) =>
      (await read(CLOSE_SET_BACK_PATH, undefined, parsePayments, { account, signal })).data,
    staleTime: 5_000,
  });
}

/** What waited to be sent when the database was restored; undefined if there is nothing. Loaded only if an open operation is among it. */
export function useSetBackPayments() {
  const { account } = useSession();
  const isAny = useOpenOperations().operations.some((one) => one.kind === 'withdrawal' && isUnsentBeforeRestore(one));
  const { data } = useQuery({
    ...setBackPaymentsQuery(account),
    enabled: isAny,
    ...POLLED,
    refetchInterval: POLL_MS,
  });
  return isAny ? data : undefined;
}

/** Closes it all with the reason that the person typed. */
export function useCloseSetBack() {
  const { account } = useSession();
  const client = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: async (reason: string): Promise<ClosedSetBack> => {
      try {
        const body = stringifyExact({ reason });
        return await request(
          { method: 'POST', path: CLOSE_SET_BACK_PATH, body, account },
          parseClosed,
          operationErrorOf,
        );
      } finally {
        // Without a response, some may have been closed.
        await client.invalidateQueries({ queryKey: [account, 'operations'] });
      }
    },
  });
}
