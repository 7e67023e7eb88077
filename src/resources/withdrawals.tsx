import type { WithdrawalRow } from '#src/api/schemas.ts';
import { withdrawalQueries } from '#src/api/withdrawals.ts';
import { paths } from '#src/lib/paths.ts';
import { FILTERS, type FiltersOf } from '#src/list/filters/listFilters.tsx';
import { LookUpById } from './LookUpById.tsx';
import { NoWithdrawal } from './NoWithdrawal.tsx';
import { RecordedHere } from './RecordedHere.tsx';
import { defineResource, NOTE } from './resource.ts';
import { ResourceListPage } from './ResourceListPage.tsx';

const { source: _source, ...filters } = FILTERS;

export const resource = defineResource<WithdrawalRow>({
  noun: { one: 'withdrawal', many: 'withdrawals' },
  title: 'Withdrawals',
  at: paths.withdrawals(),
  api: withdrawalQueries,
  filters: filters satisfies FiltersOf<'withdrawals'>,
  fields: [
    { name: 'id', label: 'Id', kind: 'id', width: 9 },
    { name: 'object', label: 'Object', kind: 'word', csv: false },
    { name: 'status', label: 'Status', kind: 'status', width: 9.75 },
    { name: 'asset', label: 'Asset', kind: 'word' },
    { name: 'chain', label: 'Chain', kind: 'word', width: 6.75 },
    { name: 'amount', label: 'Amount', kind: 'amount' },
    { name: 'fee', label: 'Fee', kind: 'amount' },
    { name: 'address', label: 'To', kind: 'address', width: 10, share: 3, link: true },
    { name: 'tx_hash', label: 'Hash', kind: 'hash' },
    { name: 'created_at', label: 'Created', kind: 'time', width: 10.5 },
  ],
  columns: ['created_at', 'status', 'address', 'chain', 'amount'],
  more: [NOTE.name, 'id', 'tx_hash'],
  detail: ['address', 'chain', 'tx_hash', 'created_at'],
  ids: ['id', 'status', 'asset'],
  empty: 'A withdrawal appears here once the provider has accepted it.',
  settles: true,
  live: true,
  start: { to: paths.newWithdrawal, label: 'New withdrawal', readOnly: 'Read only: no new withdrawals from here.' },
  LookUp: LookUpById,
  NotOffered: RecordedHere,
  Unknown: NoWithdrawal,
  payment: 'withdrawal',
});

export function Component() {
  return <ResourceListPage resource={resource} />;
}
