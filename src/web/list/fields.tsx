import { type ColumnDef, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { capital } from '#src/shared/text.ts';
import type { CellContext } from './rows/cellContext.ts';

export interface ListRow {
  readonly id: string;
  /** Asset of the row's amount: amounts are drawn with it, and totals are grouped by it. */
  readonly asset: string | null;
  readonly created_at?: unknown;
  readonly [field: string]: unknown;
}

/** Decides how a field is drawn and redacted. A movement is a signed amount; a code is an asset code. */
export type FieldKind =
  | 'id'
  | 'time'
  | 'status'
  | 'word'
  | 'code'
  | 'chain'
  | 'amount'
  | 'movement'
  | 'address'
  | 'hash';

/** One field of a resource's rows: its column, its line in the detail and the case file. */
export interface ListField<T> {
  /** The service's name of the field. */
  name: string;
  label: string;
  kind: FieldKind;
  /** If the value is not simply the field of that name. */
  value?(row: T): unknown;
  /** Least width of its column, rem. The width of an amount column depends on the rows. */
  width?: number;
  /** Its share of the remaining width; default 1. */
  share?: number;
  /** Its column, if visible, has the row's link. */
  link?: true;
  /** Draws the cell, instead of the kind's default. */
  cell?(row: T, context: CellContext): ReactNode;
  /** Draws the line in the detail, instead of the kind's default. */
  fact?(row: T): ReactNode;
  /** For a field that the contract doesn't promise: its full name, for the column head and under "Not provided". */
  open?: string;
}

export function valueOf<T extends ListRow>(field: ListField<T>, row: T): unknown {
  return field.value ? field.value(row) : row[field.name];
}

function isMoney(kind: FieldKind): boolean {
  return kind === 'amount' || kind === 'movement';
}

export function moneyOf<T>(fields: readonly ListField<T>[]): ListField<T> | undefined {
  return fields.find(({ kind }) => isMoney(kind));
}

/** The service sorts, filters and pages the lists, so the table needs no features. */
export const listFeatures = /* @__PURE__ */ tableFeatures({});
export type ListColumn<T extends ListRow> = ColumnDef<typeof listFeatures, T> & { id: string; field: ListField<T> };

/**
 * The column's id, which is also its class in the style sheets. All times are `created` and all amounts `cash`, so a list
 * may have one column of each; defineResource() refuses a second one.
 */
export function columnId({ kind, name }: Pick<ListField<never>, 'kind' | 'name'>): string {
  return kind === 'time' ? 'created' : isMoney(kind) ? 'cash' : name;
}

export function headOf({ label, open }: Pick<ListField<never>, 'label' | 'open'>): string {
  return capital(open ?? label);
}

export function columnsOf<T extends ListRow>(fields: readonly ListField<T>[]): ListColumn<T>[] {
  const helper = createColumnHelper<typeof listFeatures, T>();
  return fields.map((field) => {
    const of = { id: columnId(field), header: headOf(field) };
    return { ...helper.accessor((row): unknown => valueOf(field, row), of), id: of.id, field };
  });
}
