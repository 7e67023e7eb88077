import { depositQueries } from '#src/api/lists.ts';
import { paths } from '#src/lib/paths.ts';
import { FILTERS, type FiltersOf } from '#src/list/filters/listFilters.tsx';
import { defineResource, NOTE } from './resource.ts';
import { ResourceListPage } from './ResourceListPage.tsx';

const { source: _source, ...filters } = FILTERS;

export const resource = defineResource({
  noun: { one: 'deposit', many: 'deposits' },
  title: 'Deposits',
  api: depositQueries,
  filters: filters satisfies FiltersOf<'deposits'>,
  fields: [
    { name: 'id', label: 'ID', kind: 'id', width: 9 },
    { name: 'object', label: 'Object', kind: 'word', csv: false },
    { name: 'status', label: 'Status', kind: 'status', width: 9.75 },
    { name: 'asset', label: 'Asset', kind: 'word' },
    { name: 'chain', label: 'Chain', kind: 'chain', width: 6.75 },
    { name: 'received_amount', label: 'Received', kind: 'amount' },
    { name: 'address', label: 'To', kind: 'address', open: 'deposit address', csv: false },
    { name: 'tx_hash', label: 'Hash', kind: 'hash', open: 'transaction hash', csv: false },
    { name: 'created_at', label: 'Created', kind: 'time', width: 10.5 },
  ],
  columns: ['created_at', 'status', 'chain', 'id', 'received_amount'],
  more: [NOTE.name, 'address', 'tx_hash'],
  detail: ['address', 'chain', 'tx_hash', 'created_at'],
  ids: ['id', 'status', 'asset'],
  empty: 'Create a deposit address and share it with a customer.',
  settles: true,
  chart: true,
  start: {
    to: paths.newDepositAddress,
    label: 'New deposit address',
    readOnly: 'Read only: no new addresses from here.',
  },
  payment: 'deposit',
});

export function Component() {
  return <ResourceListPage resource={resource} />;
}
