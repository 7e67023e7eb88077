import type { ReactNode } from 'react';
import type { Zone } from '#src/shared/time.ts';

/** What the team has recorded about the rows. */
export interface RowExtras {
  nameOf?: (chain: string, address: string) => string | undefined;
  /** The label of our own deposit address. */
  labelOf?: (chain: string, address: string) => string | undefined;
  noteOf?: (id: string) => { reference: string; note: string } | undefined;
}

/** What all cells of a list are drawn with; the same object until some of it changes. */
export interface CellContext extends RowExtras {
  hrefOf: (id: string) => string;
  linkColumn: string;
  /** What a row is, such as "deposit", and its amount: its link is named by them. */
  one: string;
  amountOf(this: void, row: { readonly [field: string]: unknown }): unknown;
  /** Digits behind the point of the longest amount, so that points align. */
  decimals: number;
  zone: Zone;
  amountsHidden: boolean;
  /** Draws hidden or unreadable amounts and unreadable times: as React components, so kept apart from the plain cells. */
  odd: { amount: (value: unknown, asset: string | undefined) => ReactNode; time: (value: unknown) => ReactNode };
}
