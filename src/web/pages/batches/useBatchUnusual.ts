import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { recordedPayments } from '#src/shared/batches/batchPayments.ts';
import { batchTotals } from '#src/shared/batches/batchTotals.ts';
import { byGravity, needsAttention, repeatedPayments } from '#src/shared/batches/unusual.ts';
import type { BatchReviewed } from '#src/shared/contract/batchContract.ts';
import { type ReceivedBatch, recordedReviewQuery } from '#src/web/api/batches.ts';
import { isFresh } from '#src/web/api/operations/operations.ts';
import { useRecipients } from '#src/web/api/recipients.ts';
import { useSession } from '#src/web/api/session.ts';
import { useRowsRead } from '#src/web/list/rows/loadedRows.ts';
import { useKnownAddresses } from '#src/web/list/useKnownAddresses.ts';
import { useFreshBalances } from '#src/web/send/PaymentTotals.tsx';
import { useReviewer } from './useReviewer.ts';

export type BatchUnusual = ReturnType<typeof useBatchUnusual>;

/** Finds what is unusual about a recorded batch's unsent payments, as the review before recording does. Loaded if `isNeeded`. */
export function useBatchUnusual(view: ReceivedBatch, isNeeded: boolean) {
  const { account } = useSession();
  const rows = useRowsRead();
  const history = useKnownAddresses(rows);
  const balances = useFreshBalances();
  const reviewer = useReviewer(history, balances, rows);
  const { entries } = useRecipients();
  const query = useQuery({ ...recordedReviewQuery(account, view), enabled: isNeeded });
  const { data } = query;
  const { lines } = view;
  const recorded = useMemo(() => recordedPayments(lines, entries), [lines, entries]);
  const waiting = useMemo(
    () => new Set(lines.flatMap(({ line, state }) => (state === 'awaiting' ? line : []))),
    [lines],
  );
  const findingsOf = useMemo(
    () =>
      reviewer &&
      ((review: BatchReviewed) => {
        const reviewed = reviewer(recorded, review).filter(({ line }) => waiting.has(line));
        return {
          review,
          payments: reviewed.filter(needsAttention).toSorted(byGravity),
          repeated: repeatedPayments(reviewed),
        };
      }),
    [recorded, waiting, reviewer],
  );
  const found = useMemo(() => (data && findingsOf ? findingsOf(data) : null), [data, findingsOf]);
  const totals = useMemo(
    () =>
      batchTotals(
        recorded.flatMap(({ line, fields }) => (waiting.has(line) ? fields : [])),
        balances,
      ),
    [recorded, waiting, balances],
  );
  return {
    query,
    list: history.list,
    /** Null until it is loaded. */
    found,
    /** The same, loaded again first if it is too old to decide on. */
    loadCurrentFindings: async () => {
      const current = data && isFresh(data) ? data : (await query.refetch({ throwOnError: true })).data;
      return current && findingsOf ? findingsOf(current) : null;
    },
    /** Totals of the payments that wait to be sent. */
    totals,
  };
}
