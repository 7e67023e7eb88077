import { expect, test } from 'vitest';
import { FILTER_NAMES } from '#src/shared/contract/contract.ts';
import { resource as deposits } from '#src/web/resources/deposits.tsx';
import { resource as ledger } from '#src/web/resources/ledger.tsx';
import { resource as withdrawals } from '#src/web/resources/withdrawals.tsx';
import { ROW_FILTER_NAMES } from '#src/shared/contract/jobsContract.ts';
import { EXPORTED_LISTS } from '#src/shared/export/exportColumns.ts';

test.each([deposits, withdrawals, ledger])(
  'a list on screen and its file have the same fields and filters: $title',
  (list) => {
    const { columns, amount } = EXPORTED_LISTS[list.api.name];
    const names = new Set(list.fields.map(({ name }) => name));
    for (const { name } of columns) expect(names, name).toContain(name.replace(/^created_at_.*/, 'created_at'));
    const money = list.fields.find(({ kind }) => kind === 'amount' || kind === 'movement');
    expect(amount).toBe(money?.name);
    const page = Object.keys(list.filters).filter((name) => name !== 'period' && name !== 'sort');
    const filters = [...FILTER_NAMES[list.api.name], ...ROW_FILTER_NAMES[list.api.name]];
    expect(filters.toSorted()).toEqual(page.toSorted());
  },
);
