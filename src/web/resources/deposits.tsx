import { depositQueries } from '#src/web/api/listQueries.ts';
import { paths } from '#src/shared/paths.ts';
import { FILTERS, type FiltersOf } from '#src/web/list/filters/listFilters.tsx';
import { DEPOSITS } from './listColumns.ts';
import { defineResource } from './resource.ts';
import { ResourceListPage } from './ResourceListPage.tsx';

const { source: _source, to: _to, ...filters } = FILTERS;

export const resource = defineResource({
  ...DEPOSITS,
  api: depositQueries,
  filters: filters satisfies FiltersOf<'deposits'>,
  detail: ['address', 'chain', 'tx_hash', 'created_at'],
  ids: ['id', 'status', 'asset'],
  empty: 'Create a deposit address and share it with a customer.',
  settles: true,
  start: {
    to: paths.newDepositAddress,
    label: 'New deposit address',
  },
  payment: 'deposit',
});

export function Component() {
  return <ResourceListPage resource={resource} />;
}
