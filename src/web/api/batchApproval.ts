import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DecisionRequest } from '#src/shared/contract/approvalsContract.ts';
import { approvalProof, sayNothingApproved, useDecide } from './approvals.ts';
import type { ReceivedBatch } from './batches.ts';
import { holdsUntil } from './operations/operations.ts';
import { useSession } from './session.ts';

/** The result of a decision about a batch. */
export interface BatchDecisionResult {
  /** How many payments it was recorded for. */
  recorded: number;
  /** Payments for which it couldn't be recorded: they ended or were sent meanwhile. */
  problems: readonly { line: number; message: string }[];
}

/** One decision about all waiting payments of a batch. Approving sends nothing: an operator starts the batch afterwards. */
export function useBatchDecision({ lines, now, receivedMs }: ReceivedBatch) {
  const { account } = useSession();
  const client = useQueryClient();
  const decideEach = useDecide();
  const waiting = new Map(lines.flatMap(({ key, line, state }) => (state === 'awaiting' ? [[key, line]] : [])));
  const keys = [...waiting.keys()];

  const decide = async (decision: DecisionRequest): Promise<BatchDecisionResult> => {
    try {
      const decided = await decideEach(decision);
      const refused = decided.filter(({ recorded }) => !recorded);
      return {
        recorded: decided.length - refused.length,
        problems: refused.map(({ key, problem }) => ({ line: waiting.get(key) ?? 0, message: problem ?? '' })),
      };
    } finally {
      // Without a response, anything may have changed.
      await client.invalidateQueries({ queryKey: [account, 'batches'] });
    }
  };

  /**
   * One signature covers all payments and the ids of what was unusual. `currentFindingIds`: null if the person has to
   * look again first. Null: the person cancelled.
   */
  const approve = useMutation({
    gcTime: 0,
    mutationFn: async (
      currentFindingIds: () => Promise<string[] | null>,
    ): Promise<BatchDecisionResult | 'look-again' | null> => {
      const seen = await currentFindingIds().catch(sayNothingApproved);
      if (seen === null) return 'look-again';
      const proof = await approvalProof(account, keys, seen);
      if (proof === null) return null;
      const notAfter = holdsUntil({ databaseNow: now, receivedMs });
      return decide({ decision: 'approve', keys, seen, not_after: notAfter, proof });
    },
  });
  const reject = useMutation({
    gcTime: 0,
    mutationFn: (reason: string) => decide({ decision: 'reject', keys, reason }),
  });
  return { approve, reject };
}
