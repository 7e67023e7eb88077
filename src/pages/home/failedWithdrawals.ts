import { useQuery } from '@tanstack/react-query';
import { operationsQuery } from '#src/api/operations.ts';
import { useSession } from '#src/api/session.ts';
import { useTeam } from '#src/api/team.ts';
import { subjectId } from '#src/api/teamContract.ts';
import { useWithdrawalStatuses } from '#src/api/withdrawalStatuses.ts';
import { knownResultId, type Operation } from '#src/lib/operations/record.ts';
import { withdrawalFieldsOf } from '#src/lib/operations/withdrawal.ts';
import { toneOf } from '#src/lib/paymentStatus.ts';
import { isPlausibleTime } from '#src/lib/time.ts';
import type { HomeRow } from './recentRows.ts';
import type { HomeList } from './useHomeList.ts';

/** Days in which a failed withdrawal asks for somebody. */
export const FAILED_DAYS = 7;

export interface FailedRead {
  /** Newest first; those that somebody has handled are left out. */
  rows: HomeRow[];
  /** Whether somebody has handled them is known. */
  ready: boolean;
}

/** Rows that came to nothing in the days before `now`, but for those that were handled. */
export function failedRows(rows: readonly HomeRow[], now: number, handled: ReadonlySet<string>): HomeRow[] {
  return rows.filter(
    ({ id, status, created_at }) =>
      toneOf(status) === 'alarm' &&
      !handled.has(subjectId({ kind: 'withdrawal', id })) &&
      !(isPlausibleTime(created_at) && created_at < now - FAILED_DAYS * 86_400),
  );
}

/** From the service's list; where it has none, from what was recorded here and is looked up one by one. */
export function useFailedWithdrawals({ recent, notOffered }: HomeList): FailedRead {
  const { account } = useSession();
  const marks = useTeam(account, 'marks');
  const recorded = useQuery({ ...operationsQuery(account, { kind: 'withdrawal' }), enabled: notOffered });
  const operations = notOffered ? (recorded.data?.data.map(({ operation }) => operation) ?? []) : [];
  const statusOf = useWithdrawalStatuses(operations);
  const rows = recent?.rows ?? operations.flatMap((record) => rowOf(record, statusOf(record)) ?? []);
  const now = recent?.date ?? recent?.readAt ?? Math.floor(recorded.dataUpdatedAt / 1000);
  const handled = new Set(marks.data?.items.map(({ id }) => id));
  return { rows: failedRows(rows, now, handled), ready: !marks.isPending };
}

function rowOf(record: Operation, status: string | null | undefined): HomeRow | null {
  const id = knownResultId(record);
  const sent = withdrawalFieldsOf(record);
  if (id === null || sent === null || status === undefined) return null;
  return { ...sent, id, status, created_at: record.firstSent.service };
}
