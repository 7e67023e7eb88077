import type { OperationView } from '#src/shared/contract/gatewayContract.ts';
import { useTeam } from '#src/web/api/team.ts';
import { subjectId } from '#src/shared/contract/teamContract.ts';
import { useOpenOperations } from '#src/web/api/operations/useOperations.ts';
import { knownResultId } from '#src/shared/operations/record.ts';
import { isBeingSent, shortChipOf, unsettledOf } from '#src/shared/operations/stateMark.ts';
import { useWithdrawalStatuses } from '#src/web/api/withdrawalStatuses.ts';

export const TABS = ['action', 'progress', 'all'] as const;
export type Tab = (typeof TABS)[number];

export interface Row {
  view: OperationView;
  /** Of an accepted withdrawal, as read since; undefined: it was not. */
  payment: string | null | undefined;
}

export function useRows(loaded: readonly OperationView[]): Record<Tab, Row[]> {
  const open = useOpenOperations();
  const marks = useTeam('marks').data?.items ?? [];
  const handled = new Set(marks.map(({ id }) => id));
  const views = new Map([...loaded, ...open.views].map((view) => [view.operation.key, view]));
  const statusOf = useWithdrawalStatuses([...views.values()].map(({ operation }) => operation));
  const waiting = new Set(unsettledOf({ views: [...views.values()], unreadable: [] }).map(({ key }) => key));
  const rows = [...views.values()].map((view) => ({ view, payment: statusOf(view.operation) }));
  const isFailed = ({ view: { operation }, payment }: Row): boolean =>
    operation.state === 'succeeded' &&
    shortChipOf(operation, false, payment).tone === 'alarm' &&
    !handled.has(subjectId({ kind: 'withdrawal', id: knownResultId(operation) ?? '' }));
  const isOnItsWay = ({ view, payment }: Row): boolean =>
    isBeingSent(view) || shortChipOf(view.operation, false, payment).tone === 'motion';
  return {
    action: rows.filter((row) => waiting.has(row.view.operation.key) || isFailed(row)),
    progress: rows.filter((row) => !waiting.has(row.view.operation.key) && isOnItsWay(row)),
    all: loaded.map((view) => ({ view, payment: statusOf(view.operation) })),
  };
}
