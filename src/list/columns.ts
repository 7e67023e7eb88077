import { createColumnHelper, tableFeatures, type ColumnDef } from '@tanstack/react-table';

/** A list sorts, filters and pages on the service: the table itself needs no feature. */
export const listFeatures = tableFeatures({});

export interface ListRow {
  id: string;
  asset: string | null;
  created_at?: unknown;
}

/** A deposit or a withdrawal. */
export interface PaymentRow extends ListRow {
  status: string | null;
  chain: string | null;
}

export type ListColumn<T extends ListRow> = ColumnDef<typeof listFeatures, T>;

/** Ids of columns: they decide the width, and `id` and `created` hold a row's link. */
export type ColumnId = 'created' | 'status' | 'type' | 'id' | 'chain' | 'source' | 'book' | 'cash';

export function listColumnHelper<T extends ListRow>() {
  return createColumnHelper<typeof listFeatures, T>();
}
