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
  /** Shown instead of the table if there is nothing to list. */
  Empty: ComponentType<{ action?: ReactNode }>;
  tableClass?: string;
  /** Tabs, in the URL as `show`. `none`: text for a tab without rows. */
  tabs?: { usual: Tab; none: Readonly<Record<Tab, string>> };
  /** Stored in the URL under their names. */
  filters?: SomeFilters<F>;
  /** Searches the loaded rows. The text is not in the URL, but a link may set one as `q`. */
  search?: { hint: string; find: (rows: readonly T[], text: string) => readonly T[] };
  /** A heading for screen readers, which also takes the focus when a row or form disappears. */
  heading?: string;
  /** Shows the opened row, and closes if the row is removed. */
  Dialog?: ComponentType<{ row: T; onClose: () => void }>;
  /** Rows open beside the list, as child routes. */
  hasDetails?: true;
  /** Replaces the table of `columns`. */
  Table?: ComponentType<{ rows: readonly T[] }>;
}

/** Returned by a list’s hook: the rows, and all that depends on them. */
export interface OwnListRows<T, Tab extends string = string> {
  /** Undefined until loaded. */
  rows: readonly T[] | undefined;
  /** The query that loads the rows; null if they are in this tab’s memory. */
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
  /** Between the search and the table. */
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
