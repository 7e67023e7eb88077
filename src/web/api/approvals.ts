import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type Approval,
  type ApprovalList,
  APPROVALS_PATH,
  approvalListSchema,
  approvalSchema,
  type Decided,
  decidedSchema,
  type DecisionRequest,
} from '#src/shared/contract/approvalsContract.ts';
import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import type { Proof } from '#src/shared/contract/proofContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { batchNeededFrom, neededFrom } from '#src/shared/operations/neededFrom.ts';
import { isBeingSent } from '#src/shared/operations/stateMark.ts';
import { ApiError, outcomeUnknown } from './errors.ts';
import { holdsUntil, cacheOperation, operationLists, type ReceivedClock } from './operations/operations.ts';
import { useCan } from './permissions.ts';
import { POLLED } from './polled.ts';
import { read, request } from './query.ts';
import { useSession } from './session.ts';
import { signApproval } from './signing.ts';

/** Colleagues prepare and decide at any time. */
const POLL_MS = 15_000;
/** While an approved payment is being sent. */
const SENDING_MS = 3_000;

export type WaitingBatch = ApprovalList['batches'][number] & { clock: ReceivedClock };
export type ReceivedApproval = Approval & { clock: ReceivedClock };
export type DecisionResult = Decided['data'][number];

function received(approval: Approval): ReceivedApproval {
  return { ...approval, clock: { databaseNow: approval.view.databaseNow, receivedMs: performance.now() } };
}

/** Its key is below that of the operation lists: invalidating those reloads the approvals, too. */
function approvalsQuery(account: string, after: string | null) {
  return queryOptions({
    queryKey: [...operationLists(account), 'approvals', after],
    queryFn: async ({ signal }) => {
      const page = after === null ? undefined : new URLSearchParams({ after });
      const { data } = await read(APPROVALS_PATH, page, parseWith(approvalListSchema), { account, signal });
      const databaseNow = data.now ?? Date.now();
      return {
        ...data,
        waiting: data.waiting.map(received),
        batches: data.batches.map((batch) => ({ ...batch, clock: { databaseNow, receivedMs: performance.now() } })),
      };
    },
    staleTime: 5_000,
  });
}

/** The approval of one operation, reloaded when the operation changes. */
function approvalQuery(account: string, { operation: { key, revision }, approved }: OperationView) {
  return queryOptions({
    queryKey: [account, 'operations', 'approval', key, revision, approved.length],
    queryFn: async ({ client, queryKey, signal }): Promise<ReceivedApproval> => {
      const path = `${APPROVALS_PATH}/${segment(key)}`;
      const isOpened = client.getQueryData(queryKey) === undefined;
      const query = isOpened ? new URLSearchParams({ opened: 'true' }) : undefined;
      const { data } = await read(path, query, parseWith(approvalSchema), { account, signal });
      return received(data);
    },
    staleTime: 0,
  });
}

/**
 * Payments that wait for approval, and past decisions. Not loaded with SIGN_IN=key, where payments need no approval. `after`:
 * where the page before this one ended; null for the first.
 */
export function useApprovals(after: string | null = null) {
  const { account, person } = useSession();
  return useQuery({
    ...approvalsQuery(account, after),
    enabled: person !== null,
    ...POLLED,
    refetchInterval: ({ state: { data } }) => (data?.decided.some(isBeingSent) ? SENDING_MS : POLL_MS),
  });
}

export function useApproval(view: OperationView) {
  const { account } = useSession();
  return useQuery({
    ...approvalQuery(account, view),
    placeholderData: keepPreviousData,
    ...POLLED,
    refetchInterval: POLL_MS,
  });
}

/** This person's tasks: payments and batches to approve, approved payments that couldn't be sent, and batches to start. */
export function useNeededFromMe() {
  const { person } = useSession();
  const { data } = useApprovals();
  const batchNeed = useBatchNeed();
  const canApprove = useCan('approve');
  const approvalsFor = (what: 'approve' | 'send') =>
    person === null ? [] : (data?.waiting ?? []).filter((approval) => neededFrom(approval, person.id) === what);
  return {
    toApprove: approvalsFor('approve'),
    toSend: approvalsFor('send'),
    batches: (data?.batches ?? []).filter((batch) => batchNeed(batch) === 'approve'),
    batchesToSend: (data?.batches ?? []).filter((batch) => batchNeed(batch) === 'send'),
    /** False if more payments than are listed wait, which this person may approve. */
    isWhole: !canApprove || data === undefined || data.more === null,
  };
}

/** What this person has to do about a batch; null if nothing. */
export function useBatchNeed(): (batch: WaitingBatch) => 'approve' | 'send' | null {
  const { person } = useSession();
  const can = { canApprove: useCan('approve'), canSend: useCan('send') };
  return (batch) => (person === null ? null : batchNeededFrom(batch, { person: person.id, ...can }));
}

/** Approves payments with one signature; those that then have enough approvals are sent. Null: the person cancelled. */
export function useApprove() {
  const decide = useDecide();
  const { account } = useSession();
  return useMutation({
    gcTime: 0,
    mutationFn: async (approvals: readonly ReceivedApproval[]): Promise<readonly DecisionResult[] | null> => {
      const [first] = approvals;
      if (first === undefined) return [];
      const keys = approvals.map(({ view }) => view.operation.key);
      const seen = approvals.flatMap(({ unusual }) => unusual.map(({ id }) => id));
      const proof = await approvalProof(account, keys, seen);
      if (proof === null) return null;
      const notAfter = holdsUntil(first.clock);
      return decide({ decision: 'approve', keys, seen, not_after: notAfter, proof });
    },
  });
}

/** Rejects one payment for good, with the reason that the person typed. */
export function useReject(key: string) {
  const decide = useDecide();
  return useMutation({
    gcTime: 0,
    mutationFn: (reason: string) => decide({ decision: 'reject', keys: [key], reason }),
  });
}

/** Forbids sending this unconfirmed payment again, with the reason that the person typed. */
export function useStopResending(key: string) {
  const decide = useDecide();
  return useMutation({
    gcTime: 0,
    mutationFn: async (reason: string) => {
      const [stopped] = await decide({ decision: 'stop', keys: [key], reason });
      if (stopped?.problem) throw new Error(stopped.problem);
    },
  });
}

/** The person's signature over these payments; null if they cancelled. */
export function approvalProof(account: string, keys: string[], seen: string[]): Promise<Proof | null> {
  return signApproval(account, keys, seen).catch(sayNothingApproved);
}

/** For a request before the approval itself: even if its response was lost, nothing was approved. */
export function sayNothingApproved(error: unknown): never {
  if (error instanceof ApiError && outcomeUnknown(error))
    throw new Error(`${error.message} Nothing was approved.`, { cause: error });
  throw error;
}

/** Sends a decision, then reloads the operations. */
export function useDecide() {
  const { account } = useSession();
  const client = useQueryClient();
  return async (decision: DecisionRequest): Promise<readonly DecisionResult[]> => {
    try {
      const body = stringifyExact(decision);
      const call = { method: 'POST', path: APPROVALS_PATH, body, account } as const;
      const { data } = await request(call, parseWith(decidedSchema));
      for (const { view } of data) if (view) cacheOperation(client, account, view);
      return data;
    } finally {
      // Without a response, anything may have changed.
      void client.invalidateQueries({ queryKey: [account, 'operations'] });
    }
  };
}
