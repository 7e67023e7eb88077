import { createColumnHelper, tableFeatures, type ColumnDef } from '@tanstack/react-table';

/** A list sorts, filters and pages on the service: the table itself needs no feature. */
export const listFeatures = tableFeatures({});

export interface ListRow {
  id: string;
  status: string | null;
  asset: string | null;
  chain: string | null;
  created_at?: unknown;
}

export type ListColumn<T extends ListRow> = ColumnDef<typeof listFeatures, T>;

/** Ids of the columns that a narrow list gives up, in this order. */
export type ColumnId = 'created' | 'status' | 'id' | 'chain' | 'cash';

export function listColumnHelper<T extends ListRow>() {
  return createColumnHelper<typeof listFeatures, T>();
}
