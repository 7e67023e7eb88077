import type { WithdrawalRow } from '#src/shared/contract/rows.ts';
import { withdrawalQueries } from '#src/web/api/listQueries.ts';
import { paths } from '#src/shared/paths.ts';
import { FILTERS, type FiltersOf } from '#src/web/list/filters/listFilters.tsx';
import { deferred } from '#src/web/ui/useLoaded.ts';
import { WITHDRAWALS } from './listColumns.ts';
import { defineResource } from './resource.ts';
import { ResourceListPage } from './ResourceListPage.tsx';

const { source: _source, ...filters } = FILTERS;

export const resource = defineResource<WithdrawalRow>({
  ...WITHDRAWALS,
  api: withdrawalQueries,
  filters: filters satisfies FiltersOf<'withdrawals'>,
  detail: ['address', 'chain', 'tx_hash', 'created_at'],
  ids: ['id', 'status', 'asset'],
  empty: 'A withdrawal appears here once the provider has accepted it.',
  settles: true,
  start: { to: paths.newWithdrawal, label: 'New withdrawal' },
  LookUp: deferred(() => import('./missingWithdrawals.tsx').then((read) => read.LookUpById)),
  NotOffered: deferred(() => import('./missingWithdrawals.tsx').then((read) => read.RecordedHere)),
  Unknown: deferred(() => import('./missingWithdrawals.tsx').then((read) => read.NoWithdrawal)),
  recipientOf: ({ chain, address }) =>
    typeof chain === 'string' && typeof address === 'string' ? { chain, address } : null,
  payment: 'withdrawal',
});

export function Component() {
  return <ResourceListPage resource={resource} />;
}
