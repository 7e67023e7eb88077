import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { ApiError } from '#src/api/errors.ts';
import type { ListResource } from '#src/api/paging/listResource.ts';
import type { Page } from '#src/api/paging/paging.ts';
import type { Payment } from '#src/lib/operations/paymentHistory.ts';
import { LIST_PAGES } from '#src/lib/paths.ts';
import type { Noun } from '#src/lib/text.ts';
import { noteText } from '#src/list/rows/listCells.tsx';
import type { Layout } from '#src/list/rows/columnFit.ts';
import { columnId, columnsOf, type Field, type ListColumn, type ListRow, moneyOf, valueOf } from '#src/list/fields.tsx';
import { readFilters, sentFilters, type SomeFilters } from '#src/list/filters/filterTable.ts';
import type { PageFilters } from '#src/list/filters/listFilters.tsx';
import { withSign } from '#src/list/rows/amountWidth.ts';
import { type RowIndex, rowIndexer } from '#src/list/rows/rowIndex.ts';

/** Everything that there is to one of the service's lists: its page, its details and its case files are drawn from it. */
interface Declaration<T extends ListRow> {
  noun: Noun;
  /** The heading of its page, and the name of its table where that is another. */
  title: string;
  label?: string;
  /** What could not be read when its first page fails, where it is not "The deposits". */
  whole?: string;
  api: ListResource<T>;
  filters: SomeFilters<PageFilters>;
  /** In the order of CSV and case files. */
  fields: readonly Field<T>[];
  /** Names of fields: columns, the last ones given up first on narrow windows; those of a card, where they are others; lines of the detail, and those folded in it. */
  columns: readonly string[];
  /** Columns that a person may add. */
  more?: readonly string[];
  cards?: readonly string[];
  detail: readonly string[];
  ids?: readonly string[];
  /** What would fill an empty list. */
  empty: string;
  /** Rows change with time, and are read again. */
  settles: boolean;
  /** The chart of rows per day. */
  chart?: true;
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

/** The column of what the team wrote on a payment. */
export const NOTE: Field<ListRow> = {
  name: 'team_note',
  label: 'Reference and note',
  kind: 'word',
  width: 9,
  share: 2,
  cell: noteText,
};

export interface Resource<T extends ListRow> extends Declaration<T> {
  label: string;
  /** The address of its page. */
  at: string;
  amountOf: (row: T) => unknown;
  /** As wide as the amount can be drawn. */
  widestOf: (row: T) => unknown;
  /** What is made of these columns, as a list takes it. */
  tableOf: (columns: readonly string[]) => { columns: readonly ListColumn<T>[]; layout: Layout };
  indexRows: (pages: readonly Page<T>[]) => RowIndex<T>;
  /** Reads the page of rows that an address shows first; never rejects. */
  readFirst: (client: QueryClient, account: string, search: string) => Promise<unknown>;
}

/** A declaration with what is made of it once. */
export function defineResource<T extends ListRow>(declaration: Declaration<T>): Resource<T> {
  const { title, label = title, fields, columns, cards = columns, api, filters } = declaration;
  const money = moneyOf(fields);
  const amountOf = (row: T): unknown => money && valueOf(money, row);
  const widthOf = (field: Field<T>) => ({ id: columnId(field), width: field.width, share: field.share });
  const links = fields.filter(({ link }) => link).map(columnId);
  const tableOf = (names: readonly string[]) => {
    const shown = fieldsNamed([...fields, NOTE], names);
    return {
      columns: columnsOf(shown),
      layout: { columns: shown.map(widthOf), cards: fieldsNamed(fields, cards).map(widthOf), links },
    };
  };
  return {
    ...declaration,
    label,
    at: LIST_PAGES[api.name].path,
    amountOf,
    widestOf: money?.kind === 'movement' ? (row) => withSign(amountOf(row)) : amountOf,
    tableOf,
    indexRows: rowIndexer<T>(),
    readFirst: (client, account, search) => {
      const read = readFilters(new URLSearchParams(search), filters);
      return client.prefetchInfiniteQuery(api.list(account, sentFilters(read.filters, filters)));
    },
  };
}

export function fieldsNamed<T>(fields: readonly Field<T>[], names: readonly string[]): Field<T>[] {
  return names.flatMap((name) => fields.find((field) => field.name === name) ?? []);
}

export interface ResourceProps<T extends ListRow> {
  resource: Resource<T>;
  children?: ReactNode;
}
