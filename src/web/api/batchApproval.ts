import { useMutation, useQueryClient } from '@tanstack/react-query';
import { APPROVALS_PATH, decidedSchema, type DecisionRequest } from '#src/shared/contract/approvalsContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import type { ReceivedBatch } from './batches.ts';
import { holdsUntil } from './operations/operations.ts';
import { request } from './query.ts';
import { useSession } from './session.ts';
import { signApproval } from './signing.ts';

/** One decision about all payments of a batch that wait. An approval sends nothing: an operator starts the batch then. */
export function useBatchDecision({ lines, now, receivedMs }: ReceivedBatch) {
  const { account } = useSession();
  const client = useQueryClient();
  const keys = lines.flatMap(({ key, state }) => (state === 'awaiting' ? key : []));

  const decide = async (decision: DecisionRequest): Promise<void> => {
    try {
      const call = { method: 'POST', path: APPROVALS_PATH, body: stringifyExact(decision), account } as const;
      const { data } = await request(call, parseWith(decidedSchema));
      const problem = data.find(({ recorded }) => !recorded)?.problem ?? null;
      if (problem !== null) throw new Error(problem);
    } finally {
      // Without a response, anything may have changed.
      await client.invalidateQueries({ queryKey: [account, 'batches'] });
      void client.invalidateQueries({ queryKey: [account, 'operations'] });
    }
  };

  /** With one signature over all of them. False: the person cancelled. */
  const approve = useMutation({
    gcTime: 0,
    mutationFn: async (): Promise<boolean> => {
      const proof = await signApproval(account, keys, []);
      if (proof === null) return false;
      const notAfter = holdsUntil({ databaseNow: now, receivedMs });
      await decide({ decision: 'approve', keys, seen: [], not_after: notAfter, proof });
      return true;
    },
  });
  const reject = useMutation({
    gcTime: 0,
    mutationFn: (reason: string) => decide({ decision: 'reject', keys, reason }),
  });
  return { approve, reject };
}
