import type { ReactNode } from 'react';
import type { Zone } from '#src/shared/time.ts';

/** The team's names, labels and notes for the rows. */
export interface RowExtras {
  nameOf?: (chain: string, address: string) => string | undefined;
  /** The label of our own deposit address. */
  labelOf?: (chain: string, address: string) => string | undefined;
  noteOf?: (id: string) => { reference: string; note: string } | undefined;
}

/** The data that all cells of a list share. The same object until something in it changes. */
export interface CellContext extends RowExtras {
  hrefOf: (id: string) => string;
  linkColumn: string;
  /** The noun for a row, such as "deposit". It and the amount name the row's link. */
  one: string;
  amountOf(this: void, row: { readonly [field: string]: unknown }): unknown;
  /** Digits after the decimal point of the longest amount, so that the points align. */
  decimals: number;
  zone: Zone;
  amountsHidden: boolean;
  /** Draw hidden or unreadable amounts, and unreadable times. Separate from the plain cells because they are React components. */
  odd: { amount: (value: unknown, asset: string | undefined) => ReactNode; time: (value: unknown) => ReactNode };
}
