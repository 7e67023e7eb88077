import { expect, test } from 'vitest';
import { depositQueries } from '#src/web/api/listQueries.ts';
import type { DepositRow } from '#src/shared/contract/rows.ts';
import type { ListField } from '#src/web/list/fields.tsx';
import { defineResource } from './resource.ts';

const fields: readonly ListField<DepositRow>[] = [
  { name: 'created_at', label: 'Created', kind: 'time' },
  { name: 'id', label: 'ID', kind: 'id' },
  { name: 'fee', label: 'Fee', kind: 'amount' },
  { name: 'received_amount', label: 'Received', kind: 'amount' },
];

const withColumns = (columns: readonly string[]) =>
  defineResource<DepositRow>({
    title: 'Deposits',
    noun: { one: 'deposit', many: 'deposits' },
    api: depositQueries,
    filters: {},
    fields,
    columns,
    detail: [],
    empty: '',
    settles: false,
  });

test('a list with two amount columns is refused: both would show the asset of the first', () => {
  expect(withColumns(['created_at', 'id', 'received_amount']).label).toBe('Deposits');
  expect(() => withColumns(['created_at', 'fee', 'received_amount'])).toThrow('Deposits has two columns "cash".');
});

test('a column that names no field is refused', () => {
  expect(() => withColumns(['created_at', 'recieved_amount'])).toThrow('The list has no field "recieved_amount".');
});
