import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { ApiError } from '#src/web/api/errors.ts';
import type { ListQueries } from '#src/web/api/paging/createListQueries.ts';
import type { ChainAddress } from '#src/shared/chains/lookAlike.ts';
import type { PaymentKind } from '#src/shared/operations/paymentHistory.ts';
import { LIST_PAGES } from '#src/shared/paths.ts';
import type { ColumnLayout } from '#src/web/list/rows/columnFit.ts';
import { columnId, columnsOf, type ListColumn, type ListRow, moneyOf, valueOf } from '#src/web/list/fields.tsx';
import { readFilters, sentFilters, type SomeFilters } from '#src/web/list/filters/filterTable.ts';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import { withSign } from '#src/web/list/rows/amountWidth.ts';
import { columnFields, everyColumn, fieldsNamed, type ListColumns, visibleFields } from './listColumns.ts';

/** Declares one of the service's lists. Its page, details, exports and case files are generated from this. */
interface Declaration<T extends ListRow> extends ListColumns<T> {
  /** Accessible name of the table; default: the title. */
  label?: string;
  /** Completes "Couldn't load …"; default: noun.many. */
  whole?: string;
  api: ListQueries<T>;
  filters: SomeFilters<PageFilters>;
  /** Names of fields. `detail`: lines of the detail. `ids`: lines folded away below them, on payments only. */
  detail: readonly string[];
  ids?: readonly string[];
  /** Shown below "No deposits yet": how to get one. */
  empty: string;
  /** Rows change after they are created, so open ones are polled. */
  settles: boolean;
  /** Link to the form for a new item. */
  start?: { to: string; label: string };
  /** Link shown in an empty list instead of `start`: how to get its first row. */
  firstStep?: { to: string; label: string };
  /** Shown above the filters if the service has no such list. */
  LookUp?: ComponentType;
  /** Shown instead of a list that the service does not have. */
  NotOffered?: ComponentType<{ isNotFound: boolean }>;
  /** Shown when the service answers 404 to a look-up. */
  Unknown?: ComponentType<{ id: string; error: ApiError }>;
  /** Called with each page of the list before its rows are drawn. */
  onPage?: (page: { readonly data: readonly T[] }) => void;
  /** The address that a row paid. If set, the chart can group by recipient. */
  recipientOf?: (row: ListRow) => ChainAddress | null;
  /** Rows are payments: they have operations, notes, case files and ledger entries. */
  payment?: PaymentKind;
}

export interface Resource<T extends ListRow> extends Declaration<T> {
  label: string;
  /** Path of its page. */
  at: string;
  amountOf: (row: T) => unknown;
  /** The amount as the table draws it, for the column's width. */
  widestOf: (row: T) => unknown;
  /** The table with the chosen columns, or the usual ones. */
  tableOf: (chosen: readonly string[] | undefined) => { columns: readonly ListColumn<T>[]; layout: ColumnLayout };
  /** Loads the first page for these filters; never rejects. */
  readFirst: (client: QueryClient, account: string, search: string) => Promise<unknown>;
}

export function defineResource<T extends ListRow>(declaration: Declaration<T>): Resource<T> {
  const { title, label = title, fields, api, filters } = declaration;
  refuseSameColumns(declaration);
  const money = moneyOf(fields);
  const amountOf = (row: T): unknown => money && valueOf(money, row);
  return {
    ...declaration,
    label,
    at: LIST_PAGES[api.name].path,
    amountOf,
    widestOf: money?.kind === 'movement' ? (row) => withSign(amountOf(row)) : amountOf,
    tableOf: (chosen) => {
      const { fields: visible, layout } = visibleFields(declaration, chosen);
      return { columns: columnsOf(visible), layout };
    },
    readFirst: (client, account, search) => {
      const read = readFilters(new URLSearchParams(search), filters);
      return client.prefetchInfiniteQuery(api.list(account, sentFilters(read.filters, filters)));
    },
  };
}

/** Two amounts in columns would both be drawn with the first one's asset. */
function refuseSameColumns<T extends ListRow>(list: ListColumns<T>): void {
  const ids = fieldsNamed(columnFields(list), everyColumn(list)).map(columnId);
  const again = ids.find((id, at) => ids.indexOf(id) !== at);
  if (again !== undefined) throw new TypeError(`${list.title} has two columns "${again}".`);
}

export interface ResourceProps<T extends ListRow> {
  resource: Resource<T>;
}
