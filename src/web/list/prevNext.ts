import { createContext } from 'react';
import { locationState } from '#src/web/storage/locationState.ts';

/** Opens a neighbouring row from the open detail, or says why that is not possible. */
export type Step = { go: () => void } | { why: string };

/** The rows before and after the one whose detail is open, in the order of the list. */
export interface PrevNext {
  noun: string;
  previous: Step;
  next: Step;
  reading: boolean;
  /** Why no row was opened after loading more rows. */
  note: string | null;
}

/** Null if the detail has no list beside it. */
export const PrevNextContext = createContext<PrevNext | null>(null);

/** Location state of a navigation to a neighbouring row, which is then scrolled into sight. */
export const STEPPED = locationState({ stepped: true });
