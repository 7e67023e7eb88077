import { useCan } from '#src/web/api/permissions.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { POLLED } from '#src/web/api/polled.ts';
import { parseWith, withdrawalSchema } from '#src/shared/contract/rows.ts';
import { useSession } from '#src/web/api/session.ts';
import { withdrawalQueries } from '#src/web/api/listQueries.ts';
import type { PaymentRead } from '#src/web/report/caseFile.ts';
import { parseJson } from '#src/shared/answers.ts';
import { type Operation, withdrawalIdOf } from '#src/shared/operations/record.ts';
import { toneOf } from '#src/shared/paymentStatus.ts';
import { PollInterval } from '#src/web/resources/pollInterval.ts';

export interface OperationPayment extends PaymentRead {
  /** True if it was loaded from the service, false if it is the accepting response. */
  isNow: boolean;
}

/** The accepted withdrawal, polled until its status is final; null if nothing was accepted or it is of another kind. */
export function usePayment(record: Operation): OperationPayment | null {
  const { account } = useSession();
  const canRead = useCan('read');
  const [interval] = useState(() => new PollInterval());
  const id = record.state === 'succeeded' ? withdrawalIdOf(record) : null;
  const enabled = id !== null && canRead;
  const options = withdrawalQueries.detail(account, id ?? '');
  const { data } = useQuery({
    ...options,
    enabled,
    ...POLLED,
    refetchInterval: ({ state }) => {
      const status = state.data?.found ? (state.data.row.status ?? null) : null;
      return toneOf(status) === 'motion' && interval.next(status);
    },
  });
  const found = enabled && data?.found ? data : null;
  if (id === null) return null;
  return found ? { row: found.row, read: found, isNow: true } : { ...asAccepted(record, id), isNow: false };
}

const parseWithdrawal = parseWith(withdrawalSchema);

function asAccepted({ result, attempts, lastSent }: Operation, id: string): PaymentRead {
  const end = attempts.at(-1)?.end ?? lastSent.server;
  const read = { requestId: result?.requestId ?? null, date: null, readAt: Math.floor(end / 1000) };
  try {
    return { row: parseWithdrawal(parseJson(result?.text ?? '')), read };
  } catch {
    return { row: { id, asset: null }, read };
  }
}
