import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { ApiError } from '#src/web/api/errors.ts';
import type { ListResource } from '#src/web/api/paging/listResource.ts';
import type { Page } from '#src/web/api/paging/paging.ts';
import type { Payment } from '#src/shared/operations/paymentHistory.ts';
import { LIST_PAGES } from '#src/shared/paths.ts';
import type { Noun } from '#src/shared/text.ts';
import type { Layout } from '#src/web/list/rows/columnFit.ts';
import { columnsOf, type ListColumn, type ListRow, moneyOf, valueOf } from '#src/web/list/fields.tsx';
import { readFilters, sentFilters, type SomeFilters } from '#src/web/list/filters/filterTable.ts';
import type { PageFilters } from '#src/web/list/filters/filterProps.ts';
import { withSign } from '#src/web/list/rows/amountWidth.ts';
import { type RowIndex, rowIndexer } from '#src/web/list/rows/rowIndex.ts';
import { type ListLook, shownFields } from './lists.ts';

/** Everything that there is to one of the service's lists: its page, its details and its case files are drawn from it. */
interface Declaration<T extends ListRow> extends ListLook<T> {
  noun: Noun;
  /** The name of its table where that is not the heading. */
  label?: string;
  /** What could not be read when its first page fails, where it is not "The deposits". */
  whole?: string;
  api: ListResource<T>;
  filters: SomeFilters<PageFilters>;
  /** Names of fields: lines of the detail, and those folded in it. */
  detail: readonly string[];
  ids?: readonly string[];
  /** What would fill an empty list. */
  empty: string;
  /** Rows change with time, and are read again. */
  settles: boolean;
  /** The way to start a new one. */
  start?: { to: string; label: string; readOnly: string };
  /** Stands above the filters. */
  LookUp?: ComponentType;
  /** In the place of a list that the service does not have. */
  NotOffered?: ComponentType<{ said: boolean }>;
  /** The service's own 404 to a look-up. */
  Unknown?: ComponentType<{ id: string; error: ApiError }>;
  /** Of what moves money from here: what the journal knows of a row; with notes, case files and ledger entries. */
  payment?: Payment;
}

export interface Resource<T extends ListRow> extends Declaration<T> {
  label: string;
  /** The address of its page. */
  at: string;
  amountOf: (row: T) => unknown;
  /** As wide as the amount can be drawn. */
  widestOf: (row: T) => unknown;
  /** The table with the columns that a person chose, else with its usual ones. */
  tableOf: (chosen: readonly string[] | undefined) => { columns: readonly ListColumn<T>[]; layout: Layout };
  indexRows: (pages: readonly Page<T>[]) => RowIndex<T>;
  /** Reads the page of rows that an address shows first; never rejects. */
  readFirst: (client: QueryClient, account: string, search: string) => Promise<unknown>;
}

export function defineResource<T extends ListRow>(declaration: Declaration<T>): Resource<T> {
  const { title, label = title, fields, api, filters } = declaration;
  const money = moneyOf(fields);
  const amountOf = (row: T): unknown => money && valueOf(money, row);
  return {
    ...declaration,
    label,
    at: LIST_PAGES[api.name].path,
    amountOf,
    widestOf: money?.kind === 'movement' ? (row) => withSign(amountOf(row)) : amountOf,
    tableOf: (chosen) => {
      const { fields: shown, layout } = shownFields(declaration, chosen);
      return { columns: columnsOf(shown), layout };
    },
    indexRows: rowIndexer<T>(),
    readFirst: (client, account, search) => {
      const read = readFilters(new URLSearchParams(search), filters);
      return client.prefetchInfiniteQuery(api.list(account, sentFilters(read.filters, filters)));
    },
  };
}

export interface ResourceProps<T extends ListRow> {
  resource: Resource<T>;
}
