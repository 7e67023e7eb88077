import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePolledQuery } from '#src/api/polling.ts';
import type { WithdrawalRow } from '#src/api/schemas.ts';
import { useSession } from '#src/api/session.ts';
import { withdrawalQueries } from '#src/api/withdrawals.ts';
import { knownResultId, type Operation } from '#src/lib/operations/record.ts';
import { toneOf } from '#src/lib/paymentStatus.ts';
import { PollInterval } from '#src/resources/pollInterval.ts';

/** What became of an accepted withdrawal, as the service says it now. */
export interface Payment {
  row: WithdrawalRow;
  status: string | null;
  /** Unix seconds. */
  readAt: number;
}

/** Looked up again and again until its status stops moving; null: it was not read, or the operation is no payment. */
export function usePayment(record: Operation): Payment | null {
  const { account, journal_only: journalOnly } = useSession();
  const [interval] = useState(() => new PollInterval());
  const isPaid = record.state === 'succeeded' && record.kind === 'withdrawal';
  const id = isPaid ? knownResultId(record) : null;
  const enabled = id !== null && !journalOnly;
  const options = withdrawalQueries.detail(account, id ?? '');
  const { data } = useQuery({ ...options, enabled });
  const found = enabled && data?.found ? data : null;
  const status = found?.row.status ?? null;
  usePolledQuery(options.queryKey, () => interval.next(status), { enabled: enabled && toneOf(status) === 'motion' });
  return found && { row: found.row, status, readAt: found.readAt };
}
