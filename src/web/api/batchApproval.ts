import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DecisionRequest } from '#src/shared/contract/approvalsContract.ts';
import { approvalProof, useDecide } from './approvals.ts';
import type { ReceivedBatch } from './batches.ts';
import { holdsUntil } from './operations/operations.ts';
import { useSession } from './session.ts';

/** One decision about all waiting payments of a batch. Approving sends nothing: an operator starts the batch afterwards. */
export function useBatchDecision({ lines, now, receivedMs }: ReceivedBatch) {
  const { account } = useSession();
  const client = useQueryClient();
  const decideEach = useDecide();
  const keys = lines.flatMap(({ key, state }) => (state === 'awaiting' ? key : []));

  const decide = async (decision: DecisionRequest): Promise<void> => {
    try {
      const problem = (await decideEach(decision)).find(({ recorded }) => !recorded)?.problem ?? null;
      if (problem !== null) throw new Error(problem);
    } finally {
      // Without a response, anything may have changed.
      await client.invalidateQueries({ queryKey: [account, 'batches'] });
    }
  };

  /** One signature covers all payments and the ids of what was unusual. False: the person cancelled. */
  const approve = useMutation({
    gcTime: 0,
    mutationFn: async (seen: string[]): Promise<boolean> => {
      const proof = await approvalProof(account, keys, seen);
      if (proof === null) return false;
      const notAfter = holdsUntil({ databaseNow: now, receivedMs });
      await decide({ decision: 'approve', keys, seen, not_after: notAfter, proof });
      return true;
    },
  });
  const reject = useMutation({
    gcTime: 0,
    mutationFn: (reason: string) => decide({ decision: 'reject', keys, reason }),
  });
  return { approve, reject };
}
