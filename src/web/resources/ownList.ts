import type { ComponentType, CSSProperties, ReactNode } from 'react';
import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { Noun } from '#src/shared/text.ts';
import type { SomeFilters } from '#src/web/list/filters/filterTable.ts';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';

/** One of the dashboard’s own lists: OwnListPage draws its page from this and from what the list’s hook loads. */
export interface OwnList<T, F extends object = object, Tab extends string = string> {
  title: string;
  path: string;
  noun: Noun;
  /** Accessible name of the table. */
  label: string;
  keyOf: (row: T) => string;
  /** In place of the table when there is nothing to list. */
  Empty: ComponentType<{ action?: ReactNode }>;
  tableClass?: string;
  /** Parts of the list, in the URL as `show`. `none`: shown for a part without rows. */
  tabs?: { usual: Tab; none: Readonly<Record<Tab, string>> };
  /** In the URL, under their names. */
  filters?: SomeFilters<F>;
  /** Finds among the loaded rows. The text is not in the URL, but a link may bring one as `q`. */
  search?: { hint: string; find: (rows: readonly T[], text: string) => readonly T[] };
  /** A heading for screen readers, which also takes the focus when a row or form is gone. */
  heading?: string;
  /** Shows the row that was opened; it closes when the row is gone. */
  Dialog?: ComponentType<{ row: T; onClose: () => void }>;
  /** The rows open beside the list, as child routes. */
  hasDetails?: true;
  /** In place of a table of `columns`. */
  Table?: ComponentType<{ rows: readonly T[] }>;
}

/** Returned by a list’s hook: the rows, and all that depends on them. */
export interface OwnListRows<T, Tab extends string = string> {
  /** Undefined until loaded. */
  rows: readonly T[] | undefined;
  /** The query that loads them; null if they are in this tab’s memory. */
  query: OwnListQuery | null;
  /** No row in any tab. */
  isEmpty: boolean;
  columns?: readonly DataColumn<T>[];
  tableStyle?: CSSProperties;
  /** A tab without a label isn’t offered. */
  tabLabels?: Readonly<Partial<Record<Tab, string>>>;
  /** Beside the title. */
  asOf: ReactNode;
  actions?: ReactNode;
  /** The next step when there is no row in any tab. */
  emptyAction?: ReactNode;
  /** Above the tabs and the search. */
  above?: ReactNode;
  /** Between them and the table. */
  notices?: ReactNode;
  /** Below the table. */
  foot?: ReactNode;
}

type PagedQuery = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;
export type OwnListQuery = Pick<UseQueryResult, 'error' | 'isFetching' | 'dataUpdatedAt'> & {
  refetch: () => unknown;
} & Partial<PagedQuery>;
